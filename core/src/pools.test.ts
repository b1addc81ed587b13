import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { randomTale } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { SCENARIO_START_SECONDS, type Scenario, scenario } from '../test/scenario/scenario.ts'
import { SCENARIO_POOLS } from '../test/scenario/scenario-pool.ts'
import { invertChanges } from './changes.ts'
import type { EventOf, VenueEvent } from './events.ts'
import type { TokenFacts } from './pool-events.ts'
import type { Pool, PoolHour } from './records.ts'
import { fold, type VenueState } from './state.ts'

const HOUR = 3600
const [USDC, ETH] = SCENARIO_POOLS['USDC/ETH v2'].tokens
const PAIR = SCENARIO_POOLS['USDC/ETH v2'].address
const RANGED = SCENARIO_POOLS['USDC/ETH v3'].address
const FEE = 3000

const created = (version: 2 | 3, more: Readonly<{ tokens?: readonly TokenFacts[] }> = {}) =>
  ({
    type: 'PoolCreated',
    factory: '0xf0',
    version,
    pool: version === 2 ? PAIR : RANGED,
    token0: USDC.address,
    token1: ETH.address,
    fee: FEE,
    tickSpacing: version === 2 ? null : 60,
    tokens: [USDC, ETH],
    ...more,
  }) as const

const synced = (reserve0: bigint, reserve1: bigint) =>
  ({ type: 'PoolSynced', pool: PAIR, reserve0, reserve1 }) as const
const pairSwapped = (amount0: bigint, amount1: bigint) =>
  ({
    type: 'PoolSwapped',
    pool: PAIR,
    amount0,
    amount1,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
  }) as const
const rangeSwapped = (amount0: bigint, amount1: bigint, sqrtPriceX96 = 1n << 96n) =>
  ({
    type: 'PoolSwapped',
    pool: RANGED,
    amount0,
    amount1,
    sqrtPriceX96,
    liquidity: 77n,
    tick: 5,
  }) as const
const initialized = (sqrtPriceX96: bigint, tick: number) =>
  ({ type: 'PoolInitialized', pool: RANGED, sqrtPriceX96, tick }) as const
const funded = (amounts: readonly [bigint, bigint], range: readonly [number, number, bigint]) =>
  ({
    type: 'PoolFunded',
    pool: RANGED,
    amount0: amounts[0],
    amount1: amounts[1],
    tickLower: range[0],
    tickUpper: range[1],
    liquidityDelta: range[2],
  }) as const

const played = (...events: VenueEvent[]) =>
  events.reduce((tale, event) => tale.say(event), scenario())
const poolAfter = (tale: Scenario, address: string): Pool =>
  replay(tale.blocks()).state.records.pool.get(address) as Pool
const findHours = (tale: Scenario, pool: string): PoolHour[] => {
  const byOpening = new Map<number, PoolHour>()
  for (const { changes } of replay(tale.blocks()).all)
    for (const { what, after } of changes)
      if (what === 'poolHour' && after?.pool === pool) byOpening.set(after.openSeconds, after)
  return [...byOpening.values()]
}

