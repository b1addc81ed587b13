// Trading statistics of an account: /account/stats and /portfolio.
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { AccountObject } from './account.ts'
import { marketFilter } from './account-query.ts'
import { Address, decimal, named, nullable } from './field.ts'

/** Maximum number of closed positions, newest first, used for profit_factor and win_rate. */
export const PORTFOLIO_POSITIONS_MAX = 1000

const spot = named('SpotStatistics', {
  quote_asset: Type.String(),
  volume: decimal('Quote amount traded.'),
  pnl: decimal('Profit of sales over the average cost; spot trades have no fees.'),
  trades: Type.Integer({ minimum: 0 }),
})

const PERIOD = {
  ranking: nullable(Type.String({ description: 'Null: accounts are not ranked.' })),
  options_volume: Type.Literal('0', { description: 'There are no options.' }),
  perp_volume: decimal('Quote amount traded in perpetuals.'),
  pnl: decimal('realized_pnl - fees + funding.'),
  username: nullable(Type.String({ description: 'Null: accounts have no user names.' })),
  realized_pnl: decimal('Profit of closed perpetual positions, before fees and funding.'),
  fees: decimal('Paid in perpetuals, including forced closes; negative for a rebate.'),
  funding: decimal('Settled; positive when the account received.'),
  perp_trades: Type.Integer({ minimum: 0, description: 'Fills in perpetuals.' }),
  spot: Type.Array(spot, { description: 'Statistics by quote asset.' }),
}

const AccountPeriod = named(
  'AccountPeriod',
  PERIOD,
  'Trading of the account in perpetuals and at spot.',
)
export type AccountPeriod = Static<typeof AccountPeriod>

/** Maximum number of days in one answer, including the current one. */
const STATS_DAYS_MAX = 92

export const AccountStats = named(
  'AccountStats',
  {
    account: Address('The wallet.'),
    account_statistics: named(
      'AccountStatistics',
      {
        daily: AccountPeriod,
        weekly: AccountPeriod,
        monthly: AccountPeriod,
        all_time: AccountPeriod,
      },
      'Since the start of today (UTC), since 6 and 29 days before, and in total.',
    ),
    days: Type.Optional(
      Type.Array(
        named(
          'AccountDay',
          {
            date: Type.String({
              pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
              description: 'The day (UTC), such as 2026-01-31.',
            }),
            ...PERIOD,
          },
          'Trading of the account on one day.',
        ),
        {
          description:
            'With the parameter days: each day with trades or settlements, oldest first.',
        },
      ),
    ),
  },
  'Volume and profit of the account.',
)
export type AccountStats = Static<typeof AccountStats>
export const AccountStatsQuery = Type.Object({
  ...marketFilter,
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: STATS_DAYS_MAX,
      'x-clamp': 'both',
      description: `Also returns daily statistics for this many days, today (UTC) included; clamped to 1 to ${STATS_DAYS_MAX}.`,
    }),
  ),
})

const zero = Type.Literal('0', { description: 'There are no options.' })

export const Portfolio = named(
  'Portfolio',
  {
    account: Address('The wallet.'),
    balance: AccountObject.properties.balance,
    pnl: nullable(decimal('realized_pnl + unrealized_pnl; null while a mark is missing.')),
    realized_pnl: decimal('Total in perpetuals, minus fees, plus settled funding.'),
    unrealized_pnl: AccountObject.properties.unrealized_pnl,
    profit_factor: nullable(
      decimal(
        `Profits of winning positions divided by losses of losing ones, net, over the newest ${PORTFOLIO_POSITIONS_MAX}; null without a loss.`,
      ),
    ),
    win_rate: nullable(decimal('Fraction of the same positions that won; null without positions.')),
    sharpe_ratio: Type.Null({ description: 'Not computed: deposits would count as returns.' }),
    greeks: Type.Array(
      named('AssetGreeks', {
        asset: Type.String({ description: 'The underlying.' }),
        delta: decimal('Net amount of the perpetual positions; negative when short.'),
        gamma: zero,
        rho: zero,
        theta: zero,
        vega: zero,
      }),
      { description: 'Assets with a position.' },
    ),
    user_margin: named('UserMargin', {
      used: nullable(decimal('Initial margin. Null while a mark is missing.')),
      balance: nullable(decimal('Equity. Null while a mark is missing.')),
    }),
    collaterals: AccountObject.properties.collaterals,
  },
  'Summary of an account.',
)
export type Portfolio = Static<typeof Portfolio>

