import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nearestName } from './nearest-name.ts'

const NAMES = ['ETH-USDC', 'ETH-PERP', 'BTC-PERP', 'SOL-PERP']

describe('the nearest name', () => {
  for (const [text, nearest] of [
    ['eth-perp', 'ETH-PERP'],
    ['ETH-PREP', 'ETH-PERP'],
    ['ETHPERP', 'ETH-PERP'],
    ['BTC', 'BTC-PERP'],
    ['DOGE', undefined],
    ['', undefined],
    ['X'.repeat(256), undefined],
  ] as const)
    test(`the nearest name to ${text.slice(0, 12) || 'nothing'} is ${nearest ?? 'none'}`, () => {
      assert.equal(nearestName(NAMES, text), nearest)
    })
})
