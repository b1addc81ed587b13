// Sends requests to a venue over REST and a plain WebSocket without the client library, for tests
// that check the answers of both.
import type { Abi } from 'viem'

/** An answer over REST, whatever its status. */
export type RestReply<T> = Readonly<{ status: number; headers: Headers; body: T }>

type ProbeRequest = Readonly<{
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
}>

/** An answer and its block. */
export type BlockAnswer = Readonly<{ block: number; hash: string; body: unknown }>

export type PriceLevel = Readonly<{ price: string; amount: string; orders: number }>
export type OrderBook = Readonly<{ bids: readonly PriceLevel[]; asks: readonly PriceLevel[] }>
export type Trade = Readonly<{
  trade_id: string
  tx_hash: string
  price: string
  amount: string
  side: string
}>
export type Statistics = Readonly<{
  open_interest: Readonly<{ total: string | null }>
  funding_rate: string
  mark_price: string | null
}>
/** Name of the market, end of the hour in nanoseconds, rate, mark. */
export type FundingRow = readonly [string, string, string, string]
export type FundingSnapshot = Readonly<{
  funding_rate: string
  estimated_rate: string
  protocol_funding_rate: string
}>

type AnswerRow = Readonly<Record<string, string | number>>
export type Snapshot = Readonly<{
  blockNumber: number
  blockHash: string
  isTruncated: boolean
  balances: readonly AnswerRow[]
  collaterals: readonly AnswerRow[]
  positions: readonly AnswerRow[]
}>

/** A token in the answers of the second host. */
export type TokenAnswer = Readonly<{
  address: string
  name: string
  symbol: string
  decimals: number
  totalSupply: string
  logoUri: string
  priceUsd: number
}>
export type MarketAnswer = Readonly<{
  address: string
  token0: TokenAnswer
  token1: TokenAnswer
  type: string
  tvl: number
  volume24h: number
  fee: number
}>
export type PoolAnswer = Readonly<{
  poolId: string
  baseToken: TokenAnswer
  quoteToken: TokenAnswer
  price: number
  priceChange24h: number
  volume24h: number
  tvl: number
}>

type TypedDataFields = readonly Readonly<{ name: string; type: string }>[]
/** Messages by primary type, in the format of libraries without their values. */
export type Messages = Readonly<
  Record<
    string,
    Readonly<{
      domain: Readonly<Record<string, unknown>>
      domain_types: TypedDataFields
      types: Readonly<Record<string, TypedDataFields>>
      primaryType: string
      use: string
    }>
  >
>
type PublishedContract = Readonly<{
  address: string
  abi: string
  abi_url: string
  from_block: number | null
}>
export type PublishedInfo = Readonly<{
  network: Readonly<{ chain_id: number; rpc_urls: readonly string[] }>
  contracts: Readonly<Record<'accounts' | 'spot' | 'perps' | 'lens', PublishedContract>> &
    Readonly<{ oracles: readonly PublishedContract[] }>
  typed_data: Readonly<Record<'api' | 'accounts' | 'spot' | 'perps', Messages>>
  tokens: readonly Readonly<{ address: string; symbol: string; abi_url: string }>[]
}>

/** Sends a request, with a body if given, and returns the answer. */
export async function request<T>(
  apiUrl: string,
  path: string,
  options: ProbeRequest = {},
): Promise<RestReply<T>> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = options
  const type = body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(new URL(path, apiUrl), { method, headers: type, ...sent })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

/** Sends a request to the API; throws unless it answers 200 with a block. */
export async function ask(
  apiUrl: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<BlockAnswer> {
  const { status, headers: given, body } = await request(apiUrl, path, { headers })
  const block = given.get('x-block-number')
  if (status !== 200 || block === null)
    throw new Error(`${path}: got ${status} and block ${block}, expected 200 with a block`)
  return { block: Number(block), hash: given.get('x-block-hash') ?? '', body }
}

/** Requests the indexer's snapshot of accounts. */
export async function askSnapshot(indexerUrl: string): Promise<BlockAnswer> {
  const body = await read<Snapshot>(indexerUrl, '/snapshot')
  return { block: body.blockNumber, hash: body.blockHash, body }
}

export const readInfo = (apiUrl: string): Promise<PublishedInfo> => read(apiUrl, '/info')

export const readAbi = (apiUrl: string, path: string): Promise<Abi> => read(apiUrl, path)

/** Returns the body; throws unless the status is 200. */
export async function read<T>(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { status, body } = await request<T>(url, path, { headers })
  if (status !== 200) throw new Error(`${path}: got ${status}, expected 200`)
  return body
}

export type FeedFrame = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  block_number: number
  data: unknown
}>

type SocketReply = Readonly<{ id?: number; data?: unknown; error?: string }>

const ANSWERED_WITHIN_MS = 10_000

/** Thrown when the venue refused an operation of the socket. */
export class SocketRefusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Holds a plain WebSocket, like a bot. */
export class SocketProbe {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: SocketReply) => void>()
  readonly #listeners: ((frame: FeedFrame) => void)[] = []
  #id = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)))
  }

  /** Connects to `/ws` of the API. */
  static async open(apiUrl: string): Promise<SocketProbe> {
    const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('the socket does not open'))
    })
    return new SocketProbe(socket)
  }

  /** Calls `listener` with every frame of a channel. */
  onFrame(listener: (frame: FeedFrame) => void): void {
    this.#listeners.push(listener)
  }

  /** Sends an operation and returns the data of the reply. Throws the code of a refusal. */
  async ask(op: string, data?: unknown): Promise<unknown> {
    const id = ++this.#id
    const reply = new Promise<SocketReply>((resolve, reject) => {
      this.#waiting.set(id, resolve)
      setTimeout(() => reject(new Error(`no answer to ${op}`)), ANSWERED_WITHIN_MS).unref()
    })
    this.#socket.send(JSON.stringify({ op, id, ...(data === undefined ? {} : { data }) }))
    const { data: answer, error } = await reply
    if (error !== undefined) throw new SocketRefusal(error)
    return answer
  }

  close(): void {
    this.#socket.close()
  }

  #take(message: FeedFrame & SocketReply): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
    else if (message.channel !== undefined)
      for (const listener of this.#listeners) listener(message)
  }
}
