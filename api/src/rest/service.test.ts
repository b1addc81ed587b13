import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Health, Readiness, Time, Version } from '@openvenue/wire/service'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import type { Probes } from './readiness.ts'

const fine: Probes = {
  redis: async () => ({ ok: true }),
  rpc: async () => ({ ok: true, head: 7 }),
  indexer: async () => ({ ok: true, lag: 2 }),
}
const options = { environment: 'devnet', version: '1.2.3', marketsCacheMs: 0, readyCacheMs: 2000 }
const node = (probes: Partial<Probes> = {}, more: Partial<ApiHostDeps> = {}) =>
  scenarioNode(funded().blocks(), undefined, { options, probes: { ...fine, ...probes }, ...more })
type Ready = { status: string; checks: Record<string, object>; timestamp: number }

describe('GET /health', () => {
  test('GET /health is 200 and not degraded while Redis answers', async () => {
    const { get, setNow, close } = await node()
    setNow(1_800_000_000)
    const { status, body } = await get('/health')
    await close()
    assert.equal(status, 200)
    assert.ok(Value.Check(Health, body))
    assert.deepEqual(body, {
      status: 'ok',
      degraded: false,
      degradedDependencies: [],
      dependencies: { redis: { ok: true } },
      timestamp: 1_800_000_000_000,
      environment: 'devnet',
      version: '1.2.3',
      withdrawals_stopped: false,
      trading: 'live',
    })
  })

  test('GET /health is still 200 when Redis does not answer, and reports it', async () => {
    const { get, close } = await node({ redis: async () => ({ ok: false, error: 'timeout' }) })
    const { status, body } = await get('/health')
    await close()
    assert.equal(status, 200)
    const { degraded, degradedDependencies, dependencies } = body as Health
    assert.deepEqual([degraded, degradedDependencies], [true, ['redis']])
    assert.deepEqual(dependencies, { redis: { ok: false, error: 'timeout' } })
  })
})

