// Texts of the portfolio page.
import type { EquityView, Period } from './portfolio-protocol.ts'

export const portfolio = 'Portfolio'
export const period = 'Period'
export const periodNames: Readonly<Record<Period, string>> = {
  ...{ '1': 'today', '7': '7 days', '30': '30 days', '90': '90 days', all: 'all' },
}
export const asOf = (time: string) => `as of ${time}`
export const refresh = 'Refresh'
export const needsAccount = 'Results belong to an account.'
export const loading = 'Loading …'
export const noTrades =
  'No trades yet. Results appear here after the first fill; equity is recorded from time to time ' +
  'while the account has a key.'

// Performance
export const performance = 'Performance'
export const equityNow = 'Equity now'
export const equityNowHint = 'Margin including unrealized PnL and funding. Excludes spot tokens.'
export const unrealized = 'Unrealized PnL'
export const unrealizedHint = 'Unrealized PnL of open positions at mark prices.'
export const spotTokens = 'Spot tokens'
export const spotTokensHint = 'USD value at index prices; unknown if a token has no index.'
export const result = 'Net PnL'
export const resultHint =
  'Realized PnL less fees plus funding, perpetuals only. Excludes deposits, withdrawals and transfers.'
export const realized = 'Realized'
export const realizedHint = 'Realized PnL before fees and funding.'
export const fees = 'Fees'
export const feesHint = 'Paid to the venue, including liquidations; a plus is a rebate.'
export const funding = 'Funding'
export const fundingHint = 'Paid to (minus) or received from (plus) the other side, hourly.'
export const volume = 'Volume'
export const volumeHint = (fills: number) => `Perpetuals volume in ${fills} fills.`
export const spotIn = (asset: string) => `Spot, in ${asset}`
export const spotInHint = (traded: string, fills: number) =>
  `Sale proceeds over average cost; ${traded} traded in ${fills} fills.`

// Equity
export const equity = 'Equity'
export const equityCsv = 'Equity as CSV'
export const equityTable = 'Equity as a table'
export const equityCaption = 'Equity at the end of the day'
export const utc = 'UTC'
export const equityColumns = ['Day (UTC)', 'Equity']
export const equityFileColumns = ['Time (UTC)', 'Equity']
export const noEquity = 'No equity recorded yet.'
export const noCurve =
  'No chart yet: the venue records equity from time to time while the account has a key.'
export const curve = ({ from, to, low, high }: Omit<EquityView, 'path' | 'rows'>) =>
  `Equity from ${from} to ${to} UTC: lowest ${low}, highest ${high}`

// Day by day
export const dayByDay = 'Day by day'
export const daysCsv = 'Days as CSV'
export const daysCaption = 'Results by day'
export const dayColumns = ['Day (UTC)', 'Net PnL', 'Realized', 'Fees', 'Funding', 'Volume', 'Fills']
export const noDays = 'No trades or settlements in this period.'
export const daysLimit = (days: number) =>
  `The table shows the last ${days} days; totals cover all.`
