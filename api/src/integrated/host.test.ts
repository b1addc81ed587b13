// Checks what the second host shares with the first: service endpoints, limits, headers, errors,
// pages.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { openCache } from '@openvenue/store/db/cache'
import { Problem } from '@openvenue/wire/field'
import { Health } from '@openvenue/wire/service'
import { Value } from 'typebox/value'
import {
  type IntegratedScenarioNode,
  integratedDefaults,
  integratedNode,
} from '../../test/integrated-node.ts'
import { POOLS, pooled, TOKENS, UNIT } from '../../test/pool-scenario.ts'
import { type Rate, rateBuckets } from '../http/limits.ts'
import { VenueModel } from '../model/venue-model.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import type { IntegratedHostDeps } from './host.ts'

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

type HttpReply = { status: number; headers: Record<string, unknown>; body: string }

/** Listens on a free port; `fetch` sends requests there. */
async function listening(overrides: Partial<IntegratedHostDeps> = {}) {
  const scenario = pooled()
  const node = await integratedNode(scenario.blocks(), overrides)
  await node.host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = node.host.addresses() as { port: number }[]
  const fetch = (path: string, headers = {}) =>
    new Promise<HttpReply>((resolve, reject) => {
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
  return { ...node, scenario, fetch }
}

async function limitedTo(points: number) {
  const rate: Rate = { points, seconds: 60 }
  const rates = { publicRate: rate, integratedRate: rate, privateRate: rate, registerRate: rate }
  const { consume } = await openCache({
    buckets: rateBuckets({ ...rates, settings: ACCOUNT_SETTINGS }),
  })
  return { consume, publicRate: rate, proxyHops: 0 }
}

describe('the second host', () => {
  test('the second host answers /health, /ready, /version and /time as the first does', async () => {
    const node = await integratedNode(pooled().blocks())
    const { status, body, text } = await node.get('/health')
    assert.equal(status, 200)
    assert.ok(Value.Check(Health, body), text)
    assert.equal((await node.get('/ready')).status, 200)
    assert.deepEqual((await node.get('/version')).body, {
      version: '0.0.0',
      node: process.version,
      environment: 'test',
      trading: 'live',
    })
    assert.deepEqual((await node.get('/time')).body, { time: `${node.nowMs()}000000` })
    await node.close()
  })

  test('the second host announces everywhere that trading is coming soon', async () => {
    const { settings } = integratedDefaults(new VenueModel(), () => 0)
    const node = await integratedNode(pooled().blocks(), {
      settings: { ...settings, trading: 'coming_soon' },
    })
    for (const path of ['/', '/health', '/version', '/api/clob/info'])
      assert.match((await node.get(path)).text, /"trading":"coming_soon"/, path)
    await node.close()
  })

  test('the second host is 503 on /ready while a dependency does not answer', async () => {
    const probes = {
      redis: async () => ({ ok: true }),
      rpc: async () => ({ ok: false, error: 'timeout' }),
      indexer: async () => ({ ok: true }),
    }
    const node = await integratedNode(pooled().blocks(), { probes })
    assert.equal((await node.get('/ready')).status, 503)
    await node.close()
  })

  test('the second host has a first page whose links all lead somewhere, and metrics', async () => {
    const node = await integratedNode(pooled().blocks())
    const { links } = (await node.get('/')).body as { links: Record<string, string> }
    for (const path of Object.values(links))
      assert.equal((await node.host.inject(path)).statusCode, 200, path)
    const page = await node.host.inject({ url: '/', headers: { accept: 'text/html' } })
    assert.match(page.body, /href="\.\/api\/markets\/earn-markets"/)
    await node.get(EARN)
    const metrics = (await node.host.inject('/metrics')).body
    assert.match(metrics, /requests_total\{route="\/api\/markets\/earn-markets",status="200"\} 2/)
    await node.close()
  })

  test('the second host does not limit requests for its status', async () => {
    const consume = async () => ({ allowed: false, remaining: 0, resetMs: 1000 })
    const rates = { consume, publicRate: { points: 1, seconds: 60 }, proxyHops: 0 }
    const node = await integratedNode(pooled().blocks(), { rates })
    for (const [url, status] of [
      ['/ready', 200],
      ['/health', 200],
      ['/metrics', 200],
      [EARN, 429],
    ] as const)
      assert.equal((await node.host.inject(url)).statusCode, status, url)
    await node.close()
  })

  test('the second host has a page of its description with its files', async () => {
    const node = await integratedNode(pooled().blocks())
    const { statusCode, headers, body } = await node.host.inject('/docs')
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    for (const [, file = ''] of body.matchAll(/(?:src|href)="\.\/(docs\/[^"]+)"/g))
      assert.equal((await node.host.inject(`/${file}`)).statusCode, 200, file)
    await node.close()
  })

  test('the second host has none of the endpoints of the first', async () => {
    const node = await integratedNode(pooled().blocks())
    for (const path of ['/markets', '/account', '/register', '/orderbook/ETH-USDC', '/ws'])
      assert.equal((await node.get(path)).status, 404, path)
    await node.close()
  })

  test('the second host answers from memory what its routes answer, and follows the chain', async () => {
    const node = await listening()
    const check = async () => {
      for (const url of URLS) {
        const { 'x-request-id': id, ...routed } = (await node.host.inject(url)).headers
        const got = await node.fetch(url)
        assert.ok(id !== got.headers['x-request-id'], url)
        assert.equal(got.body, (await node.host.inject(url)).body, url)
        for (const name of ['x-block-number', 'content-type', 'access-control-allow-origin'])
          assert.equal(got.headers[name], routed[name], `${url} ${name}`)
      }
    }
    await check()
    const hits = node.host.responseCache.hits
    await check()
    assert.equal(node.host.responseCache.hits, hits + URLS.length)
    const known = node.scenario.blocks().length
    node.scenario.atPool('USDC/ETH v2', (pool) => pool.swap(true, 7n * UNIT.USDC)).next()
    node.scenario.atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 5n)).next()
    for (const block of node.scenario.blocks().slice(known)) {
      node.applyBlocks([block])
      await check()
    }
    node.undoBlock()
    await check()
    await node.close()
  })

  test('the second host updates answers from memory when the clock or the token list changes them', async () => {
    const node = await listening()
    node.scenario
      .on('ETH-USDC')
      .place('alice', 'buy', 300_000, 9n)
      .place('bob', 'sell', 300_000, 2n)
    node.scenario.atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 5n)).next()
    node.applyBlocks(node.scenario.blocks().slice(-1))
    const { settings } = integratedDefaults(node.model, node.nowMs)
    const newest = Math.max(...[...node.model.pools].map((pool) => pool.createdSeconds))
    const oldest = Math.min(...[...node.model.pools].map((pool) => pool.createdSeconds))
    const names = new Map([[TOKENS.ETH.address, { name: 'x', symbol: 'X', logoUri: '' }]])
    for (const url of URLS) await node.fetch(url)
    const check = async () => {
      for (const url of URLS)
        assert.equal((await node.fetch(url)).body, (await node.host.inject(url)).body, url)
    }
    node.names.take(names)
    await check()
    for (const created of [oldest, newest])
      for (const past of [0, 1]) {
        node.setNow(created + settings.newMarketsWindowSeconds + past)
        await check()
      }
    await node.close()
  })

  test('the second host drops every cached URL when a pool appears, since URLs may change their meaning', async () => {
    const node = await listening()
    for (const url of URLS) await node.fetch(url)
    assert.equal(node.host.responseCache.size, URLS.length)
    node.scenario.atPool('ETH/LIAR v2', () => {}).next()
    node.applyBlocks(node.scenario.blocks().slice(-1))
    assert.equal(node.host.responseCache.size, 0)
    await node.close()
  })

  test('the second host may be called from pages of any origin, or of those that the operator names', async () => {
    const origin = 'https://a.example'
    const anybody = await integratedNode(pooled().blocks())
    const open = await anybody.host.inject({ url: EARN, headers: { origin } })
    assert.equal(open.headers['access-control-allow-origin'], '*')
    await anybody.close()
    const named = await integratedNode(pooled().blocks(), { corsOrigins: [origin] })
    const allowed = async (from: string) =>
      (await named.host.inject({ url: EARN, headers: { origin: from } })).headers[
        'access-control-allow-origin'
      ]
    assert.equal(await allowed(origin), origin)
    assert.notEqual(await allowed('https://b.example'), 'https://b.example')
    await named.close()
  })
})

