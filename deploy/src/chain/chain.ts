// Reads the chain from one node, with few concurrent requests: public nodes refuse more.
import {
  type Abi,
  type Address,
  createPublicClient,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'

const REQUESTS_AT_ONCE = 6
const TIMEOUT_MS = 20_000
const RETRIES = 4
const RETRY_DELAY_MS = 300

export type ViewCall = Readonly<{
  abi: Abi
  address: Address
  functionName: string
  args?: readonly unknown[]
}>

type SimulatedCall = Readonly<{ from: Hex; to: Hex | undefined; data: Hex; gas: bigint }>

/** Requests of a deployment to a node. None asks the node for an estimate. */
export class Chain {
  readonly #client: PublicClient

  constructor(url: string) {
    const transport = http(url, {
      timeout: TIMEOUT_MS,
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
    })
    this.#client = createPublicClient({ transport, cacheTime: 0 })
  }

  chainId(): Promise<number> {
    return this.#client.getChainId()
  }

  async code(address: Hex): Promise<Hex | undefined> {
    const code = await this.#client.getCode({ address })
    return code === '0x' ? undefined : code
  }

  balance(address: Hex): Promise<bigint> {
    return this.#client.getBalance({ address })
  }

  /** Returns the number of transactions of `address` in blocks. */
  nonce(address: Hex): Promise<number> {
    return this.#client.getTransactionCount({ address, blockTag: 'latest' })
  }

  async newestBlock(): Promise<Readonly<{ number: bigint; baseFee: bigint; timestamp: bigint }>> {
    const { number, baseFeePerGas, timestamp } = await this.#client.getBlock({ blockTag: 'latest' })
    return { number, baseFee: baseFeePerGas ?? 0n, timestamp }
  }

  /** Returns the result of a view; undefined when there is no contract. */
  async read<T>(view: ViewCall): Promise<T | undefined> {
    if ((await this.code(view.address)) === undefined) return undefined
    return (await this.#client.readContract(view)) as T
  }

  /** Returns the result of a simulated call; throws its revert. */
  async simulate({ from, to, data, gas }: SimulatedCall): Promise<Hex> {
    const target = to === undefined ? {} : { to }
    const { data: answer = '0x' } = await this.#client.call({ account: from, data, gas, ...target })
    return answer
  }

  send(raw: Hex): Promise<Hex> {
    return this.#client.sendRawTransaction({ serializedTransaction: raw })
  }

  slot(address: Hex, slot: Hex): Promise<Hex | undefined> {
    return this.#client.getStorageAt({ address, slot })
  }

  /** Returns a transaction's input and block; undefined when the node does not have it. */
  async transaction(hash: Hex): Promise<Readonly<{ input: Hex; block: number }> | undefined> {
    try {
      const { input, blockNumber } = await this.#client.getTransaction({ hash })
      return blockNumber === null ? undefined : { input, block: Number(blockNumber) }
    } catch (error) {
      if ((error as Error).name === 'TransactionNotFoundError') return undefined
      throw error
    }
  }

  /** Returns the receipt; undefined when the node has none. */
  async receipt(hash: Hex): Promise<TransactionReceipt | undefined> {
    try {
      return await this.#client.getTransactionReceipt({ hash })
    } catch (error) {
      if ((error as Error).name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    }
  }
}

/** Runs `work` over `items` with limited concurrency; results are in their order. */
export async function mapLimited<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as T)
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, worker))
  return results
}
