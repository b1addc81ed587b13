import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { openCache } from '@openvenue/store/db/cache'
import { bucketsFor } from '../../test/buckets.ts'
import { funded, list } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'
import { Freshness } from '../model/freshness.ts'
import { VenueModel } from '../model/venue-model.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import { Encoder } from './encoder.ts'
import { RateLimits } from './limits.ts'
import { ResponseCache } from './response-cache.ts'
import { RouteMeter } from './route-meter.ts'

const URLS = [
  '/time',
  '/version',
  '/markets',
  '/markets?asset=eth',
  '/markets?instrument_type=x',
  '/markets/ETH-PERP',
  '/instrument/ETH-PERP',
  '/orderbook/ETH-PERP',
  '/orderbook?instrument_name=ETH-PERP&depth=3&group=2',
  '/markets/ETH-PERP/trades?limit=5',
  '/markets/nothing/trades',
  '/instrument/ETH-PERP/trade-history',
  '/statistics/ETH/PERPETUAL',
  '/statistics?instrument_name=nothing',
  '/funding/ETH-PERP',
  '/funding/nothing',
  '/funding-history/ETH-PERP',
  '/index',
  '/index/ETH',
  '/assets',
  '/markets-summary',
  '/candles?instrument_name=ETH-PERP&resolution=1',
  '/last-traded-tradingview/history?symbol=ETH-PERP&resolution=1&from=0&to=1767300000',
]

const setUp = () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP')
  scenario.place('alice', 'buy', 29_999, 9n).place('bob', 'sell', 29_999, 2n).poke().next(3600)
  return scenario.poke().place('bob', 'sell', 30_005, 4n)
}

type HttpReply = { status: number; headers: Record<string, unknown>; body: string }