describe('an error of the second host', () => {
  const refused = async (
    node: IntegratedScenarioNode,
    options: { url: string; method?: 'POST' },
  ) => {
    const answer = await node.host.inject(options)
    const body = answer.json()
    assert.ok(Value.Check(Problem, body), answer.body)
    assert.equal(body.request_id, answer.headers['x-request-id'])
    return { status: answer.statusCode, error: body.error, headers: answer.headers }
  }

  test('an error of the second host has the one body: unknown paths, other methods, malformed URLs', async () => {
    const node = await integratedNode(pooled().blocks())
    for (const [options, status, error] of [
      [{ url: '/api' }, 404, 'ROUTE_NOT_FOUND'],
      [{ url: '/api/clob/pools' }, 404, 'ROUTE_NOT_FOUND'],
      [{ url: '/api/clob/pools/%zz' }, 400, 'MALFORMED_URL'],
      [{ url: `/api/clob/pools/${'a'.repeat(300)}` }, 414, 'URL_TOO_LONG'],
    ] as const) {
      const answer = await refused(node, options)
      assert.deepEqual([answer.status, answer.error], [status, error], options.url)
    }
    for (const url of [EARN, '/api/clob/info', '/api/clob/pools/ETH-USDC']) {
      const { status, error, headers } = await refused(node, { url, method: 'POST' })
      assert.deepEqual([status, error], [405, 'METHOD_NOT_ALLOWED'], url)
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
    }
    await node.close()
  })
})