describe('GET /ready', () => {
  test('GET /ready is 200 when cache store, RPC and indexer all answer', async () => {
    const { get, close } = await node()
    const { status, body } = await get('/ready')
    await close()
    assert.equal(status, 200)
    assert.ok(Value.Check(Readiness, body))
    const { checks } = body as Ready
    assert.equal((body as Ready).status, 'ready')
    assert.deepEqual(checks, {
      redis: { ok: true },
      rpc: { ok: true, head: 7 },
      indexer: { ok: true, lag: 2 },
    })
  })

  for (const [which, probes] of [
    ['redis', { redis: async () => ({ ok: false, error: 'unreachable' }) }],
    ['rpc', { rpc: async () => ({ ok: false, error: 'no_head' }) }],
    ['indexer', { indexer: async () => ({ ok: false, error: 'http_503', lag: 900 }) }],
  ] as const)
    test(`GET /ready is 503 when ${which} does not answer, with the others as they are`, async () => {
      const { get, close } = await node(probes)
      const { status, body } = await get('/ready')
      await close()
      assert.equal(status, 503)
      assert.ok(Value.Check(Readiness, body))
      assert.equal((body as Ready).status, 'not_ready')
      const failed = Object.entries((body as Ready).checks).filter(([, check]) => 'error' in check)
      assert.deepEqual(
        failed.map(([name]) => name),
        [which],
      )
    })

  test('GET /ready and /health report "unreachable" when a probe fails', async () => {
    const { get, close } = await node({ redis: () => Promise.reject(new Error('gone')) })
    const ready = await get('/ready')
    const health = await get('/health')
    await close()
    assert.deepEqual([ready.status, health.status], [503, 200])
    assert.deepEqual((ready.body as Ready).checks.redis, { ok: false, error: 'unreachable' })
    assert.equal((health.body as Health).degraded, true)
  })

  test('GET /ready is ready with lag "unknown" when the indexer was only reached', async () => {
    const { get, close } = await node({ indexer: async () => ({ ok: true, lag: 'unknown' }) })
    const { status, body } = await get('/ready')
    await close()
    assert.equal(status, 200)
    assert.deepEqual((body as Ready).checks.indexer, { ok: true, lag: 'unknown' })
  })

  test('GET /ready reports the age of the oldest index price, a sign of the keeper', async () => {
    const chain = funded('ETH-PERP', 'BTC-PERP')
    const at = chain.blocks().at(-1)?.header.seconds ?? 0
    const { get, model, setNow, close } = await scenarioNode(chain.blocks(), undefined, {
      options,
      probes: { ...fine, redis: async () => ({ ok: false }) },
    })
    setNow(at + 7)
    const oldest = Math.min(...['ETH', 'BTC'].map((one) => model.indexPrice(one)?.seconds ?? 0))
    const { status, body } = await get('/ready')
    await close()
    assert.ok(Value.Check(Readiness, body))
    assert.equal(status, 503, 'it is said of a venue that is not ready too')
    const { asset, ...price } = (body as Readiness).keeper ?? assert.fail('nothing of the keeper')
    assert.equal(model.indexPrice(asset)?.seconds, oldest)
    const age = (at + 7 - oldest) * 1000
    assert.deepEqual(price, { index_price_time: oldest, index_price_age_ms: age })
  })

  test('GET /ready omits the keeper when no market trades by an index price', async () => {
    const spot = await scenarioNode(funded('ETH-USDC').blocks(), undefined, { options })
    const { body } = await spot.get('/ready')
    await spot.close()
    assert.equal('keeper' in (body as Readiness), false)
  })

  test('GET /ready is cached for READY_CACHE_MS', async () => {
    let asked = 0
    const { get, setNow, close } = await node({ rpc: async () => ({ ok: true, head: ++asked }) })
    const at = async (seconds: number) => {
      setNow(seconds)
      await get('/ready')
      return asked
    }
    assert.equal(await at(1_800_000_000), 1)
    assert.equal(await at(1_800_000_001), 1)
    assert.equal(await at(1_800_000_002), 2)
    await close()
  })

  test('GET /ready asks once for requests that come at the same time', async () => {
    let asked = 0
    const answer = Promise.withResolvers<{ ok: boolean }>()
    const redis = () => {
      asked++
      return answer.promise
    }
    const { get, close } = await node({ redis })
    const requests = [get('/ready'), get('/ready'), get('/ready')]
    await new Promise(setImmediate)
    answer.resolve({ ok: true })
    for (const { status } of await Promise.all(requests)) assert.equal(status, 200)
    assert.equal(asked, 1)
    await close()
  })

  test('GET /ready is not rate limited, nor are /health and /metrics; everything else is', async () => {
    const rates = {
      publicRate: { points: 0, seconds: 60 },
      proxyHops: 0,
      consume: async () => ({ allowed: false, remaining: 0, resetMs: 1000 }),
    }
    const { host, close } = await node({}, { rates })
    for (const [url, expected] of [
      ['/ready', 200],
      ['/health', 200],
      ['/metrics', 200],
      ['/time', 429],
      ['/version', 429],
      ['/markets', 429],
    ] as const) {
      const { statusCode, headers } = await host.inject(url)
      assert.equal(statusCode, expected, url)
      assert.equal(headers.ratelimit === undefined, expected === 200, url)
    }
    await close()
  })
})

test('GET /version names the build, the runtime and the network', async () => {
  const { get, close } = await node()
  const { status, body } = await get('/version')
  await close()
  assert.equal(status, 200)
  assert.ok(Value.Check(Version, body))
  const build = { version: '1.2.3', node: process.version }
  assert.deepEqual(body, { ...build, environment: 'devnet', trading: 'live' })
})

test('GET /time is the time in nanoseconds, as a string', async () => {
  const { get, setNow, close } = await node()
  setNow(1_800_000_000)
  const { status, body } = await get('/time')
  await close()
  assert.equal(status, 200)
  assert.ok(Value.Check(Time, body))
  assert.deepEqual(body, { time: '1800000000000000000' })
})
