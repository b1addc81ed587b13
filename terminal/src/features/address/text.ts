// Texts of the page that shows any address.

export const title = 'View an address'
export const viewOnly = 'View only: no signing'
export const address = 'Address (wallet or sub-account)'
export const addressHint = '0x…'
export const view = 'View'
export const loading = 'Loading from the chain …'
export const noAccount = (block: string) => `No account of this address at block ${block}.`
export const source = (kind: string, block: string) =>
  `${kind}, at block ${block} of the chain, read from the contracts`
export const wallet = 'Wallet'
export const subAccountOf = (owner: string) => `Sub-account of ${owner}`
export const count = (name: string, rows: number) => `${name} (${rows})`

// Tables
export const positions = 'Positions'
export const positionColumns = ['Market', 'Size', 'Value', 'Entry', 'Mark', 'PnL']
export const noPositions = 'No open positions.'
export const orders = 'Open orders'
export const orderColumns = ['Market', 'Side', 'Price', 'Amount', 'Good til']
export const noOrders = 'No open orders.'
export const tokens = 'Available spot tokens'
export const tokenColumns = ['Token', 'Available']
export const noTokens = 'No available tokens; tokens in orders are excluded.'
export const sides = { buy: '▲ buy', sell: '▼ sell' } as const
export const positionSize = (isLong: boolean, size: string) =>
  `${isLong ? '▲ long' : '▼ short'} ${size}`
export const untilCancelled = 'cancelled'

// Margins
export const equity = 'Equity'
export const equityTerms = 'Margin including unrealized PnL and funding.'
export const collateral = 'Collateral'
export const collateralTerms = 'Margin before unrealized PnL.'
export const free = 'Available'
export const freeTerms = 'Equity above initial margin, available to new orders.'
export const initialMargin = 'Initial margin'
export const initialMarginTerms = 'Required by open positions and orders.'
export const maintenanceMargin = 'Maintenance margin'
export const maintenanceMarginTerms = 'Equity below this may be liquidated.'

// Limits and problems
export const needsKey = 'Past performance and balance history require a key of the account.'
export const busiestMarkets = (count: number) =>
  `Orders of the ${count} markets with the most volume only.`
export const notAnAddress =
  'an address is 0x and 40 hex digits, such as 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
export const noNode = 'this venue publishes no chain node: viewing an account requires its API key'
