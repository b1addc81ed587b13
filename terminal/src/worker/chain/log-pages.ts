// Reads logs in pages of blocks, so many at most: a node refuses more, and nobody waits for ever.
import { ChainError } from 'openvenue/chain'
import { quantityOf } from './block-calls.ts'
import { type AskNode, NodeRefusal } from './rpc-node.ts'

/** What public nodes commonly allow. */
export const PAGE_BLOCKS = 10_000

export type LogFilter = Readonly<{
  address: readonly string[]
  /** Null stands for any. */
  topics: readonly (readonly string[] | null)[]
}>
/** A log, lower case. */
export type NodeLog = Readonly<{ address: string; topics: readonly string[]; data: string }>
export type Range = Readonly<{ from: number; to: number }>

/** Returns the logs of a range; in halves where the node says that it is too much. */
export async function readLogs(ask: AskNode, filter: LogFilter, range: Range): Promise<NodeLog[]> {
  const { from, to } = range
  try {
    return await readPage(ask, filter, range)
  } catch (error) {
    if (!(error instanceof NodeRefusal) || from === to) throw error
    const middle = Math.floor((from + to) / 2)
    const lower = await readLogs(ask, filter, { from, to: middle })
    return lower.concat(await readLogs(ask, filter, { from: middle + 1, to }))
  }
}

/** Returns pages from the newest back to block `first`, or as many as there may be. */
export function pagesBack(first: number, last: number, pagesMax: number): readonly Range[] {
  const pages: Range[] = []
  for (let to = last; to >= first && pages.length < pagesMax; to -= PAGE_BLOCKS)
    pages.push({ from: Math.max(first, to - PAGE_BLOCKS + 1), to })
  return pages
}

/** Returns pages from the first on. */
export function pagesOn(first: number, last: number, pagesMax: number): readonly Range[] {
  const pages: Range[] = []
  for (let from = first; from <= last && pages.length < pagesMax; from += PAGE_BLOCKS)
    pages.push({ from, to: Math.min(last, from + PAGE_BLOCKS - 1) })
  return pages
}

async function readPage(ask: AskNode, filter: LogFilter, { from, to }: Range) {
  const blocks = { fromBlock: hex(from), toBlock: hex(to) }
  const logs = await ask('eth_getLogs', [{ ...filter, ...blocks }])
  if (!Array.isArray(logs)) throw new ChainError('the node answers eth_getLogs without a list')
  return logs.map(parseLog)
}

const hex = (value: number): string => `0x${value.toString(16)}`

function parseLog(value: unknown): NodeLog {
  const { address, topics, data, blockNumber } = (value ?? {}) as Readonly<Record<string, unknown>>
  quantityOf(blockNumber)
  if (!Array.isArray(topics)) throw new ChainError('the node names a log without topics')
  return { address: hexOf(address), topics: topics.map(hexOf), data: hexOf(data) }
}

function hexOf(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value))
    throw new ChainError('the node names a log that is malformed')
  return value.toLowerCase()
}
