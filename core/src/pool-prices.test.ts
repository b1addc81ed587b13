import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { naiveRates } from '../test/scenario/naive-prices.ts'
import { E18 } from './integers.ts'
import {
  dayPrices,
  dayStart,
  type Fraction,
  inverse,
  type PricedRecords,
  poolPrice,
  priceUsd,
  scaled,
  tvlUsd,
  type UsdRates,
  usdRates,
  usdValue,
  volumeUsd,
  wholePrice,
} from './pool-prices.ts'
import type { Pool, PoolHour } from './records.ts'

const HOUR = 3600
const DAY = 86_400
const NOW = 1_767_225_600 + 5 * HOUR + 123

const PAIR: Pool = {
  address: 'pair',
  factory: 'factory',
  version: 2,
  token0: 'x',
  token1: 'y',
  fee: 3000,
  tickSpacing: null,
  reserve0: 0n,
  reserve1: 0n,
  sqrtPriceX96: null,
  tick: null,
  liquidity: null,
  blockNumber: 1,
  logIndex: 0,
  txHash: '0x',
  createdSeconds: 0,
  updatedSeconds: 0,
}

type Reserves = Readonly<Record<string, bigint>>

/** A pair of two tokens with its reserves. */
function pair(address: string, reserves: Reserves): Pool {
  const [[token0, reserve0], [token1, reserve1]] = Object.entries(reserves) as [
    [string, bigint],
    [string, bigint],
  ]
  return { ...PAIR, address, token0, token1, reserve0, reserve1 }
}

const ranged = (address: string, reserves: Reserves, sqrtPriceX96: bigint): Pool => ({
  ...pair(address, reserves),
  version: 3,
  sqrtPriceX96,
})

/** A venue that lists USDC (`usdc`, 6 decimals) and ETH (`eth`, 18) at 3,000 USD. */
const records = (...pools: Pool[]): PricedRecords => ({
  token: new Map([
    ['usdc', { address: 'usdc', symbol: 'USDC', name: 'USD Coin', decimals: 6 }],
    ['eth', { address: 'eth', symbol: 'ETH', name: 'Ether', decimals: 18 }],
  ]),
  indexPrice: new Map([
    ['ETH', { asset: 'ETH', price: 3000n * E18, seconds: 0, blockNumber: 0 }],
    ['DOGE', { asset: 'DOGE', price: E18, seconds: 0, blockNumber: 0 }],
  ]),
  pool: new Map(pools.map((pool) => [pool.address, pool])),
})

const ETH = E18
const USDC = 10n ** 6n

describe('the price of a pool', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 112n - 1n })
  const root = fc.bigInt({ min: 4_295_128_739n, max: 2n ** 160n })

  test('of version 2 is the exact ratio of its reserves', () => {
    fc.assert(
      fc.property(amount, amount, (reserve0, reserve1) => {
        const price = poolPrice({ reserve0, reserve1, sqrtPriceX96: null }) as Fraction
        assert.equal(price.numerator * reserve0, price.denominator * reserve1)
      }),
    )
  })

  test('of version 3 is the exact square of its root, whatever it holds', () => {
    fc.assert(
      fc.property(root, amount, (sqrtPriceX96, reserve0) => {
        const price = poolPrice({ reserve0, reserve1: 0n, sqrtPriceX96 }) as Fraction
        assert.equal(price.numerator * 2n ** 192n, price.denominator * sqrtPriceX96 ** 2n)
      }),
    )
  })

  test('the price of a pool agrees between the versions when the reserves are in the ratio of the price', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 50n }), (root) => {
        const two = poolPrice({ reserve0: 1n, reserve1: root ** 2n, sqrtPriceX96: null })
        const three = poolPrice({ reserve0: 1n, reserve1: 0n, sqrtPriceX96: root << 96n })
        assert.equal(scaled(two as Fraction, 18), scaled(three as Fraction, 18))
      }),
    )
  })

  test('the price of a pool is undefined without either reserve, or before initialization', () => {
    for (const [reserve0, reserve1, sqrtPriceX96] of [
      [0n, 5n, null],
      [5n, 0n, null],
      [5n, 5n, 0n],
    ] as const)
      assert.equal(poolPrice({ reserve0, reserve1, sqrtPriceX96 }), undefined)
  })

  test('the price of a pool in whole tokens accounts for the decimals of both', () => {
    // 2 ETH and 6,000 USDC: 3,000 USDC per ETH.
    const pool = pair('p', { eth: 2n * ETH, usdc: 6000n * USDC })
    const price = wholePrice(poolPrice(pool) as Fraction, 18, 6)
    assert.equal(scaled(price, 0), 3000n)
    assert.equal(scaled(inverse(price), 6), 333n)
  })
})