describe('the limit of the second host', () => {
  test('the limit of the second host is sent with every answer, in a bucket of its own', async () => {
    const { consume, ...rates } = await limitedTo(10)
    const asked: string[] = []
    const counting: typeof consume = (bucket, ...rest) => {
      asked.push(bucket)
      return consume(bucket, ...rest)
    }
    const node = await listening({ rates: { ...rates, consume: counting } })
    for (const left of [9, 8]) {
      const { headers } = await node.fetch(EARN)
      assert.equal(headers['ratelimit-policy'], '"integrated";q=10;w=60')
      assert.match(String(headers.ratelimit), new RegExp(`^"integrated";r=${left};`))
    }
    assert.match(String((await node.fetch('/nowhere')).headers.ratelimit), /^"integrated";r=7;/)
    assert.deepEqual([...new Set(asked)], ['integrated'])
    assert.equal((await node.fetch('/health')).headers.ratelimit, undefined)
    await node.close()
  })

  test('the limit of the second host, once used up, is 429 with the time to wait on both answer paths', async () => {
    const node = await listening({ rates: await limitedTo(2) })
    await node.fetch(EARN)
    await node.fetch(EARN)
    for (const path of [EARN, '/api/clob/info']) {
      const { status, headers, body } = await node.fetch(path)
      assert.deepEqual([status, JSON.parse(body).error], [429, 'RATE_LIMIT_EXCEEDED'], path)
      assert.match(String(headers['retry-after']), /^(59|60)$/)
    }
    await node.close()
  })

  test('the limit of the second host may be off; then no header mentions it', async () => {
    const node = await integratedNode(pooled().blocks())
    assert.equal((await node.get(EARN)).headers.ratelimit, undefined)
    await node.close()
  })
})
