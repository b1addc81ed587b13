// Reads ranges of blocks ahead, several at once, and yields them in order.
import { type ChainHeader, type ChainLog, readExisting } from './chain.ts'
import {
  canSplit,
  type LogSelection,
  type ReadSpan,
  readLogs,
  readLogsApart,
  readSpan,
} from './logs.ts'
import type { Rpc } from './rpc.ts'

/** A range of blocks, read with `pools` known pools; logs and headers ascend. */
export type RangeRead = Readonly<{
  span: ReadSpan
  pools: number
  logs: readonly ChainLog[]
  headers: readonly ChainHeader[]
}>

type Ranges = Readonly<{
  rpc: Rpc
  /** Returns the current filters; called for each request. */
  select(): LogSelection
  from: number
  to: number
  /**
   * `logged`, for final blocks: logs by number, headers of blocks with logs and of each range's
   * last block. `all`: every block's header, and its logs by hash.
   */
  headers: 'logged' | 'all'
}>

/** Measured on anvil: more does not help, fewer leaves the database waiting. */
const PENDING_MAX = 3
/** Target number of logs per range, 3 MB of JSON (the optimum is 1 to 4 MB). */
const LOGS_TARGET = 4000
const RANGE_BLOCKS_MAX = 2000
const RANGE_BLOCKS_START = 50

/** Yields the blocks from `from` to `to` in order, in ranges sized by their contents. */
export async function* readRanges(ranges: Ranges): AsyncGenerator<RangeRead> {
  const sizer = { blocks: RANGE_BLOCKS_START }
  const ahead: Promise<RangeRead[]>[] = []
  let next = ranges.from
  const fill = () => {
    while (ahead.length < PENDING_MAX && next <= ranges.to) {
      const to = Math.min(ranges.to, next + sizer.blocks - 1)
      const reading = readSplitting({ ...ranges, from: next, to }, sizer)
      // The failure surfaces when the range is awaited, or never if an earlier one failed.
      reading.catch(() => undefined)
      ahead.push(reading)
      next = to + 1
    }
  }
  for (fill(); ahead.length > 0; fill()) yield* (await ahead.shift()) ?? []
}

/** Reads a range, in halves when the node cannot answer it whole. */
async function readSplitting(range: Ranges, sizer: { blocks: number }): Promise<RangeRead[]> {
  const { from, to } = range
  try {
    const read = await readRange(range)
    sizer.blocks = sizeAfter(sizer.blocks, to - from + 1, read.logs.length)
    return [read]
  } catch (error) {
    if (from === to || !canSplit(error)) throw error
    const middle = Math.floor((from + to) / 2)
    sizer.blocks = Math.max(1, Math.min(sizer.blocks, middle - from + 1))
    const lower = await readSplitting({ ...range, to: middle }, sizer)
    return [...lower, ...(await readSplitting({ ...range, from: middle + 1 }, sizer))]
  }
}

/** At most doubles, so that a quiet range does not lead to an oversized request. */
function sizeAfter(blocks: number, read: number, logs: number): number {
  const target = logs === 0 ? RANGE_BLOCKS_MAX : Math.ceil((read * LOGS_TARGET) / logs)
  return Math.max(1, Math.min(target, blocks * 2, RANGE_BLOCKS_MAX))
}

async function readRange({ rpc, select, from, to, headers }: Ranges): Promise<RangeRead> {
  const { filters, pools } = select()
  if (headers === 'all') {
    const numbers = Array.from({ length: to - from + 1 }, (_, step) => from + step)
    const span = { headers: await readExisting(rpc, numbers) }
    return { span, pools, logs: await readSpan(rpc, span, filters), headers: span.headers }
  }
  const span = { from, to }
  // A single block is split by contracts.
  const logs = await (from === to ? readLogsApart : readLogs)(rpc, span, filters)
  return { span, pools, logs, headers: await readExisting(rpc, loggedNumbers(logs, to)) }
}

const loggedNumbers = (logs: readonly ChainLog[], to: number) => [
  ...new Set([...logs.map((log) => log.blockNumber), to]),
]
