// Reads the performance of an account, formats it, and writes it to files: realized results, fees
// and funding by day, and equity.
import { fromRaw, type Rest, type shapes, toRaw } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { signed } from '../../account/worker/account-view.ts'
import type { Fact, TableCell, TableRow } from '../../tables/table-protocol.ts'
import { csvText } from '../../tables/worker/csv.ts'
import { CURVE, type EquityView, type Period, type PortfolioView } from '../portfolio-protocol.ts'
import * as text from '../text.ts'

const NOTHING = '–'
const DECIMALS = 18
const MONEY_DECIMALS = 2
const DAY_SECONDS = 86_400
const MS_PER_SECOND = 1_000
/** Maximum number of days of results in one answer of the venue. */
const RESULT_DAYS_MAX = 92
/** Number of days for which the venue keeps equity. */
const EQUITY_DAYS_MAX = 400
/** Maximum number of points on the curve: half its width in pixels. */
const POINTS_MAX = 320
/** Finest resolution of the venue. */
const RESOLUTION_SECONDS_MIN = 60
/** Space above and below the curve. */
const MARGIN_PX = 4

/** Returns the portfolio of the account whose key `rest` uses. */
export async function readPortfolio(rest: Rest, period: Period): Promise<PortfolioView> {
  const nowMs = Date.now()
  const [account, stats, history] = await Promise.all([
    rest.call('GET /account'),
    readStats(rest, period),
    readEquity(rest, period, nowMs),
  ])
  return viewPortfolio({ account, stats, history, period, nowMs })
}

export async function exportPortfolio(
  rest: Rest,
  period: Period,
  series: 'days' | 'equity',
): Promise<string> {
  if (series === 'equity')
    return csvText(
      text.equityFileColumns,
      exactEquityRows(await readEquity(rest, period, Date.now())),
    )
  const { days = [] } = await readStats(rest, period)
  return csvText(text.dayColumns, exactDayRows(days))
}

const readStats = (rest: Rest, period: Period) =>
  rest.call('GET /account/stats', { query: { days: daysOf(period).results } })

/** Reads equity; an account younger than the period gets a finer resolution. */
async function readEquity(rest: Rest, period: Period, nowMs: number) {
  const { equity: days } = daysOf(period)
  const start_time = startSeconds(days, nowMs)
  const ask = async (resolution: number) => {
    const query = { start_time, resolution }
    return (await rest.call('GET /balance-history', { query })).history
  }
  const resolution = resolutionFrom(start_time, nowMs)
  const history = await ask(resolution)
  const finer = resolutionFrom(history[0]?.[0] ?? start_time, nowMs)
  return finer < resolution ? ask(finer) : history
}

export type AccountDay = NonNullable<shapes.AccountStats['days']>[number]
type PortfolioFacts = Readonly<{
  account: shapes.Account
  stats: shapes.AccountStats
  history: readonly shapes.BalancePoint[]
  period: Period
  nowMs: number
}>

/** Returns the length of a period in days, today included, for results and for equity. */
export const daysOf = (period: Period): Readonly<{ results: number; equity: number }> =>
  period === 'all'
    ? { results: RESULT_DAYS_MAX, equity: EQUITY_DAYS_MAX }
    : { results: Number(period), equity: Number(period) }

/** Returns the first second (UTC) of a period of `days` days. */
export const startSeconds = (days: number, nowMs: number): number =>
  (Math.floor(nowMs / MS_PER_SECOND / DAY_SECONDS) + 1 - days) * DAY_SECONDS

/** Returns the seconds per point of an equity curve from `start` until now. */
export function resolutionFrom(start: number, nowMs: number): number {
  const minutes = (nowMs / MS_PER_SECOND - start) / POINTS_MAX / RESOLUTION_SECONDS_MIN
  return Math.max(1, Math.ceil(minutes)) * RESOLUTION_SECONDS_MIN
}

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
    limit: period === 'all' ? text.daysLimit(RESULT_DAYS_MAX) : '',
  }
}

/** Appends the current equity, which the venue may not have recorded yet. */
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
  const money = (value: string | null) =>
    value === null ? NOTHING : showDecimal(value, MONEY_DECIMALS)
  const facts: Fact[] = [
    {
      ...{ name: text.equityNow, value: money(equity), side: '' },
      hint: text.equityNowHint,
    },
    {
      ...{ name: text.unrealized, ...gain(open) },
      hint: text.unrealizedHint,
    },
    {
      ...{ name: text.spotTokens, value: money(spot), side: '' },
      hint: text.spotTokensHint,
    },
  ]
  return facts
}

type PeriodSums = Pick<
  shapes.AccountPeriod,
  'pnl' | 'realized_pnl' | 'fees' | 'funding' | 'perp_volume' | 'perp_trades' | 'spot'
>

function periodFacts(sums: PeriodSums): readonly Fact[] {
  return [
    {
      ...{ name: text.result, ...gain(sums.pnl) },
      hint: text.resultHint,
    },
    {
      ...{ name: text.realized, ...gain(sums.realized_pnl) },
      hint: text.realizedHint,
    },
    {
      ...{ name: text.fees, ...gain(negated(sums.fees)) },
      hint: text.feesHint,
    },
    {
      ...{ name: text.funding, ...gain(sums.funding) },
      hint: text.fundingHint,
    },
    {
      ...{ name: text.volume, value: showDecimal(sums.perp_volume, MONEY_DECIMALS), side: '' },
      hint: text.volumeHint(sums.perp_trades),
    },
    ...sums.spot.map(
      ({ quote_asset, pnl, volume, trades }): Fact => ({
        ...{ name: text.spotIn(quote_asset), ...gain(pnl) },
        hint: text.spotInHint(showDecimal(volume, MONEY_DECIMALS), trades),
      }),
    ),
  ]
}

/** Returns the sums of days. Exact: every digit is kept. */
export function sumDays(days: readonly PeriodSums[]): PeriodSums {
  const sum = (values: readonly string[]): string =>
    fromRaw(
      values.reduce((all, value) => all + toRaw(value, DECIMALS), 0n),
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

const negated = (value: string): string => fromRaw(-toRaw(value, DECIMALS), DECIMALS)

function gain(amount: string | null): Pick<Fact, 'value' | 'side'> {
  if (amount === null) return { value: NOTHING, side: '' }
  const value = signed(amount, MONEY_DECIMALS)
  return { value, side: sideOf(value) }
}

const sideOf = (shown: string): TableCell['side'] => {
  if (shown.startsWith('-')) return 'sell'
  return shown.startsWith('+') ? 'buy' : ''
}

function dayRow(day: AccountDay): TableRow {
  const cell = (value: string): TableCell => ({ text: value, side: '' })
  const made = (amount: string): TableCell => {
    const { value, side } = gain(amount)
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

/** Returns the rows of the results file, oldest first, with all digits. */
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

/** Returns the rows of the equity file, oldest first: every point. */
const exactEquityRows = (history: readonly shapes.BalancePoint[]): readonly TableRow[] =>
  history.map(([seconds, equity]) =>
    exactRow(new Date(seconds * MS_PER_SECOND).toISOString(), [equity]),
  )

const exactRow = (first: string, others: readonly string[]): TableRow => ({
  ...{ id: first, market: '', action: '' },
  cells: [first, ...others].map((value) => ({ text: value, side: '' })),
})

/** Returns the equity curve, and the last value of each day. */
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