describe('a pool', () => {
  test('a pool begins empty, at the log that created it', () => {
    const tale = scenario().next(7).say(created(2)).say(created(3))
    const { state } = replay(tale.blocks())
    const seconds = SCENARIO_START_SECONDS + 7
    const both = {
      factory: '0xf0',
      token0: USDC.address,
      token1: ETH.address,
      fee: FEE,
      reserve0: 0n,
      reserve1: 0n,
      blockNumber: 2,
      createdSeconds: seconds,
      updatedSeconds: seconds,
    }
    const pair = { address: PAIR, version: 2, tickSpacing: null, logIndex: 0 }
    const ranged = { address: RANGED, version: 3, tickSpacing: 60, logIndex: 1 }
    const [txHash, next] = tale.blocks()[1]?.events.map((event) => event.txHash) ?? []
    assert.deepEqual(
      [...state.records.pool.values()],
      [
        { ...both, ...pair, txHash, sqrtPriceX96: null, tick: null, liquidity: null },
        { ...both, ...ranged, txHash: next, sqrtPriceX96: 0n, tick: 0, liquidity: 0n },
      ],
    )
    assert.deepEqual([...state.records.poolHour], [])
  })

  test('a pool is created only once', () => {
    assert.throws(() => replay(played(created(2), created(2)).blocks()), {
      name: 'InvariantError',
      message: /a pool is created once/,
    })
  })

  test('a pool is created with its tokens, unless an earlier pool has them', () => {
    replay(played(created(2), created(3, { tokens: [] })).blocks())
    assert.throws(() => replay(played(created(2, { tokens: [USDC] })).blocks()), {
      name: 'InvariantError',
      message: /comes with its tokens/,
    })
  })

  test('cannot change before it is created', () => {
    const events = [
      synced(1n, 1n),
      pairSwapped(1n, 1n),
      initialized(1n, 1),
      funded([0n, 0n], [0, 1, 1n]),
    ]
    for (const event of events)
      assert.throws(() => replay(played(event).blocks()), {
        name: 'InvariantError',
        message: /only a pool that was created changes/,
      })
  })

  test('a pool keeps a token as its first pool recorded it', () => {
    const renamed = { ...USDC, symbol: 'OTHER', decimals: 2 }
    const tale = played(created(2), created(3, { tokens: [renamed, ETH] }))
    const { poolToken } = replay(tale.blocks()).state.records
    assert.deepEqual(poolToken.get(USDC.address), USDC)
    assert.equal(poolToken.size, 2)
  })

  test('a pool is undone with its block, together with its tokens and hours', () => {
    const { state, all } = replay(scenario().next().say(created(2)).say(synced(1n, 1n)).blocks())
    const counts = () => {
      const { pool, poolToken, poolHour } = state.records
      return [pool.size, poolToken.size, poolHour.size]
    }
    assert.deepEqual(counts(), [1, 2, 1])
    fold(state, invertChanges(all[1]?.changes ?? []))
    assert.deepEqual(counts(), [0, 0, 0])
  })
})

describe('a pair (version 2)', () => {
  test('a pair (version 2) holds the reserves of its last sync', () => {
    const tale = played(created(2), synced(5n, 7n)).next(9).say(synced(6n, 8n))
    const { reserve0, reserve1, updatedSeconds } = poolAfter(tale, PAIR)
    assert.deepEqual([reserve0, reserve1, updatedSeconds], [6n, 8n, SCENARIO_START_SECONDS + 9])
  })

  test('a pair (version 2) does not count a swap twice: its sync has published the reserves', () => {
    const { reserve0, reserve1 } = poolAfter(
      played(created(2), synced(15n, 7n), pairSwapped(10n, -3n)),
      PAIR,
    )
    assert.deepEqual([reserve0, reserve1], [15n, 7n])
  })
})

