// Reads a chain node, and sends transactions of a wallet to it.
import { ConnectionError, MismatchError } from 'openvenue'
import { type Address, type Call, type Hex, readFees } from 'openvenue/signing'
import type { ChainRpc } from 'openvenue/verify'
import {
  type Abi,
  BaseError,
  type Block,
  createPublicClient,
  decodeErrorResult,
  domainSeparator,
  HttpRequestError,
  http,
  type PublicClient,
  parseAbi,
  TimeoutError,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ChainError } from './exit-codes.ts'

/** End of the error selector: 0x and four bytes. */
const SELECTOR_END = 10
const POLL_MS = 250
const INCLUDED_MS_MAX = 120_000
const TOKEN = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function allowance(address, address) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const ACCOUNTS = parseAbi([
  'function signerAccount(address wallet, address signer) view returns (uint40)',
])

/** Members of `GET /info` about the chain that sending transactions needs. */
type ChainTerms = Readonly<{ chain_id: number; fee_floor_wei: string; tip_wei: string }>

/** Reads the errors of the venue's contracts. */
type ErrorAbi = () => Promise<Abi>

/** A transaction that is in a block. */
export type IncludedTx = Readonly<{ step: string; hash: Hex; block_number: string }>
/** Permit domain and nonce of a token; undefined if it does not support permits. */
export type PermitTerms = Readonly<{ name: string; version: string; nonce: bigint }>

export class Chain {
  readonly url: string
  readonly chainId: number
  readonly #client: PublicClient
  readonly #errors: ErrorAbi
  readonly #terms: ChainTerms

  private constructor(url: string, terms: ChainTerms, errors: ErrorAbi) {
    this.url = url
    this.chainId = terms.chain_id
    this.#terms = terms
    this.#errors = errors
    this.#client = createPublicClient({ transport: http(url), pollingInterval: POLL_MS })
  }

