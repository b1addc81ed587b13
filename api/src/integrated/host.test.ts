// What the second host shares with the first: service endpoints, limits, headers, errors, pages.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { openCache } from '@openvenue/store/cache'
import { Problem } from '@openvenue/wire/field'
import { Health } from '@openvenue/wire/service'
import { Value } from 'typebox/value'
import {
  type IntegratedScenario,
  integratedApp,
  integratedDefaults,
} from '../../test/integrated-host.ts'
import { POOLS, pooled, TOKENS, UNIT } from '../../test/pool-scenario.ts'
import { ACCOUNT_SETTINGS } from '../account/settings.ts'
import { bucketsOf, type Rate } from '../http/limits.ts'
import type { IntegratedAppDeps } from './integrated-host.ts'

const EARN = '/api/markets/earn-markets'
const URLS = [
  '/time',
  '/version',
  EARN,
  `${EARN}?limit=1&sort=volume24h&type=amm&token=eth`,
  '/api/markets/new-markets',
  '/api/markets/new-markets?type=clmm',
  '/api/clob/pools/ETH-USDC',
  `/api/clob/pools/${POOLS.pair}`,
  '/api/clob/info',
]

type Got = { status: number; headers: Record<string, unknown>; body: string }

/** Listens on a free port; `fetch` asks there. */
async function listening(overrides: Partial<IntegratedAppDeps> = {}) {
  const told = pooled()
  const host = await integratedApp(told.blocks(), overrides)
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const [address] = host.app.addresses() as { port: number }[]
  const fetch = (path: string, headers = {}) =>
    new Promise<Got>((resolve, reject) => {
      const sent = request({ port: address?.port, path, headers }, (response) => {
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
  return { ...host, told, fetch }
}

async function limitedTo(points: number) {
  const rate: Rate = { points, seconds: 60 }
  const rates = { publicRate: rate, integratedRate: rate, privateRate: rate, registerRate: rate }
  const { consume } = await openCache({
    buckets: bucketsOf({ ...rates, settings: ACCOUNT_SETTINGS }),
  })
  return { consume, publicRate: rate, proxyHops: 0 }
}

describe('the second host', () => {
  test('answers /health, /ready, /version and /time as the first does', async () => {
    const host = await integratedApp(pooled().blocks())
    const { status, body, text } = await host.get('/health')
    assert.equal(status, 200)
    assert.ok(Value.Check(Health, body), text)
    assert.equal((await host.get('/ready')).status, 200)
    assert.deepEqual((await host.get('/version')).body, {
      version: '0.0.0',
      node: process.version,
      environment: 'test',
    })
    assert.deepEqual((await host.get('/time')).body, { time: `${host.nowMs()}000000` })
    await host.close()
  })

  test('is 503 on /ready while a dependency does not answer', async () => {
    const probes = {
      redis: async () => ({ ok: true }),
      rpc: async () => ({ ok: false, error: 'timeout' }),
      indexer: async () => ({ ok: true }),
    }
    const host = await integratedApp(pooled().blocks(), { probes })
    assert.equal((await host.get('/ready')).status, 503)
    await host.close()
  })

  test('has a first page whose links all lead somewhere, and metrics', async () => {
    const host = await integratedApp(pooled().blocks())
    const { links } = (await host.get('/')).body as { links: Record<string, string> }
    for (const path of Object.values(links))
      assert.equal((await host.app.inject(path)).statusCode, 200, path)
    const page = await host.app.inject({ url: '/', headers: { accept: 'text/html' } })
    assert.match(page.body, /href="\.\/api\/markets\/earn-markets"/)
    await host.get(EARN)
    const metrics = (await host.app.inject('/metrics')).body
    assert.match(metrics, /requests_total\{route="\/api\/markets\/earn-markets",status="200"\} 2/)
    await host.close()
  })

  test('has a page of its description with its files', async () => {
    const host = await integratedApp(pooled().blocks())
    const { statusCode, headers, body } = await host.app.inject('/docs')
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    for (const [, file = ''] of body.matchAll(/(?:src|href)="\.\/(docs\/[^"]+)"/g))
      assert.equal((await host.app.inject(`/${file}`)).statusCode, 200, file)
    await host.close()
  })

  test('has none of the endpoints of the first', async () => {
    const host = await integratedApp(pooled().blocks())
    for (const path of ['/markets', '/account', '/register', '/orderbook/ETH-USDC', '/ws'])
      assert.equal((await host.get(path)).status, 404, path)
    await host.close()
  })

  test('answers from memory what its routes answer, and follows the chain', async () => {
    const host = await listening()
    const check = async () => {
      for (const url of URLS) {
        const { 'x-request-id': id, ...routed } = (await host.app.inject(url)).headers
        const got = await host.fetch(url)
        assert.ok(id !== got.headers['x-request-id'], url)
        assert.equal(got.body, (await host.app.inject(url)).body, url)
        for (const name of ['x-block-number', 'content-type', 'access-control-allow-origin'])
          assert.equal(got.headers[name], routed[name], `${url} ${name}`)
      }
    }
    await check()
    const hits = host.app.hot.hits
    await check()
    assert.equal(host.app.hot.hits, hits + URLS.length)
    const known = host.told.blocks().length
    host.told.atPool('USDC/ETH v2', (pool) => pool.swap(true, 7n * UNIT.USDC)).next()
    host.told.atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 5n)).next()
    for (const block of host.told.blocks().slice(known)) {
      host.tell([block])
      await check()
    }
    host.untell()
    await check()
    await host.close()
  })

  test('answers from memory what the clock and the token list make of it', async () => {
    const host = await listening()
    host.told.on('ETH-USDC').place('alice', 'buy', 300_000, 9n).place('bob', 'sell', 300_000, 2n)
    host.told.atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 5n)).next()
    host.tell(host.told.blocks().slice(-1))
    const { settings } = integratedDefaults(host.model, host.nowMs)
    const newest = Math.max(...[...host.model.pools].map((pool) => pool.createdSeconds))
    const oldest = Math.min(...[...host.model.pools].map((pool) => pool.createdSeconds))
    const names = new Map([[TOKENS.ETH.address, { name: 'x', symbol: 'X', logoUri: '' }]])
    for (const url of URLS) await host.fetch(url)
    const check = async () => {
      for (const url of URLS)
        assert.equal((await host.fetch(url)).body, (await host.app.inject(url)).body, url)
    }
    host.names.take(names)
    await check()
    for (const created of [oldest, newest])
      for (const past of [0, 1]) {
        host.setNow(created + settings.newMarketsWindowSeconds + past)
        await check()
      }
    await host.close()
  })

  test('forgets every URL when a pool appears, since URLs may mean something else', async () => {
    const host = await listening()
    for (const url of URLS) await host.fetch(url)
    assert.equal(host.app.hot.size, URLS.length)
    host.told.atPool('ETH/LIAR v2', () => {}).next()
    host.tell(host.told.blocks().slice(-1))
    assert.equal(host.app.hot.size, 0)
    await host.close()
  })

  test('may be called from pages of any origin, or of those that the operator names', async () => {
    const origin = 'https://a.example'
    const anybody = await integratedApp(pooled().blocks())
    const open = await anybody.app.inject({ url: EARN, headers: { origin } })
    assert.equal(open.headers['access-control-allow-origin'], '*')
    await anybody.close()
    const named = await integratedApp(pooled().blocks(), { corsOrigins: [origin] })
    const allowed = async (from: string) =>
      (await named.app.inject({ url: EARN, headers: { origin: from } })).headers[
        'access-control-allow-origin'
      ]
    assert.equal(await allowed(origin), origin)
    assert.notEqual(await allowed('https://b.example'), 'https://b.example')
    await named.close()
  })
})

