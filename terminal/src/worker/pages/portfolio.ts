// Reads what an account made and was worth, and writes files of it.
import type { Rest } from 'openvenue'
import { csvText } from '../tables/csv.ts'
import { DAY_COLUMNS, EQUITY_COLUMNS, type Period, type PortfolioView } from './page-protocol.ts'
import {
  DAY_SECONDS,
  daysOf,
  exactDayRows,
  exactEquityRows,
  startSeconds,
  viewPortfolio,
} from './portfolio-view.ts'

/** Points of the line at most: about as many as it has pixels. */
const POINTS_MAX = 320
const RESOLUTION_SECONDS_MIN = 60

/** Returns the portfolio of the account whose key `rest` has. */
export async function readPortfolio(rest: Rest, period: Period): Promise<PortfolioView> {
  const nowMs = Date.now()
  const [account, stats, history] = await Promise.all([
    rest.call('GET /account'),
    readStats(rest, period),
    readEquity(rest, period, nowMs),
  ])
  return viewPortfolio({ account, stats, history, period, nowMs })
}

/** Returns the text of a file. */
export async function exportPortfolio(
  rest: Rest,
  period: Period,
  what: 'days' | 'equity',
): Promise<string> {
  if (what === 'equity')
    return csvText(
      ['Time (UTC)', ...EQUITY_COLUMNS.slice(1)],
      exactEquityRows(await readEquity(rest, period, Date.now())),
    )
  const { days = [] } = await readStats(rest, period)
  return csvText(DAY_COLUMNS, exactDayRows(days))
}

const readStats = (rest: Rest, period: Period) =>
  rest.call('GET /account/stats', { query: { days: daysOf(period).results } })

async function readEquity(rest: Rest, period: Period, nowMs: number) {
  const { equity: days } = daysOf(period)
  const resolution = Math.max(
    RESOLUTION_SECONDS_MIN,
    Math.ceil((days * DAY_SECONDS) / POINTS_MAX / RESOLUTION_SECONDS_MIN) * RESOLUTION_SECONDS_MIN,
  )
  const query = { start_time: startSeconds(days, nowMs), resolution }
  const { history } = await rest.call('GET /balance-history', { query })
  return history
}
