// Reads the logs of blocks in one request, or in several when that is too much for the node.

import { RpcError } from '@openvenue/runtime/json-rpc'
import {
  BATCH_CALLS_MAX,
  behindError,
  type ChainHeader,
  type ChainLog,
  type LogFilter,
  type LogSpan,
  logsCall,
  parseLogs,
  presenceCall,
} from './chain.ts'
import type { Rpc } from './rpc.ts'

/** Current filters; `pools` is the number of known pools. */
export type LogSelection = Readonly<{ filters: readonly LogFilter[]; pools: number }>

/** Returns whether a smaller request may succeed. */
export const canSplit = (error: unknown): boolean =>
  error instanceof RpcError && ['tooLarge', 'refused', 'timeout'].includes(error.kind)

/** Blocks whose logs are read: a range of final ones, or ones that may change, by hash. */
export type ReadSpan = LogSpan | Readonly<{ headers: readonly ChainHeader[] }>

/** Reads the logs of `span`, in parts while the node cannot answer. */
export const readSpan = (
  rpc: Rpc,
  span: ReadSpan,
  filters: readonly LogFilter[],
): Promise<ChainLog[]> =>
  'headers' in span ? readLogsByHash(rpc, span.headers, filters) : readLogsApart(rpc, span, filters)

/** Reads logs by block hash: a node without the block cannot answer as if it were empty. */
async function readLogsByHash(
  rpc: Rpc,
  headers: readonly ChainHeader[],
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  const logs: ChainLog[] = []
  const blocks = Math.max(1, Math.floor(BATCH_CALLS_MAX / (filters.length + 1)))
  for (let start = 0; start < headers.length; start += blocks) {
    for (const log of await readBatch(rpc, headers.slice(start, start + blocks), filters))
      logs.push(log)
  }
  return logs
}

/** Reads blocks together that fit into one request, or one by one when they are too much. */
async function readBatch(rpc: Rpc, headers: readonly ChainHeader[], filters: readonly LogFilter[]) {
  const spans = headers.map(({ hash }) => ({ blockHash: hash }))
  if (spans.length > 1) {
    try {
      const answers = await rpc(spans.flatMap((span) => callsFor(span, filters)))
      const size = filters.length + 1
      return spans.flatMap((span, at) => logsIn(span, answers.slice(at * size, at * size + size)))
    } catch (error) {
      if (!canSplit(error)) throw error
      await expectPresent(rpc, spans)
    }
  }
  const logs: ChainLog[] = []
  for (const span of spans) logs.push(...(await readLogsApart(rpc, span, filters)))
  return logs
}

/** Nodes refuse oversized requests with the same error as unknown blocks. */
async function expectPresent(rpc: Rpc, spans: readonly LogSpan[]): Promise<void> {
  const answers = await rpc(spans.map(presenceCall))
  const absent = spans.find((_, at) => answers[at] === null)
  if (absent !== undefined) throw behindError('to' in absent ? absent.to : absent.blockHash)
}

/** Calls for the logs of a span, and last the presence check. */
const callsFor = (span: LogSpan, filters: readonly LogFilter[]) => [
  ...filters.map((filter) => logsCall(span, filter)),
  presenceCall(span),
]

/** Returns the logs in the answers to `callsFor`; throws when the node lacks the block. */
function logsIn(span: LogSpan, answers: readonly unknown[]): ChainLog[] {
  if (answers.at(-1) === null) throw behindError('to' in span ? span.to : span.blockHash)
  const lists = answers.slice(0, -1)
  // A single answer is already in order.
  return lists.length === 1 ? parseLogs(lists[0]) : inChainOrder(lists.flatMap(parseLogs))
}

/** Returns the logs of `span` that match any of `filters`, in chain order. */
export async function readLogs(
  rpc: Rpc,
  span: LogSpan,
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  const logs: ChainLog[] = []
  const most = BATCH_CALLS_MAX - 1
  for (let start = 0; start < filters.length; start += most) {
    const answers = await rpc(callsFor(span, filters.slice(start, start + most)))
    for (const log of logsIn(span, answers)) logs.push(log)
  }
  return filters.length <= most ? logs : inChainOrder(logs)
}

/**
 * Reads logs in parts while the node cannot answer: of fewer blocks, and of fewer contracts once a
 * single block is left. See `readLogs`.
 */
export async function readLogsApart(
  rpc: Rpc,
  span: LogSpan,
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  try {
    return await readLogs(rpc, span, filters)
  } catch (error) {
    const parts = canSplit(error) ? splitQuestion(span, filters) : undefined
    // A node that hangs on one block hangs on each part of it, and longer in total.
    const isHanging = (error as RpcError).kind === 'timeout' && parts?.[0]?.span === span
    if (parts === undefined || isHanging) throw error
    const logs: ChainLog[] = []
    for (const part of parts) {
      for (const log of await readLogsApart(rpc, part.span, part.filters)) logs.push(log)
    }
    return inChainOrder(logs)
  }
}

/** Returns the halves of a request; undefined for one contract in one block. */
function splitQuestion(
  span: LogSpan,
  filters: readonly LogFilter[],
): readonly Readonly<{ span: LogSpan; filters: readonly LogFilter[] }>[] | undefined {
  if ('from' in span && span.from < span.to) {
    const { from, to } = span
    const middle = Math.floor((from + to) / 2)
    const spans = [
      { from, to: middle },
      { from: middle + 1, to },
    ]
    return spans.map((half) => ({ span: half, filters }))
  }
  if (filters.length > 1) return halve(filters).map((half) => ({ span, filters: half }))
  const { address, topics } = filters[0] ?? { address: [], topics: [] }
  if (address.length < 2) return undefined
  return halve(address).map((half) => ({ span, filters: [{ address: half, topics }] }))
}

function halve<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

/** Sorts `logs` in chain order. */
export const inChainOrder = (logs: ChainLog[]): ChainLog[] =>
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
