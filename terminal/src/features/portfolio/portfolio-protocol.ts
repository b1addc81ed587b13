// Requests about the daily performance of an account.
import type { Question } from '../../protocol/question.ts'
import type { Fact, TableRow } from '../tables/table-protocol.ts'

/** Length of a period in days, today (UTC) included; `all` has no start. */
export const PERIODS = ['1', '7', '30', '90', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** The `d` of an equity curve in a box of {@link CURVE}, and the labels of its edges. */
export type EquityView = Readonly<{
  path: string
  high: string
  low: string
  from: string
  to: string
  /** The last value of each day, newest first, as a table for screen readers. */
  rows: readonly TableRow[]
}>
export const CURVE = { width: 640, height: 180 } as const

export type PortfolioView = Readonly<{
  /** True if the account has no history. */
  isEmpty: boolean
  readAt: string
  now: readonly Fact[]
  period: readonly Fact[]
  equity: EquityView
  days: readonly TableRow[]
  /** Warning if the table of days is shorter than the period; otherwise empty. */
  limit: string
}>

export type PortfolioRequests = Readonly<{
  readPortfolio: Question<Readonly<{ period: Period }>, PortfolioView>
  /** Returns the text of a CSV file, with all digits. */
  exportPortfolio: Question<Readonly<{ period: Period; series: 'days' | 'equity' }>, string>
}>
