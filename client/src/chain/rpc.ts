// Reads headers and logs of a chain from any node, by EIP-1193 requests.
import type { ContractLog } from '@openvenue/contracts/events/venue-logs'
import type { Header } from '@openvenue/core/events'
import { OpenvenueError } from '../errors.ts'

/**
 * Access to a node: a viem `PublicClient`, the provider of a browser wallet, or anything else with
 * `request`.
 */
export type ChainRpc = {
  /** Sends one JSON-RPC request and returns its result. */
  request(args: { method: never; params?: never }): Promise<unknown>
}

/**
 * The node did not answer, lacks the requested data, or contradicts itself. No conclusion about the
 * venue can be drawn.
 */
export class ChainError extends OpenvenueError {
  override readonly name = 'ChainError'
}

/** The node answered with an error: a reverted call, a rate limit, a range of blocks. */
export class NodeRefusal extends ChainError {}

/** The node did not answer in time, or not at all. */
export class NodeUnreachable extends ChainError {}

/** Number of blocks per `eth_getLogs` request. Public nodes commonly allow this many. */
export const LOG_RANGE_BLOCKS = 10_000

/** Header of a block. */
export type ChainHeader = Header

/** A log with its block; lower-case hex. */
export type ChainLog = ContractLog & Readonly<{ blockNumber: number; blockHash: string }>

/** Selects logs of these contracts with these topics; null matches any topic. */
export type LogFilter = Readonly<{
  address: readonly string[]
  topics: readonly (readonly string[] | null)[]
}>

/** Sends one request. Throws a {@link ChainError} with the error of the node as its cause. */
export async function ask(rpc: ChainRpc, method: string, params: readonly unknown[]) {
  try {
    // Provider types differ in the methods they declare; all accept these arguments.
    return await rpc.request({ method, params } as never)
  } catch (cause) {
    if (cause instanceof ChainError) throw cause
    throw new ChainError(`the node gave no answer to ${method}`, { cause })
  }
}

/** Returns the header of block `number` or of the newest block; undefined if the node has none. */
export async function readHeader(
  rpc: ChainRpc,
  number: number | 'latest',
): Promise<Header | undefined> {
  const which = number === 'latest' ? number : quantity(number)
  const block = await ask(rpc, 'eth_getBlockByNumber', [which, false])
  return block === null || block === undefined ? undefined : parseHeader(block)
}

/** Returns the logs of a range of blocks (both ends inclusive) in chain order. */
export async function readLogs(
  rpc: ChainRpc,
  { address, topics }: LogFilter,
  range: Readonly<{ from: number; to: number } | { blockHash: string }>,
): Promise<ChainLog[]> {
  const span =
    'blockHash' in range ? range : { fromBlock: quantity(range.from), toBlock: quantity(range.to) }
  const logs = await ask(rpc, 'eth_getLogs', [{ address, topics, ...span }])
  if (!Array.isArray(logs)) throw new ChainError('eth_getLogs: expected a list')
  return logs.map(parseLog).sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** Returns the logs of a range of blocks; halves a range that the node refuses. */
export async function readLogsInHalves(
  rpc: ChainRpc,
  filter: LogFilter,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<ChainLog[]> {
  try {
    return await readLogs(rpc, filter, { from, to })
  } catch (error) {
    const mayRefuse = error instanceof ChainError && !(error instanceof NodeUnreachable)
    if (from === to || !mayRefuse) throw error
    const middle = Math.floor((from + to) / 2)
    const lower = await readLogsInHalves(rpc, filter, { from, to: middle })
    return lower.concat(await readLogsInHalves(rpc, filter, { from: middle + 1, to }))
  }
}

/** Returns a number as a 32-byte topic. */
export const numberTopic = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`

/** Returns a number as a JSON-RPC quantity. */
const quantity = (value: number): string => `0x${value.toString(16)}`

function parseHeader(block: unknown): Header {
  const { number, hash, parentHash, timestamp } = block as Record<string, unknown>
  return {
    number: parseQuantity(number),
    hash: parseHex(hash),
    parentHash: parseHex(parentHash),
    seconds: parseQuantity(timestamp),
  }
}

function parseLog(log: unknown): ChainLog {
  const fields = log as Record<string, unknown>
  if (!Array.isArray(fields.topics))
    throw new ChainError('malformed log: expected a list of topics')
  return {
    address: parseHex(fields.address),
    topics: fields.topics.map(parseHex),
    data: parseHex(fields.data),
    blockNumber: parseQuantity(fields.blockNumber),
    blockHash: parseHex(fields.blockHash),
    logIndex: parseQuantity(fields.logIndex),
    txHash: parseHex(fields.transactionHash),
  }
}

function parseHex(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('0x'))
    throw new ChainError('malformed answer: expected hex data')
  return value.toLowerCase()
}

function parseQuantity(value: unknown): number {
  const parsed = typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(parsed))
    throw new ChainError('malformed answer: expected a hex integer')
  return parsed
}
