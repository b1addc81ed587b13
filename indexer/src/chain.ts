// Reads blocks and logs from a node, and parses its answers.
import type { Header } from '@openvenue/core/events'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { Rpc } from './rpc.ts'

/**
 * Origin of a header: the endpoint, and whether the header was read by number, polled as the
 * newest, or pushed by a subscription. Nodes fill blooms for some of these only.
 */
export type HeaderSource = Readonly<{ endpoint: number; way: 'read' | 'polled' | 'pushed' }>

/** A header from a node. `bloom`: hex of the filter over its logs; undefined without one. */
export type ChainHeader = Header & Readonly<{ bloom: string | undefined; source: HeaderSource }>

/** A log from a node: lower-case hex. */
export type ChainLog = Readonly<{
  address: string
  topics: readonly string[]
  data: string
  blockNumber: number
  blockHash: string
  logIndex: number
  txHash: string
}>

/** Selects logs of these contracts with one of these first topics. */
export type LogFilter = Readonly<{
  address: readonly string[]
  topics: readonly (readonly string[])[]
}>

/** Maximum number of calls per request; nodes commonly refuse more. */
export const BATCH_CALLS_MAX = 100

const quantity = (value: number) => `0x${value.toString(16)}`

const latestCall: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

export const headerCall = (number: number): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})

/** A range of blocks, or the block with a hash. */
export type LogSpan = Readonly<{ from: number; to: number }> | Readonly<{ blockHash: string }>

/**
 * Returns a call with the result null when the node does not have (all of) `span`. It is sent with
 * the request for logs, whose empty result may otherwise mean "no such block yet".
 */
export const presenceCall = (span: LogSpan): RpcCall =>
  'blockHash' in span
    ? { method: 'eth_getBlockTransactionCountByHash', params: [span.blockHash] }
    : headerCall(span.to)

export const receiptsCall = (blockHash: string): RpcCall => ({
  method: 'eth_getBlockReceipts',
  params: [blockHash],
})

export const logsCall = (span: LogSpan, filter: LogFilter): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    'blockHash' in span
      ? { ...filter, blockHash: span.blockHash }
      : { ...filter, fromBlock: quantity(span.from), toBlock: quantity(span.to) },
  ],
})

/** Returns the header of the newest block of that endpoint. */
export async function readLatest(rpc: Rpc, endpoint = 0): Promise<ChainHeader> {
  const [block] = await rpc([latestCall])
  return parseHeader(block, { endpoint, way: 'polled' })
}

/** Returns the headers of `numbers`, in that order; undefined where the chain has no such block. */
async function readHeaders(
  rpc: Rpc,
  numbers: readonly number[],
): Promise<(ChainHeader | undefined)[]> {
  const batches = []
  for (let start = 0; start < numbers.length; start += BATCH_CALLS_MAX) {
    batches.push(rpc(numbers.slice(start, start + BATCH_CALLS_MAX).map(headerCall)))
  }
  const blocks = (await Promise.all(batches)).flat()
  return blocks.map((block) => (block === null ? undefined : parseHeader(block)))
}

/** Throws an `RpcError` of kind `behind` when the node lacks a block. See `readHeaders`. */
export async function readExisting(rpc: Rpc, numbers: readonly number[]): Promise<ChainHeader[]> {
  const headers = await readHeaders(rpc, numbers)
  return headers.map((header, index) => {
    if (header === undefined) throw behindError(numbers[index] ?? 0)
    return header
  })
}

/** Returns the stored part of a header. */
export const plainHeader = ({ number, hash, parentHash, seconds }: Header): Header => ({
  number,
  hash,
  parentHash,
  seconds,
})

/** Error of a read across two chains: a second read may help. */
export const movedError = (number: number) =>
  new RpcError('moved', `the chain changed while block ${number} was read`)

/** Error of a read that a node cannot answer yet. */
export const behindError = (height: number | string) =>
  new RpcError('behind', `the node has not got block ${height} yet`)

const READ: HeaderSource = { endpoint: 0, way: 'read' }

/** Parses a header from `block`, an answer or a newHeads message; throws if malformed. */
export function parseHeader(block: unknown, source = READ): ChainHeader {
  const { number, hash, parentHash, timestamp, logsBloom } = parseFields(block)
  return {
    number: parseQuantity(number),
    hash: parseHex(hash),
    parentHash: parseHex(parentHash),
    seconds: parseQuantity(timestamp),
    bloom: typeof logsBloom === 'string' && BLOOM.test(logsBloom) ? logsBloom : undefined,
    source,
  }
}

const BLOOM = /^0x[0-9a-f]{512}$/i

/** Parses the logs of an answer of eth_getLogs, in its order; throws if malformed. */
export function parseLogs(answer: unknown): ChainLog[] {
  if (!Array.isArray(answer)) throw malformed('eth_getLogs answers with a list')
  return answer.map(parseLog)
}

/** Parses the logs of an answer of eth_getBlockReceipts, in its order; throws if malformed. */
export const parseReceiptLogs = (receipts: readonly unknown[]): ChainLog[] =>
  receipts.flatMap((receipt) => parseLogs(parseFields(receipt).logs))

function parseLog(log: unknown): ChainLog {
  const { address, topics, data, blockNumber, blockHash, logIndex, transactionHash } =
    parseFields(log)
  if (!Array.isArray(topics)) throw malformed('a log has topics')
  return {
    address: parseHex(address),
    topics: topics.map(parseHex),
    data: parseHex(data),
    blockNumber: parseQuantity(blockNumber),
    blockHash: parseHex(blockHash),
    logIndex: parseQuantity(logIndex),
    txHash: parseHex(transactionHash),
  }
}

function parseFields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw malformed('a block or log is an object')
  return value as Record<string, unknown>
}

/** Nodes conventionally send lower case; ids and lookups depend on it. */
function parseHex(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('0x')) throw malformed('a hash or data is hex')
  return value.toLowerCase()
}

function parseQuantity(value: unknown): number {
  const parsed =
    typeof value === 'string' && value.startsWith('0x') ? Number.parseInt(value, 16) : NaN
  if (!Number.isSafeInteger(parsed)) throw malformed('a quantity is a hex integer')
  return parsed
}

const malformed = (rule: string) => new RpcError('malformed', rule)
