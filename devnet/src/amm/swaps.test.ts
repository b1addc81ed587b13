import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { type Abi, decodeFunctionData, type Hex } from 'viem'
import { seededRandom } from '../random.ts'
import type { Tx } from '../tx-sender.ts'
import { v2RouterAbi, v3RouterAbi } from './abi.ts'
import {
  type AmmPool,
  fairSqrtPrice,
  POOLS,
  type PoolTerms,
  START_PRICES,
  sortTokens,
} from './pools.ts'
import { encodeSqrtPriceX96 } from './price.ts'
import { arbitrage, randomSwap } from './swaps.ts'

const LOW = `0x${'1'.repeat(40)}`
const HIGH = `0x${'f'.repeat(40)}`
const contracts = { v2Router: '0x02', v3Router: '0x03', swapper: `0x${'5'.repeat(40)}` }

/** Pools sort their tokens by address: USDC comes first or second. */
const ORDERS = [
  { USDC: LOW, EURC: HIGH, ETH: HIGH, BTC: HIGH },
  { USDC: HIGH, EURC: LOW, ETH: LOW, BTC: LOW },
]

const createPools = (tokens: (typeof ORDERS)[number]): AmmPool[] =>
  POOLS.map((terms) => ({ terms, address: '', sides: sortTokens(terms, tokens) }))

const everyPool = ORDERS.flatMap(createPools)

describe('swaps', () => {
  test('1 ETH is 3,200 USDC in raw units, whichever token comes first', () => {
    const eth = POOLS[0] as PoolTerms
    const [second, first] = ORDERS.map((tokens) =>
      fairSqrtPrice(eth, sortTokens(eth, tokens), START_PRICES),
    )
    assert.equal(first, encodeSqrtPriceX96(E18, 3_200n * 10n ** 6n))
    assert.equal(second, encodeSqrtPriceX96(3_200n * 10n ** 6n, E18))
  })

  test('a pool within its fee of the index is not traded, and a pool beyond it is brought back', () => {
    for (const pool of everyPool) {
      const at = (offPpm: number) =>
        arbitrage({ pool, state: stateAt(pool, offPpm) }, START_PRICES, contracts)
      assert.equal(at(pool.terms.fee), undefined)
      assert.equal(at(-pool.terms.fee), undefined)
      assert.ok(at(pool.terms.fee + 400) !== undefined)
      assert.ok(at(-pool.terms.fee - 400) !== undefined)
    }
  })

  test('arbitrage sells a pool the token that it overvalues', () => {
    for (const pool of everyPool) {
      for (const offPpm of [50_000, -50_000]) {
        const tx = arbitrage({ pool, state: stateAt(pool, offPpm) }, START_PRICES, contracts)
        assert.ok(tx !== undefined)
        const { token0, token1 } = pool.sides
        assert.equal(decodeTokenIn(tx), offPpm > 0 ? token0 : token1)
      }
    }
  })

  test('a random swap goes in either direction, up to a thousandth of the depth', () => {
    const random = seededRandom(1)
    for (const pool of everyPool) {
      const txs = Array.from({ length: 30 }, () =>
        randomSwap(pool, START_PRICES, contracts, random),
      )
      assert.equal(new Set(txs.map(decodeTokenIn)).size, 2)
      const spent = txs.filter((tx) => decodeTokenIn(tx) === usdcBalance(pool)).map(decodeAmountIn)
      for (const amount of spent) {
        assert.ok(amount > 0n && amount <= pool.terms.depth * 1_000n, `${amount}`)
      }
    }
  })
})

/** The pool's state at a price `offPpm` from the index. */
function stateAt({ terms, sides }: AmmPool, offPpm: number) {
  const fair = fairSqrtPrice(terms, sides, START_PRICES)
  const sqrtPriceX96 = (fair * BigInt(Math.round(Math.sqrt(1 + offPpm / 1e6) * 1e9))) / 10n ** 9n
  if (terms.version === 3) return { sqrtPriceX96 }
  const reserve0 = 10n ** 30n
  return { reserves: { reserve0, reserve1: (reserve0 * sqrtPriceX96 ** 2n) >> 192n } }
}

const usdcBalance = ({ sides }: AmmPool) => (sides.isBase0 ? sides.token1 : sides.token0)

function sendCall({ to, data }: Tx) {
  const abi: Abi = to === contracts.v2Router ? v2RouterAbi : v3RouterAbi
  return (decodeFunctionData({ abi, data: data as Hex }).args ?? []) as readonly unknown[]
}

function decodeTokenIn(tx: Tx): string {
  const [first, , path] = sendCall(tx)
  const token = path === undefined ? (first as { tokenIn: string }).tokenIn : (path as string[])[0]
  return String(token).toLowerCase()
}

function decodeAmountIn(tx: Tx): bigint {
  const [first] = sendCall(tx)
  return typeof first === 'bigint' ? first : (first as { amountIn: bigint }).amountIn
}
