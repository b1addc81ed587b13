import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { Value } from 'typebox/value'
import {
  ClobPool,
  type ClobPoolFacts,
  EarnMarket,
  encodeClobPool,
  encodeEarnMarket,
  encodePoolToken,
  PoolTokenObject,
  type TokenFacts,
} from './pools.ts'

const ETH: TokenFacts = {
  address: `0x${'a3'.padStart(40, '0')}`,
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  totalSupply: 1_500_000_000_000_000_001n,
  logoUri: 'https://logos.example/eth.svg',
  priceUsd: (3198_961034n * E18) / 1_000_000n,
}
const POOL: ClobPoolFacts = {
  poolId: `0x${'50'.repeat(24)}`,
  baseToken: ETH,
  quoteToken: ETH,
  price: { numerator: 1n, denominator: 3n },
  priceBefore: { numerator: 1n, denominator: 4n },
  volume24h: E18 / 8n,
  tvl: 0n,
}

describe('a token', () => {
  test('a token has its supply as exact text of whole tokens and its price as the nearest number', () => {
    const token = encodePoolToken(ETH)
    assert.ok(Value.Check(PoolTokenObject, token))
    assert.deepEqual(token, {
      address: ETH.address,
      name: 'Ether',
      symbol: 'ETH',
      decimals: 18,
      totalSupply: '1.500000000000000001',
      logoUri: 'https://logos.example/eth.svg',
      priceUsd: 3198.961034,
    })
  })

  test('a token that does not report its decimals has 0, and its supply in raw units', () => {
    const { decimals, totalSupply } = encodePoolToken({ ...ETH, decimals: null })
    assert.deepEqual([decimals, totalSupply], [0, '1500000000000000001'])
  })

  test('a token of unknown supply has an empty text', () => {
    const token = encodePoolToken({ ...ETH, totalSupply: undefined })
    assert.equal(token.totalSupply, '')
    assert.ok(Value.Check(PoolTokenObject, token))
  })
})

test('a listed pool has values in USD and a fee as numbers', () => {
  const market = encodeEarnMarket({
    address: `0x${'b1'.padStart(40, '0')}`,
    token0: ETH,
    token1: ETH,
    type: 'clmm',
    tvl: 1_234_567n * E18 + 1n,
    volume24h: E18 / 3n,
    fee: 100,
  })
  assert.ok(Value.Check(EarnMarket, market))
  const { tvl, volume24h, fee, type } = market
  assert.deepEqual([tvl, volume24h, fee, type], [1_234_567, 1 / 3, 0.0001, 'clmm'])
})

describe('a pool', () => {
  test('a pool has its price, the change in percent, and values in USD', () => {
    const pool = encodeClobPool(POOL)
    assert.ok(Value.Check(ClobPool, pool))
    const { price, priceChange24h, volume24h, tvl } = pool
    assert.deepEqual([price, priceChange24h, volume24h, tvl], [1 / 3, 100 / 3, 0.125, 0])
  })

  for (const [says, change] of [
    ['no price', { price: undefined }],
    ['no price before', { priceBefore: undefined }],
    ['a price of nothing before', { priceBefore: { numerator: 0n, denominator: 1n } }],
    ['the same price', { priceBefore: { numerator: 2n, denominator: 6n } }],
  ] as const)
    test(`a pool with ${says} has a change of zero`, () => {
      assert.equal(encodeClobPool({ ...POOL, ...change }).priceChange24h, 0)
    })

  test('a pool without a price costs 0; one whose price fell has a negative change', () => {
    assert.equal(encodeClobPool({ ...POOL, price: undefined }).price, 0)
    const fallen = { ...POOL, priceBefore: { numerator: 2n, denominator: 3n } }
    assert.equal(encodeClobPool(fallen).priceChange24h, -50)
  })
})
