// The two things read from a node, blocks and logs, parsed from what it answers.
import type { Header } from '@openvenue/core/events'
import { type Rpc, type RpcCall, RpcError } from './rpc.ts'

/** A header as a node tells it. `isQuiet`: its bloom filter proves that it holds no log at all. */
export type ChainHeader = Header & Readonly<{ isQuiet: boolean }>

/** A log as a node tells it: lower-case hex. */
export type ChainLog = Readonly<{
  address: string
  topics: readonly string[]
  data: string
  blockNumber: number
  blockHash: string
  logIndex: number
  txHash: string
}>

/** What logs are wanted: of these contracts, with one of these first topics. */
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

export const logsCall = (span: LogSpan, filter: LogFilter): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    'blockHash' in span
      ? { ...filter, blockHash: span.blockHash }
      : { ...filter, fromBlock: quantity(span.from), toBlock: quantity(span.to) },
  ],
})

/** Returns the header of the newest block. */
export async function readLatest(rpc: Rpc): Promise<ChainHeader> {
  const [block] = await rpc([latestCall])
  return parseHeader(block)
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

/** As `readHeaders`, but throws an `RpcError` of kind `moved` where the chain has no such block. */
export async function readExisting(rpc: Rpc, numbers: readonly number[]): Promise<ChainHeader[]> {
  const headers = await readHeaders(rpc, numbers)
  return headers.map((header, index) => {
    if (header === undefined) throw moved(numbers[index] ?? 0)
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

/** Returns the header that `block`, an answer or a message of newHeads, holds; throws if malformed. */
export function parseHeader(block: unknown): ChainHeader {
  const { number, hash, parentHash, timestamp, logsBloom } = fieldsOf(block)
  return {
    number: parseQuantity(number),
    hash: parseHex(hash),
    parentHash: parseHex(parentHash),
    seconds: parseQuantity(timestamp),
    isQuiet: typeof logsBloom === 'string' && ZERO_BLOOM.test(logsBloom),
  }
}

const ZERO_BLOOM = /^0x0{512}$/

/** Returns the logs that `answer`, of eth_getLogs, holds, in its order; throws if malformed. */
export function parseLogs(answer: unknown): ChainLog[] {
  if (!Array.isArray(answer)) throw malformed('eth_getLogs answers with a list')
  return answer.map(parseLog)
}

function parseLog(log: unknown): ChainLog {
  const { address, topics, data, blockNumber, blockHash, logIndex, transactionHash } = fieldsOf(log)
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

function fieldsOf(value: unknown): Record<string, unknown> {
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
