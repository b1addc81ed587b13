import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PoolListing, viewPool } from './pools-view.ts'

const POOL: PoolListing = {
  address: '0xaa',
  token0: { symbol: 'ETH', address: '0x1' },
  token1: { symbol: '<b>USDC', address: '0x2' },
  ...({ type: 'clmm', tvl: 1_234_567.6, volume24h: 0, fee: 0.0005 } as const),
}

describe('the row of a pool', () => {
  test('a row of a pool shows the pair, the kind, the fee in percent and the dollar value', () => {
    assert.deepEqual(viewPool(POOL), {
      address: '0xaa',
      pair: 'ETH / <b>USDC',
      kind: 'concentrated (v3)',
      tvl: '$1,234,568',
      volume: '$0',
      fee: '0.05%',
    })
  })

  test('in a row of a pool, no token name can change how the other one is read', () => {
    const token0 = { symbol: '\u202eHTE\n', address: '0x1' }
    assert.equal(viewPool({ ...POOL, token0 }).pair, '�HTE� / <b>USDC')
  })

  test('a row of a pool describes a value too large for plain digits in words', () => {
    assert.equal(viewPool({ ...POOL, tvl: 1e30 }).tvl, 'too large')
  })
})
