// Groups the ledger's entries by order or cancel, with the chain data about them.
import type { LedgerItem } from '@openvenue/wire/relay'

/** A broken promise, or a claim that the chain contradicts. */
export type Breach = Readonly<{ orderId: string; seq: number; reason: string }>

/** An order's log on chain: an engine placed or refused it. */
export type ChainLog = Readonly<{
  ref: string
  kind: 'placed' | 'rejected'
  block: number
  txHash: string
  logIndex: number
  /** Error name of the contract, for a refusal. */
  reason: string | undefined
  /** Rank of a placed order within its transaction. */
  rank: number
}>

export type ChainTx = Readonly<{
  hash: string
  from: string
  to: string
  nonce: number
  /** The block that has it; undefined: none yet. */
  block: number | undefined
  /** Cancelled orders by their name on chain: ids of orders, and digests of signed cancels. */
  cancels: readonly string[]
}>

export type Chain = Readonly<{
  head: number
  logs: ReadonlyMap<string, readonly ChainLog[]>
  txs: ReadonlyMap<string, ChainTx>
  /** Hashes of transactions of cancels that did what they were sent for. */
  done: ReadonlySet<string>
  /** The chain's ids of signed orders, by digest. */
  ids: ReadonlyMap<string, string>
  /** Names of cancels by which the ledger has to have them, where the venue carried them. */
  nameable: ReadonlySet<string>
  /** Blocks in which orders were cancelled, by the chain's id. */
  cancelled: ReadonlyMap<string, number>
  /** The chain's ids of the orders that rest in its newest block, of those asked for. */
  resting: ReadonlySet<string>
  /** Unix seconds of blocks. */
  seconds: ReadonlyMap<number, number>
}>

/** All ledger entries of one order or cancel. */
export type History = Readonly<{
  orderId: string
  kind: LedgerItem['kind']
  lane: string
  entries: readonly LedgerItem[]
  /** The current promise; undefined: none. */
  promise: LedgerItem | undefined
  /** The newest entry. */
  last: LedgerItem
}>

/** Returns the histories by the order in which they began. */
export function gatherHistories(entries: readonly LedgerItem[]): readonly History[] {
  const byId = Map.groupBy(entries, ({ order_id }) => order_id)
  return [...byId.values()].flatMap(splitByPromise).flatMap((items) => {
    const [first, last] = [items[0], items.at(-1)]
    if (first === undefined || last === undefined) return []
    const { order_id: orderId, kind, lane } = first
    return [{ orderId, kind, lane, entries: items, promise: findPromise(items), last }]
  })
}

/** A cancel that failed and was promised again is judged by each of its promises. */
function splitByPromise(entries: readonly LedgerItem[]): readonly (readonly LedgerItem[])[] {
  const starts = entries.flatMap(({ kind, state, include_by_block: by }, at) => {
    const before = entries[at - 1]
    if (before === undefined) return [at]
    const isNew = state === 'queued' && ENDED.has(before.state) && before.include_by_block !== by
    return kind !== 'order' && isNew ? [at] : []
  })
  return starts.map((start, at) => entries.slice(start, starts[at + 1]))
}

const ENDED: ReadonlySet<LedgerItem['state']> = new Set(['included', 'refused', 'expired'])

/** The promise is that of the first entry, or of the last release. */
function findPromise(entries: readonly LedgerItem[]): LedgerItem | undefined {
  let promise: LedgerItem | undefined
  for (const [at, entry] of entries.entries()) {
    if (entry.state === 'received') promise = undefined
    else if (at === 0 || promise === undefined)
      promise = entry.include_by_block > 0 ? entry : undefined
  }
  return promise
}

/** Target of a cancel: the digest or chain id of an order; otherwise its own digest. */
export const cancelName = (orderId: string): string => {
  const [, name = orderId] = /^cancel:(0x[0-9a-f]{64})/.exec(orderId) ?? []
  return name
}

/** Returns the chain's id of the order that a cancel names; of a signed cancel, its digest. */
export const chainName = ({ ids }: Pick<Chain, 'ids'>, orderId: string): string =>
  ids.get(cancelName(orderId)) ?? cancelName(orderId)

/** Returns the transactions of the venue that carried a cancel, by what they hold. */
export const carriersOf = (
  chain: Chain,
  { entries, orderId }: History,
  wallets: ReadonlySet<string>,
): readonly ChainTx[] => {
  const name = chainName(chain, orderId)
  return [...new Set(entries.flatMap(({ tx_hash }) => tx_hash ?? []))].flatMap((hash) => {
    const tx = chain.txs.get(hash)
    return tx !== undefined && wallets.has(tx.from) && tx.cancels.includes(name) ? [tx] : []
  })
}

export const logsOf = ({ logs }: Chain, orderId: string): readonly ChainLog[] =>
  logs.get(orderId) ?? []