describe('the price of a token in USD', () => {
  const findPrice = (token: string, decimals: number | null, ...pools: Pool[]) =>
    priceUsd(usdRates(records(...pools)), token, decimals)

  test("the price of a token in USD is the oracle's if the venue lists the token, whatever the pools imply", () => {
    const pools = pair('p', { eth: ETH, usdc: USDC })
    assert.equal(findPrice('eth', 18, pools), 3000n * E18)
  })

  test('the price of a token in USD is one for USDC unless the oracle has a price for it', () => {
    assert.equal(findPrice('usdc', 6), E18)
    const base = records()
    const price = (E18 * 99n) / 100n
    const usdc = { asset: 'USDC', price, seconds: 0, blockNumber: 0 }
    const rates = usdRates({ ...base, indexPrice: new Map([['USDC', usdc]]) })
    assert.equal(priceUsd(rates, 'usdc', 6), price)
    assert.equal(priceUsd(rates, 'eth', 18), 0n)
  })

  test('the price of a token in USD is matched by address, not by name', () => {
    assert.equal(findPrice('another eth', 18), 0n)
  })

  test('the price of a token in USD follows from a pool with a priced token, on either side', () => {
    // 10 of token t for 2 ETH: 600 USD each.
    assert.equal(findPrice('t', 9, pair('p', { t: 10n ** 10n, eth: 2n * ETH })), 600n * E18)
    assert.equal(findPrice('t', 9, pair('p', { eth: 2n * ETH, t: 10n ** 10n })), 600n * E18)
    // Root 2: four raw USDC per raw t.
    const pool = ranged('p', { t: 1n, usdc: 1n }, 2n << 96n)
    assert.equal(findPrice('t', 6, pool), 4n * E18)
  })

  test('of a token without decimals is the price of a raw unit', () => {
    assert.equal(findPrice('t', null, pair('p', { t: 10n, usdc: 50n * USDC })), 5n * E18)
  })

  test('the price of a token in USD follows from the pool whose other side has the highest value, not from the largest holding', () => {
    const many = pair('a', { t: 1000n, usdc: 2999n * USDC })
    const deep = pair('z', { t: 1n, eth: ETH })
    assert.equal(findPrice('t', 0, many, deep), 3000n * E18)
    assert.equal(findPrice('t', 0, deep, many), 3000n * E18)
  })

  test('the price of a token in USD follows from the lowest address among equally deep pools', () => {
    const pools = [
      pair('0xb', { t: 3n, usdc: 6n * USDC }),
      pair('0xa', { t: 1n, usdc: 6n * USDC }),
      pair('0xc', { t: 2n, usdc: 6n * USDC }),
    ]
    assert.equal(findPrice('t', 0, ...pools), 6n * E18)
  })

  test('the price of a token in USD follows the shortest path, even if a longer one is deeper', () => {
    const short = pair('short', { t: 1n, usdc: 1n * USDC })
    const bridge = pair('bridge', { m: 1n, usdc: 10n ** 9n * USDC })
    const long = pair('long', { t: 1n, m: 1n })
    assert.equal(findPrice('t', 0, short, bridge, long), E18)
    assert.equal(findPrice('t', 0, bridge, long), 10n ** 9n * E18)
  })

  test('the price of a token in USD is found through a hundred pools in a row, including cycles', () => {
    const pools = [pair('p0', { usdc: 2n * USDC, t0: 2n })]
    for (let i = 1; i < 100; i++) pools.push(pair(`p${i}`, { [`t${i - 1}`]: 7n, [`t${i}`]: 7n }))
    pools.push(pair('circle', { t99: 1n, t50: 1n }), pair('self', { t99: 1n, 't99 ': 1n }))
    assert.equal(findPrice('t99', 0, ...pools), E18)
  })

  test('the price of a token in USD is 0 only when no pool leads to one', () => {
    const island = pair('island', { a: 1n, b: 1n })
    assert.equal(findPrice('a', 0, island, pair('p', { t: 1n, eth: ETH })), 0n)
  })

  test('the price of a token in USD does not come from a pool without a price or with an empty other side', () => {
    assert.equal(findPrice('t', 0, pair('p', { t: 0n, usdc: USDC })), 0n)
    assert.equal(findPrice('t', 0, ranged('p', { t: 5n, usdc: USDC }, 0n)), 0n)
    // Anyone can initialize an empty pool at any price.
    assert.equal(findPrice('t', 0, ranged('p', { t: 5n, usdc: 0n }, 9n << 96n)), 0n)
  })

  test('the price of a token in USD does not depend on the order of pools and tokens, and equals a naive search', () => {
    fc.assert(
      fc.property(fc.array(anyPool, { maxLength: 14 }), fc.nat(), (drawn, offset) => {
        const pools = drawn.map((pool, index) => ({ ...pool, address: `p${index}` }))
        const at = offset % (pools.length + 1)
        const turned = [...pools.slice(at), ...pools.slice(0, at)].reverse()
        const rates = usdRates(records(...pools))
        const sorted = (all: UsdRates) => [...all].sort(([a], [b]) => (a < b ? -1 : 1))
        assert.deepEqual(sorted(usdRates(records(...turned))), sorted(rates))
        const naive = naiveRates(pools, [
          ['usdc', [E18, USDC]],
          ['eth', [3000n * E18, ETH]],
        ])
        assert.deepEqual(new Set(rates.keys()), new Set(naive.keys()))
        for (const [token, [numerator, denominator]] of naive) {
          const rate = rates.get(token) as Fraction
          assert.equal(rate.numerator * denominator, rate.denominator * numerator, token)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('the price of a token in USD is exact to 18 decimals over a long path at extreme prices', () => {
    // There and back: every second pool cancels the price of the previous one.
    const high = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n
    const pools = [pair('p0', { usdc: 3n * USDC, t0: 1n })]
    for (let i = 1; i <= 40; i++) {
      const [from, to] = [`t${i - 1}`, `t${i}`]
      pools.push(
        ranged(`p${i}`, i % 2 === 1 ? { [from]: 1n, [to]: 1n } : { [to]: 1n, [from]: 1n }, high),
      )
    }
    const price = findPrice('t40', 0, ...pools)
    assert.ok(price > 3n * E18 - 2n && price <= 3n * E18, `${price}`)
  })

  test('uses bounded numbers, however long and steep the path', () => {
    const pools = [pair('p0', { usdc: USDC, t0: 1n })]
    for (let i = 1; i <= 2000; i++)
      pools.push(ranged(`p${i}`, { [`t${i}`]: 1n, [`t${i - 1}`]: 1n }, 1n << 160n))
    for (const { numerator, denominator } of usdRates(records(...pools)).values()) {
      assert.ok(numerator < 1n << 2048n)
      assert.ok(denominator > 0n && denominator < 1n << 2048n)
    }
  })
})

describe('the value of a pool', () => {
  test('the value of a pool is the sum of both sides, rounded down once', () => {
    const third: UsdRates = new Map([
      ['a', { numerator: 1n, denominator: 3n }],
      ['b', { numerator: 2n, denominator: 3n }],
    ])
    const pool = { token0: 'a', token1: 'b', reserve0: 1n, reserve1: 1n }
    assert.equal(tvlUsd(third, pool), 1n)
    assert.equal(usdValue(third, 'a', 1n), 0n)
    assert.equal(usdValue(third, 'b', 2n), 1n)
  })

  test('the value of a pool is the value of one side when the other has no price, and 0 when neither has', () => {
    const rates = usdRates(records())
    const reserves = { reserve0: 5n * USDC, reserve1: 7n }
    assert.equal(tvlUsd(rates, { token0: 'usdc', token1: 't', ...reserves }), 5n * E18)
    assert.equal(tvlUsd(rates, { token0: 't', token1: 'eth', ...reserves }), 7n * 3000n)
    assert.equal(tvlUsd(rates, { token0: 't', token1: 'u', ...reserves }), 0n)
  })

  test('the value of a pool includes both sides of a pool that prices its own token', () => {
    const pool = pair('p', { t: 8n, usdc: 5n * USDC })
    assert.equal(tvlUsd(usdRates(records(pool)), pool), 10n * E18)
  })
})

describe('the day of a pool', () => {
  const hour = (openSeconds: number, more: Partial<PoolHour> = {}): PoolHour => ({
    pool: 'pair',
    openSeconds,
    volume0: 0n,
    volume1: 0n,
    swaps: 0,
    openPriceX128: 0n,
    priceX128: 0n,
    ...more,
  })
  const start = dayStart(NOW)

  test('the day of a pool is the running clock hour and the 23 before it', () => {
    assert.equal(start, NOW - 123 - 23 * HOUR)
    assert.equal(dayStart(start), start - 23 * HOUR)
    assert.equal(dayStart(NOW - 123 - 1), start - HOUR)
  })

  test('the day of a pool has the volume of its hours, both sides, at current prices', () => {
    const pool = { token0: 'usdc', token1: 'eth' }
    const hours = [
      hour(start - HOUR, { volume0: 1_000n * USDC, volume1: ETH }),
      hour(start, { volume0: 10n * USDC }),
      hour(start + 22 * HOUR, { volume0: USDC, volume1: ETH / 1000n }),
      hour(start + 23 * HOUR, { volume0: USDC, volume1: ETH / 1000n }),
    ]
    const rates = usdRates(records())
    assert.equal(volumeUsd(rates, pool, { hours, nowSeconds: NOW }), 18n * E18)
    assert.equal(volumeUsd(rates, pool, { hours, nowSeconds: NOW + HOUR }), 8n * E18)
    assert.equal(volumeUsd(rates, pool, { hours: [], nowSeconds: NOW }), 0n)
    assert.equal(volumeUsd(new Map(), pool, { hours, nowSeconds: NOW }), 0n)
  })

  test('the day of a pool begins with the price before the first change of its hours', () => {
    const hours = [
      hour(start - HOUR, { openPriceX128: 1n, priceX128: 2n }),
      hour(start + HOUR, { openPriceX128: 3n << 128n, priceX128: 4n }),
      hour(start + 2 * HOUR, { openPriceX128: 5n, priceX128: 6n }),
    ]
    const pool = pair('p', { x: 2n, y: 9n })
    const prices = dayPrices(pool, { hours, nowSeconds: NOW })
    assert.equal(scaled(prices?.before as Fraction, 3), 3000n)
    assert.equal(scaled(prices?.now as Fraction, 3), 4500n)
  })

  test('the day of a pool begins with the current price if it had no change, even a day after the last one', () => {
    const pool = pair('p', { x: 2n, y: 9n })
    const hours = [hour(start, { openPriceX128: 1n, priceX128: 2n })]
    for (const day of [
      { hours: [], nowSeconds: NOW },
      { hours, nowSeconds: NOW + DAY },
    ]) {
      const prices = dayPrices(pool, day)
      assert.deepEqual(prices?.before, prices?.now)
    }
  })

  test('the day of a pool has no prices if the pool has none', () => {
    assert.equal(dayPrices(pair('p', { x: 0n, y: 0n }), { hours: [], nowSeconds: NOW }), undefined)
    const hours = [hour(start)]
    const prices = dayPrices(pair('p', { x: 1n, y: 2n }), { hours, nowSeconds: NOW })
    assert.deepEqual(prices?.before, prices?.now)
  })
})

const anyToken = fc.constantFrom('usdc', 'eth', 'a', 'b', 'c', 'd', 'e')
const anyAmount = fc.bigInt({ min: 0n, max: 40n })
const anyPool: fc.Arbitrary<Pool> = fc
  .tuple(
    anyToken,
    anyToken,
    anyAmount,
    anyAmount,
    fc.option(fc.bigInt({ min: 0n, max: 3n << 96n })),
  )
  .map(([token0, token1, reserve0, reserve1, sqrtPriceX96]) => ({
    ...PAIR,
    token0,
    token1,
    reserve0: reserve0 * USDC,
    reserve1: reserve1 * USDC,
    sqrtPriceX96,
  }))
