// Handles a block without logs of ours although its bloom filter matches: either the filter is a
// false positive, or the node answered before it had the logs. The block's receipts decide.

import { RpcError } from '@openvenue/runtime/json-rpc'
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

/**
 * Returns `logs`, read by the hashes of `headers`, with the omitted ones. When the node has no
 * receipts, the logs are requested again. `onShort` is called for each block with omitted logs.
 */
export async function addOmittedLogs(
  {
    rpc,
    blooms,
    onShort,
  }: Readonly<{ rpc: Rpc; blooms: Blooms; onShort: (header: ChainHeader) => void }>,
  headers: readonly ChainHeader[],
  { logs, filters }: Readonly<{ logs: readonly ChainLog[]; filters: readonly LogFilter[] }>,
): Promise<readonly ChainLog[]> {
  const byHash = Map.groupBy(logs, ({ blockHash }) => blockHash)
  const omitted: ChainLog[] = []
  for (const header of headers) {
    const blockLogs = byHash.get(header.hash) ?? []
    blooms.learn(header, blockLogs)
    const isBroken = (filter: LogFilter) =>
      blooms.promisesLogs(header, filter) && !blockLogs.some((log) => isWanted(log, filter))
    if (!filters.some(isBroken)) continue
    const all = await rereadLogs(rpc, header, filters)
    const places = new Set(blockLogs.map(({ logIndex }) => logIndex))
    const missed = all.filter(({ logIndex }) => !places.has(logIndex))
    if (missed.length > 0) onShort(header)
    omitted.push(...missed)
  }
  return omitted.length === 0 ? logs : inChainOrder([...logs, ...omitted])
}

async function rereadLogs(rpc: Rpc, { hash }: ChainHeader, filters: readonly LogFilter[]) {
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
