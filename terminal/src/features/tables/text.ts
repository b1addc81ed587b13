// Texts of the tables, their files and actions.
import type { Tab } from './table-protocol.ts'

export const tables = 'Positions and orders'
export const table = 'Table'
export const loading = 'Loading …'
export const notLoaded = "Couldn't load."
export const noRows = (tab: Tab) => `No ${tab}.`
export const rowsOf = 'Rows of'
export const thisMarket = 'This market'
export const allMarkets = 'All'
export const cancelAll = 'Cancel all'
export const closeAll = 'Close all'
export const exportRows = 'Export'
export const edit = 'Edit'
export const closings = { market: 'Market', limit: 'Limit', reverse: 'Reverse' } as const
export const closingOf = {
  market: (row: string) => `close ${row}: Market`,
  limit: (row: string) => `Limit close ${row}`,
  reverse: (row: string) => `Reverse ${row}`,
} as const
export const editExit = (name: string) => `Edit ${name}`
export const actions = { cancel: 'Cancel', close: 'Close', '': '' } as const
export const rowAction = 'Action'
export const refresh = 'Refresh'
export const showNewer = 'Show newer'
export const showOlder = 'Show older'
export const pageOf = (page: number, rowsMax: number) => `Page ${page}, ${rowsMax} rows at most`

/** Titles of the columns; from the second one on, numbers are right-aligned. */
export const columns: Readonly<Record<Tab, readonly string[]>> = {
  positions: [
    'Market',
    'Size',
    'Value',
    'Entry',
    'Mark',
    'Liq. price',
    'PnL (ROE)',
    'Margin',
    'Funding',
    'TP/SL',
  ],
  orders: ['Market', 'Side', 'Type', 'Price', 'Amount', 'Filled', 'Trigger', 'Status', 'Time'],
  fills: ['Market', 'Side', 'Price', 'Amount', 'Value', 'Fee', 'PnL', 'Role', 'Time'],
  funding: ['Market', 'Side', 'Size', 'Mark', 'Rate, 1h', 'Payment', 'Time'],
  history: ['Market', 'Side', 'Type', 'Price', 'Average', 'Amount', 'Filled', 'Status', 'Time'],
  transfers: ['Kind', 'Token', 'Amount', 'Counterparty', 'Block', 'Time'],
}

// Files and actions
export const fileLimit = (rows: string) =>
  `The file has the newest ${rows} rows: older ones are not included.`
export const fundingFileLimit = (rows: number) =>
  `The file has the newest ${rows} funding payments: older ones are not included.`
/** `id` is the start of the order's id. */
export const notCancelled = (id: string, reason: string) => `${id}… ${reason}`
export const noMark = (market: string) => `no mark price for ${market}`
