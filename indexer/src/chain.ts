// The two things read from a node, blocks and logs, parsed from what it answers.
import type { Header } from '@openvenue/core/events'
import { type RpcCall, RpcError } from '@openvenue/store/json-rpc'
import type { Rpc } from './rpc.ts'

/**
 * Where a header comes from: which endpoint said it, and whether it was asked for by number, polled
 * as the newest, or pushed by a subscription. Nodes fill in blooms for one and not for another.
 */
export type HeaderSource = Readonly<{ endpoint: number; way: 'read' | 'polled' | 'pushed' }>

/** A header as a node says it. `bloom`: hex of the filter over its logs; undefined without one. */
export type ChainHeader = Header & Readonly<{ bloom: string | undefined; source: HeaderSource }>

/** A log as a node says it: lower-case hex. */
export type ChainLog = Readonly<{
  address: string
  topics: readonly string[]
  data: string
  blockNumber: number
  blockHash: string
  logIndex: number
  txHash: string
}>

/** Wants the logs of these contracts that have one of these first topics. */
export type LogFilter = Readonly<{
  address: readonly string[]
  topics: readonly (readonly string[])[]
}>

/** Calls in one request; nodes commonly refuse more. */
export const BATCH_CALLS_MAX = 100

const quantity = (value: number) => `0x${value.toString(16)}`

export const latestCall: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

export const headerCall = (number: number): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})

/** Some blocks in a row, or the one with a hash. */
export type LogSpan = Readonly<{ from: number; to: number }> | Readonly<{ blockHash: string }>

/**
 * Returns the call whose answer is null where the node has not got (all of) `span`. It goes into
 * the request for the logs: alone, "no logs" may mean "no such block yet".
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

/** Returns the header of the newest block, as the endpoint with that index knows it. */
export async function readLatest(rpc: Rpc, endpoint = 0): Promise<ChainHeader> {
  const [block] = await rpc([latestCall])
  return parseHeader(block, { endpoint, way: 'polled' })
}

/** Returns the headers of `numbers`, in that order; undefined where the chain has no such block. */
export async function readHeaders(
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

/** As `readHeaders`, but throws an `RpcError` of kind `behind` where the node has no such block. */
export async function readExisting(rpc: Rpc, numbers: readonly number[]): Promise<ChainHeader[]> {
  const headers = await readHeaders(rpc, numbers)
  return headers.map((header, index) => {
    if (header === undefined) throw behind(numbers[index] ?? 0)
    return header
  })
}

/** Returns the part of a header that is kept. */
export const plainHeader = ({ number, hash, parentHash, seconds }: Header): Header => ({
  number,
  hash,
  parentHash,
  seconds,
})

/** The error of a read that met two chains: reading again may help. */
export const moved = (number: number) =>
  new RpcError('moved', `the chain changed while block ${number} was read`)

/** The error of a read that a node cannot answer yet. */
export const behind = (what: number | string) =>
  new RpcError('behind', `the node has not got block ${what} yet`)

const READ: HeaderSource = { endpoint: 0, way: 'read' }

/**
 * Returns the header that `block`, an answer or a message of newHeads, holds; throws if malformed.
 */
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

/** Returns the logs that `answer`, of eth_getLogs, holds, in its order; throws if malformed. */
export function parseLogs(answer: unknown): ChainLog[] {
  if (!Array.isArray(answer)) throw malformed('eth_getLogs answers with a list')
  return answer.map(parseLog)
}

/** Returns the logs in an answer of eth_getBlockReceipts, in its order; throws if malformed. */
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

/** Nodes send lower case by the standard's habit; ids and lookups depend on it. */
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