describe('a pool of version 3', () => {
  const start = [created(3), initialized(3n << 96n, 100)]

  test('a pool of version 3 has the price and tick of its initialization', () => {
    const pool = poolAfter(played(...start), RANGED)
    assert.deepEqual([pool.sqrtPriceX96, pool.tick, pool.liquidity], [3n << 96n, 100, 0n])
  })

  test('a pool of version 3 holds the sum of all inflows and outflows', () => {
    const { reserve0, reserve1 } = poolAfter(
      played(
        ...start,
        funded([100n, 200n], [0, 200, 9n]),
        rangeSwapped(30n, -50n),
        funded([0n, 0n], [0, 200, -9n]),
        funded([-20n, -40n], [0, 0, 0n]),
        funded([3n, 0n], [0, 0, 0n]),
      ),
      RANGED,
    )
    assert.deepEqual([reserve0, reserve1], [113n, 110n])
  })

  test('a pool of version 3 takes price, liquidity and tick from a swap', () => {
    const pool = poolAfter(played(...start, rangeSwapped(1n, -1n, 5n << 96n)), RANGED)
    assert.deepEqual([pool.sqrtPriceX96, pool.liquidity, pool.tick], [5n << 96n, 77n, 5])
  })

  for (const [range, isIn] of [
    [[100, 160], true],
    [[40, 101], true],
    [[40, 100], false],
    [[101, 160], false],
  ] as const)
    test(`a pool of version 3 at tick 100 has liquidity of ${range.join(' to ')} ${isIn ? '' : 'not '}in range`, () => {
      const [lower, upper] = range
      const added = played(...start, funded([1n, 1n], [lower, upper, 9n]))
      assert.equal(poolAfter(added, RANGED).liquidity, isIn ? 9n : 0n)
      const taken = added.say(funded([0n, 0n], [lower, upper, -4n]))
      assert.equal(poolAfter(taken, RANGED).liquidity, isIn ? 5n : 0n)
    })

  test('never holds a negative amount, whatever its tokens let it pay out', () => {
    const tale = played(
      ...start,
      funded([10n, 10n], [0, 200, 5n]),
      rangeSwapped(-11n, 4n),
      funded([1n, -15n], [0, 200, -90n]),
    )
    const { reserve0, reserve1, liquidity } = poolAfter(tale, RANGED)
    assert.deepEqual([reserve0, reserve1, liquidity], [1n, 0n, 0n])
  })
})

describe('the hours of a pool', () => {
  const x128 = (numerator: bigint, denominator: bigint) => (numerator << 128n) / denominator

  test('sum and count the swaps, and keep the first and last price', () => {
    const tale = played(created(2), synced(4n, 8n), synced(5n, 7n), pairSwapped(1n, -1n))
      .next(60)
      .say(synced(3n, 11n))
      .say(pairSwapped(-2n, 4n))
    assert.deepEqual(findHours(tale, PAIR), [
      {
        pool: PAIR,
        openSeconds: SCENARIO_START_SECONDS,
        volume0: 1n,
        volume1: 4n,
        swaps: 2,
        openPriceX128: x128(8n, 4n),
        priceX128: x128(11n, 3n),
      },
    ])
  })

  test('open at the last price of the previous hour, however long ago', () => {
    const tale = played(created(2), synced(4n, 8n), pairSwapped(9n, -9n))
      .next(7 * HOUR + 5)
      .say(synced(2n, 20n))
      .say(pairSwapped(1n, -1n))
    const [, later] = findHours(tale, PAIR)
    assert.deepEqual(later, {
      pool: PAIR,
      openSeconds: SCENARIO_START_SECONDS + 7 * HOUR,
      volume0: 1n,
      volume1: 0n,
      swaps: 1,
      openPriceX128: x128(8n, 4n),
      priceX128: x128(20n, 2n),
    })
  })

  test('begin on the clock hour', () => {
    const tale = scenario()
      .next(HOUR - 1)
      .say(created(2))
      .say(synced(1n, 1n))
      .next(1)
      .say(synced(1n, 2n))
    assert.deepEqual(
      findHours(tale, PAIR).map(({ openSeconds }) => openSeconds - SCENARIO_START_SECONDS),
      [0, HOUR],
    )
  })

  test('begin with the initial price of a pool of version 3, and follow its swaps', () => {
    const tale = played(created(3), initialized(3n << 96n, 9), rangeSwapped(7n, -2n, 5n << 96n))
    const [hour] = findHours(tale, RANGED)
    assert.deepEqual(
      [hour?.openPriceX128, hour?.priceX128, hour?.volume0, hour?.volume1, hour?.swaps],
      [9n << 128n, 25n << 128n, 7n, 0n, 1],
    )
  })

  test('are unchanged by events that leave the price unchanged', () => {
    const tale = played(created(3), initialized(1n << 96n, 0)).next(HOUR)
    tale.say(funded([5n, 5n], [-10, 10, 5n]))
    assert.equal(findHours(tale, RANGED).length, 1)
  })

  test('keep the last price of a pair that lost its reserves, and 0 before the first', () => {
    const none = played(created(2), synced(0n, 0n))
    assert.deepEqual(
      findHours(none, PAIR).map(({ openPriceX128, priceX128 }) => [openPriceX128, priceX128]),
      [[0n, 0n]],
    )
    const first = none.say(synced(1n, 2n)).say(synced(0n, 0n)).say(synced(1n, 3n))
    assert.deepEqual(
      findHours(first, PAIR).map(({ openPriceX128, priceX128 }) => [openPriceX128, priceX128]),
      [[x128(2n, 1n), x128(3n, 1n)]],
    )
    const lost = played(created(2), synced(1n, 2n), synced(9n, 0n), synced(0n, 9n))
    assert.equal(findHours(lost, PAIR)[0]?.priceX128, x128(2n, 1n))
  })

  test('have a positive price at the smallest price of either version', () => {
    const [smallestRoot, largestReserve] = [4_295_128_739n, 2n ** 112n - 1n]
    const ranged = played(created(3), initialized(smallestRoot, -887_272))
    assert.ok((findHours(ranged, RANGED)[0]?.priceX128 ?? 0n) > 0n)
    const pair = played(created(2), synced(largestReserve, 1n))
    assert.ok((findHours(pair, PAIR)[0]?.priceX128 ?? 0n) > 0n)
  })
})