describe('an error of the second host', () => {
  const refused = async (host: IntegratedScenario, options: { url: string; method?: 'POST' }) => {
    const answer = await host.app.inject(options)
    const body = answer.json()
    assert.ok(Value.Check(Problem, body), answer.body)
    assert.equal(body.request_id, answer.headers['x-request-id'])
    return { status: answer.statusCode, error: body.error, headers: answer.headers }
  }

  test('has the one body: unknown paths, other methods, malformed URLs', async () => {
    const host = await integratedApp(pooled().blocks())
    for (const [options, status, error] of [
      [{ url: '/api' }, 404, 'ROUTE_NOT_FOUND'],
      [{ url: '/api/clob/pools' }, 404, 'ROUTE_NOT_FOUND'],
      [{ url: '/api/clob/pools/%zz' }, 400, 'MALFORMED_URL'],
      [{ url: `/api/clob/pools/${'a'.repeat(300)}` }, 414, 'URL_TOO_LONG'],
    ] as const) {
      const answer = await refused(host, options)
      assert.deepEqual([answer.status, answer.error], [status, error], options.url)
    }
    for (const url of [EARN, '/api/clob/info', '/api/clob/pools/ETH-USDC']) {
      const { status, error, headers } = await refused(host, { url, method: 'POST' })
      assert.deepEqual([status, error], [405, 'METHOD_NOT_ALLOWED'], url)
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
    }
    await host.close()
  })
})

describe('the limit of the second host', () => {
  test('is told on every answer, in a bucket of its own', async () => {
    const { consume, ...rates } = await limitedTo(10)
    const asked: string[] = []
    const counting: typeof consume = (bucket, ...rest) => {
      asked.push(bucket)
      return consume(bucket, ...rest)
    }
    const host = await listening({ rates: { ...rates, consume: counting } })
    for (const left of [9, 8]) {
      const { headers } = await host.fetch(EARN)
      assert.equal(headers['ratelimit-policy'], '"integrated";q=10;w=60')
      assert.match(String(headers.ratelimit), new RegExp(`^"integrated";r=${left};`))
    }
    assert.match(String((await host.fetch('/nowhere')).headers.ratelimit), /^"integrated";r=7;/)
    assert.deepEqual([...new Set(asked)], ['integrated'])
    assert.equal((await host.fetch('/health')).headers.ratelimit, undefined)
    await host.close()
  })

  test('once used up is 429 with the time to wait, at either way of answering', async () => {
    const host = await listening({ rates: await limitedTo(2) })
    await host.fetch(EARN)
    await host.fetch(EARN)
    for (const path of [EARN, '/api/clob/info']) {
      const { status, headers, body } = await host.fetch(path)
      assert.deepEqual([status, JSON.parse(body).error], [429, 'RATE_LIMIT_EXCEEDED'], path)
      assert.match(String(headers['retry-after']), /^(59|60)$/)
    }
    await host.close()
  })

  test('may be off; then no header speaks of it', async () => {
    const host = await integratedApp(pooled().blocks())
    assert.equal((await host.get(EARN)).headers.ratelimit, undefined)
    await host.close()
  })
})
