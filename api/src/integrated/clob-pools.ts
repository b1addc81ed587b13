// GET /api/clob/pools/{poolId}: a spot market of the venue as a pool, or an AMM pool. Interface
// 4.7.
import { levels } from '@openvenue/core/book'
import { dayPrices, usdValue, wholePrice } from '@openvenue/core/pool-prices'
import type { Market, Pool } from '@openvenue/core/records'
import { amountRaw, quoteRaw } from '@openvenue/core/units'
import { ClobPool, type ClobPoolFacts, encodeClobPool, PoolIdPath } from '@openvenue/wire/pools'
import { answer, answers, LIVE } from '../http/answer.ts'
import { cachedBody } from '../http/cached-body.ts'
import type { BodySource } from '../http/host-type.ts'
import { Refusal } from '../http/refusals.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { DAY_SECONDS, dayTotals, priceAt } from '../model/statistics.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

type PoolParts = 'model' | 'board' | 'clock'

export const clobPoolRoutes: Routes<PoolParts | 'names'> = (host, deps) => {
  const summary = "A spot market's order book, or an AMM pool, as a pool of two tokens"
  host.get(
    '/api/clob/pools/:poolId',
    {
      config: { ...LIVE, refuses: ['POOL_NOT_FOUND'] },
      schema: { tags: TAGS.clob, summary, params: PoolIdPath, response: answers(ClobPool) },
    },
    (request, reply) => answer(request, reply, poolSource(deps, String(request.params.poolId))),
  )
}

/** Returns how a pool is answered, or refuses with 404. */
function poolSource(deps: Parts<PoolParts | 'names'>, poolId: string): BodySource {
  const { model, names, clock } = deps
  const live = spotMarket(deps, poolId)
  if (live === undefined) ammPool(deps, poolId)
  const facts = () =>
    live === undefined ? ammFacts(deps, ammPool(deps, poolId)) : marketFacts(deps, live)
  return {
    head: () => model.head,
    // The 24-hour window moves by the minute, which is the resolution of stored prices.
    read: cachedBody(
      () => `${model.versions.entries} ${names.version} ${Math.floor(clock.nowMs() / MINUTE_MS)}`,
      () => encodeClobPool(facts()),
    ),
  }
}

const MINUTE_MS = 60_000

function spotMarket({ model }: Parts<'model'>, poolId: string): LiveMarket | undefined {
  for (const name of [poolId, poolId.toUpperCase(), poolId.toLowerCase()]) {
    const live = model.market(name)
    if (live?.market.type === 'SPOT') return live
  }
  return undefined
}

function ammPool({ model }: Parts<'model'>, poolId: string): Pool {
  const pool = model.pool(poolId.toLowerCase())
  if (pool !== undefined) return pool
  const code = 'POOL_NOT_FOUND'
  const message =
    'poolId is unknown: expected the name or id of a spot market, or the address of an AMM pool of /api/markets/earn-markets'
  throw new Refusal(code, { details: [{ field: 'poolId', code, message }] })
}

function marketFacts({ model, board, clock }: Parts<PoolParts>, { market, hours }: LiveMarket) {
  const { id, quoteDecimals } = market
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const minutes = model.priceMinutes(`mark:${id}`)
  const before = priceAt(minutes, nowSeconds - DAY_SECONDS) ?? minutes[0]?.price
  const { units } = dayTotals(hours, nowSeconds)
  const [base, quote] = spotTokens(market)
  return {
    poolId: id,
    baseToken: board.token(base),
    quoteToken: board.token(quote),
    price: perUnit(model.mark(id)?.price, quoteDecimals),
    priceBefore: perUnit(before, quoteDecimals),
    volume24h: usdValue(board.rates, quote, quoteRaw(market, units)),
    tvl: bookUsd({ model, board }, market),
  } satisfies ClobPoolFacts
}

/** Quote raw per whole base, as whole quote per whole base. */
const perUnit = (price: bigint | undefined, decimals: number) =>
  price === undefined ? undefined : { numerator: price, denominator: 10n ** BigInt(decimals) }

/** A spot market has both. */
const spotTokens = ({ baseToken, quoteToken }: Market) =>
  [baseToken as string, quoteToken as string] as const

/** Returns the value of all resting orders of a market, USD, 18 decimals. */
function bookUsd({ model, board }: Parts<'model' | 'board'>, market: Market): bigint {
  const book = model.book(market.id)
  const [base, quote] = spotTokens(market)
  let units = 0n
  for (const { tick, lots } of levels(book, true)) units += BigInt(tick) * lots
  let lotsOffered = 0n
  for (const { lots } of levels(book, false)) lotsOffered += lots
  return (
    usdValue(board.rates, quote, quoteRaw(market, units)) +
    usdValue(board.rates, base, amountRaw(market, lotsOffered))
  )
}

function ammFacts({ model, board, clock }: Parts<PoolParts>, pool: Pool): ClobPoolFacts {
  const { address } = pool
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const prices = dayPrices(pool, { hours: model.poolHours(address), nowSeconds })
  const [baseToken, quoteToken] = [board.token(pool.token0), board.token(pool.token1)]
  const whole = (price: Parameters<typeof wholePrice>[0] | undefined) =>
    price && wholePrice(price, baseToken.decimals ?? 0, quoteToken.decimals ?? 0)
  const { tvl, volume24h } = board.valueOf(pool)
  return {
    poolId: address,
    baseToken,
    quoteToken,
    price: whole(prices?.now),
    priceBefore: whole(prices?.before),
    volume24h,
    tvl,
  }
}
