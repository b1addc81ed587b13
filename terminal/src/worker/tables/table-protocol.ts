// The tables below the chart: what the page shows of them and what it asks.
import type { Question } from '../question.ts'

/** `side` colours by direction, beside a word or a sign that says the same. */
export type Cell = Readonly<{
  text: string
  side: '' | 'buy' | 'sell'
  /** A word of warning beside it. */
  badge?: string
}>

export type TableRow = Readonly<{
  id: string
  market: string
  cells: readonly Cell[]
  /** What can be done with it. */
  action: '' | 'cancel' | 'close'
}>

/** These follow the account as it changes. */
export const LIVE_TABS = ['positions', 'orders', 'fills'] as const
/** These are read when they are looked at. */
export const PAST_TABS = ['funding', 'history', 'transfers'] as const
/** What has a row for each thing that happened is read a page at a time. */
export const PAGED_TABS = ['fills', ...PAST_TABS] as const
export type LiveTab = (typeof LIVE_TABS)[number]
export type PastTab = (typeof PAST_TABS)[number]
export type PagedTab = (typeof PAGED_TABS)[number]
export type Tab = LiveTab | PastTab

/** A page has so many rows at most. */
export const PAGE_ROWS = 200
/** The venue begins with so many fills: fewer are all that there are. */
export const FILLS_FIRST = 50

/** Titles of the columns; numbers stand to the right from the second on. */
export const COLUMNS: Readonly<Record<Tab, readonly string[]>> = {
  positions: [
    'Market',
    'Size',
    'Value',
    'Entry',
    'Mark',
    'Liquidation',
    'PnL',
    'Margin',
    'Funding',
  ],
  orders: ['Market', 'Side', 'Type', 'Price', 'Amount', 'Filled', 'Trigger', 'Status', 'Time'],
  fills: ['Market', 'Side', 'Price', 'Amount', 'Value', 'Fee', 'PnL', 'As', 'Time'],
  funding: ['Market', 'Side', 'Size', 'Mark', 'Rate, 1h', 'Payment', 'Time'],
  history: ['Market', 'Side', 'Type', 'Price', 'Average', 'Amount', 'Filled', 'Status', 'Time'],
  transfers: ['Kind', 'Token', 'Amount', 'With', 'Block', 'Time'],
}

/** `market` is empty for all of them. */
export type TableAsked = Readonly<{ tab: Tab; market: string }>
/** What was done, or asked for, and what was refused of it. */
export type Outcome = Readonly<{ done: number; refused: readonly string[] }>

/** A part of a table; `older` names where the next one begins, empty at the end. */
export type PastPage = Readonly<{ rows: readonly TableRow[]; older: string }>

/** All rows that a file can have; `limit` says in words what is left out, if anything is. */
export type WholeTable = Readonly<{ rows: readonly TableRow[]; limit: string }>
export type TableFile = Readonly<{ text: string; limit: string }>

/** Texts of a table as they are shown. */
export type TableTexts = Readonly<{
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}>

/** Needs no account. */
export type FileRequests = Readonly<{
  /** Returns the text of a CSV file. */
  writeTable: Question<TableTexts, string>
}>

export type TableRequests = Readonly<{
  /** `cursor` is empty for the newest rows; of fills, for those behind the rows that are shown. */
  readTable: Question<Readonly<{ tab: PagedTab; market: string; cursor: string }>, PastPage>
  /** Returns the text of a CSV file, and in words where it ends before the table does. */
  exportTable: Question<TableAsked, TableFile>
  cancelOrder: Question<Readonly<{ id: string }>, Outcome>
  cancelOrders: Question<Readonly<{ market: string }>, Outcome>
  /** With an order that takes, reduces only, and has a worst price. */
  closePositions: Question<Readonly<{ market: string }>, Outcome>
}>

export type BalanceRow = Readonly<{
  id: string
  symbol: string
  /** Margin of the perpetuals, or tokens to trade with. */
  kind: 'margin' | 'spot'
  total: string
  free: string
  value: string
}>

/** What an account can buy for in a market: its name, and in words what it is. */
export type BuyingPower = Readonly<{ name: string; value: string; says: string }>
export const NO_BUYING_POWER: BuyingPower = { name: '', value: '', says: '' }

export type AccountView = Readonly<{
  isKnown: boolean
  equity: string
  free: string
  unrealized: string
  /** In the market that is shown; empty where it is not known. */
  buyingPower: BuyingPower
  initialMargin: string
  maintenanceMargin: string
  /** Of the equity, the part that the maintenance margin takes: 0 to 1, for the bar alone. */
  used: number
  usedText: string
  /** Above four fifths; then above all. */
  warning: '' | 'near' | 'liquidatable'
  balances: readonly BalanceRow[]
}>

export const NO_ACCOUNT: AccountView = {
  ...{ isKnown: false, equity: '', free: '', unrealized: '', initialMargin: '' },
  buyingPower: NO_BUYING_POWER,
  ...{ maintenanceMargin: '', used: 0, usedText: '', warning: '', balances: [] },
}
