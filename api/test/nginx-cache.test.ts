// ops/nginx/cache.conf, run by Debian's nginx in front of a node.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import { until } from '@openvenue/core/test/until'
import { openCache } from '@openvenue/store/db/cache'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { type AccountNode, accountNode } from './account-node.ts'
import { bucketsFor } from './buckets.ts'
import { marketScenario, minutes } from './candle-scenario.ts'
import { issueKey } from './keyed.ts'
import { type Nginx, type ProxyAnswer, startNginx } from './nginx.ts'

const { NGINX_PROGRAM } = process.env
const ORIGINS = ['https://a.example', 'https://b.example']
const CLOSED = `/candles?instrument_name=ETH-USDC&resolution=1&to=${START}`
const PRICES = [300_000, 300_100, 299_900, 300_050]
const MS = 1000

describe('nginx with ops/nginx/cache.conf', { skip: NGINX_PROGRAM === undefined }, () => {
  let store: Store
  let node: AccountNode
  let nginx: Nginx
  /** Requests that reached the node. */
  let received = 0
  before(async () => {
    const publicRate = { points: 1000, seconds: 60 }
    const { consume } = await openCache({ buckets: bucketsFor(publicRate) })
    const options = { environment: 'test', version: '0', marketsCacheMs: 30_000, readyCacheMs: 0 }
    const rates = { consume, publicRate, proxyHops: 1 }
    store = await openMemoryStore()
    node = await accountNode(store, minutes(marketScenario(), PRICES), {
      deps: { options, rates, corsOrigins: ORIGINS },
    })
    node.host.server.on('request', () => received++)
    const url = await node.host.listen({ host: '127.0.0.1', port: 0 })
    nginx = await startNginx(NGINX_PROGRAM ?? '', Number(new URL(url).port))
  })
  after(async () => {
    await nginx?.close()
    await node?.close()
    await store?.close()
  })

  /** Requests a URL twice, and returns the answers and how many of them the node gave. */
  async function twice(path: string, headers = {}) {
    const before = received
    const answers = [await nginx.fetch(path, headers), await nginx.fetch(path, headers)] as const
    return { answers, fromNode: received - before }
  }

  const isHit = ({ headers }: ProxyAnswer) => headers['x-cache-status'] === 'HIT'

  /** Requests a new URL until an answer comes from the cache: those of a second may just expire. */
  const untilHit = (path: string) =>
    until(`${path} is answered from the cache`, async () => {
      const answer = await nginx.fetch(path)
      return isHit(answer) && answer
    })

  for (const path of [
    '/markets',
    '/markets/ETH-USDC',
    '/instrument/ETH-USDC',
    '/assets',
    '/statistics/ETH/SPOT',
    '/statistics?instrument_name=ETH-USDC',
    `${CLOSED}&countback=1`,
    `/last-traded-tradingview/history?symbol=ETH-USDC&resolution=1&to=${START}`,
    '/openapi.json',
    '/docs/KEYS.md',
    '/docs.md',
    '/llms.txt',
    '/errors',
    '/abi/spot.json',
  ])
    test(`nginx answers ${path} from its cache`, async () => {
      const [first, hit] = [await nginx.fetch(path), await untilHit(path)]
      assert.deepEqual([first.status, hit.status, hit.body], [200, 200, first.body])
      for (const name of ['etag', 'x-block-number', 'cache-control'])
        assert.equal(hit.headers[name], first.headers[name], name)
    })

  test('an answer from the cache shows its age, which is never too low', async () => {
    const path = `${CLOSED}&countback=2`
    const beforeMs = Date.now()
    const first = await nginx.fetch(path)
    assert.equal(first.headers.age, undefined)
    const afterMs = Date.now()
    const hit = await until('the answer is two seconds old', async () => {
      const askedMs = Date.now()
      const answer = await nginx.fetch(path)
      const ageMs = Number(answer.headers.age) * MS
      assert.ok(isHit(answer))
      // The node's Date has whole seconds, and so has Age.
      const [least, most] = [askedMs - afterMs, Date.now() - beforeMs + 3 * MS]
      assert.ok(ageMs >= least && ageMs <= most, `${ageMs} ms, from ${least} to ${most} expected`)
      return ageMs >= 2 * MS && answer
    })
    assert.equal(hit.headers.date, first.headers.date, 'the time at which the node answered')
    assert.equal(hit.headers['x-data-age-ms'], first.headers['x-data-age-ms'])
  })

  test('an answer leaves the cache when its seconds are over', async () => {
    const path = '/statistics/BTC/SPOT'
    await untilHit(path)
    const expired = await until('the answer expires', async () => {
      const answer = await nginx.fetch(path)
      return answer.headers['x-cache-status'] === 'EXPIRED' && answer
    })
    assert.equal(expired.headers.age, undefined)
  })

  test('an answer from the cache is 304 for a client that has it', async () => {
    const path = `${CLOSED}&countback=3`
    const { etag = '' } = (await nginx.fetch(path)).headers
    const again = await nginx.fetch(path, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.body, isHit(again)], [304, '', true])
  })

  test('an answer from the cache has the id of its own request, and no rate limit', async () => {
    const path = `${CLOSED}&countback=4`
    const first = await nginx.fetch(path, { 'x-request-id': 'first' })
    assert.equal(first.headers['x-request-id'], 'first')
    assert.match(String(first.headers.ratelimit), /^"public";r=\d+/)
    const named = await nginx.fetch(path, { 'x-request-id': 'second' })
    assert.equal(named.headers['x-request-id'], 'second')
    const [one, other] = [await nginx.fetch(path), await nginx.fetch(path, { 'x-request-id': '?' })]
    assert.match(String(one.headers['x-request-id']), /^[0-9a-f]{32}$/)
    assert.match(String(other.headers['x-request-id']), /^[0-9a-f]{32}$/)
    for (const answer of [named, one, other]) {
      assert.ok(isHit(answer))
      assert.equal(answer.headers.ratelimit, undefined)
      assert.equal(answer.headers['ratelimit-policy'], undefined)
    }
  })

  test('an answer from the cache allows no other origin than that of the page', async () => {
    const path = `${CLOSED}&countback=5`
    for (let time = 0; time < 2; time++)
      for (const origin of [...ORIGINS, 'https://other.example', undefined]) {
        const { headers } = await nginx.fetch(path, origin === undefined ? {} : { origin })
        const allowed = ORIGINS.find((listed) => listed === origin)
        const got = [headers['access-control-allow-origin'], headers['x-cache-status']]
        assert.deepEqual(got, [allowed, time === 0 ? 'MISS' : 'HIT'], `${origin}`)
      }
  })

  test('the cache keeps each coding apart', async () => {
    const path = '/docs/KEYS.md?coding'
    for (let time = 0; time < 2; time++)
      for (const coding of ['br', 'gzip', undefined]) {
        const headers = coding === undefined ? {} : { 'accept-encoding': coding }
        assert.equal((await nginx.fetch(path, headers)).headers['content-encoding'], coding)
      }
  })

  test('an order book is never answered from the cache', async () => {
    for (const path of [
      '/orderbook/ETH-USDC',
      '/orderbook?instrument_name=ETH-USDC',
      '/markets/ETH-USDC/orderbook',
    ]) {
      const { answers, fromNode } = await twice(path)
      assert.deepEqual([answers[1].status, fromNode], [200, 2], path)
      assert.equal(answers[1].headers['x-cache-status'], undefined)
    }
  })

  test('an answer under a key is never cached, not even for its owner', async () => {
    const keys = ['alice', 'bob'].map((who) => issueKey(store, node.walletOf(who), node.nowMs()))
    for (const path of ['/account', '/open-orders']) {
      const before = received
      for (const { headers } of await Promise.all(keys))
        for (let time = 0; time < 2; time++)
          assert.equal((await nginx.fetch(path, headers)).status, 200)
      assert.equal((await nginx.fetch(path)).status, 401)
      assert.equal(received - before, 5, path)
    }
  })

  test('a request with min_block reaches the node, although the cache has an answer', async () => {
    await nginx.fetch(CLOSED)
    assert.ok(isHit(await nginx.fetch(CLOSED)))
    const block = node.model.head?.number ?? 0
    for (const value of [0, block]) {
      const { answers, fromNode } = await twice(`${CLOSED}&min_block=${value}`)
      assert.deepEqual([answers[1].status, answers[1].headers.age, fromNode], [200, undefined, 2])
    }
  })

  test('an error is never cached', async () => {
    for (const [path, status] of [
      ['/markets/none', 404],
      ['/markets?min_block=x', 400],
      ['/candles?instrument_name=ETH-USDC&resolution=none&to=0', 400],
      ['/docs/none.md', 404],
    ] as const) {
      const { answers, fromNode } = await twice(path)
      assert.deepEqual([answers[0].status, answers[1].status, fromNode], [status, status, 2], path)
    }
  })

  test('nginx hides /metrics', async () => {
    assert.equal((await nginx.fetch('/metrics')).status, 404)
  })
})
