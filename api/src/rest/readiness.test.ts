// Checks how a node reports its distance from the chain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { Health, Readiness } from '@openvenue/wire/service'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { issueKey } from '../../test/keyed.ts'
import {
  BROKEN_ACCOUNTS,
  BROKEN_READER,
  emptySnapshot,
  type ScenarioNode,
  scenarioNode,
} from '../../test/scenario-node.ts'
import { followModel } from '../model/follow.ts'
import { FEED_SILENCE_MS_MAX, Freshness } from '../model/freshness.ts'
import { VenueModel } from '../model/venue-model.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import type { IndexerAnswer, Probes } from './readiness.ts'

const LAG_MAX = 3
const DEAD: IndexerAnswer = { ok: false, error: 'unreachable' }

/** `isAway`: Redis and the chain do not answer. */
type NodeState = { head: number; indexer: IndexerAnswer; isAway: boolean }
type Ready = { status: string; checks: Record<string, { ok: boolean; error?: string }> }

/** A node that has followed a scenario, its clock, and the chain node's and indexer's answers. */
async function node(accounts: ApiHostDeps['accounts'] = BROKEN_ACCOUNTS) {
  let ms = 0
  const clock = { nowMs: () => ms, monotonicMs: () => ms }
  const model = new VenueModel()
  const freshness = new Freshness({ model, clock, lagMax: LAG_MAX })
  const given: NodeState = { head: 0, indexer: { ok: true, lag: 0 }, isAway: false }
  const probes: Probes = {
    redis: async () => (given.isAway ? DEAD : { ok: true }),
    rpc: async () => (given.isAway ? DEAD : { ok: true, head: given.head }),
    indexer: async () => given.indexer,
  }
  const deps = { model, freshness, probes, clock, accounts }
  const venue: ScenarioNode = await scenarioNode([], undefined, deps)
  model.load(emptySnapshot())
  const scenario = funded('ETH-USDC', 'ETH-PERP').next()
  for (const { header } of scenario.blocks())
    model.apply({ seq: model.seq + 1, kind: 'apply', header, changes: [] })
  given.head = model.head?.number ?? 0
  const pass = (by: number) => {
    ms += by
  }
  return { ...venue, model, freshness, given, pass }
}

const pickIndexer = (body: unknown) => (body as Ready).checks.indexer

describe('GET /ready', () => {
  test('a dead INDEXER_URL with the node at the head is ready', async () => {
    const { get, given, close } = await node()
    given.indexer = DEAD
    const { status, body } = await get('/ready')
    assert.equal(status, 200)
    assert.ok(Value.Check(Readiness, body))
    assert.deepEqual(pickIndexer(body), { ok: true, lag: 0 })
    await close()
  })

  test('a standby indexer that is far behind does not make a node at the head unready', async () => {
    const { get, given, close } = await node()
    given.indexer = { ok: false, error: 'http_503', lag: 900, head: given.head }
    assert.equal((await get('/ready')).status, 200)
    await close()
  })

  test('a node beyond INDEXER_LAG_MAX is not ready, whatever the indexer reports', async () => {
    const { get, given, close } = await node()
    given.head += LAG_MAX
    assert.equal((await get('/ready')).status, 200)
    given.head += 1
    const { status, body } = await get('/ready')
    assert.equal(status, 503)
    assert.ok(Value.Check(Readiness, body))
    assert.deepEqual(pickIndexer(body), { ok: false, error: 'lagging', lag: LAG_MAX + 1 })
    await close()
  })

  test('the head reported by an indexer counts where the own chain node is behind', async () => {
    const { get, given, close } = await node()
    given.indexer = { ok: true, lag: 0, head: given.head + LAG_MAX + 1 }
    assert.equal((await get('/ready')).status, 503)
    await close()
  })

  test('a load balancer keeps a node while Redis, the chain and the indexers are away', async () => {
    const { get, given, close } = await node()
    given.isAway = true
    given.indexer = DEAD
    assert.equal((await get('/ready')).status, 503)
    const { status, body } = await get('/ready?for=traffic')
    assert.equal(status, 200)
    assert.ok(Value.Check(Readiness, body))
    const { checks, status: judged } = body as Ready
    assert.equal(judged, 'ready')
    assert.deepEqual([checks.redis?.ok, checks.rpc?.ok], [false, false])
    await close()
  })

  test('a load balancer keeps nodes that lag as far as the indexers do', async () => {
    const { get, given, close } = await node()
    given.head += LAG_MAX + 1
    given.indexer = { ok: false, error: 'http_503', lag: LAG_MAX + 1, head: given.head }
    assert.equal((await get('/ready')).status, 503)
    assert.equal((await get('/ready?for=traffic')).status, 200)
    await close()
  })

  test('a load balancer removes a node that lags alone, or stops', async () => {
    const { get, given, host, close } = await node()
    given.head += LAG_MAX + 1
    given.indexer = { ok: true, lag: 0, head: given.head }
    const { status, body } = await get('/ready?for=traffic')
    assert.equal(status, 503)
    assert.equal((body as Ready).status, 'not_ready')
    given.head -= LAG_MAX + 1
    given.indexer = { ok: true, lag: 0, head: given.head }
    assert.equal((await get('/ready?for=traffic')).status, 200)
    host.stopping.abort()
    assert.equal((await get('/ready?for=traffic')).status, 503)
    await close()
  })

  test('/ready refuses an unknown or repeated purpose', async () => {
    const { get, close } = await node()
    const unknown = await get('/ready?for=users')
    const repeated = await get('/ready?for=traffic&for=traffic')
    assert.deepEqual([unknown.status, repeated.status], [400, 400])
    const { message } = unknown.body as { message: string }
    assert.equal(message, 'for is invalid: got "users", expected one of traffic')
    await close()
  })

  test('a frozen database is shown by /ready within seconds', async () => {
    const { get, model, freshness, pass, close } = await node()
    const stopping = new AbortController()
    const frozen = Promise.withResolvers<never>()
    let reads = 0
    const reader = {
      ...BROKEN_READER,
      // It answers twice, and then never again.
      feedAfter: () => (++reads <= 2 ? Promise.resolve([]) : frozen.promise),
    }
    const following = followModel(
      {
        model,
        reader,
        nowMs: () => 0,
        log: { info: () => {}, warn: () => {} },
        delay: async () => {},
        feedRead: () => freshness.feedRead(),
      },
      stopping.signal,
    )
    while (reads < 3) await new Promise(setImmediate)
    assert.equal((await get('/ready')).status, 200)
    pass(FEED_SILENCE_MS_MAX + 1)
    const { status, body } = await get('/ready')
    assert.equal(status, 503)
    assert.equal(pickIndexer(body)?.error, 'feed_stale')
    const health = await get('/health')
    assert.equal(health.status, 200)
    assert.ok(Value.Check(Health, health.body))
    assert.deepEqual((health.body as Health).degradedDependencies, ['indexer'])
    stopping.abort()
    frozen.reject(new Error('the test is over'))
    await following
    await close()
  })
})

