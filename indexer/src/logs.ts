// Logs of some blocks, asked for in one request, or in several when that is too much for the node.
import {
  BATCH_CALLS_MAX,
  type ChainLog,
  type LogFilter,
  type LogSpan,
  logsCall,
  parseLogs,
} from './chain.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** What to ask for now; `pools` counts the pools that are known by now. */
export type Wanted = Readonly<{ filters: readonly LogFilter[]; pools: number }>

/** Whether asking for less may help. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof RpcError && ['tooLarge', 'refused', 'timeout'].includes(error.kind)

/** Returns the logs of `span` that any of `filters` wants, in the order of the chain. */
export async function readLogs(
  rpc: Rpc,
  span: LogSpan,
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  const answers: unknown[] = []
  for (let start = 0; start < filters.length; start += BATCH_CALLS_MAX) {
    const some = filters.slice(start, start + BATCH_CALLS_MAX)
    answers.push(...(await rpc(some.map((filter) => logsCall(span, filter)))))
  }
  // One answer is in order as it is.
  return answers.length === 1 ? parseLogs(answers[0]) : inChainOrder(answers.flatMap(parseLogs))
}

/**
 * As `readLogs`, in parts while the node cannot answer: of fewer blocks, and where there is one
 * block left, of fewer contracts.
 */
export async function readLogsApart(
  rpc: Rpc,
  span: LogSpan,
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  try {
    return await readLogs(rpc, span, filters)
  } catch (error) {
    const parts = isTooMuch(error) ? partsOf(span, filters) : undefined
    // A node that hangs in one block hangs for each part of it too, and longer in all.
    const isHanging = (error as RpcError).kind === 'timeout' && parts?.[0]?.span === span
    if (parts === undefined || isHanging) throw error
    const logs: ChainLog[] = []
    for (const part of parts) {
      for (const log of await readLogsApart(rpc, part.span, part.filters)) logs.push(log)
    }
    return inChainOrder(logs)
  }
}

type Part = Readonly<{ span: LogSpan; filters: readonly LogFilter[] }>

/** Returns the two halves of a question; undefined when it is about one contract in one block. */
function partsOf(span: LogSpan, filters: readonly LogFilter[]): readonly Part[] | undefined {
  if ('from' in span && span.from < span.to) {
    const { from, to } = span
    const middle = Math.floor((from + to) / 2)
    const spans = [
      { from, to: middle },
      { from: middle + 1, to },
    ]
    return spans.map((half) => ({ span: half, filters }))
  }
  if (filters.length > 1) return halvesOf(filters).map((half) => ({ span, filters: half }))
  const { address, topics } = filters[0] ?? { address: [], topics: [] }
  if (address.length < 2) return undefined
  return halvesOf(address).map((half) => ({ span, filters: [{ address: half, topics }] }))
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

/** Sorts `logs` as the chain has them. */
export const inChainOrder = (logs: ChainLog[]): ChainLog[] =>
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
