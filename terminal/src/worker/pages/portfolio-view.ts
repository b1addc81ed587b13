// Writes results of an account: what it made, paid and got, day by day, and what it was worth.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import { signed } from '../account/account-view.ts'
import type { Cell, TableRow } from '../tables/table-protocol.ts'
import { showDecimal } from '../text/decimal-text.ts'
import {
  CURVE,
  type EquityView,
  type Fact,
  type Period,
  type PortfolioView,
} from './page-protocol.ts'

const NOTHING = '–'
const DECIMALS = 18
const MONEY_DECIMALS = 2
const DAY_SECONDS = 86_400
const MS_PER_SECOND = 1_000
/** The venue gives so many days of results in one answer. */
export const RESULT_DAYS_MAX = 92
/** Equity is kept for so long. */
const EQUITY_DAYS_MAX = 400
/** Points of the line at most: half as many as it has pixels. */
const POINTS_MAX = 320
/** The finest that the venue gives. */
const RESOLUTION_SECONDS_MIN = 60
/** Space above and below the line. */
const MARGIN_PX = 4

export type AccountDay = NonNullable<shapes.AccountStats['days']>[number]
export type PortfolioFacts = Readonly<{
  account: shapes.Account
  stats: shapes.AccountStats
  history: readonly shapes.BalancePoint[]
  period: Period
  nowMs: number
}>

/** Returns how many days a period goes back, today included, for results and for equity. */
export const daysOf = (period: Period): Readonly<{ results: number; equity: number }> =>
  period === 'all'
    ? { results: RESULT_DAYS_MAX, equity: EQUITY_DAYS_MAX }
    : { results: Number(period), equity: Number(period) }

/** Returns the first second (UTC) of a period of so many days. */
export const startSeconds = (days: number, nowMs: number): number =>
  (Math.floor(nowMs / MS_PER_SECOND / DAY_SECONDS) + 1 - days) * DAY_SECONDS

/** Returns how many seconds one point of equity stands for, in a line from a second until now. */
export function resolutionFrom(start: number, nowMs: number): number {
  const minutes = (nowMs / MS_PER_SECOND - start) / POINTS_MAX / RESOLUTION_SECONDS_MIN
  return Math.max(1, Math.ceil(minutes)) * RESOLUTION_SECONDS_MIN
}

/** Returns what the page shows. */
export function viewPortfolio(facts: PortfolioFacts): PortfolioView {
  const { account, stats, history, period, nowMs } = facts
  const days = stats.days ?? []
  const { all_time: ever } = stats.account_statistics
  const hasTraded = ever.perp_trades > 0 || ever.spot.length > 0 || days.length > 0
  return {
    isEmpty: !hasTraded && history.length === 0,
    readAt: new Date(nowMs).toLocaleTimeString('en-GB'),
    now: nowFacts(account),
    period: periodFacts(period === 'all' ? ever : sumDays(days)),
    equity: viewEquity(untilNow(history, account, nowMs)),
    days: [...days].reverse().map(dayRow),
    limit: period === 'all' ? `The table has the last ${RESULT_DAYS_MAX} days; sums have all.` : '',
  }
}

/** The line ends with what the account is worth now, also before the venue writes it down again. */
function untilNow(
  history: readonly shapes.BalancePoint[],
  { equity }: shapes.Account,
  nowMs: number,
): readonly shapes.BalancePoint[] {
  const now = Math.floor(nowMs / MS_PER_SECOND)
  const last = history.at(-1)?.[0]
  if (equity === null || last === undefined || last >= now) return history
  return [...history, [now, equity]]
}

function nowFacts({ equity, unrealized_pnl: open, spot_value: spot }: shapes.Account) {
  const money = (text: string | null) =>
    text === null ? NOTHING : showDecimal(text, MONEY_DECIMALS)
  const facts: Fact[] = [
    {
      ...{ name: 'Equity now', value: money(equity), side: '' },
      says: 'Margin, with the profit, loss and funding of open positions. Spot tokens are not in it.',
    },
    {
      ...{ name: 'Unrealized', ...gain(open) },
      says: 'Of open positions at mark prices: what closing them there would make.',
    },
    {
      ...{ name: 'Spot tokens', value: money(spot), side: '' },
      says: 'Worth in USD at index prices; unknown where one of them has no index.',
    },
  ]
  return facts
}

type Sums = Pick<
  shapes.AccountPeriod,
  'pnl' | 'realized_pnl' | 'fees' | 'funding' | 'perp_volume' | 'perp_trades' | 'spot'
>

function periodFacts(sums: Sums): readonly Fact[] {
  return [
    {
      ...{ name: 'Result', ...gain(sums.pnl) },
      says: 'Realized, less fees, with funding, of perpetuals. Deposits, withdrawals and transfers are not in it.',
    },
    {
      ...{ name: 'Realized', ...gain(sums.realized_pnl) },
      says: 'Made by what was closed, before fees and funding.',
    },
    {
      ...{ name: 'Fees', ...gain(negated(sums.fees)) },
      says: 'Paid to the venue, those of forced closes included; with a plus they are a rebate.',
    },
    {
      ...{ name: 'Funding', ...gain(sums.funding) },
      says: 'Paid to the other side of open positions (minus) or got from it (plus), hour by hour.',
    },
    {
      ...{ name: 'Volume', value: showDecimal(sums.perp_volume, MONEY_DECIMALS), side: '' },
      says: `Traded in perpetuals, in ${sums.perp_trades} fills.`,
    },
    ...sums.spot.map(
      ({ quote_asset, pnl, volume, trades }): Fact => ({
        ...{ name: `Spot, in ${quote_asset}`, ...gain(pnl) },
        says: `Made by sales over the average cost; ${showDecimal(volume, MONEY_DECIMALS)} traded in ${trades} fills.`,
      }),
    ),
  ]
}