/** Totals of an account in one market; raw integers of the store. */
export type MarketDays = Readonly<{
  market: Market
  fills: number
  tickLots: bigint
  offBook: bigint
  realised: bigint
  fees: bigint
  funding: bigint
}>

/** Margin and profit of perpetuals have 18 decimals. */
const USD_DECIMALS = 18
const usd = (raw: bigint) => formatRaw(raw, USD_DECIMALS)

/** Returns the profit in perpetuals minus fees plus funding; 18 decimals. */
export const netProfit = (days: readonly MarketDays[]): bigint =>
  sum(
    days.filter(({ market }) => market.type === 'PERPETUAL'),
    ({ realised, fees, funding }) => realised - fees + funding,
  )

/** Returns the statistics of each day, oldest first. `days` must be in that order. */
export const encodeDays = (
  days: readonly (MarketDays & Readonly<{ date: string }>)[],
): AccountStats['days'] =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, of]) => ({ date, ...encodePeriod(of) }))

/** Returns the statistics of a period. */
export function encodePeriod(days: readonly MarketDays[]): AccountPeriod {
  const perps = days.filter(({ market }) => market.type === 'PERPETUAL')
  const spots = days.filter(({ market, fills }) => market.type === 'SPOT' && fills > 0)
  return {
    ranking: null,
    options_volume: '0',
    perp_volume: usd(sum(perps, volumeOf)),
    pnl: usd(netProfit(days)),
    username: null,
    realized_pnl: usd(sum(perps, ({ realised }) => realised)),
    fees: usd(sum(perps, ({ fees }) => fees)),
    funding: usd(sum(perps, ({ funding }) => funding)),
    perp_trades: perps.reduce((count, { fills }) => count + fills, 0),
    spot: [...Map.groupBy(spots, ({ market }) => market.quoteAsset)].map(([quote_asset, of]) => {
      const decimals = of[0]?.market.quoteDecimals ?? USD_DECIMALS
      return {
        quote_asset,
        volume: formatRaw(sum(of, volumeOf), decimals),
        pnl: formatRaw(
          sum(of, ({ realised }) => realised),
          decimals,
        ),
        trades: of.reduce((count, { fills }) => count + fills, 0),
      }
    }),
  }
}

/** Returns the quote amount traded, raw; 18 decimals for a perpetual. */
export const volumeOf = ({
  market,
  tickLots,
  offBook,
}: Pick<MarketDays, 'market' | 'tickLots' | 'offBook'>): bigint =>
  tickLots * market.quotePerLotTick + offBook

const sum = (days: readonly MarketDays[], value: (day: MarketDays) => bigint) =>
  days.reduce((total, day) => total + value(day), 0n)

const RATIO_DECIMALS = 8

/** Returns the profit factor and the win rate of net results, rounded down; null if undefined. */
export function encodeResults(
  results: readonly bigint[],
): Pick<Portfolio, 'profit_factor' | 'win_rate'> {
  const won = results.filter((result) => result > 0n)
  const lost = results.filter((result) => result < 0n)
  const total = (of: readonly bigint[]) => of.reduce((all, one) => all + one, 0n)
  return {
    profit_factor: lost.length === 0 ? null : ratioText(total(won), -total(lost)),
    win_rate: results.length === 0 ? null : ratioText(BigInt(won.length), BigInt(results.length)),
  }
}

const ratioText = (part: bigint, whole: bigint) =>
  formatRaw((part * 10n ** BigInt(RATIO_DECIMALS)) / whole, RATIO_DECIMALS)

/** Returns position amounts by asset. `positions` are those of the account object. */
export function encodeGreeks(
  positions: readonly Readonly<{ asset: string; raw: bigint }>[],
): Portfolio['greeks'] {
  return [...Map.groupBy(positions, ({ asset }) => asset)].map(([asset, of]) => ({
    asset,
    delta: usd(of.reduce((total, { raw }) => total + raw, 0n)),
    gamma: '0',
    rho: '0',
    theta: '0',
    vega: '0',
  }))
}

/** Returns the profit of a portfolio as text: realised, and including unrealised. */
export const encodeProfit = (
  realised: bigint,
  unrealised: bigint | undefined,
): Pick<Portfolio, 'pnl' | 'realized_pnl'> => ({
  pnl: unrealised === undefined ? null : usd(realised + unrealised),
  realized_pnl: usd(realised),
})