describe('the pools of any scenario', () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 })

  test('match the pools that published the events', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const tale = randomTale(seed, 200, { markets: ['ETH-USDC'], actionsMax: 1 })
        const { state } = replay(tale.blocks())
        assert.ok(tale.pools.size > 0)
        for (const pool of tale.pools.values())
          assert.deepEqual(stateNow(state, pool.listing.address), {
            reserve0: pool.reserve0,
            reserve1: pool.reserve1,
            sqrtPriceX96: pool.listing.version === 2 ? null : pool.sqrtPriceX96,
            tick: pool.listing.version === 2 ? null : pool.tick,
            liquidity: pool.listing.version === 2 ? null : pool.liquidity,
          })
      }),
      { numRuns: 30 },
    )
  })

  test('have volumes that sum to all swap inputs', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const tale = randomTale(seed, 200, { markets: ['ETH-USDC'], actionsMax: 1 })
        for (const { listing } of tale.pools.values()) {
          const swaps = tale
            .blocks()
            .flatMap(({ events }) => events)
            .filter((event) => event.type === 'PoolSwapped' && event.pool === listing.address)
            .map((event) => event as EventOf<'PoolSwapped'>)
          const sumAmounts = (amounts: bigint[]) =>
            amounts.reduce((sum, amount) => (amount > 0n ? sum + amount : sum), 0n)
          const hours = findHours(tale, listing.address)
          const inHours = (of: (hour: PoolHour) => bigint) => sumAmounts(hours.map(of))
          assert.equal(
            inHours((hour) => hour.volume0),
            sumAmounts(swaps.map((swap) => swap.amount0)),
          )
          assert.equal(
            inHours((hour) => hour.volume1),
            sumAmounts(swaps.map((swap) => swap.amount1)),
          )
          assert.equal(
            hours.reduce((sum, hour) => sum + hour.swaps, 0),
            swaps.length,
          )
        }
      }),
      { numRuns: 15 },
    )
  })

  const stateNow = (state: VenueState, address: string) => {
    const pool = state.records.pool.get(address) as Pool
    const { reserve0, reserve1, sqrtPriceX96, tick, liquidity } = pool
    return { reserve0, reserve1, sqrtPriceX96, tick, liquidity }
  }
})