  /** Throws a `MismatchError` if the node belongs to another chain. */
  static async at(url: string, terms: ChainTerms, errors: ErrorAbi): Promise<Chain> {
    const chain = new Chain(url, terms, errors)
    const { chainId } = chain
    const actual = await asking(() => chain.#client.getChainId())
    if (actual === chainId) return chain
    const facts = { path: 'chain_id', venue: `${chainId}`, expected: `${actual}` }
    throw new MismatchError(`chain id of node ${hostOf(url)}: got ${actual}, expected ${chainId}`, [
      facts,
    ])
  }

  /** Access to the node, for checks of the API against the chain. */
  get rpc(): ChainRpc {
    return this.#client
  }

  blockNumber(): Promise<bigint> {
    return asking(() => this.#client.getBlockNumber({ cacheTime: 0 }))
  }

  block(number: number): Promise<Block> {
    return asking(() => this.#client.getBlock({ blockNumber: BigInt(number) }))
  }

  gasMoney(address: Address): Promise<bigint> {
    return asking(() => this.#client.getBalance({ address }))
  }

  tokenBalance(token: Address, owner: Address): Promise<bigint> {
    return this.#token(token, 'balanceOf', [owner])
  }

  allowance(token: Address, owner: Address, spender: Address): Promise<bigint> {
    return this.#token(token, 'allowance', [owner, spender])
  }

  /** Returns the code of a contract; 0x if there is none. */
  async code(address: Address): Promise<Hex> {
    return (await asking(() => this.#client.getCode({ address }))) ?? '0x'
  }

  /** Returns whether a signing key may trade for an account now, from the accounts contract. */
  async maySign(accounts: Address, account: Address, signer: Address): Promise<boolean> {
    const call = { address: accounts, abi: ACCOUNTS, functionName: 'signerAccount' } as const
    const args = [account, signer] as const
    return (await asking(() => this.#client.readContract({ ...call, args }))) !== 0
  }

  /** Returns the permit terms of a token, only if they reproduce its domain separator. */
  async permitTerms(token: Address, owner: Address): Promise<PermitTerms | undefined> {
    const read = <T>(functionName: 'name' | 'version' | 'nonces' | 'DOMAIN_SEPARATOR') =>
      this.#token<T>(token, functionName, functionName === 'nonces' ? [owner] : []).catch(
        unlessLost,
      )
    const [name, domainVersion, nonce, separator] = await Promise.all([
      read<string>('name'),
      read<string>('version'),
      read<bigint>('nonces'),
      read<Hex>('DOMAIN_SEPARATOR'),
    ])
    if (name === undefined || nonce === undefined || separator === undefined) return undefined
    const { chainId } = this
    const domain = { name, chainId, verifyingContract: token }
    const version = [...(domainVersion === undefined ? [] : [domainVersion]), '1', '2'].find(
      (version) => domainSeparator({ domain: { ...domain, version } }) === separator,
    )
    return version === undefined ? undefined : { name, version, nonce }
  }

  /** Sends a call of a wallet and waits until a block includes it. */
  async send(
    wallet: PrivateKeyAccount,
    step: string,
    call: Call,
    onHash: (hash: Hex) => void,
  ): Promise<IncludedTx> {
    const { chainId } = this
    const { address } = wallet
    const sending = asking(async () => {
      // Simulated first, so that a revert costs nothing. The node is not asked for gas or fees.
      const [nonce, fees] = await Promise.all([
        this.#client.getTransactionCount({ address, blockTag: 'pending' }),
        readFees(this.rpc, this.#terms),
        this.#client.call({ account: address, ...call }),
      ])
      // The signed chain id is the venue's, whatever the node reports.
      const tx = { type: 'eip1559', chainId, nonce, ...call, ...fees } as const
      const signed = await wallet.signTransaction(tx)
      const hash = await this.#client.sendRawTransaction({ serializedTransaction: signed })
      onHash(hash)
      return this.included(step, hash)
    })
    return sending.catch((error: unknown) => this.#refuse(step, error))
  }

  /** Names the custom error of a revert by the contract's ABI. */
  async #refuse(step: string, error: unknown): Promise<never> {
    const data = error instanceof ChainError ? revertData(error.cause) : undefined
    if (data === undefined) throw error
    const abi = await this.#errors().catch((): Abi => [])
    throw new ChainError(`${step}: reverted with ${errorName(abi, data)}`)
  }

  /** Waits until a block includes a transaction. */
  async included(step: string, hash: Hex): Promise<IncludedTx> {
    const { status, blockNumber } = await this.#client.waitForTransactionReceipt({
      hash,
      timeout: INCLUDED_MS_MAX,
    })
    if (status !== 'success') throw new ChainError(`${step} reverted: ${hash}`)
    return { step, hash, block_number: blockNumber.toString() }
  }

  /** Sends a request for which viem has no action. */
  request(method: string, params: readonly unknown[]): Promise<unknown> {
    return asking(() => this.#client.request({ method, params } as never))
  }

  #token<T>(address: Address, functionName: string, args: readonly unknown[]): Promise<T> {
    const call = { address, abi: TOKEN, functionName, args }
    return asking(() => this.#client.readContract(call as never)) as Promise<T>
  }
}

/** An unreachable node is a connection error; any other failure is an answer of the chain. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    if (!causes(error).some(isLost)) throw new ChainError(error.shortMessage, { cause: error })
    // The URL may contain the API key of a provider.
    throw new ConnectionError('no answer from the chain node')
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof HttpRequestError || error instanceof TimeoutError

/** Returns an error and all of its causes. */
function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}

/** Returns the revert data of a contract. */
const revertData = (error: unknown): Hex | undefined =>
  causes(error)
    .map((cause) => (cause as { data?: unknown }).data)
    .find((data): data is Hex => /^0x[0-9a-f]{8}/i.test(String(data)))

function errorName(abi: Abi, data: Hex): string {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    return `${errorName}(${args.join(', ')})`
  } catch {
    return data.slice(0, SELECTOR_END)
  }
}

function unlessLost(error: unknown): undefined {
  if (error instanceof ConnectionError) throw error
  return undefined
}

/** Returns the host of a URL: its path may be a secret. */
export const hostOf = (url: string): string => new URL(url).host
