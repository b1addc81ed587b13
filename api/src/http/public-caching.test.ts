import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { MINUTE, marketScenario, minutes } from '../../test/candle-scenario.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const CANDLES = '/candles?instrument_name=ETH-USDC&resolution=1'
const CHART = '/last-traded-tradingview/history?symbol=ETH-USDC&resolution=1'

describe('answers that shared caches may use', () => {
  let venue: ScenarioNode
  before(async () => {
    const prices = [300_000, 300_100, 299_900, 300_050, 300_000]
    const options = { environment: 'test', version: '0', marketsCacheMs: 30_000, readyCacheMs: 0 }
    venue = await scenarioNode(minutes(marketScenario(), prices).blocks(), undefined, { options })
  })
  after(() => venue.close())

  /** Returns the rule of the route, after a check that memory gives the same. */
  async function rule(url: string): Promise<unknown> {
    const [routed, again] = [await venue.get(url), await venue.get(url)]
    assert.equal(again.headers['cache-control'], routed.headers['cache-control'], url)
    return routed.headers['cache-control']
  }

  for (const [url, seconds] of [
    ['/markets', 2],
    ['/markets?instrument_type=SPOT&asset=eth', 2],
    ['/markets?instrument_type=other', 2],
    ['/markets/ETH-USDC', 2],
    ['/instrument/ETH-USDC', 2],
    ['/assets', 2],
    ['/statistics/ETH/SPOT', 1],
    ['/statistics?instrument_name=ETH-USDC', 1],
  ] as const)
    test(`${url} may be cached for seconds`, async () => {
      assert.equal(await rule(url), `public, max-age=${seconds}`)
    })

  test('an order book is never cached', async () => {
    for (const url of [
      '/orderbook/ETH-USDC',
      '/orderbook?instrument_name=ETH-USDC',
      '/markets/ETH-USDC/orderbook',
    ])
      assert.equal(await rule(url), 'no-store', url)
  })

  test('errors are never cached, in whatever form', async () => {
    for (const url of [
      '/markets/none',
      '/candles?instrument_name=none&resolution=1&to=0',
      '/markets?min_block=x',
      `${CHART}&from=2&to=1`,
      '/account',
    ])
      assert.equal(await rule(url), 'no-store', url)
  })

  test('an answer to min_block is revalidated each time', async () => {
    const block = venue.model.head?.number ?? 0
    for (const url of ['/markets', '/assets', '/statistics/ETH/SPOT', `${CANDLES}&to=${START}`]) {
      const query = `${url.includes('?') ? '&' : '?'}min_block=${block}`
      assert.equal(await rule(url + query), 'no-cache', url)
      assert.match(String(await rule(url)), /^public/, url)
    }
  })

  test('candles may be cached once the chain is a minute beyond the last of them', async () => {
    const head = venue.model.head?.seconds ?? 0
    const lastClosed = head - (head % MINUTE) - 2 * MINUTE
    for (const path of [CANDLES, CHART]) {
      const closed = [`from=${START}&to=${lastClosed}`, `to=${lastClosed + 59}&countback=2`]
      for (const range of closed)
        assert.equal(await rule(`${path}&${range}`), 'public, max-age=60', range)
      const open = ['', `to=${head}`, `to=${lastClosed + MINUTE}`, 'countback=2', `from=${START}`]
      for (const range of open) assert.equal(await rule(`${path}&${range}`), 'no-cache', range)
    }
  })

  test('candles with filled gaps follow the same rule', async () => {
    const filled = `${CANDLES}&fill=previous&from=${START}`
    assert.equal(await rule(`${filled}&to=${START + MINUTE}`), 'public, max-age=60')
    assert.equal(await rule(filled), 'no-cache')
  })

  test('a list of markets is never older in a shared cache than in the node', async () => {
    const age = async (seconds: number) => {
      venue.setNow(start + seconds)
      return (await venue.get('/markets')).headers['cache-control']
    }
    const start = venue.nowMs() / 1000 + 1000
    assert.equal(await age(0), 'public, max-age=2')
    assert.equal(await age(28), 'public, max-age=2')
    assert.equal(await age(29), 'public, max-age=1')
    assert.equal(await age(29.5), 'no-cache')
    assert.equal(await age(30), 'public, max-age=2')
    venue.setNow(start)
  })

  test('pages may read the age that a cache adds', async () => {
    const { headers } = await venue.get('/markets')
    assert.match(String(headers['access-control-expose-headers']), /\bAge, Date\b/)
  })
})
