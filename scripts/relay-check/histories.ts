// Gathers the entries of the ledger by what they are about, and what the chain says beside them.
import type { LedgerItem } from '@openvenue/wire/relay'

/** A promise that does not hold, or a claim that the chain does not bear out. */
export type Broken = Readonly<{ orderId: string; seq: number; says: string }>

/** What the chain says of an order: that an engine placed it, or would not. */
export type ChainLog = Readonly<{
  ref: string
  kind: 'placed' | 'rejected'
  block: number
  txHash: string
  logIndex: number
  /** Of a refusal: the contract's error by its name. */
  reason: string | undefined
  /** Of a placed order: where it belongs within its transaction. */
  rank: number
}>

export type ChainTx = Readonly<{ hash: string; from: string; to: string; nonce: number }>

export type Chain = Readonly<{
  head: number
  logs: ReadonlyMap<string, readonly ChainLog[]>
  txs: ReadonlyMap<string, ChainTx>
  /** Unix seconds of blocks. */
  seconds: ReadonlyMap<number, number>
}>

/** Everything that the ledger says of one order or cancel. */
export type History = Readonly<{
  orderId: string
  kind: LedgerItem['kind']
  lane: string
  entries: readonly LedgerItem[]
  /** The entry that holds now; undefined: nothing is promised. */
  promise: LedgerItem | undefined
  /** The newest entry. */
  last: LedgerItem
}>

/** Returns the histories by the order in which they began. */
export function gatherHistories(entries: readonly LedgerItem[]): readonly History[] {
  const byId = Map.groupBy(entries, ({ order_id }) => order_id)
  return [...byId.values()].flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) return []
    const { order_id: orderId, kind, lane } = first
    return [{ orderId, kind, lane, entries: own, promise: findPromise(own), last }]
  })
}

/** The promise is that of the first entry, or of when it was let go the last time. */
function findPromise(entries: readonly LedgerItem[]): LedgerItem | undefined {
  let promise: LedgerItem | undefined
  for (const [at, entry] of entries.entries()) {
    if (entry.state === 'received') promise = undefined
    else if (at === 0 || promise === undefined)
      promise = entry.include_by_block > 0 ? entry : undefined
  }
  return promise
}

export const logsOf = ({ logs }: Chain, orderId: string): readonly ChainLog[] =>
  logs.get(orderId) ?? []
