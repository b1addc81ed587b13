// GET /account/stats and /portfolio: an account's volume and results. Sums are kept by day.

import type { Header } from '@openvenue/core/events'
import type { Market } from '@openvenue/core/records'
import { parseDecimal } from '@openvenue/core/units'
import type { MarketSums } from '@openvenue/store/history/account-days'
import { type AccountObject, NoQuery } from '@openvenue/wire/account'
import {
  AccountStats,
  AccountStatsQuery,
  encodeDays,
  encodeGreeks,
  encodePeriod,
  encodeProfit,
  encodeResults,
  type MarketDays,
  netProfit,
  Portfolio,
} from '@openvenue/wire/account-stats'
import { filterMarkets } from '../account/account-filter.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { orUnavailable } from '../http/refusals.ts'
import { DAY_SECONDS } from '../model/statistics.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { accountGet } from './account-route.ts'
import type { HistoryParts } from './history-page.ts'
import type { Parts, Routes } from './route.ts'

/** Days of each period including the current one; a period without an end includes all days. */
const PERIODS = { daily: 1, weekly: 7, monthly: 30, all_time: Number.POSITIVE_INFINITY } as const
const NAMES = ['daily', 'weekly', 'monthly', 'all_time'] as const

export const accountStatsRoutes: Routes<HistoryParts | 'overviews' | 'pasts' | 'authenticate'> = (
  host,
  deps,
) => {
  const { model, clock } = deps
  accountGet(
    host,
    deps,
    {
      path: '/account/stats',
      below: '/stats',
      summary: 'Volume and profit of the account: today, 7 days, 30 days and all time',
      query: AccountStatsQuery,
      body: AccountStats,
      weight: HEAVY_WEIGHT,
    },
    async ({ caller: { account }, query, reply }) => {
      const markets = new Set(filterMarkets(model, query).map(({ market }) => market.id))
      const today = Math.floor(clock.nowMs() / 1000 / DAY_SECONDS)
      const since = NAMES.map((name) => Math.max(0, today + 1 - PERIODS[name]))
      const from = query.days === undefined ? undefined : Math.max(0, today + 1 - query.days)
      const { periods, days, head } = await readStats(deps, { account, since, from })
      const isAsked = ({ market }: MarketDays) => markets.has(market.id)
      const [daily, weekly, monthly, all_time] = periods.map((rows) =>
        encodePeriod(rows.filter(isAsked)),
      )
      const statistics = { account, account_statistics: { daily, weekly, monthly, all_time } }
      const more = from === undefined ? {} : { days: encodeDays(days.filter(isAsked)) }
      return answerOnce(reply, jsonBytes({ ...statistics, ...more }), head)
    },
  )
  accountGet(
    host,
    deps,
    {
      path: '/portfolio',
      below: '/portfolio',
      isLive: true,
      summary: 'Overview of the account: balance, profit, margin, value of positions',
      query: NoQuery,
      body: Portfolio,
      weight: HEAVY_WEIGHT,
    },
    async ({ caller: { account }, reply }) => {
      const seen = await deps.pasts.look(account, (owner, { sums, closed }) => {
        const overview = deps.overviews.now(owner)
        const days = ofMarkets(model, sums)
        const results = closed.map(({ realised, fees, funding }) => realised - fees + funding)
        return { overview, body: portfolio(overview.object, { days, results }) }
      })
      const { head, currentMs } = seen.overview
      return answerOnce(reply, jsonBytes(seen.body), head, { currentMs })
    },
  )
}

type PastResults = Readonly<{ days: readonly MarketDays[]; results: readonly bigint[] }>

function portfolio(object: AccountObject, { days, results }: PastResults): Portfolio {
  const { account, balance, unrealized_pnl, collaterals, equity, initial_margin } = object
  const unrealised =
    unrealized_pnl === null ? undefined : parseDecimal(unrealized_pnl, USD_DECIMALS)
  return {
    account,
    balance,
    ...encodeProfit(netProfit(days), unrealised),
    unrealized_pnl,
    ...encodeResults(results),
    sharpe_ratio: null,
    greeks: encodeGreeks(object.positions.flatMap(amountOf)),
    user_margin: { used: initial_margin, balance: equity },
    collaterals,
  }
}

const USD_DECIMALS = 18

function amountOf({ instrument_type, asset, side, amount }: AccountObject['positions'][number]) {
  if (instrument_type !== 'PERPETUAL') return []
  const raw = parseDecimal(amount, USD_DECIMALS) ?? 0n
  return [{ asset, raw: side === 'buy' ? raw : -raw }]
}

type StatsRequest = Readonly<{
  account: string
  /** The first day of each period. */
  since: readonly number[]
  /** The first day of the daily series. */
  from: number | undefined
}>

type Stats = Readonly<{
  periods: readonly MarketDays[][]
  days: readonly (MarketDays & Readonly<{ date: string }>)[]
  head: Header | undefined
}>

/** Reads the account's results since each day, by market, and day by day, all at one block. */
async function readStats(
  { model, history, wallets, fresh }: Parts<HistoryParts>,
  { account, since, from: day }: StatsRequest,
): Promise<Stats> {
  const { head: own } = model
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return { periods: since.map(() => []), days: [], head: own }
  if (day === undefined) {
    const { rows, head } = await orUnavailable(
      fresh.read((from) => history.daySums(number, since, from)),
    )
    return { periods: periodsOf(model, since, rows), days: [], head }
  }
  const { rows, head } = await orUnavailable(
    fresh.read((from) => history.days(number, { since, day }, from)),
  )
  const days = ofMarkets(model, rows.days).map((row) => ({ ...row, date: dateText(row.day) }))
  return { periods: periodsOf(model, since, rows.sums), days, head }
}

const periodsOf = (
  model: VenueModel,
  days: readonly number[],
  rows: readonly MarketSums[],
): MarketDays[][] =>
  days.map((_, index) =>
    ofMarkets(
      model,
      rows.flatMap(({ market, since }) => {
        const sums = since[index]
        return sums === undefined ? [] : [{ market, ...sums }]
      }),
    ),
  )

/** Returns rows with their markets; rows of a market that a reorg removed are dropped. */
const ofMarkets = <T extends Readonly<{ market: string }>>(
  model: VenueModel,
  rows: readonly T[],
): (Omit<T, 'market'> & Readonly<{ market: Market }>)[] =>
  rows.flatMap((row) => {
    const market = model.market(row.market)?.market
    return market === undefined ? [] : [{ ...row, market }]
  })

const dateText = (day: number): string =>
  new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 'yyyy-mm-dd'.length)