/** Returns the sums of days; exact, as every digit is kept. */
export function sumDays(days: readonly Sums[]): Sums {
  const sum = (texts: readonly string[]): string =>
    fromRaw(
      texts.reduce((all, text) => all + toRaw(text, DECIMALS), 0n),
      DECIMALS,
    )
  const spot = [
    ...Map.groupBy(
      days.flatMap((day) => day.spot),
      ({ quote_asset }) => quote_asset,
    ),
  ]
  return {
    pnl: sum(days.map(({ pnl }) => pnl)),
    realized_pnl: sum(days.map(({ realized_pnl }) => realized_pnl)),
    fees: sum(days.map(({ fees }) => fees)),
    funding: sum(days.map(({ funding }) => funding)),
    perp_volume: sum(days.map(({ perp_volume }) => perp_volume)),
    perp_trades: days.reduce((all, { perp_trades }) => all + perp_trades, 0),
    spot: spot.map(([quote_asset, of]) => ({
      quote_asset,
      volume: sum(of.map(({ volume }) => volume)),
      pnl: sum(of.map(({ pnl }) => pnl)),
      trades: of.reduce((all, { trades }) => all + trades, 0),
    })),
  }
}

const negated = (text: string): string => fromRaw(-toRaw(text, DECIMALS), DECIMALS)

function gain(text: string | null): Pick<Fact, 'value' | 'side'> {
  if (text === null) return { value: NOTHING, side: '' }
  const value = signed(text, MONEY_DECIMALS)
  return { value, side: sideOf(value) }
}

const sideOf = (shown: string): Cell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}

function dayRow(day: AccountDay): TableRow {
  const cell = (text: string): Cell => ({ text, side: '' })
  const made = (text: string): Cell => {
    const { value, side } = gain(text)
    return { text: value, side }
  }
  return {
    ...{ id: day.date, market: '', action: '' },
    cells: [
      cell(day.date),
      made(day.pnl),
      made(day.realized_pnl),
      made(negated(day.fees)),
      made(day.funding),
      cell(showDecimal(day.perp_volume, MONEY_DECIMALS)),
      cell(String(day.perp_trades)),
    ],
  }
}

/** Returns the rows of the file of results, oldest first, with every digit. */
export const exactDayRows = (days: readonly AccountDay[]): readonly TableRow[] =>
  days.map((day) =>
    exactRow(day.date, [
      day.pnl,
      day.realized_pnl,
      negated(day.fees),
      day.funding,
      day.perp_volume,
      String(day.perp_trades),
    ]),
  )

/** Returns the rows of the file of equity, oldest first: every point that there is. */
export const exactEquityRows = (history: readonly shapes.BalancePoint[]): readonly TableRow[] =>
  history.map(([seconds, equity]) =>
    exactRow(new Date(seconds * MS_PER_SECOND).toISOString(), [equity]),
  )

const exactRow = (first: string, others: readonly string[]): TableRow => ({
  ...{ id: first, market: '', action: '' },
  cells: [first, ...others].map((text) => ({ text, side: '' })),
})

/** Returns the line of equity over its time, and the last of each day. */
export function viewEquity(history: readonly shapes.BalancePoint[]): EquityView {
  const [first, last] = [history[0], history.at(-1)]
  if (first === undefined || last === undefined)
    return { path: '', high: '', low: '', from: '', to: '', rows: [] }
  const raws = history.map(([, equity]) => toRaw(equity, DECIMALS))
  const [least, most] = raws.reduce(
    ([low, high], raw) => [raw < low ? raw : low, raw > high ? raw : high],
    [raws[0] ?? 0n, raws[0] ?? 0n],
  )
  const money = (raw: bigint) => showDecimal(fromRaw(raw, DECIMALS), MONEY_DECIMALS)
  return {
    path: linePath(history, least, most),
    high: money(most),
    low: money(least),
    from: dateTime(first[0]),
    to: dateTime(last[0]),
    rows: lastOfDays(history),
  }
}

/** Pixels: a double is exact enough. */
function linePath(history: readonly shapes.BalancePoint[], least: bigint, most: bigint): string {
  const [begin, end] = [history[0]?.[0] ?? 0, history.at(-1)?.[0] ?? 0]
  if (end === begin) return ''
  const range = Number(most - least)
  const height = CURVE.height - 2 * MARGIN_PX
  const points = history.map(([seconds, equity]) => {
    const x = ((seconds - begin) * CURVE.width) / (end - begin)
    const share = range === 0 ? 0.5 : Number(toRaw(equity, DECIMALS) - least) / range
    return `${x.toFixed(1)} ${(MARGIN_PX + (1 - share) * height).toFixed(1)}`
  })
  return `M${points.join('L')}`
}

function lastOfDays(history: readonly shapes.BalancePoint[]): readonly TableRow[] {
  const days = new Map(history.map(([seconds, equity]) => [dateTime(seconds).slice(0, 10), equity]))
  return [...days]
    .reverse()
    .map(([day, equity]) => exactRow(day, [showDecimal(equity, MONEY_DECIMALS)]))
}

const dateTime = (seconds: number): string =>
  new Date(seconds * MS_PER_SECOND).toISOString().slice(0, 16).replace('T', ' ')
