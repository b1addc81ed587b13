import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PAGES, readRoute, writeRoute } from './route.ts'

describe('the route of the page', () => {
  test('is in the query, and comes out of it as it went in', () => {
    for (const page of PAGES)
      for (const market of ['', 'ETH-PERP', 'a&b=c']) {
        const route = { page, market, account: '' }
        assert.deepEqual(readRoute(writeRoute(route, '')), route)
      }
  })

  test('is the page to trade on where the query names none, or one that there is not', () => {
    assert.deepEqual(readRoute(''), { page: 'trade', market: '', account: '' })
    const asked = { page: 'trade', market: 'X', account: '' }
    assert.deepEqual(readRoute('?page=nothing&market=X'), asked)
    assert.equal(writeRoute({ page: 'trade', market: '', account: '' }, '?page=status'), '')
  })

  test('keeps what else the query names', () => {
    const written = writeRoute(
      { page: 'status', market: 'BTC-PERP', account: '' },
      '?lang=en&market=ETH-PERP',
    )
    assert.equal(written, '?lang=en&market=BTC-PERP&page=status')
  })

  test('names an address to look at, on the page that looks at it and no other', () => {
    const route = { page: 'look', market: '', account: '0xab' } as const
    assert.equal(writeRoute(route, ''), '?page=look&account=0xab')
    assert.deepEqual(readRoute('?account=0xab'), route)
    assert.equal(writeRoute({ ...route, page: 'trade' }, '?account=0xab&page=look'), '')
  })
})
