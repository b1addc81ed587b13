// Reads what an account made and was worth, and writes files of it.
import type { Rest } from 'openvenue'
import { csvText } from '../tables/csv.ts'
import { DAY_COLUMNS, EQUITY_COLUMNS, type Period, type PortfolioView } from './page-protocol.ts'
import {
  daysOf,
  exactDayRows,
  exactEquityRows,
  resolutionFrom,
  startSeconds,
  viewPortfolio,
} from './portfolio-view.ts'

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

/** An account that is younger than the period has its points closer together. */
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
