// Capacity of an account and the venue: rates, the queue, held orders, a silent relayer.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { RELAY_SILENCE_MS } from '@openvenue/core/relay'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { openCache } from '@openvenue/store/db/cache'
import { funded } from '../../test/funded.ts'
import { intentOf } from '../../test/made-intents.ts'
import {
  RELAY_STATUS,
  type Reply,
  type TradingNodes,
  type TradingOptions,
  tradingNodes,
} from '../../test/trading-node.ts'
import { type Rate, rateBuckets } from '../http/limits.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import { LIVE_PER_ACCOUNT_MAX } from '../orders/place/reservation.ts'
import { HELD_MAX, overHeld, overQueue, QUEUE_SHARES } from '../orders/relay/relay-status.ts'

const scenario = funded('ETH-USDC')
let venue: TradingNodes
let close = async () => {}
afterEach(async () => {
  await close()
  close = async () => {}
})

const open = async (options: TradingOptions = {}) => {
  venue = await tradingNodes(scenario, options)
  close = venue.close
  return venue
}
const withRates = async (rates: Readonly<{ privateRate?: Rate; ordersRate?: Rate }>) => {
  const all = { publicRate: undefined, privateRate: undefined, registerRate: undefined, ...rates }
  const buckets = rateBuckets({ ...all, settings: ACCOUNT_SETTINGS })
  const { consume } = await openCache({ buckets })
  return open({ host: { rates: { consume, publicRate: undefined, proxyHops: 0, ...rates } } })
}
const place = async (members: object = {}, who = 'alice') =>
  venue.send(who, 'POST /orders', { body: await venue.orderOf(who, members) })
const cancel = (id: string, who = 'alice') => venue.send(who, `DELETE /orders/${id}`)
const batch = async (count: number, who: string) => {
  const orders = []
  for (let made = 0; made < count; made += 1) orders.push(await venue.orderOf(who))
  return venue.send(who, 'POST /batch-orders', { body: { orders } })
}

