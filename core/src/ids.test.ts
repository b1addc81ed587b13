import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instrumentDecimal, marketEngine, marketId, orderId, placeId } from './ids.ts'

const engine = '0x00112233445566778899aabbccddeeff00112233'
const number = fc.integer({ min: 0, max: 2 ** 32 - 1 })

test('the id of a market is its engine and its number in 4 bytes', () => {
  const id = marketId(engine, 258)
  assert.equal(id, `${engine}00000102`)
  assert.equal(marketEngine(id), engine)
})

test('the decimal form of a market id converts back exactly, including leading zeros', () => {
  fc.assert(
    fc.property(number, (n) => {
      const id = marketId(engine, n)
      assert.match(instrumentDecimal(id), /^\d+$/)
      const value = BigInt(instrumentDecimal(id)).toString(16)
      assert.equal(`0x${value.padStart(48, '0')}`, id)
    }),
  )
})

test('the id of an order is its digest if signed, else market and number in 32 bytes', () => {
  const market = marketId(engine, 1)
  const id = orderId({ market, number: 7, ref: null })
  assert.equal(id, `${market}0000000000000007`)
  assert.equal(orderId({ market, number: 7, ref: '0xabc' }), '0xabc')
})

test('log ids sort as text in chain order', () => {
  const position = fc.record({ block: number, log: fc.integer({ min: 0, max: 999_999 }) })
  fc.assert(
    fc.property(position, position, (a, b) => {
      const isBefore = a.block - b.block || a.log - b.log
      const [left, right] = [placeId(a.block, a.log), placeId(b.block, b.log)]
      assert.equal(left < right, isBefore < 0)
    }),
  )
})
