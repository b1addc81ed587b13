import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { openCache } from './cache.ts'

const redisUrl = process.env.REDIS_URL
const engines = [['memory', undefined], ...(redisUrl ? [['redis', redisUrl]] : [])] as const

const buckets = {
  orders: { points: 5, seconds: 30 },
  reads: { points: 2, seconds: 30 },
  short: { points: 2, seconds: 1, burst: 3 },
}
let keys = 0
const freshKey = () => `test ${process.pid} ${Date.now()} ${keys++}`

for (const [name, url] of engines) {
  describe(`the cache in ${name}`, () => {
    test('a rate limit allows its points and then refuses until it is full again', async () => {
      const cache = await openCache({ redisUrl: url, buckets })
      const key = freshKey()
      const first = await cache.consume('orders', key, 3)
      assert.deepEqual(
        { ...first, resetMs: 0 },
        { allowed: true, limit: 5, remaining: 2, resetMs: 0 },
      )
      assert.ok(first.resetMs > 0 && first.resetMs <= 30_000)
      assert.equal((await cache.consume('orders', key, 2)).remaining, 0)
      const refused = await cache.consume('orders', key, 1)
      assert.deepEqual(
        { allowed: refused.allowed, remaining: refused.remaining },
        { allowed: false, remaining: 0 },
      )
      await cache.close()
    })

    test('rate limits are counted apart for each key and each bucket', async () => {
      const cache = await openCache({ redisUrl: url, buckets })
      const [first, second] = [freshKey(), freshKey()]
      await cache.consume('reads', first, 2)
      assert.equal((await cache.consume('reads', first, 1)).allowed, false)
      assert.equal((await cache.consume('reads', second, 1)).allowed, true)
      assert.equal((await cache.consume('orders', first, 1)).allowed, true)
      await cache.close()
    })

    test('a request for more points than its rate limit has is refused', async () => {
      const cache = await openCache({ redisUrl: url, buckets })
      assert.equal((await cache.consume('reads', freshKey(), 3)).allowed, false)
      await cache.close()
    })

    test('a rate limit grants its burst once its points are used up, and not again in the next window', async (t) => {
      const isReal = url !== undefined
      if (!isReal) t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() })
      const cache = await openCache({ redisUrl: url, buckets })
      const key = freshKey()
      const ask = () => cache.consume('short', key, 1)
      const answers = await Promise.all(Array.from({ length: 7 }, ask))
      assert.equal(answers.filter(({ allowed }) => allowed).length, 5)
      assert.equal(answers[3]?.remaining, 0)
      if (isReal) await until('the next window begins', async () => (await ask()).allowed)
      else {
        t.mock.timers.tick(buckets.short.seconds * 1000)
        assert.ok((await ask()).allowed, 'the next window begins')
      }
      const next = await Promise.all(Array.from({ length: 7 }, ask))
      assert.equal(next.filter(({ allowed }) => allowed).length, 1)
      await cache.close()
    })

    test('the cache answers a ping', async () => {
      const cache = await openCache({ redisUrl: url, buckets })
      await cache.ping()
      await cache.close()
    })
  })
}

if (redisUrl !== undefined) {
  test('a cache in Redis that answers reports no fallback', async () => {
    const cache = await openCache({ redisUrl, buckets })
    await cache.consume('reads', freshKey(), 1)
    assert.equal(cache.isFallback(), false)
    await cache.close()
  })

  test('two processes share the points of a key in Redis', async () => {
    const first = await openCache({ redisUrl, buckets })
    const two = await openCache({ redisUrl, buckets })
    const key = freshKey()
    await first.consume('reads', key, 2)
    assert.equal((await two.consume('reads', key, 1)).allowed, false)
    await first.close()
    await two.close()
  })
}

test('without a Redis server, ping fails and points of the cache are counted in the process', async () => {
  const cache = await openCache({ redisUrl: `redis://127.0.0.1:${await closedPort()}`, buckets })
  await assert.rejects(cache.ping())
  assert.equal(cache.isFallback(), true)
  const key = freshKey()
  assert.equal((await cache.consume('reads', key, 2)).remaining, 0)
  assert.equal((await cache.consume('reads', key, 1)).allowed, false)
  await cache.close()
})

test('without a Redis server, the fallback is reported, and logged once', async () => {
  const lines: string[] = []
  const add = (_facts: object, text: string) => void lines.push(text)
  const redisUrl = `redis://127.0.0.1:${await closedPort()}`
  const cache = await openCache({ redisUrl, buckets, log: { info: add, warn: add } })
  for (let n = 0; n < 100; n++) await cache.consume('orders', freshKey(), 1)
  assert.equal(cache.isFallback(), true)
  assert.deepEqual(lines, ['Redis does not answer: this process counts on its own'])
  await cache.close()
  const local = await openCache({ buckets })
  await local.consume('orders', freshKey(), 1)
  assert.equal(local.isFallback(), false)
})

test('with a Redis server that never answers, ping fails in time and points are counted', async () => {
  const mute = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const address = mute.address()
  assert.ok(address !== null && typeof address === 'object')
  const cache = await openCache({ redisUrl: `redis://127.0.0.1:${address.port}`, buckets })
  const startMs = performance.now()
  await assert.rejects(cache.ping())
  assert.equal((await cache.consume('reads', freshKey(), 1)).allowed, true)
  assert.ok(performance.now() - startMs < 3000)
  await cache.close()
  mute.close()
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}