describe('rates of an account', () => {
  test('reads beyond the rate of an account stop neither its orders nor its cancels', async () => {
    await withRates({ privateRate: { points: 1, seconds: 60 }, ordersRate: RATE })
    assert.equal((await venue.send('alice', 'GET /open-orders')).status, 200)
    assert.equal((await venue.send('alice', 'GET /open-orders')).status, 429)
    const { status, body } = await place()
    assert.equal(status, 200)
    assert.equal((await cancel(body.order_id)).status, 200)
    // It is refused because there is no canceller, and not because of the rate.
    const sent = { body: { timeout_ms: 5000 } }
    const timer = await venue.send('alice', 'POST /account/cancel-after', sent)
    assert.equal(timer.body.error, 'CANCEL_SIGNATURE_REQUIRED')
  })

  test('a batch counts for its orders, and is taken whole or not at all', async () => {
    await withRates({ ordersRate: RATE })
    const two = await batch(2, 'alice')
    assert.equal(two.status, 200)
    assert.equal(two.headers['ratelimit-policy'], '"orders";q=3;w=60')
    assert.match(String(two.headers.ratelimit), /^"orders";r=1;/)
    assert.equal((await place()).status, 200)
    const late = await place()
    assert.deepEqual([late.status, late.body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.ok(Number(late.headers['retry-after']) > 0)

    const four = await batch(4, 'bob')
    assert.deepEqual([four.status, four.body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    const { intents } = await venue.store.intents.live()
    assert.equal(intents.filter(({ wallet }) => wallet === venue.walletOf('bob')).length, 0)
  })

  test('every request counts as one: malformed and repeated ones too', async () => {
    await withRates({ ordersRate: RATE })
    const left = ({ headers }: Reply) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1]
    const body = await venue.orderOf('alice')
    const post = (given: unknown) => venue.send('alice', 'POST /orders', { body: given })
    const sent = [await post(body), await post(body), await post({ ...body, amount: 'x' })]
    assert.deepEqual(
      sent.map((reply) => [reply.status, left(reply)]),
      [
        [200, '2'],
        [200, '1'],
        [400, '0'],
      ],
    )
    assert.equal((await post('nothing')).status, 429)
  })

  test('an account may send twice as many cancels as orders', async () => {
    await withRates({ ordersRate: RATE })
    const statuses = []
    for (let asked = 0; asked < 2 * RATE.points + 1; asked += 1)
      statuses.push((await cancel(`0x${'00'.repeat(32)}`)).status)
    assert.deepEqual(statuses, [404, 404, 404, 404, 404, 404, 429])
  })
})
const RATE: Rate = { points: 3, seconds: 60 }

describe('the queue', () => {
  const status = { gasPerBlock: 100, blockMs: 500 }
  const over = (waiting: number, gas: number, share: number) =>
    overQueue({ ...RELAY_STATUS, ...status }, { waiting, gas, share })

  test('the queue has two blocks, of which each class may fill its share', () => {
    const { reduceOnly, postOnly, rest } = QUEUE_SHARES
    assert.equal(over(100, 60, rest), undefined)
    assert.notEqual(over(101, 60, rest), undefined)
    assert.equal(over(101, 60, postOnly), undefined)
    assert.notEqual(over(121, 60, postOnly), undefined)
    assert.equal(over(140, 60, reduceOnly), undefined)
    assert.notEqual(over(141, 60, reduceOnly), undefined)
  })

  test('the queue takes an order of any size while it is empty, or it would never go', () => {
    assert.equal(over(0, 1000, QUEUE_SHARES.rest), undefined)
    assert.notEqual(over(1, 1000, QUEUE_SHARES.rest), undefined)
  })

  test('a full queue refuses with 429, the time to retry and its length; cancels go on', async () => {
    await open()
    await venue.say({ gasPerBlock: 60_000 })
    const first = await place()
    assert.equal(first.status, 200)
    await venue.caughtUp()
    const second = await place()
    assert.deepEqual([second.status, second.body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.equal(second.headers['retry-after'], '1')
    assert.deepEqual(second.body.details[0].queue, { gas: 53_185, blocks: 0.89 })
    assert.equal((await place({ post_only: true })).status, 200)
    assert.equal((await cancel(first.body.order_id)).status, 200)
  })
})

describe('a batch', () => {
  test('a batch is taken as far as the queue has room, and the rest is refused with the time to retry', async () => {
    await open()
    await venue.say({ gasPerBlock: 60_000 })
    const { status, body } = await batch(3, 'alice')
    assert.deepEqual([status, body.success], [200, false])
    const codes = body.results.map(
      ({ error, order_status }: Reply['body']) => error ?? order_status,
    )
    assert.deepEqual(codes, ['pending', 'RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'])
    const [, late] = body.results
    assert.deepEqual(late.details[0].queue, { gas: 53_185, blocks: 0.89 })
    assert.ok(Number(late.retry_after) > 0)
  })
})

describe('orders of an account that live', () => {
  test(`live orders of an account are ${LIVE_PER_ACCOUNT_MAX}, held ones among them`, async () => {
    await open()
    const intents = Array.from({ length: LIVE_PER_ACCOUNT_MAX - 1 }, () =>
      intentOf(scenario, 'alice', { state: 'received', gas: 0 }),
    )
    await venue.store.intents.add(intents)
    await venue.caughtUp()
    assert.equal((await place()).status, 200)
    await venue.caughtUp()
    const { status, body } = await place()
    assert.deepEqual([status, body.error], [429, 'TOO_MANY_PENDING_ORDERS'])
    assert.equal(body.details[0].nearest, LIVE_PER_ACCOUNT_MAX)
    assert.equal((await place({}, 'bob')).status, 200)
    assert.equal(venue.hosts[0]?.intentBook.held, LIVE_PER_ACCOUNT_MAX - 1)
    await venue.move(intents[0]?.id ?? '', 'withdrawn')
    assert.equal(venue.hosts[0]?.intentBook.held, LIVE_PER_ACCOUNT_MAX - 2)
  })

  test('held orders of all accounts are bounded in number', async () => {
    await open()
    assert.equal(overHeld(HELD_MAX - 1), undefined)
    assert.equal(overHeld(HELD_MAX)?.code, 'TOO_MANY_PENDING_ORDERS')
  })
})

describe('a relayer that', () => {
  test('a relayer that has nothing to pay with gets no orders, but still gets cancels', async () => {
    await open()
    const { body } = await place()
    const [cancels, orders] = RELAY_STATUS.lanes
    assert.ok(cancels !== undefined && orders !== undefined)
    await venue.say({ lanes: [cancels, { ...orders, isFunded: false }] })
    const refused = await place()
    assert.deepEqual([refused.status, refused.body.error], [503, 'RELAY_UNFUNDED'])
    assert.equal((await cancel(body.order_id)).status, 200)
  })

  test('a silent relayer gets no orders that it could not include in time', async () => {
    await open()
    const { body } = await place()
    const nowMs = venue.hosts[0]?.intentBook.relay?.updatedMs ?? 0
    const silent = async (ms: number) => {
      await venue.store.intents.writeStatus(JSON.stringify(RELAY_STATUS), nowMs - ms)
      await venue.caughtUp()
      while (venue.hosts[0]?.intentBook.relay?.updatedMs !== nowMs - ms)
        await new Promise((resolve) => setImmediate(resolve))
      return place()
    }
    assert.equal((await silent(RELAY_SILENCE_MS - 1)).status, 200)
    const refused = await silent(RELAY_SILENCE_MS)
    assert.deepEqual([refused.status, refused.body.error], [503, 'TRADING_NOT_LIVE'])
    assert.equal((await cancel(body.order_id)).status, 200)
  })
})

describe('orders', () => {
  test('orders of one salt: the second is refused with the first', async () => {
    await open()
    const { body } = await place({ salt: '777' })
    await venue.caughtUp()
    const second = await place({ salt: '777', is_buy: true, amount: '3000000000000000' })
    assert.equal(second.body.error, 'ORDER_INVALID_SALT', JSON.stringify(second.body))
    assert.equal(second.body.details[0].facts.order_id, body.order_id)
  })

  test('orders of one salt at two engines do not conflict: each engine counts its own', async () => {
    await open()
    const market = LISTINGS['ETH-PERP'].id
    await venue.store.intents.add([intentOf(scenario, 'alice', { market, order: { salt: '778' } })])
    await venue.caughtUp()
    assert.equal((await place({ salt: '778' })).status, 200)
  })

  test('orders are 503 while the database is unavailable, placed and cancelled ones', async () => {
    await open()
    const { body } = await place()
    await venue.caughtUp()
    const next = { body: await venue.orderOf('alice') }
    await venue.store.db.primary.query('ALTER TABLE intents RENAME TO intents_away')
    const placed = await venue.send('alice', 'POST /orders', next)
    assert.deepEqual([placed.status, placed.body.error], [503, 'HISTORY_UNAVAILABLE'])
    const cancelled = await cancel(body.order_id)
    assert.deepEqual([cancelled.status, cancelled.body.error], [503, 'HISTORY_UNAVAILABLE'])
    await venue.store.db.primary.query('ALTER TABLE intents_away RENAME TO intents')
    assert.equal((await venue.send('alice', 'POST /orders', next)).status, 200)
  })
})
