// fills, fundings and transactions of an account: the newest rows from the database, then each row
// as the feed brings it.
import { placeId } from '@openvenue/core/ids'
import type { Fill, FundingPayment, Transfer } from '@openvenue/core/records'
import { type AccountHistory, TRANSFER_TYPES } from '@openvenue/store/account-history'
import { blockTime } from '@openvenue/wire/channels'
import { encodeFill, encodeFundingPayment } from '@openvenue/wire/fills'
import { encodeTransfer } from '@openvenue/wire/transactions'
import type { Wallets } from '../../account/wallets.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Owner, PrivateSource, Told } from './private-stream.ts'
import type { AccountTouch } from './touches.ts'

/** Rows of a snapshot. */
export const SNAPSHOT_ROWS = 50
/**
 * Rows read beyond it where the database cannot be asked up to a block only: it may be ahead of the
 * model. Of a node that is further behind, the snapshot is shorter.
 */
const AHEAD_ROWS = 450

export type RowDeps = Readonly<{
  model: VenueModel
  history: AccountHistory
  wallets: Wallets
  chainId: number
}>

type Row = Readonly<{ id: string; blockNumber: number }>

/** How rows of one kind are read and told. */
type RowsOf<T extends Row> = Readonly<{
  /** Member of the snapshot that holds them. */
  member: string
  changes: (touch: AccountTouch) => readonly Readonly<{ before?: T; after?: T }>[]
  /** The newest rows of an account up to the model's head, newest first, at most SNAPSHOT_ROWS. */
  read: (account: number) => Promise<readonly T[]>
  /** What goes out; those of markets or tokens that are gone are left out. */
  encode: (owner: Owner, rows: readonly T[]) => object[] | Promise<object[]>
  /** What an update tells of one. */
  wrap?: (item: object) => object
}>

/** fills: one message for each. The family calls the amount `filled` here: both words say it. */
export const fillsSource = ({ model, history }: RowDeps): PrivateSource =>
  rowsSource<Fill>(model, {
    member: 'fills',
    changes: ({ fills }) => fills as RowChanges<Fill>,
    read: async (account) => {
      const { head } = model
      if (head === undefined) return []
      return history.rows('fill', {
        account,
        markets: [...model.markets].map(({ market }) => market.id),
        fromSeconds: 0,
        toSeconds: head.seconds,
        after: { seconds: head.seconds, id: placeId(head.number + 1, 0) },
        isAscending: false,
        limit: SNAPSHOT_ROWS,
      })
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

/** fundings: one message for each payment. */
export const fundingsSource = ({ model, history }: RowDeps): PrivateSource =>
  rowsSource<FundingPayment>(model, {
    member: 'fundings',
    changes: ({ payments }) => payments as RowChanges<FundingPayment>,
    read: async (account) => {
      const toBlock = model.head?.number ?? 0
      const rows = await history.fundingPayments(account, SNAPSHOT_ROWS + AHEAD_ROWS)
      return upTo(toBlock, rows)
    },
    encode: ({ wallet }, payments) =>
      payments.flatMap((payment) => {
        const live = model.market(payment.market)
        return live === undefined ? [] : [encodeFundingPayment(live.market, payment, wallet)]
      }),
  })

/** transactions: one message for each deposit, withdrawal or transfer, with an id to tell it by. */
export const transactionsSource = ({ model, history, wallets, chainId }: RowDeps): PrivateSource =>
  rowsSource<Transfer>(model, {
    member: 'transactions',
    changes: ({ transfers }) => transfers as RowChanges<Transfer>,
    read: async (account) => {
      const { head } = model
      if (head === undefined) return []
      const rows = await history.transfers({
        account,
        types: TRANSFER_TYPES,
        fromSeconds: 0,
        toSeconds: head.seconds,
        isAscending: false,
        offset: 0,
        limit: SNAPSHOT_ROWS + AHEAD_ROWS,
      })
      return upTo(head.number, rows)
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

type RowChanges<T> = readonly Readonly<{ before?: T; after?: T }>[]

const NO_WALLETS: ReadonlyMap<number, string> = new Map()

const upTo = <T extends Row>(block: number, rows: readonly T[]): readonly T[] =>
  rows.filter(({ blockNumber }) => blockNumber <= block).slice(0, SNAPSHOT_ROWS)

function rowsSource<T extends Row>(model: VenueModel, rows: RowsOf<T>): PrivateSource {
  const { member, changes, read, encode, wrap = (item: object) => item } = rows
  const updates = (items: readonly object[]): Told[] =>
    items.length === 0
      ? []
      : [{ type: 'update', datas: items.map((item) => JSON.stringify(wrap(item))) }]
  return {
    snapshot: async (owner) => {
      const timestamp = blockTime(model.head)
      const newest = owner.account === undefined ? [] : await read(owner.account)
      return JSON.stringify({ timestamp, [member]: await encode(owner, newest) })
    },
    take: (owner, touch) => {
      const undone = changes(touch).flatMap(({ before }) => before ?? [])
      const added = changes(touch).flatMap(({ after }) => after ?? [])
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
