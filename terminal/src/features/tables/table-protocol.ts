// The tables below the chart: their views and requests.
import type { Question } from '../../protocol/question.ts'

/** `side` colours a cell by direction, in addition to a word or a sign. */
export type TableCell = Readonly<{
  text: string
  side: '' | 'buy' | 'sell'
  /** A warning beside the text. */
  badge?: string
}>

export type TableRow = Readonly<{
  id: string
  market: string
  cells: readonly TableCell[]
  action: '' | 'cancel' | 'close'
  /** Orders that belong to the row and can be edited, with their names. */
  edits?: readonly Readonly<{ id: string; name: string }>[]
}>

/** Tables that follow the account. */
export const LIVE_TABS = ['positions', 'orders', 'fills'] as const
/** Tables that are read when displayed. */
export const PAST_TABS = ['funding', 'history', 'transfers'] as const
/** Tables with one row per event, which are read page by page. */
export const PAGED_TABS = ['fills', ...PAST_TABS] as const
export type LiveTab = (typeof LIVE_TABS)[number]
type PastTab = (typeof PAST_TABS)[number]
export type PagedTab = (typeof PAGED_TABS)[number]
export type Tab = LiveTab | PastTab

export const PAGE_ROWS = 200
/** Number of fills in the venue's snapshot; fewer means that there are no older ones. */
export const FILLS_FIRST = 50

/** Index of the size, which shows a position's side, in a row of positions. */
export const POSITION_SIZE = 1

/** `market` is empty for all of them. */
export type TableRequest = Readonly<{ tab: Tab; market: string }>
/** Number of completed actions, and the reasons of refused ones. */
export type ActionResult = Readonly<{ done: number; refused: readonly string[] }>

/** A part of a table; `older` is the cursor of the next part, empty at the end. */
export type PastPage = Readonly<{ rows: readonly TableRow[]; older: string }>

/** All rows of a file; `limit` describes what is left out, if anything is. */
export type WholeTable = Readonly<{ rows: readonly TableRow[]; limit: string }>
type TableFile = Readonly<{ text: string; limit: string }>

/** A table as displayed text. */
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
  /** An empty `cursor` returns the newest rows; for fills, those older than the displayed rows. */
  readTable: Question<Readonly<{ tab: PagedTab; market: string; cursor: string }>, PastPage>
  /** Returns the text of a CSV file, and a warning if it is shorter than the table. */
  exportTable: Question<TableRequest, TableFile>
  cancelOrder: Question<Readonly<{ id: string }>, ActionResult>
  cancelOrders: Question<Readonly<{ market: string }>, ActionResult>
  /** Closes with reduce-only market orders that have a price limit. */
  closePositions: Question<Readonly<{ market: string }>, ActionResult>
}>

/** A name, a value, and an explanation. */
export type Fact = Readonly<{ name: string; value: string; side: TableCell['side']; hint: string }>

export type BalanceRow = Readonly<{
  id: string
  symbol: string
  /** Margin of perpetuals, or tokens to trade with. */
  kind: 'margin' | 'spot'
  total: string
  free: string
  value: string
}>

/** Buying power of an account in a market, with an explanation. */
export type BuyingPower = Readonly<{ name: string; value: string; hint: string }>
export const NO_BUYING_POWER: BuyingPower = { name: '', value: '', hint: '' }

export type AccountView = Readonly<{
  isKnown: boolean
  equity: string
  free: string
  unrealized: string
  /** In the displayed market; empty while unknown. */
  buyingPower: BuyingPower
  initialMargin: string
  maintenanceMargin: string
  /** Share of equity used by maintenance margin: 0 to 1, only for the bar. */
  used: number
  usedText: string
  /** Above four fifths; then above all of it. */
  warning: '' | 'near' | 'liquidatable'
  balances: readonly BalanceRow[]
}>

export const NO_ACCOUNT: AccountView = {
  ...{ isKnown: false, equity: '', free: '', unrealized: '', initialMargin: '' },
  buyingPower: NO_BUYING_POWER,
  ...{ maintenanceMargin: '', used: 0, usedText: '', warning: '', balances: [] },
}