async function open(overrides: Partial<ApiHostDeps> = {}) {
  const node = await scenarioNode(setUp().blocks(), undefined, overrides)
  await node.host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = node.host.addresses() as { port: number }[]
  const get = (path: string, method = 'GET', headers = {}) =>
    new Promise<HttpReply>((resolve, reject) => {
      const sent = request({ port: address?.port, path, method, headers }, (response) => {
        let body = ''
        response.on('data', (bytes) => {
          body += bytes
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      })
      sent.on('error', reject).end()
    })
  return { ...node, fetch: get, hits: () => node.host.responseCache.hits }
}

/** Returns the parts that two answers to the same request share. */
function stable({ status, headers, body }: HttpReply) {
  const { 'x-request-id': id, date, ratelimit, ...rest } = headers
  assert.ok(typeof id === 'string' && date !== undefined)
  return { status, body, headers: rest }
}

describe('the response cache', () => {
  test('the response cache gives the same status, headers and body as the routes, for every endpoint', async () => {
    const { fetch, hits, close } = await open()
    for (const url of URLS) {
      const routed = await fetch(url)
      const before = hits()
      const responseCache = await fetch(url)
      assert.equal(hits(), before + 1, `${url} is answered from memory the second time`)
      assert.deepEqual(stable(responseCache), stable(routed), url)
      assert.notEqual(responseCache.headers['x-request-id'], routed.headers['x-request-id'])
    }
    await close()
  })

  test('the response cache follows the chain like the routes', async () => {
    const { fetch, applyBlocks, undoBlock, host, close } = await open()
    for (const url of URLS) await fetch(url)
    const known = setUp().blocks().length
    const more = setUp()
      .place('carol', 'buy', 30_005, 3n)
      .next()
      .index('ETH', 2n * 10n ** 21n)
    const check = async () => {
      for (const url of URLS)
        assert.equal((await fetch(url)).body, (await host.inject(url)).body, url)
    }
    for (const block of more.blocks().slice(known)) {
      applyBlocks([block])
      await check()
    }
    undoBlock()
    await check()
    await close()
  })

  test('the response cache drops every URL when a market appears, since URLs may change their meaning', async () => {
    const { fetch, applyBlocks, close } = await open()
    assert.equal((await fetch('/markets/SOL-PERP/trades')).body, '[]')
    assert.equal((await fetch('/funding/SOL-PERP')).body.includes('"0"'), true)
    const scenario = setUp()
    const known = scenario.blocks().length
    list(scenario, 'SOL-PERP').on('SOL-PERP')
    scenario.place('alice', 'buy', 15_000, 1n).place('bob', 'sell', 15_000, 1n)
    applyBlocks(scenario.blocks().slice(known))
    assert.match((await fetch('/markets/SOL-PERP/trades')).body, /"price":"150"/)
    await close()
  })

  test('the response cache leaves errors, other methods and requests with a body to the routes', async () => {
    const { fetch, hits, close } = await open()
    for (let i = 0; i < 2; i++) {
      assert.equal((await fetch('/markets/nothing')).status, 404)
      assert.equal((await fetch('/orderbook')).status, 400)
      assert.equal((await fetch('/ready')).status, 200)
    }
    await fetch('/time')
    assert.equal((await fetch('/time', 'HEAD')).body, '')
    assert.equal((await fetch('/time', 'POST')).status, 405)
    assert.equal((await fetch('/time', 'GET', { 'content-length': '0' })).status, 200)
    assert.equal(hits(), 0)
    await close()
  })

  test('the response cache counts requests like the routes, and refuses those over the limit alike', async () => {
    const publicRate = { points: 12, seconds: 60 }
    const { consume } = await openCache({ buckets: bucketsFor(publicRate) })
    const { fetch, close } = await open({ rates: { consume, publicRate, proxyHops: 0 } })
    const left = async (url: string) => (await fetch(url)).headers.ratelimit
    assert.equal(await left('/funding-history/ETH-PERP'), '"public";r=7;t=60')
    assert.match(String(await left('/funding-history/ETH-PERP')), /;r=2;/)
    assert.match(String(await left('/time')), /;r=1;/)
    assert.match(String(await left('/time')), /;r=0;/)
    const responseCache = await fetch('/time')
    const routed = await fetch('/time?')
    await close()
    assert.equal(responseCache.status, 429)
    assert.ok(responseCache.headers['retry-after'] && responseCache.headers['x-retry-after'])
    assert.deepEqual(Object.keys(responseCache.headers).sort(), Object.keys(routed.headers).sort())
    assert.deepEqual(
      Object.keys(JSON.parse(responseCache.body)),
      Object.keys(JSON.parse(routed.body)),
    )
  })

  test('the response cache passes requests of a page to the routes when origins are listed', async () => {
    const { fetch, hits, close } = await open({ corsOrigins: ['https://a.example'] })
    await fetch('/time')
    const { headers } = await fetch('/time', 'GET', { origin: 'https://a.example' })
    assert.equal(headers['access-control-allow-origin'], 'https://a.example')
    assert.equal(hits(), 0)
    await close()
  })

  test('the response cache keeps to its bounds', () => {
    const rates = { publicRate: undefined, proxyHops: 0, consume: () => Promise.reject() }
    const responseCache = new ResponseCache({
      limits: new RateLimits(rates),
      meter: new RouteMeter(),
      encoder: new Encoder(),
      freshness: new Freshness({
        model: new VenueModel(),
        clock: { nowMs: () => 0, monotonicMs: () => 0 },
        lagMax: 0,
      }),
      headers: [],
      isAnyOrigin: true,
    })
    const body = Buffer.alloc(1024 * 1024)
    const large = { source: { read: () => body }, route: '/', weight: 1, isLive: false }
    for (let i = 0; i < 1000; i++) responseCache.remember(`/x${i}`, large)
    assert.ok(responseCache.size <= 64, `${responseCache.size} bodies of a megabyte`)
    const small = { ...large, source: { read: () => Buffer.alloc(1) } }
    for (let i = 0; i < 1000; i++) responseCache.remember(`/y${i}`, small)
    assert.ok(responseCache.size <= 512)
    responseCache.clear()
    responseCache.remember(`/${'z'.repeat(1000)}`, small)
    assert.equal(responseCache.size, 0)
  })
})
