// A block whose bloom filter says that it holds logs of ours, and that came without any: either the
// filter is wrong by chance, as they are now and then, or the node answered before it had them. The
// receipts of the block decide.

import { RpcError } from '@openvenue/store/json-rpc'
import type { Blooms } from './bloom.ts'
import {
  type ChainHeader,
  type ChainLog,
  type LogFilter,
  parseReceiptLogs,
  receiptsCall,
} from './chain.ts'
import { inChainOrder, readLogsApart } from './logs.ts'
import type { Rpc } from './rpc.ts'

export type CheckDeps = Readonly<{
  rpc: Rpc
  blooms: Blooms
  /** Hears of each block that had come without logs which it holds. */
  onShort(header: ChainHeader): void
}>

/**
 * Returns `logs`, which were read by the hashes of `headers`, with those that were left out. Where
 * the node has no receipts to give, it is asked for the logs once more.
 */
export async function withLeftOut(
  deps: CheckDeps,
  headers: readonly ChainHeader[],
  { logs, filters }: Readonly<{ logs: readonly ChainLog[]; filters: readonly LogFilter[] }>,
): Promise<readonly ChainLog[]> {
  const { blooms, onShort } = deps
  const byHash = Map.groupBy(logs, ({ blockHash }) => blockHash)
  const leftOut: ChainLog[] = []
  for (const header of headers) {
    const known = byHash.get(header.hash) ?? []
    blooms.learn(header, known)
    const isBroken = (filter: LogFilter) =>
      blooms.promises(header, filter) && !known.some((log) => isWanted(log, filter))
    if (!filters.some(isBroken)) continue
    const all = await readAgain(deps.rpc, header, filters)
    const places = new Set(known.map(({ logIndex }) => logIndex))
    const missed = all.filter(({ logIndex }) => !places.has(logIndex))
    if (missed.length > 0) onShort(header)
    leftOut.push(...missed)
  }
  return leftOut.length === 0 ? logs : inChainOrder([...logs, ...leftOut])
}

async function readAgain(rpc: Rpc, { hash }: ChainHeader, filters: readonly LogFilter[]) {
  const [receipts] = await rpc([receiptsCall(hash)]).catch((error: unknown) => {
    if (error instanceof RpcError && error.kind === 'refused') return []
    throw error
  })
  if (!Array.isArray(receipts)) return readLogsApart(rpc, { blockHash: hash }, filters)
  return parseReceiptLogs(receipts).filter((log) => filters.some((filter) => isWanted(log, filter)))
}

const isWanted = ({ address, topics }: ChainLog, filter: LogFilter) =>
  filter.address.includes(address) &&
  filter.topics.every((some, at) => some.includes(topics[at] ?? ''))
