// GET /account/stats and /portfolio: what an account traded and made. Sums are kept by day.

import type { Header } from '@openvenue/core/events'
import { parseDecimal } from '@openvenue/core/units'
import { type AccountObject, NoQuery } from '@openvenue/wire/account'
import { END_OF_TIME_S } from '@openvenue/wire/account-query'
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
  PORTFOLIO_POSITIONS_MAX,
  Portfolio,
} from '@openvenue/wire/account-stats'
import { filterMarkets } from '../account/account-filter.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { minBlock } from '../http/min-block.ts'
import { orUnavailable } from '../http/refusals.ts'
import { DAY_SECONDS } from '../model/statistics.ts'
import { accountGet } from './account-route.ts'
import type { HistoryParts } from './history-page.ts'
import type { Parts, Routes } from './route.ts'

/** Days of each period, the running one included; a period without an end has them all. */
const PERIODS = { daily: 1, weekly: 7, monthly: 30, all_time: Number.POSITIVE_INFINITY } as const
const NAMES = ['daily', 'weekly', 'monthly', 'all_time'] as const

type StatsParts = HistoryParts | 'overviews' | 'authenticate'

export const accountStatsRoutes: Routes<StatsParts> = (host, deps) => {
  const { model, clock } = deps
  accountGet(
    host,
    deps,
    {
      path: '/account/stats',
      below: '/stats',
      summary: 'Volume and profit of the account: today, of 7 and 30 days, and ever',
      query: AccountStatsQuery,
      body: AccountStats,
      weight: HEAVY_WEIGHT,
    },
    async ({ caller: { account }, query, reply }) => {
      const markets = new Set(filterMarkets(model, query).map(({ market }) => market.id))
      const today = Math.floor(clock.nowMs() / 1000 / DAY_SECONDS)
      const since = NAMES.map((name) => Math.max(0, today + 1 - PERIODS[name]))
      const { periods, head } = await readPeriods(deps, account, since)
      const [daily, weekly, monthly, all_time] = periods.map((days) =>
        encodePeriod(days.filter(({ market }) => markets.has(market.id))),
      )
      const statistics = { account, account_statistics: { daily, weekly, monthly, all_time } }
      if (query.days === undefined) return answerOnce(reply, jsonBytes(statistics), head)
      const from = Math.max(0, today + 1 - query.days)
      const { rows: days, head: newer } = await readDays(deps, { account, from, markets })
      return answerOnce(reply, jsonBytes({ ...statistics, days: encodeDays(days) }), newer)
    },
  )
  accountGet(
    host,
    deps,
    {
      path: '/portfolio',
      below: '/portfolio',
      isLive: true,
      summary: 'The account at a glance: balance, profit, margin, what positions amount to',
      query: NoQuery,
      body: Portfolio,
      weight: HEAVY_WEIGHT,
    },
    async ({ caller: { account }, reply }) => {
      // The overview last: the block of the answer is its own, and none of the parts is older.
      const { periods } = await readPeriods(deps, account, [0])
      const results = await readResults(deps, account)
      const overview = await deps.overviews.since(account, minBlock(reply.request))
      const body = portfolio(overview.object, { days: periods[0] ?? [], results })
      return answerOnce(reply, jsonBytes(body), overview.head, overview.currentMs)
    },
  )
}

type Past = Readonly<{ days: readonly MarketDays[]; results: readonly bigint[] }>

function portfolio(object: AccountObject, { days, results }: Past): Portfolio {
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

type Periods = Readonly<{ periods: readonly MarketDays[][]; head: Header | undefined }>

/** Reads what the account did since each of `days`, market by market. */
async function readPeriods(
  { model, history, wallets, fresh }: Parts<HistoryParts>,
  account: string,
  days: readonly number[],
): Promise<Periods> {
  const { head: own } = model
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return { periods: days.map(() => []), head: own }
  const { rows, head } = await orUnavailable(
    fresh.read((from) => history.daySums(number, days, from)),
  )
  const periods = days.map((_, index) =>
    rows.flatMap(({ market: id, since }) => {
      const market = model.market(id)?.market
      const sums = since[index]
      return market === undefined || sums === undefined ? [] : [{ market, ...sums }]
    }),
  )
  return { periods, head }
}

type DaysAsked = Readonly<{ account: string; from: number; markets: ReadonlySet<string> }>

/** Reads what the account did on each day, in those of `markets`. */
async function readDays(
  { model, history, wallets, fresh }: Parts<HistoryParts>,
  { account, from: day, markets }: DaysAsked,
) {
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return { rows: [], head: model.head }
  const { rows, head } = await orUnavailable(fresh.read((from) => history.days(number, day, from)))
  const known = rows.flatMap(({ market: id, day, ...sums }) => {
    const market = model.market(id)?.market
    const date = dateText(day)
    return market === undefined || !markets.has(id) ? [] : [{ market, date, ...sums }]
  })
  return { rows: known, head }
}

const dateText = (day: number): string =>
  new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Returns what the newest closed positions made, net. */
async function readResults(
  { model, history, wallets, fresh }: Parts<HistoryParts>,
  account: string,
): Promise<readonly bigint[]> {
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return []
  const perpetuals = [...model.markets].filter(({ market }) => market.type === 'PERPETUAL')
  const asked = {
    account: number,
    markets: perpetuals.map(({ market }) => market.id),
    fromSeconds: 0,
    toSeconds: END_OF_TIME_S,
    isAscending: false,
    limit: PORTFOLIO_POSITIONS_MAX,
  }
  const { rows } = await orUnavailable(
    fresh.read((from) => history.rows('closedCycle', asked, from)),
  )
  return rows.map(({ realised, fees, funding }) => realised - fees + funding)
}
