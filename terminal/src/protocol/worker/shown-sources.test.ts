import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageState } from '../protocol.ts'
import { ShownSources } from './shown-sources.ts'

const row = (id: string) => ({ id, market: 'ETH-PERP', cells: [], action: '' }) as const
const idsOf = (rows: PageState['orders'] | undefined) => rows?.map(({ id }) => id)

/** Returns sources, and the values that the page shows last. */
function open() {
  const shown: Partial<PageState> = {}
  const take = (name: string, value: unknown) => Object.assign(shown, { [name]: value })
  const sources = new ShownSources({
    show: take,
    showLater: (name, make) => take(name, make()),
  })
  return { sources, shown }
}

describe('the two sources of the display', () => {
  test('the display shows only the API, until it is down', () => {
    const { sources, shown } = open()
    sources.show('orders', [row('api')])
    sources.showChain('orders', [row('chain')])
    assert.deepEqual(idsOf(shown.orders), ['api'])
  })

  test('in chain mode the display shows only the chain, except for data only the API has', () => {
    const { sources, shown } = open()
    sources.show('isTrading', true)
    sources.useChain()
    sources.showChain('orders', [row('chain')])
    sources.show('orders', [row('late')])
    sources.showLater('positions', () => [row('late')])
    sources.show('latency', '7 ms')
    assert.deepEqual(idsOf(shown.orders), ['chain'])
    assert.deepEqual([shown.positions, shown.latency], [undefined, '7 ms'])
    assert.equal(shown.isTrading, false, 'nothing relays an order')
  })

  test('the display shows the newest values of the API after its return, none of the chain', () => {
    const { sources, shown } = open()
    sources.show('orders', [row('old')])
    sources.show('isTrading', true)
    sources.show('positions', [row('old')])
    sources.useChain()
    for (const name of ['orders', 'positions'] as const) sources.showChain(name, [row('chain')])
    sources.awaitApi()
    assert.equal(sources.hasFresh('orders'), false)
    sources.showLater('orders', () => [row('new')])
    assert.deepEqual(idsOf(shown.orders), ['chain'], 'not before all of it is there')
    assert.equal(sources.hasFresh('orders'), true)
    sources.useApi()
    assert.deepEqual(idsOf(shown.orders), ['new'])
    assert.deepEqual([shown.positions, shown.isTrading], [[], true])
  })
})