describe('an answer made of chain data', () => {
  test('an answer made of chain data reports its age, which an idle chain does not raise', async () => {
    const { get, freshness, given, pass, close } = await node()
    const age = async () => (await get('/markets')).headers['x-data-age-ms']
    freshness.chainSeen(given.head, 0)
    pass(700)
    assert.equal(await age(), '700')
    pass(300)
    freshness.chainSeen(given.head, 1000)
    assert.equal(await age(), '0')
    for (const url of ['/time', '/version', '/health'])
      assert.equal((await get(url)).headers['x-data-age-ms'], undefined, url)
    await close()
  })

  test('an answer made of chain data that would mislead is 503 with Retry-After beyond INDEXER_LAG_MAX; history is served', async () => {
    const { get, freshness, given, close } = await node()
    const live = ['/index/ETH', '/markets-summary', '/statistics/ETH/SPOT', '/funding/ETH-PERP']
    const other = ['/markets', '/assets', '/health', '/time', '/version', '/markets/x/trades']
    freshness.chainSeen(given.head + LAG_MAX, 0)
    for (const url of [...live, ...other]) assert.equal((await get(url)).status, 200, url)
    freshness.chainSeen(given.head + LAG_MAX + 1, 0)
    for (const url of live) {
      const { status, body, headers } = await get(url)
      assert.deepEqual([status, (body as { error: string }).error], [503, 'DATA_STALE'], url)
      assert.equal(headers['retry-after'], '1')
    }
    for (const url of other) assert.equal((await get(url)).status, 200, url)
    await close()
  })

  test('an answer made of chain data of an account that would mislead is 503 beyond INDEXER_LAG_MAX; its histories are not', async () => {
    const store = await openMemoryStore()
    const { identity } = store
    const { host, freshness, given, close } = await node({ ...BROKEN_ACCOUNTS, identity })
    const wallet = `0x${'c1'.repeat(20)}`
    const { headers } = await issueKey(store, wallet, 0)
    const errorAt = async (url: string) => {
      const { statusCode: status, body } = await host.inject({ url, headers })
      return status === 200 ? 200 : (JSON.parse(body) as { error: string }).error
    }
    const below = ['/positions', '/open-orders', '/orders', '/orders/0x1', '/accumulated-fundings']
    const urls = [
      '/positions',
      '/open-orders',
      '/orders',
      ...below.map((path) => `/account/${wallet}${path}`),
    ]
    urls.push('/account', `/account/${wallet}`, '/account/accumulated-fundings')
    freshness.chainSeen(given.head + LAG_MAX, 0)
    for (const url of urls) assert.notEqual(await errorAt(url), 'DATA_STALE', url)
    freshness.chainSeen(given.head + LAG_MAX + 1, 0)
    for (const url of urls) assert.equal(await errorAt(url), 'DATA_STALE', url)
    for (const url of ['/trade-history', '/order-history', '/api-keys'])
      assert.notEqual(await errorAt(url), 'DATA_STALE', url)
    await close()
    await store.close()
  })
})
