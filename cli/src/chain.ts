// Asks a node of the chain, and has a wallet send calls to it.
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

/** 0x and four bytes: which error it is. */
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

/** What the venue says of its chain, as far as who sends needs it. */
export type ChainTerms = Readonly<{ chain_id: number; fee_floor_wei: string; tip_wei: string }>

/** Reads the errors that the contracts of the venue have. */
export type ErrorAbi = () => Promise<Abi>

/** A transaction that is in a block. */
export type Sent = Readonly<{ step: string; hash: Hex; block_number: string }>
/** What a permit of a token has to say; undefined where it takes none. */
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

  /** Throws a `MismatchError` where the node is of another chain. */
  static async at(url: string, terms: ChainTerms, errors: ErrorAbi): Promise<Chain> {
    const chain = new Chain(url, terms, errors)
    const { chainId } = chain
    const found = await asking(() => chain.#client.getChainId())
    if (found === chainId) return chain
    const facts = { path: 'chain_id', venue: `${chainId}`, expected: `${found}` }
    throw new MismatchError(`the node ${hostOf(url)}: its chain is ${found}, and not ${chainId}`, [
      facts,
    ])
  }

  /** For whoever checks the API against the chain. */
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

  /** Returns the code of a contract: 0x where there is none. */
  async code(address: Address): Promise<Hex> {
    return (await asking(() => this.#client.getCode({ address }))) ?? '0x'
  }

  /** Whether a signing key may trade for an account now, as the contract of accounts says. */
  async maySign(accounts: Address, account: Address, signer: Address): Promise<boolean> {
    const call = { address: accounts, abi: ACCOUNTS, functionName: 'signerAccount' } as const
    const args = [account, signer] as const
    return (await asking(() => this.#client.readContract({ ...call, args }))) !== 0
  }

  /** Returns what a permit of the token has to say: only where its domain is found for certain. */
  async permitTerms(token: Address, owner: Address): Promise<PermitTerms | undefined> {
    const read = <T>(functionName: 'name' | 'version' | 'nonces' | 'DOMAIN_SEPARATOR') =>
      this.#token<T>(token, functionName, functionName === 'nonces' ? [owner] : []).catch(
        unlessLost,
      )
    const [name, own, nonce, separator] = await Promise.all([
      read<string>('name'),
      read<string>('version'),
      read<bigint>('nonces'),
      read<Hex>('DOMAIN_SEPARATOR'),
    ])
    if (name === undefined || nonce === undefined || separator === undefined) return undefined
    const { chainId } = this
    const domain = { name, chainId, verifyingContract: token }
    const version = [...(own === undefined ? [] : [own]), '1', '2'].find(
      (version) => domainSeparator({ domain: { ...domain, version } }) === separator,
    )
    return version === undefined ? undefined : { name, version, nonce }
  }

  /** Has a wallet send a call, and waits until a block has it. */
  async send(
    wallet: PrivateKeyAccount,
    step: string,
    call: Call,
    onHash: (hash: Hex) => void,
  ): Promise<Sent> {
    const { chainId } = this
    const { address } = wallet
    const sending = asking(async () => {
      // Tried first, so that nothing is paid for what reverts. No node is asked for gas or prices.
      const [nonce, fees] = await Promise.all([
        this.#client.getTransactionCount({ address, blockTag: 'pending' }),
        readFees(this.rpc, this.#terms),
        this.#client.call({ account: address, ...call }),
      ])
      // The chain is named in what is signed, whatever the node says meanwhile.
      const tx = { type: 'eip1559', chainId, nonce, ...call, ...fees } as const
      const signed = await wallet.signTransaction(tx)
      const hash = await this.#client.sendRawTransaction({ serializedTransaction: signed })
      onHash(hash)
      return this.included(step, hash)
    })
    return sending.catch((error: unknown) => this.#refuse(step, error))
  }

  /** What a contract refuses with is an error of its own: its ABI has the name. */
  async #refuse(step: string, error: unknown): Promise<never> {
    const data = error instanceof ChainError ? revertData(error.cause) : undefined
    if (data === undefined) throw error
    const abi = await this.#errors().catch((): Abi => [])
    throw new ChainError(`${step}: the contract refuses with ${errorName(abi, data)}`)
  }

  /** Waits until a block has a transaction. */
  async included(step: string, hash: Hex): Promise<Sent> {
    const { status, blockNumber } = await this.#client.waitForTransactionReceipt({
      hash,
      timeout: INCLUDED_MS_MAX,
    })
    if (status !== 'success') throw new ChainError(`${step} reverted: ${hash}`)
    return { step, hash, block_number: blockNumber.toString() }
  }

  /** Sends a request that no action of viem stands for. */
  request(method: string, params: readonly unknown[]): Promise<unknown> {
    return asking(() => this.#client.request({ method, params } as never))
  }

  #token<T>(address: Address, functionName: string, args: readonly unknown[]): Promise<T> {
    const call = { address, abi: TOKEN, functionName, args }
    return asking(() => this.#client.readContract(call as never)) as Promise<T>
  }
}

/** A node that cannot be reached is no answer; all else that goes wrong is what the chain says. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    if (!causes(error).some(isLost)) throw new ChainError(error.shortMessage, { cause: error })
    // The address may hold the key of a provider.
    throw new ConnectionError('no answer of the node of the chain')
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof HttpRequestError || error instanceof TimeoutError

/** Returns an error with all that it comes from. */
function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}

/** Returns what a contract reverted with. */
const revertData = (error: unknown): Hex | undefined =>
  causes(error)
    .map((one) => (one as { data?: unknown }).data)
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

/** Returns the host of an address: its path may be a secret. */
export const hostOf = (url: string): string => new URL(url).host
