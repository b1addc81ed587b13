// fills, fundings and transactions of an account: the newest rows from the database, then each row
// as the feed brings it.
import type { Fill, FundingPayment, Transfer } from '@openvenue/core/records'
import { type AccountHistory, TRANSFER_TYPES } from '@openvenue/store/account-history'
import type { BlockRead, ReadFrom } from '@openvenue/store/block-read'
import { blockTime } from '@openvenue/wire/channels'
import { encodeFill, encodeFundingPayment } from '@openvenue/wire/fills'
import { encodeTransfer } from '@openvenue/wire/transactions'
import type { Wallets } from '../../account/wallets.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { AffectedAccount } from './affected.ts'
import type { Owner, PrivateSource, Told } from './private-stream.ts'

/** Rows of a snapshot. */
export const SNAPSHOT_ROWS = 50
/** After every block: the whole time, so far. */
const END_OF_TIME_S = 1e12

export type RowDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  fresh: FreshReads
  wallets: Wallets
  chainId: number
}>

type Row = Readonly<{ id: string; blockNumber: number }>

/** How rows of one kind are read and told. */
type RowsOf<T extends Row> = Readonly<{
  /** Member of the snapshot that holds them. */
  member: string
  changes: (affected: AffectedAccount) => readonly Readonly<{ before?: T; after?: T }>[]
  /** The newest rows of an account, newest first, at most SNAPSHOT_ROWS. */
  read: (account: number, from: ReadFrom) => Promise<BlockRead<readonly T[]>>
  /** What goes out; those of markets or tokens that are gone are left out. */
  encode: (owner: Owner, rows: readonly T[]) => object[] | Promise<object[]>
  /** What an update tells of one. */
  wrap?: (item: object) => object
}>

/** fills: one message for each. The family calls the amount `filled` here: both words say it. */
export const fillsSource = (deps: RowDeps): PrivateSource => {
  const { model, history } = deps
  return rowsSource<Fill>(deps, {
    member: 'fills',
    changes: ({ fills }) => fills as RowChanges<Fill>,
    read: (account, from) => {
      const markets = [...model.markets].map(({ market }) => market.id)
      const filter = { account, markets, fromSeconds: 0, toSeconds: END_OF_TIME_S }
      return history.rows('fill', { ...filter, isAscending: false, limit: SNAPSHOT_ROWS }, from)
    },
    encode: ({ wallet }, fills) =>
      fills.flatMap((fill) => {
        const live = model.market(fill.market)
        if (live === undefined) return []
        const item = encodeFill(live.market, fill, wallet)
        return [{ ...item, filled: item.amount }]
      }),
    wrap: (fill) => ({ timestamp: blockTime(model.head), fill }),
  })
}

/** fundings: one message for each payment. */
export const fundingsSource = (deps: RowDeps): PrivateSource => {
  const { model, history } = deps
  return rowsSource<FundingPayment>(deps, {
    member: 'fundings',
    changes: ({ payments }) => payments as RowChanges<FundingPayment>,
    read: (account, from) => history.fundingPayments(account, SNAPSHOT_ROWS, from),
    encode: ({ wallet }, payments) =>
      payments.flatMap((payment) => {
        const live = model.market(payment.market)
        return live === undefined ? [] : [encodeFundingPayment(live.market, payment, wallet)]
      }),
  })
}

/** transactions: one message for each deposit, withdrawal or transfer, with an id to tell it by. */
export const transactionsSource = (deps: RowDeps): PrivateSource => {
  const { model, history, wallets, chainId } = deps
  return rowsSource<Transfer>(deps, {
    member: 'transactions',
    changes: ({ transfers }) => transfers as RowChanges<Transfer>,
    read: (account, from) => {
      const filter = { account, types: TRANSFER_TYPES, fromSeconds: 0, toSeconds: END_OF_TIME_S }
      const page = { isAscending: false, offset: 0, limit: SNAPSHOT_ROWS }
      return history.transfers({ ...filter, ...page }, from)
    },
    encode: async ({ wallet }, transfers) => {
      const others = transfers.flatMap(({ counterparty }) => counterparty ?? [])
      const known = others.length === 0 ? NO_WALLETS : await wallets.walletsOf([...new Set(others)])
      return transfers.flatMap((transfer) => {
        const token = model.state.records.token.get(transfer.token)
        const { counterparty: other } = transfer
        const counterparty = other === null ? null : (known.get(other) ?? null)
        if (token === undefined) return []
        const item = encodeTransfer(token, transfer, { account: wallet, counterparty, chainId })
        return [{ transaction_id: transfer.id, ...item }]
      })
    },
  })
}

/** Reads again where a market was listed meanwhile: rows are asked for by their markets. */
async function readAll<T>({ versions }: VenueModel, read: () => Promise<T>): Promise<T> {
  for (;;) {
    const { listing } = versions
    const found = await read()
    if (listing === versions.listing) return found
  }
}

type RowChanges<T> = readonly Readonly<{ before?: T; after?: T }>[]

const NO_WALLETS: ReadonlyMap<number, string> = new Map()

function rowsSource<T extends Row>({ model, fresh }: RowDeps, rows: RowsOf<T>): PrivateSource {
  const { member, changes, read, encode, wrap = (item: object) => item } = rows
  const updates = (items: readonly object[]): Told[] =>
    items.length === 0
      ? []
      : [{ type: 'update', datas: items.map((item) => JSON.stringify(wrap(item))) }]
  return {
    snapshot: async (owner) => {
      const { account } = owner
      if (account === undefined)
        return JSON.stringify({ timestamp: blockTime(model.head), [member]: [] })
      // The channel goes on from the view that was read: nothing between the two is lost.
      const { seq, head, rows } = await readAll(model, () =>
        fresh.readTold((from) => read(account, from)),
      )
      const items = await encode(owner, rows)
      const data = JSON.stringify({ timestamp: blockTime(head), [member]: items })
      return { data, at: { seq, blockNumber: head?.number ?? 0 } }
    },
    take: (owner, affected) => {
      const undone = changes(affected).flatMap(({ before }) => before ?? [])
      const added = changes(affected).flatMap(({ after }) => after ?? [])
      const told: Told[] =
        undone.length === 0
          ? []
          : [{ type: 'undo', datas: [JSON.stringify({ ids: undone.map(({ id }) => id) })] }]
      if (added.length === 0) return told
      const items = encode(owner, added)
      if (items instanceof Promise) return items.then((found) => [...told, ...updates(found)])
      return [...told, ...updates(items)]
    },
  }
}
