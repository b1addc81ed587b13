import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AbiEvent } from 'viem'
import { encodeEvent } from '../test/encode.ts'
import { v2FactoryAbi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from './amm-abi.ts'
import { decodeAnnouncement, decodePoolEvent, type PoolVersion } from './pool-events.ts'

const POOL = `0x${'9a'.repeat(20)}`
const [TOKEN0, TOKEN1, ANYONE] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`)
const POSITION = { blockNumber: 9, blockHash: `0x${'00'.repeat(32)}`, logIndex: 4, txHash: '0x1' }
const HUGE = 2n ** 256n - 1n

const encodeLog = (abi: readonly AbiEvent[], name: string, values: Record<string, unknown>) => {
  const event = abi.find((item) => item.name === name)
  assert.ok(event)
  return { address: POOL, ...encodeEvent(event, values), ...POSITION }
}

const range = { tickLower: -887_220, tickUpper: 60 }
const some = { sender: ANYONE, owner: ANYONE, recipient: ANYONE, to: ANYONE }
const still = { liquidityDelta: 0n, tickLower: 0, tickUpper: 0 }

const CASES: [string, PoolVersion, string, Record<string, unknown>, object][] = [
  [
    'the reserves',
    2,
    'Sync',
    { reserve0: 5n, reserve1: 2n ** 112n - 1n },
    {
      type: 'PoolSynced',
      reserve0: 5n,
      reserve1: 2n ** 112n - 1n,
    },
  ],
  [
    'the amounts in less the amounts out',
    2,
    'Swap',
    { ...some, amount0In: 10n, amount1In: 1n, amount0Out: 3n, amount1Out: 9n },
    {
      type: 'PoolSwapped',
      amount0: 7n,
      amount1: -8n,
      sqrtPriceX96: null,
      liquidity: null,
      tick: null,
    },
  ],
  [
    'the first price',
    3,
    'Initialize',
    { sqrtPriceX96: 2n ** 160n - 1n, tick: -887_272 },
    { type: 'PoolInitialized', sqrtPriceX96: 2n ** 160n - 1n, tick: -887_272 },
  ],
  [
    'the amounts in and the added liquidity',
    3,
    'Mint',
    { ...some, ...range, liquidity: 2n ** 128n - 1n, amount0: HUGE, amount1: 0n },
    { type: 'PoolFunded', ...range, liquidityDelta: 2n ** 128n - 1n, amount0: HUGE, amount1: 0n },
  ],
  [
    'the removed liquidity; burnt amounts stay in the pool',
    3,
    'Burn',
    { ...some, ...range, liquidity: 7n, amount0: 8n, amount1: 9n },
    { type: 'PoolFunded', ...range, liquidityDelta: -7n, amount0: 0n, amount1: 0n },
  ],
  [
    'the amounts out',
    3,
    'Collect',
    { ...some, ...range, amount0: 8n, amount1: 9n },
    { type: 'PoolFunded', ...still, amount0: -8n, amount1: -9n },
  ],
  [
    'the amounts out to the protocol',
    3,
    'CollectProtocol',
    { ...some, amount0: 8n, amount1: 9n },
    { type: 'PoolFunded', ...still, amount0: -8n, amount1: -9n },
  ],
  [
    'signed amounts, and price, tick and liquidity after the swap',
    3,
    'Swap',
    { ...some, amount0: -(2n ** 255n), amount1: 5n, sqrtPriceX96: 3n, liquidity: 0n, tick: -1 },
    {
      type: 'PoolSwapped',
      amount0: -(2n ** 255n),
      amount1: 5n,
      sqrtPriceX96: 3n,
      liquidity: 0n,
      tick: -1,
    },
  ],
  [
    'the amounts paid, not those lent',
    3,
    'Flash',
    { ...some, amount0: 100n, amount1: 200n, paid0: 1n, paid1: 2n },
    { type: 'PoolFunded', ...still, amount0: 1n, amount1: 2n },
  ],
]

describe('a log of a pool', () => {
  for (const [title, version, name, values, expected] of CASES) {
    test(`the log ${name} of a pool of version ${version} has ${title}`, () => {
      const abi = version === 2 ? v2PairAbi : v3PoolAbi
      assert.deepEqual(decodePoolEvent(encodeLog(abi, name, values), version), {
        ...expected,
        pool: POOL,
      })
    })
  }

  test('a log of the other pool version is ignored', () => {
    const log = encodeLog(v2PairAbi, 'Sync', { reserve0: 5n, reserve1: 6n })
    assert.equal(decodePoolEvent(log, 3), undefined)
  })

  test('a pool log of another size than its event is ignored', () => {
    const log = encodeLog(v2PairAbi, 'Sync', { reserve0: 5n, reserve1: 6n })
    assert.equal(decodePoolEvent({ ...log, data: `${log.data}00` }, 2), undefined)
    assert.equal(decodePoolEvent({ ...log, topics: [...log.topics, POOL] }, 2), undefined)
  })
})

describe('a factory', () => {
  test('a factory of version 2 announces a pair with a fee of 0.3 %', () => {
    const values = { token0: TOKEN0, token1: TOKEN1, pair: POOL, count: HUGE }
    assert.deepEqual(decodeAnnouncement(encodeLog(v2FactoryAbi, 'PairCreated', values), 2), {
      version: 2,
      pool: POOL,
      token0: TOKEN0,
      token1: TOKEN1,
      fee: 3000,
      tickSpacing: null,
    })
  })

  test('a factory of version 3 announces a pool with its fee and tick spacing', () => {
    const values = { token0: TOKEN0, token1: TOKEN1, fee: 10_000, tickSpacing: 200, pool: POOL }
    const log = encodeLog(v3FactoryAbi, 'PoolCreated', values)
    assert.deepEqual(decodeAnnouncement(log, 3), {
      version: 3,
      pool: POOL,
      token0: TOKEN0,
      token1: TOKEN1,
      fee: 10_000,
      tickSpacing: 200,
    })
    assert.equal(decodeAnnouncement(log, 2), undefined)
  })
})
