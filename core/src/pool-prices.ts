// Values pools and their tokens with exact integer fractions, rounded down once at the end.
import { E18 } from './integers.ts'
import type { Pool, PoolHour } from './records.ts'
import type { Records } from './state.ts'

const HOUR_SECONDS = 3600
const HOURS_PER_DAY = 24
/** Unit of account of the venue; worth one USD unless the oracle has a price for it. */
const UNIT_OF_ACCOUNT = 'USDC'
/**
 * Maximum bits of a rate's numerator or denominator. Longer ones lose low bits, so that a long
 * chain of pools cannot slow the computation; rates across six pools in a row are exact at any
 * price.
 */
const RATE_BITS_MAX = 2048n
const RATE_LIMIT = 1n << RATE_BITS_MAX

/** The numerator is not negative; the denominator is positive. */
export type Fraction = Readonly<{ numerator: bigint; denominator: bigint }>

/** USD (18 decimals) per raw unit of a token, by address; tokens without a price are absent. */
export type UsdRates = ReadonlyMap<string, Fraction>

type PoolPrice = Readonly<Pick<Pool, 'reserve0' | 'reserve1' | 'sqrtPriceX96'>>
type PoolReserves = Readonly<Pick<Pool, 'token0' | 'token1' | 'reserve0' | 'reserve1'>>

/**
 * Returns the price of a pool, token1 raw per token0 raw, exact: the ratio of the reserves (version
 * 2) or the square of the root price (version 3). undefined while it has none.
 */
export function poolPrice({ reserve0, reserve1, sqrtPriceX96 }: PoolPrice): Fraction | undefined {
  if (sqrtPriceX96 !== null)
    return sqrtPriceX96 === 0n
      ? undefined
      : { numerator: sqrtPriceX96 * sqrtPriceX96, denominator: 1n << 192n }
  if (reserve0 === 0n || reserve1 === 0n) return undefined
  return { numerator: reserve1, denominator: reserve0 }
}

/** Returns `price` (raw per raw) for whole tokens: `decimals` in `perDecimals`. */
export const wholePrice = (price: Fraction, decimals: number, perDecimals: number): Fraction => ({
  numerator: price.numerator * wholeUnit(decimals),
  denominator: price.denominator * wholeUnit(perDecimals),
})

/** Returns the reciprocal of a positive price. */
export const inverse = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: denominator,
  denominator: numerator,
})

/** Returns a fraction with `decimals`, rounded down. */
export const scaled = ({ numerator, denominator }: Fraction, decimals: number): bigint =>
  (numerator * wholeUnit(decimals)) / denominator

/**
 * Returns the USD rates of tokens. A token listed by the venue has the oracle's price of its
 * symbol; it is matched by address, since anyone can name a token ETH. Any other token is priced by
 * the deepest pool that pairs it with a priced token, over the fewest pools to the oracle. The
 * deepest pool is the one whose other side has the highest value; ties go to the lowest address. A
 * pool without a price, or with an empty other side, is ignored. A token that no pools connect to
 * the oracle has no price.
 */
export function usdRates({ token, indexPrice, pool }: PricedRecords): UsdRates {
  const rates = new Map<string, Fraction>()
  for (const { address, symbol, decimals } of token.values()) {
    const price = indexPrice.get(symbol)?.price ?? (symbol === UNIT_OF_ACCOUNT ? E18 : undefined)
    if (price !== undefined)
      rates.set(address, { numerator: price, denominator: wholeUnit(decimals) })
  }
  const pools = poolsByToken(pool.values())
  // Only tokens priced in the last round can price further ones.
  let newest = [...rates.keys()]
  while (newest.length > 0) {
    const added = ratesFrom(newest, rates, pools)
    for (const [address, { rate }] of added) rates.set(address, rate)
    newest = [...added.keys()]
  }
  return rates
}

/** The parts of a state that prices are derived from. */
export type PricedRecords = Pick<Records, 'token' | 'indexPrice' | 'pool'>

type Offer = Readonly<{ rate: Fraction; depth: bigint; pool: string }>

/** Returns the best rate for each unpriced token that shares a pool with one of `tokens`. */
function ratesFrom(
  tokens: readonly string[],
  rates: ReadonlyMap<string, Fraction>,
  pools: ReadonlyMap<string, readonly Pool[]>,
): Map<string, Offer> {
  const best = new Map<string, Offer>()
  for (const token of tokens)
    for (const pool of pools.get(token) ?? []) {
      const other = pool.token0 === token ? pool.token1 : pool.token0
      if (rates.has(other)) continue
      const offer = offerFrom(pool, token, rates)
      const current = best.get(other)
      if (offer !== undefined && (current === undefined || isBetter(offer, current)))
        best.set(other, offer)
    }
  return best
}

const isBetter = (a: Offer, b: Offer): boolean =>
  a.depth > b.depth || (a.depth === b.depth && a.pool < b.pool)

