// Reads headers and logs of a chain through any node, by the requests of EIP-1193.
import type { ContractLog } from '@openvenue/contracts/events/venue-logs'
import type { Header } from '@openvenue/core/events'
import { OpenvenueError } from '../errors.ts'

/**
 * What asks a node: a `PublicClient` of viem, the provider of a browser's wallet, or anything else
 * with `request`.
 */
export type ChainRpc = {
  /** Sends one request of JSON-RPC and returns its result. */
  request(args: { method: never; params?: never }): Promise<unknown>
}

/**
 * The node did not answer, has not got what was asked for, or contradicts itself: it says nothing
 * about the venue.
 */
export class ChainError extends OpenvenueError {
  override readonly name = 'ChainError'
}

/** A log and the block that it stands in: lower-case hex. */
export type ChainLog = ContractLog & Readonly<{ blockNumber: number; blockHash: string }>

/** Wants logs of these contracts with these topics; null stands for any. */
export type LogFilter = Readonly<{
  address: readonly string[]
  topics: readonly (readonly string[] | null)[]
}>

/** Sends one request. Throws a {@link ChainError} with the node's own error as its cause. */
export async function ask(rpc: ChainRpc, method: string, params: readonly unknown[]) {
  try {
    // The types of providers differ in what methods they know; all take this.
    return await rpc.request({ method, params } as never)
  } catch (cause) {
    throw new ChainError(`the node gave no answer to ${method}`, { cause })
  }
}

/** Returns the header of block `number`, or of the newest; undefined where the node has none. */
export async function readHeader(
  rpc: ChainRpc,
  number: number | 'latest',
): Promise<Header | undefined> {
  const which = number === 'latest' ? number : quantity(number)
  const block = await ask(rpc, 'eth_getBlockByNumber', [which, false])
  return block === null || block === undefined ? undefined : parseHeader(block)
}

/** Returns the logs of a range of blocks (both inclusive), in the order of the chain. */
export async function readLogs(
  rpc: ChainRpc,
  { address, topics }: LogFilter,
  range: Readonly<{ from: number; to: number } | { blockHash: string }>,
): Promise<ChainLog[]> {
  const span =
    'blockHash' in range ? range : { fromBlock: quantity(range.from), toBlock: quantity(range.to) }
  const logs = await ask(rpc, 'eth_getLogs', [{ address, topics, ...span }])
  if (!Array.isArray(logs)) throw new ChainError('eth_getLogs answers with a list')
  return logs.map(parseLog).sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** Returns the topic of a number: a word. */
export const numberTopic = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`

/** Returns a number as nodes take it. */
export const quantity = (value: number): string => `0x${value.toString(16)}`

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
  if (!Array.isArray(fields.topics)) throw new ChainError('a log has topics')
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
    throw new ChainError('a hash or data is hex')
  return value.toLowerCase()
}

function parseQuantity(value: unknown): number {
  const parsed = typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(parsed)) throw new ChainError('a quantity is a hex integer')
  return parsed
}
