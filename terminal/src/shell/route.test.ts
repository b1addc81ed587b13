import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PAGES, readRoute, writeRoute } from './route.ts'

describe('the route of the page', () => {
  test('is in the query, and comes out of it as it went in', () => {
    for (const page of PAGES)
      for (const market of ['', 'ETH-PERP', 'a&b=c']) {
        const route = { page, market }
        assert.deepEqual(readRoute(writeRoute(route, '')), route)
      }
  })

  test('is the page to trade on where the query names none, or one that there is not', () => {
    assert.deepEqual(readRoute(''), { page: 'trade', market: '' })
    assert.deepEqual(readRoute('?page=nothing&market=X'), { page: 'trade', market: 'X' })
    assert.equal(writeRoute({ page: 'trade', market: '' }, '?page=status'), '')
  })

  test('keeps what else the query names', () => {
    const written = writeRoute({ page: 'status', market: 'BTC-PERP' }, '?lang=en&market=ETH-PERP')
    assert.equal(written, '?lang=en&market=BTC-PERP&page=status')
  })
})