/** Returns the rate that `pool` implies for the token paired with `token`, which has a rate. */
function offerFrom(pool: Pool, token: string, rates: UsdRates): Offer | undefined {
  const price = poolPrice(pool)
  const rate = rates.get(token)
  const isFirst = pool.token0 === token
  const reserve = isFirst ? pool.reserve0 : pool.reserve1
  if (price === undefined || rate === undefined || reserve === 0n) return undefined
  // Cost of one raw unit of the other token in units of this one.
  const cost = isFirst ? inverse(price) : price
  return { rate: product(cost, rate), depth: usdValue(rates, token, reserve), pool: pool.address }
}

function product(a: Fraction, b: Fraction): Fraction {
  let numerator = a.numerator * b.numerator
  let denominator = a.denominator * b.denominator
  while (numerator >= RATE_LIMIT || denominator >= RATE_LIMIT) {
    numerator >>= 64n
    denominator >>= 64n
  }
  // An extreme rate is clamped to the largest or the smallest possible rate.
  return { numerator, denominator: denominator || 1n }
}

function poolsByToken(pools: Iterable<Pool>): Map<string, Pool[]> {
  const byToken = new Map<string, Pool[]>()
  for (const pool of pools)
    for (const token of [pool.token0, pool.token1]) {
      const tokenPools = byToken.get(token)
      if (tokenPools === undefined) byToken.set(token, [pool])
      else tokenPools.push(pool)
    }
  return byToken
}

/** Returns the USD value of raw `amount` of a token, 18 decimals, rounded down; 0 if unpriced. */
export function usdValue(rates: UsdRates, token: string, amount: bigint): bigint {
  const rate = rates.get(token)
  return rate === undefined ? 0n : (amount * rate.numerator) / rate.denominator
}

/**
 * Returns the price of a whole token in USD, 18 decimals, rounded down; 0 without one. A token that
 * does not report its decimals (null) is treated as having none: one whole is one raw unit.
 */
export const priceUsd = (rates: UsdRates, token: string, decimals: number | null): bigint =>
  usdValue(rates, token, wholeUnit(decimals ?? 0))

/** Returns the value of a pool's reserves at current prices in USD, 18 decimals, rounded down. */
export const tvlUsd = (
  rates: UsdRates,
  { token0, token1, reserve0, reserve1 }: PoolReserves,
): bigint => pairUsd(rates, [token0, reserve0], [token1, reserve1])

/**
 * Returns the swap volume of a day (`dayStart`), counted on the input side, at current prices in
 * USD, 18 decimals, rounded down. `hours` are the hours of the pool, oldest first.
 */
export function volumeUsd(
  rates: UsdRates,
  { token0, token1 }: Readonly<Pick<Pool, 'token0' | 'token1'>>,
  { hours, nowSeconds }: PoolDay,
): bigint {
  let volume0 = 0n
  let volume1 = 0n
  for (const hour of selectDay(hours, nowSeconds)) {
    volume0 += hour.volume0
    volume1 += hour.volume1
  }
  return pairUsd(rates, [token0, volume0], [token1, volume1])
}

/** The hours of a pool and the current time. */
type PoolDay = Readonly<{ hours: readonly PoolHour[]; nowSeconds: number }>

/**
 * Returns the price of a pool now and at the start of the day (`dayStart`), token1 raw per token0
 * raw; for a younger pool, its first price. undefined while it has none.
 */
export function dayPrices(
  pool: PoolPrice,
  { hours, nowSeconds }: PoolDay,
): Readonly<{ before: Fraction; now: Fraction }> | undefined {
  const now = poolPrice(pool)
  if (now === undefined) return undefined
  const open = selectDay(hours, nowSeconds)[0]?.openPriceX128 ?? 0n
  // An hour stores truncated prices: equal to the truncated current price means unchanged.
  const isSame = open === 0n || open === (now.numerator << 128n) / now.denominator
  return { now, before: isSame ? now : { numerator: open, denominator: 1n << 128n } }
}

/** Returns the start of the last 24 clock hours, including the current one, Unix seconds. */
export const dayStart = (nowSeconds: number): number =>
  nowSeconds - (nowSeconds % HOUR_SECONDS) - (HOURS_PER_DAY - 1) * HOUR_SECONDS

const selectDay = (hours: readonly PoolHour[], nowSeconds: number) => {
  const from = dayStart(nowSeconds)
  return hours.filter(({ openSeconds }) => openSeconds >= from)
}

type Amount = readonly [token: string, raw: bigint]

/** Added as one fraction, so that rounding loses less than one unit of the sum. */
function pairUsd(rates: UsdRates, [token0, raw0]: Amount, [token1, raw1]: Amount): bigint {
  const rate0 = rates.get(token0)
  const rate1 = rates.get(token1)
  if (rate0 === undefined) return usdValue(rates, token1, raw1)
  if (rate1 === undefined) return usdValue(rates, token0, raw0)
  const sum =
    raw0 * rate0.numerator * rate1.denominator + raw1 * rate1.numerator * rate0.denominator
  return sum / (rate0.denominator * rate1.denominator)
}

const wholeUnit = (decimals: number): bigint => 10n ** BigInt(decimals)
