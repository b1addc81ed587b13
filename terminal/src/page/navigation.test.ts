import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PAGES, readRoute, writeRoute } from './navigation.ts'

describe('the route of the page', () => {
  test('the route of the page is written to the query and read back unchanged', () => {
    for (const page of PAGES)
      for (const market of ['', 'ETH-PERP', 'a&b=c']) {
        const route = { page, market, account: '' }
        assert.deepEqual(readRoute(writeRoute(route, '')), route)
      }
  })

  test('the route is the trading page if the query names none, or an unknown one', () => {
    assert.deepEqual(readRoute(''), { page: 'trade', market: '', account: '' })
    const route = { page: 'trade', market: 'X', account: '' }
    assert.deepEqual(readRoute('?page=nothing&market=X'), route)
    assert.equal(writeRoute({ page: 'trade', market: '', account: '' }, '?page=status'), '')
  })

  test('the route keeps other parameters of the query', () => {
    const written = writeRoute(
      { page: 'status', market: 'BTC-PERP', account: '' },
      '?lang=en&market=ETH-PERP',
    )
    assert.equal(written, '?lang=en&market=BTC-PERP&page=status')
  })

  test('the route includes an address only on the page that shows addresses', () => {
    const route = { page: 'look', market: '', account: '0xab' } as const
    assert.equal(writeRoute(route, ''), '?page=look&account=0xab')
    assert.deepEqual(readRoute('?account=0xab'), route)
    assert.equal(writeRoute({ ...route, page: 'trade' }, '?account=0xab&page=look'), '')
  })
})
