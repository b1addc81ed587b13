// What an account traded and made: /account/stats and /portfolio.
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { AccountObject } from './account.ts'
import { marketFilter } from './account-query.ts'
import { Address, decimal, named, nullable } from './field.ts'

/** Closed positions, the newest ones, that profit_factor and win_rate are made of. */
export const PORTFOLIO_POSITIONS_MAX = 1000

const spot = named('SpotStatistics', {
  quote_asset: Type.String(),
  volume: decimal('Quote amount traded.'),
  pnl: decimal('Made by sales over the average cost; spot trades have no fees.'),
  trades: Type.Integer({ minimum: 0 }),
})

const PERIOD = {
  ranking: nullable(Type.String({ description: 'Null: nobody is ranked here.' })),
  options_volume: Type.Literal('0', { description: 'There are no options.' }),
  perp_volume: decimal('Quote amount traded in perpetuals.'),
  pnl: decimal('realized_pnl - fees + funding.'),
  username: nullable(Type.String({ description: 'Null: accounts have none.' })),
  realized_pnl: decimal('Made in perpetuals by what was closed, before fees and funding.'),
  fees: decimal('Paid in perpetuals, those of forced closes included; below zero is a rebate.'),
  funding: decimal('Settled; above zero when the account received.'),
  perp_trades: Type.Integer({ minimum: 0, description: 'Fills in perpetuals.' }),
  spot: Type.Array(spot, { description: 'By quote asset.' }),
}

const AccountPeriod = named(
  'AccountPeriod',
  PERIOD,
  'What the account did in perpetuals and at spot.',
)
export type AccountPeriod = Static<typeof AccountPeriod>

/** Days that one answer goes back, the running one included. */
export const STATS_DAYS_MAX = 92

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
      'Since the start of today (UTC), of 6 and of 29 days before, and ever.',
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
          'What the account did on a day.',
        ),
        {
          description:
            'With the parameter days: each day on which anything was traded or settled, oldest first.',
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
      description: `Also day by day, so many days back, today (UTC) included; taken as 1 to ${STATS_DAYS_MAX}.`,
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
    realized_pnl: decimal('Ever made in perpetuals, less fees, with settled funding.'),
    unrealized_pnl: AccountObject.properties.unrealized_pnl,
    profit_factor: nullable(
      decimal(
        `What closed positions won by what others lost, net, of the newest ${PORTFOLIO_POSITIONS_MAX}; null while none lost.`,
      ),
    ),
    win_rate: nullable(
      decimal('The part of the same positions that won, as a fraction; null while there are none.'),
    ),
    sharpe_ratio: Type.Null({ description: 'Not computed: deposits would pass for returns.' }),
    greeks: Type.Array(
      named('AssetGreeks', {
        asset: Type.String({ description: 'The underlying.' }),
        delta: decimal('Net amount of the perpetual positions; below zero is short.'),
        gamma: zero,
        rho: zero,
        theta: zero,
        vega: zero,
      }),
      { description: 'By asset; those with a position.' },
    ),
    user_margin: named('UserMargin', {
      used: nullable(decimal('Initial margin. Null while a mark is missing.')),
      balance: nullable(decimal('Equity. Null while a mark is missing.')),
    }),
    collaterals: AccountObject.properties.collaterals,
  },
  'An account at a glance.',
)
export type Portfolio = Static<typeof Portfolio>

/** Sums of an account in one market; raw integers of the store. */
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

/** Returns what perpetuals made, less fees, with funding; 18 decimals. */
export const netProfit = (days: readonly MarketDays[]): bigint =>
  sum(
    days.filter(({ market }) => market.type === 'PERPETUAL'),
    ({ realised, fees, funding }) => realised - fees + funding,
  )

/** Returns what an account did on each day, oldest first. `days` are in that order. */
export const encodeDays = (
  days: readonly (MarketDays & Readonly<{ date: string }>)[],
): AccountStats['days'] =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, of]) => ({ date, ...encodePeriod(of) }))

/** Returns what an account did in a period. */
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

/** Returns the quote amount traded, raw; a perpetual's has 18 decimals. */
export const volumeOf = ({
  market,
  tickLots,
  offBook,
}: Pick<MarketDays, 'market' | 'tickLots' | 'offBook'>): bigint =>
  tickLots * market.quotePerLotTick + offBook

const sum = (days: readonly MarketDays[], value: (day: MarketDays) => bigint) =>
  days.reduce((total, day) => total + value(day), 0n)

const RATIO_DECIMALS = 8

/** Returns the factor and the rate of net results, rounded down; null where there is none. */
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

/** Returns the amounts of positions by asset. `positions` are as the account object has them. */
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

/** Returns the profit of a portfolio as text: what is realised, and with what is not. */
export const encodeProfit = (
  realised: bigint,
  unrealised: bigint | undefined,
): Pick<Portfolio, 'pnl' | 'realized_pnl'> => ({
  pnl: unrealised === undefined ? null : usd(realised + unrealised),
  realized_pnl: usd(realised),
})
