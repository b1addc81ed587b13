import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { afterEach, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { tradingSockets } from '@openvenue/api/test/trading-sockets'
import {
  AuthError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnexpectedAnswerError,
} from '../errors.ts'
import { RequestSigner } from '../hmac.ts'
import { InputError } from '../input.ts'
import { pages } from './pages.ts'
import { Rest, type RestOptions } from './rest.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

type Options = Parameters<typeof tradingSockets>[1]
async function open(options: Options = {}) {
  const scenario = funded('ETH-USDC')
  const venue = await tradingSockets(scenario, options)
  closings.push(venue.close)
  const url = venue.urls[0] as string
  const rest = (more: Partial<RestOptions> = {}) => new Rest({ url, ...more })
  return { venue, scenario, rest, apiKey: await venue.issue('alice') }
}

describe('a REST request', () => {
  test('a request for public data returns the data and its block', async () => {
    const { venue, rest } = await open()
    const { body, blockNumber, blockHash } = await rest().ask('GET /markets')
    assert.deepEqual(
      body.map(({ instrument_name }) => instrument_name),
      ['ETH-USDC'],
    )
    const { head } = venue.models[0] as (typeof venue.models)[0]
    assert.deepEqual([blockNumber, blockHash], [head?.number, head?.hash])
    const again = await rest().ask('GET /markets', {}, { minBlock: blockNumber })
    assert.equal(again.blockNumber, blockNumber)
  })

  test('a request fills in its path and query', async () => {
    const { venue, scenario, rest } = await open()
    for (const tick of [200_000, 200_001])
      scenario.place('bob', 'sell', tick, 10n).place('alice', 'buy', tick, 10n).next()
    await venue.follow()
    const path = { instrument_name: 'ETH-USDC' }
    const { trade_history: all } = await rest().call(
      'GET /instrument/{instrument_name}/trade-history',
      { path },
    )
    assert.equal(all.length, 2)
    const query = { limit: 1 }
    const { trade_history: trades } = await rest().call(
      'GET /instrument/{instrument_name}/trade-history',
      { path, query },
    )
    assert.deepEqual(trades, all.slice(0, 1))
  })

  test('path parameters cannot redirect a request to another endpoint', async () => {
    const rest = new Rest({ url: 'http://127.0.0.1:1' })
    for (const order_id of ['', '.', '..', '\ud800'])
      await assert.rejects(rest.call('GET /orders/{order_id}', { path: { order_id } }), InputError)
    const sent: string[] = []
    const fetch = async (url: string) => {
      sent.push(url)
      return new Response('{}', { headers: { 'content-type': 'application/json' } })
    }
    const path = { order_id: '../account?a=b#c' }
    await new Rest({ url: 'http://venue', fetch }).call('GET /orders/{order_id}', { path })
    assert.deepEqual(sent, ['http://venue/orders/..%2Faccount%3Fa%3Db%23c'])
  })

  test('a request with a key and a body acts for the account of the key', async () => {
    const { venue, rest, apiKey } = await open()
    const body = (await venue.orderOf('alice')) as never
    const order = await rest({ apiKey }).call('POST /orders', { body })
    assert.equal(order.order_status, 'pending')
    const path = { order_id: order.order_id }
    const read = await rest({ apiKey }).call('GET /orders/{order_id}', { path })
    assert.equal(read.order_id, order.order_id)
  })

  test('a refused request throws the class of its refusal with code and details', async () => {
    const { venue, rest, apiKey } = await open()
    const path = { instrument_name: 'NO-SUCH' }
    await assert.rejects(rest().call('GET /instrument/{instrument_name}', { path }), (error) => {
      assert.ok(error instanceof NotFoundError)
      return (
        error.code === 'INSTRUMENT_NOT_FOUND' &&
        error.status === 404 &&
        error.requestId !== undefined
      )
    })
    await assert.rejects(rest().call('GET /open-orders'), (error) => {
      assert.ok(error instanceof AuthError)
      return error.code === 'AUTH_REQUIRED'
    })
    const body = (await venue.orderOf('alice', { amount: '1' })) as never
    await assert.rejects(rest({ apiKey }).call('POST /orders', { body }), (error) => {
      assert.ok(error instanceof InvalidRequestError)
      return error.details[0]?.field === 'amount' && error.details[0]?.nearest !== undefined
    })
  })

  test('a rate-limited request is retried after the time in its refusal, if patience is set', async () => {
    let requests = 0
    const rates = {
      consume: async () => {
        const allowed = requests++ % 2 === 1
        return { allowed, remaining: allowed ? 1 : 0, resetMs: 10 }
      },
      publicRate: { points: 1, seconds: 1 },
      proxyHops: 0,
    }
    const { rest } = await open({ host: { rates } })
    await assert.rejects(rest().call('GET /time'), (error) => {
      assert.ok(error instanceof RateLimitedError)
      return (error.retryAfterMs ?? 0) > 0
    })
    requests = 0
    const patience = { retries: 1, waitMsMax: 5_000 }
    const startMs = performance.now()
    assert.match((await rest({ patience }).call('GET /time')).time, /^[0-9]+$/)
    assert.ok(performance.now() - startMs >= 10)
    assert.equal(requests, 2)
    requests = 0
    const hurry = { retries: 1, waitMsMax: 1 }
    await assert.rejects(rest({ patience: hurry }).call('GET /time'), RateLimitedError)
  })

  test("a request throws when its signal aborts, no answer comes or the answer is not the venue's", async () => {
    const { rest } = await open()
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await assert.rejects(rest().call('GET /time', {}, { signal }), reason)
    await assert.rejects(rest({ signal }).call('GET /time'), reason)
    await assert.rejects(rest({ url: 'http://127.0.0.1:1' }).call('GET /time'), ConnectionError)
    const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    await assert.rejects(rest({ fetch }).call('GET /time'), UnexpectedAnswerError)
  })
})

test('pages of a list are read one by one until the last', async () => {
  const { venue, rest, apiKey } = await open()
  for (let made = 0; made < 5; made++)
    await rest({ apiKey }).call('POST /orders', { body: (await venue.orderOf('alice')) as never })
  const counts: number[] = []
  const ids = new Set<string>()
  for await (const { orders } of pages(rest({ apiKey }), 'GET /open-orders', {
    query: { limit: 2, include: 'pending' },
  })) {
    counts.push(orders.length)
    for (const { order_id } of orders) ids.add(order_id)
  }
  assert.deepEqual([counts, ids.size], [[2, 2, 1], 5])
})

test('a signature covers key, timestamp and parts, and every timestamp is unique', async () => {
  const [key, secret] = ['a'.repeat(32), 'b'.repeat(64)]
  const signer = new RequestSigner({ key, secret, signs: true }, () => 1_700_000_000_000)
  const all = [await signer.sign('GET', 'time', ''), await signer.sign('GET', 'time', '')]
  for (const { timestamp, signature } of all) {
    const text = `${key},${timestamp},GET,time,`
    assert.equal(signature, createHmac('sha256', secret).update(text).digest('hex'))
  }
  assert.deepEqual(
    all.map(({ timestamp }) => timestamp),
    ['1700000000000000000', '1700000000000000001'],
  )
})
