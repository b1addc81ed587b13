import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Abi, decodeFunctionData, type Hex } from 'viem'
import { randomOf } from '../random.ts'
import type { Tx } from '../sender.ts'
import { v2RouterAbi, v3RouterAbi } from './abi.ts'
import { fairSqrtPrice, POOLS, type Pool, type PoolTerms, START_PRICES, sidesOf } from './pools.ts'
import { sqrtPriceX96Of } from './price.ts'
import { arbitrage, whim } from './swaps.ts'

const LOW = `0x${'1'.repeat(40)}`
const HIGH = `0x${'f'.repeat(40)}`
const doors = { v2Router: '0x02', v3Router: '0x03', swapper: `0x${'5'.repeat(40)}` }

/** Pools sort their tokens by address: USDC comes first or second. */
const ORDERS = [
  { USDC: LOW, EURC: HIGH, ETH: HIGH, BTC: HIGH },
  { USDC: HIGH, EURC: LOW, ETH: LOW, BTC: LOW },
]

const poolsOf = (tokens: (typeof ORDERS)[number]): Pool[] =>
  POOLS.map((terms) => ({ terms, address: '', sides: sidesOf(terms, tokens) }))

const everyPool = ORDERS.flatMap(poolsOf)

describe('swaps', () => {
  test('1 ETH is 3,200 USDC in raw units, whichever token comes first', () => {
    const eth = POOLS[0] as PoolTerms
    const [second, first] = ORDERS.map((tokens) =>
      fairSqrtPrice(eth, sidesOf(eth, tokens), START_PRICES),
    )
    assert.equal(first, sqrtPriceX96Of(10n ** 18n, 3_200n * 10n ** 6n))
    assert.equal(second, sqrtPriceX96Of(3_200n * 10n ** 6n, 10n ** 18n))
  })

  test('a pool within its fee of the index is left alone, and one beyond it is brought back', () => {
    for (const pool of everyPool) {
      const at = (offPpm: number) =>
        arbitrage({ pool, state: stateAt(pool, offPpm) }, START_PRICES, doors)
      assert.equal(at(pool.terms.fee), undefined)
      assert.equal(at(-pool.terms.fee), undefined)
      assert.ok(at(pool.terms.fee + 400) !== undefined)
      assert.ok(at(-pool.terms.fee - 400) !== undefined)
    }
  })

  test('whoever brings a pool back sells it the token that it overvalues', () => {
    for (const pool of everyPool) {
      for (const offPpm of [50_000, -50_000]) {
        const tx = arbitrage({ pool, state: stateAt(pool, offPpm) }, START_PRICES, doors)
        assert.ok(tx !== undefined)
        const { token0, token1 } = pool.sides
        assert.equal(tokenInOf(tx), offPpm > 0 ? token0 : token1)
      }
    }
  })

  test('a whim swaps in either direction, up to a thousandth of the depth', () => {
    const random = randomOf(1)
    for (const pool of everyPool) {
      const txs = Array.from({ length: 30 }, () => whim(pool, START_PRICES, doors, random))
      assert.equal(new Set(txs.map(tokenInOf)).size, 2)
      const spent = txs.filter((tx) => tokenInOf(tx) === usdcOf(pool)).map(amountInOf)
      for (const amount of spent) {
        assert.ok(amount > 0n && amount <= pool.terms.depth * 1_000n, `${amount}`)
      }
    }
  })
})

/** The pool's state when its price is off the index by so much. */
function stateAt({ terms, sides }: Pool, offPpm: number) {
  const fair = fairSqrtPrice(terms, sides, START_PRICES)
  const sqrtPriceX96 = (fair * BigInt(Math.round(Math.sqrt(1 + offPpm / 1e6) * 1e9))) / 10n ** 9n
  if (terms.version === 3) return { sqrtPriceX96 }
  const reserve0 = 10n ** 30n
  return { reserves: { reserve0, reserve1: (reserve0 * sqrtPriceX96 ** 2n) >> 192n } }
}

const usdcOf = ({ sides }: Pool) => (sides.isBase0 ? sides.token1 : sides.token0)

function callOf({ to, data }: Tx) {
  const abi: Abi = to === doors.v2Router ? v2RouterAbi : v3RouterAbi
  return (decodeFunctionData({ abi, data: data as Hex }).args ?? []) as readonly unknown[]
}

function tokenInOf(tx: Tx): string {
  const [first, , path] = callOf(tx)
  const token = path === undefined ? (first as { tokenIn: string }).tokenIn : (path as string[])[0]
  return String(token).toLowerCase()
}

function amountInOf(tx: Tx): bigint {
  const [first] = callOf(tx)
  return typeof first === 'bigint' ? first : (first as { amountIn: bigint }).amountIn
}
