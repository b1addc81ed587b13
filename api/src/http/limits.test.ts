// Rate limits: sent with every answer, and counted alike on every path.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCache } from '@openvenue/store/db/cache'
import { Problem } from '@openvenue/wire/field'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import { bucketsFor } from '../../test/buckets.ts'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import { PUBLIC_RATE, type Rate, RateLimits } from './limits.ts'

const open = (overrides: Partial<ApiHostDeps> = {}) =>
  scenarioNode(funded('ETH-USDC').blocks(), undefined, overrides)

async function limited(points: number, proxyHops = 0, publicRate: Rate = { points, seconds: 60 }) {
  const { consume } = await openCache({ buckets: bucketsFor(publicRate) })
  return open({ rates: { consume, publicRate, proxyHops } })
}

describe('rate limits', () => {
  test('rate limits are sent with every answer, refused ones and unknown routes included', async () => {
    const { host, close } = await limited(600)
    const getHeaders = async (url: string) => (await host.inject(url)).headers
    const first = await getHeaders('/time')
    assert.equal(first['ratelimit-policy'], '"public";q=600;w=60')
    assert.equal(first.ratelimit, '"public";r=599;t=60')
    assert.match(String((await getHeaders('/nowhere')).ratelimit), /^"public";r=598;/)
    assert.match(String((await getHeaders('/markets/x')).ratelimit), /^"public";r=597;/)
    assert.match(String((await getHeaders('/orderbook')).ratelimit), /^"public";r=596;/)
    assert.match(String((await getHeaders('/markets/%ff')).ratelimit), /^"public";r=595;/)
    const long = `/markets/${'a'.repeat(300)}`
    assert.match(String((await getHeaders(long)).ratelimit), /^"public";r=594;/)
    await close()
  })

  test('rate limits apply to requests that cannot be parsed', async () => {
    const { host, close } = await limited(1)
    const getStatus = async () => (await host.inject('/markets/%ff')).statusCode
    assert.deepEqual([await getStatus(), await getStatus()], [400, 429])
    await close()
  })

  const candles = '/candles?instrument_name=ETH-USDC&resolution=1'
  const history = '/last-traded-tradingview/history?symbol=ETH-USDC&resolution=60'
  for (const [url, weight] of [
    ['/funding-history/ETH-USDC', 5],
    ['/funding-history?instrument_name=ETH-USDC', 5],
    [`${candles}&countback=1000`, 1],
    [`${candles}&countback=1001`, 5],
    [`${candles}&from=0&to=60000`, 1],
    [`${candles}&from=0&to=60061`, 5],
    [candles, 5],
    [`${history}&countback=1000`, 1],
    [`${history}&countback=5000`, 5],
    [`${history}&from=0&to=3600000`, 1],
    [`${history}&from=0&to=3603601`, 5],
    ['/markets/ETH-USDC/trades?limit=1000', 1],
    ['/orderbook/ETH-USDC', 1],
    ['/statistics/ETH/SPOT', 1],
  ] as const)
    test(`rate limits count ${url.slice(0, 90)} ${weight === 1 ? 'once' : 'five times'}`, async () => {
      const { host, close } = await limited(600)
      const { headers } = await host.inject(url)
      await close()
      assert.match(String(headers.ratelimit), new RegExp(`^"public";r=${600 - weight};`))
    })

  test('rate limits let 600 requests a minute through by default and a burst of 100, then no more', async () => {
    const { host, close } = await limited(0, 0, PUBLIC_RATE)
    const statuses: number[] = []
    for (let i = 0; i < 720; i++) statuses.push((await host.inject('/version')).statusCode)
    const { headers } = await host.inject('/version')
    await close()
    assert.equal(statuses.indexOf(429), 700)
    assert.equal(statuses.filter((status) => status === 429).length, 20)
    assert.equal(headers['ratelimit-policy'], '"public";q=600;w=60')
    assert.match(String(headers.ratelimit), /^"public";r=0;/)
  })

  test('rate limits once used up are 429 with the time to wait, in seconds and nanoseconds', async () => {
    const { host, close } = await limited(1)
    await host.inject('/time')
    const { statusCode, headers, ...answer } = await host.inject('/time')
    await close()
    assert.equal(statusCode, 429)
    const body = answer.json()
    assert.ok(Value.Check(Problem, body))
    assert.equal(body.error, 'RATE_LIMIT_EXCEEDED')
    assert.match(String(headers['retry-after']), /^(59|60)$/)
    assert.equal(headers['x-retry-after'], body.retry_after)
    assert.match(body.retry_after ?? '', /^(59|60)\d{9}$/)
    assert.match(String(headers.ratelimit), /^"public";r=0;t=(59|60)$/)
  })

  test('rate limits are kept for each client apart, as far as the proxies are trusted', async () => {
    const { host, close } = await limited(1, 1)
    const from = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (await host.inject({ url: '/time', headers })).statusCode
    }
    assert.equal(await from('1.1.1.1'), 200)
    assert.equal(await from('1.1.1.1'), 429)
    assert.equal(await from('9.9.9.9, 1.1.1.1'), 429)
    assert.equal(await from('2.2.2.2'), 200)
    await close()
  })

  test('rate limits do not trust the address in a header without a proxy', async () => {
    const { host, close } = await limited(1)
    const headers = { 'x-forwarded-for': '3.3.3.3' }
    await host.inject('/time')
    assert.equal((await host.inject({ url: '/time', headers })).statusCode, 429)
    await close()
  })

  test('rate limits remember 10,000 addresses that guess keys; the one refused longest ago is dropped', async () => {
    const consume = async () => ({ allowed: false, remaining: 0, resetMs: 60_000 })
    const limits = new RateLimits({ consume, publicRate: PUBLIC_RATE, proxyHops: 0 })
    const makeRequest = (remoteAddress: string) => {
      const raw = { socket: { remoteAddress }, headers: {} }
      return { raw, query: {}, routeOptions: { config: {} } } as unknown as FastifyRequest
    }
    const reply = { header: () => reply } as unknown as FastifyReply
    const guess = (address: string) =>
      assert.rejects(limits.countGuess(makeRequest(address), reply), {
        code: 'RATE_LIMIT_EXCEEDED',
      })
    const isGuessing = (address: string) => limits.isGuessing(makeRequest(address))
    for (let address = 1; address <= 10_000; address += 1) await guess(`${address}`)
    await guess('1')
    assert.deepEqual([isGuessing('1'), isGuessing('2')], [true, true])
    await guess('10001')
    assert.deepEqual([isGuessing('1'), isGuessing('2'), isGuessing('10001')], [true, false, true])
  })

  test('rate limits may be off; then no header mentions them', async () => {
    const { host, close } = await open()
    const { headers } = await host.inject('/time')
    await close()
    assert.equal(headers.ratelimit, undefined)
  })
})
