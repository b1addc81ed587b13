// Held orders by the mark that fires them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AT_OR_ABOVE, AT_OR_BELOW, TriggerBook } from './trigger-book.ts'

const trigger = (id: string, kind: number, price: bigint, market = 'm') => ({
  id,
  market,
  kind,
  price,
})

describe('triggers of a market', () => {
  test('triggers fire at their mark and beyond it, on their own side', () => {
    const book = new TriggerBook()
    book.add(trigger('above', AT_OR_ABOVE, 110n))
    book.add(trigger('below', AT_OR_BELOW, 90n))
    for (const mark of [91n, 100n, 109n]) assert.deepEqual(book.take('m', mark), [])
    assert.equal(book.isReached('m', 110n), true)
    assert.deepEqual(book.take('m', 110n), ['above'])
    assert.deepEqual(book.take('m', 110n), [])
    assert.deepEqual(book.take('m', 1n), ['below'])
    assert.deepEqual([book.size, [...book.markets()]], [0, []])
  })

  test('triggers fire in the order in which the mark reached them', () => {
    const book = new TriggerBook()
    for (const price of [105n, 101n, 103n]) book.add(trigger(`${price}`, AT_OR_ABOVE, price))
    assert.deepEqual(book.take('m', 104n), ['101', '103'])
    for (const price of [95n, 99n, 97n]) book.add(trigger(`${price}`, AT_OR_BELOW, price))
    assert.deepEqual(book.take('m', 96n), ['99', '97'])
  })

  test('triggers do not fire without a mark, for another market, or after removal', () => {
    const book = new TriggerBook()
    book.add(trigger('below', AT_OR_BELOW, 90n))
    assert.deepEqual(book.take('m', 0n), [])
    assert.deepEqual(book.take('other', 80n), [])
    book.delete('below')
    assert.deepEqual(book.take('m', 80n), [])
  })

  test('a trigger that was changed fires at its new mark only', () => {
    const book = new TriggerBook()
    book.add(trigger('one', AT_OR_ABOVE, 110n))
    book.add(trigger('one', AT_OR_ABOVE, 120n))
    assert.deepEqual(book.take('m', 115n), [])
    assert.deepEqual(book.take('m', 120n), ['one'])
  })

  test('the trigger book holds only waiting triggers while thousands come and go', () => {
    const book = new TriggerBook()
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed
    }
    const priceById = new Map<string, bigint>()
    for (let at = 0; at < 5_000; at++) {
      const id = `${random() % 700}`
      if (random() % 3 === 0) {
        book.delete(id)
        priceById.delete(id)
      } else {
        const price = BigInt(1 + (random() % 1_000))
        book.delete(id)
        book.add(trigger(id, AT_OR_ABOVE, price))
        priceById.set(id, price)
      }
      if (at % 100 !== 0) continue
      const mark = BigInt(random() % 300)
      const expected = [...priceById].filter(([, price]) => mark !== 0n && price <= mark)
      assert.deepEqual(book.take('m', mark).toSorted(), expected.map(([id]) => id).toSorted())
      for (const [id] of expected) priceById.delete(id)
      assert.equal(book.size, priceById.size)
    }
  })

  test('a hundred thousand triggers cost a check no more than one does', () => {
    const book = new TriggerBook()
    for (let at = 0; at < 100_000; at++)
      book.add(
        trigger(
          `${at}`,
          at % 2 === 0 ? AT_OR_ABOVE : AT_OR_BELOW,
          BigInt(at % 2 === 0 ? 2e6 + at : 1e6 - at),
        ),
      )
    const fromMs = performance.now()
    for (let look = 0; look < 10_000; look++) assert.equal(book.isReached('m', 1_500_000n), false)
    // A full scan would take ten thousand times a millisecond.
    assert.ok(performance.now() - fromMs < 2_000)
  })
})
