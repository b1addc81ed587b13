// Orders that the venue pays for, by account, and their remaining number in GET /limits.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { openCache } from '@openvenue/store/db/cache'
import { funded } from '../../test/funded.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'
import { rateBuckets } from '../http/limits.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import type { OrderBudgetSettings } from '../orders/relay/order-budgets.ts'

const MILLION = 1_000_000n
let scenario = funded('ETH-USDC')
let venue: TradingNodes
let close = async () => {}
afterEach(async () => {
  await close()
  close = async () => {}
})

const open = async (orderBudget: OrderBudgetSettings | undefined, nodes = 1) => {
  scenario = funded('ETH-USDC')
  venue = await tradingNodes(scenario, { nodes, settings: { orderBudget } })
  close = venue.close
}
const place = async (who = 'alice', node = 0) =>
  venue.send(who, 'POST /orders', { node, body: await venue.orderOf(who) })
const limits = async (node = 0) => (await venue.send('alice', 'GET /limits', { node })).body
const statusesOf = async (count: number, node = 0) => {
  const statuses = []
  for (let sent = 0; sent < count; sent += 1) statuses.push((await place('alice', node)).status)
  return statuses
}
/** Lets `seconds` pass: the open block is one second after the head. */
const pass = async (seconds: number) => {
  scenario.next(seconds - 1).next()
  await venue.follow()
  await venue.say({})
}

describe('the orders that the venue pays for', () => {
  test('after the free orders are used up there is one in 10 s, and cancels are always possible', async () => {
    await open({ initial: 2, perUsdc: 0n })
    const first = await place()
    assert.equal((await place()).status, 200)
    const { status, body, headers } = await place()
    assert.deepEqual([status, body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.equal(headers['retry-after'], '10')
    const [detail] = body.details
    assert.match(detail.message, /POST \/orders\/build/)
    assert.deepEqual([detail.field, detail.value, detail.facts.maximum], ['maker', '2', '2'])
    assert.equal((await place('bob')).status, 200)
    assert.equal((await venue.send('alice', `DELETE /orders/${first.body.order_id}`)).status, 200)

    await pass(9)
    const early = await place()
    assert.deepEqual([early.status, early.headers['retry-after']], [429, '1'])
    await pass(1)
    assert.deepEqual(await statusesOf(2), [200, 429])
  })

  test('the orders that the venue pays for are counted one by one in a batch, and many at once get no more', async () => {
    await open({ initial: 5, perUsdc: 0n })
    const orders = await Promise.all(Array.from({ length: 4 }, () => venue.orderOf('alice')))
    const { body } = await venue.send('alice', 'POST /batch-orders', { body: { orders } })
    assert.equal(body.success, true)
    const more = await Promise.all(Array.from({ length: 20 }, () => place()))
    assert.equal(more.filter(({ status }) => status === 200).length, 1)
    const late = [await venue.orderOf('alice'), await venue.orderOf('alice')]
    const batch = await venue.send('alice', 'POST /batch-orders', { body: { orders: late } })
    const errors = batch.body.results.map(({ error }: { error: string }) => error)
    assert.deepEqual(errors, ['RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'])
  })

  test('the orders that the venue pays for are the same at every node, also at one that begins later', async () => {
    await open({ initial: 3, perUsdc: 0n }, 2)
    assert.deepEqual(await statusesOf(2, 0), [200, 200])
    assert.deepEqual(await statusesOf(2, 1), [200, 429])
    assert.equal((await limits(0)).order_budget.used, 3)
  })

  test('the orders that the venue pays for are not used by a repeat, nor by what is refused or could not be written', async () => {
    await open({ initial: 2, perUsdc: 0n })
    const body = await venue.orderOf('alice')
    const one = () => venue.send('alice', 'POST /orders', { body })
    assert.equal((await one()).status, 200)
    assert.equal((await one()).headers['idempotent-replayed'], 'true')
    const off = { body: await venue.orderOf('alice', { amount: '1' }) }
    assert.equal((await venue.send('alice', 'POST /orders', off)).status, 400)
    const rename = (from: string, to: string) =>
      venue.store.db.primary.query(`ALTER TABLE ${from} RENAME TO ${to}`)
    await rename('intents', 'intents_away')
    assert.equal((await place()).status, 503)
    await rename('intents_away', 'intents')
    assert.equal((await limits()).order_budget.used, 1)
    assert.deepEqual(await statusesOf(2), [200, 429])
    // Nor does an order that could not be recorded use up the one of ten seconds.
    await pass(10)
    await rename('intents', 'intents_away')
    assert.equal((await place()).status, 503)
    await rename('intents_away', 'intents')
    assert.deepEqual(await statusesOf(2), [200, 429])
  })

  test('the orders that the venue pays for are more for each USDC traded', async () => {
    await open({ initial: 1, perUsdc: 10n * MILLION })
    assert.deepEqual(await statusesOf(2), [200, 429])
    const before = await limits()
    assert.deepEqual([before.order_budget.allowed, before.order_budget.remaining], [1, 0])
    const { tick, lots } = { tick: 200_000, lots: 10n }
    scenario.place('bob', 'sell', tick, lots).place('alice', 'buy', tick, lots)
    await pass(1)
    assert.equal((await limits()).order_budget.allowed, 1, 'the volume is summed every 5 s')
    await pass(4)
    const { account_statistics } = (await venue.send('alice', 'GET /account/stats')).body
    const volume = Number(account_statistics.all_time.spot[0].volume)
    assert.ok(volume > 1, String(volume))
    const { order_budget } = await limits()
    assert.equal(order_budget.allowed, 1 + volume * 10)
    assert.equal(order_budget.remaining, volume * 10)
    assert.equal((await place()).status, 200)
  })
})

describe('GET /limits', () => {
  test('GET /limits reports the rest of each bucket, and uses no orders or cancels', async () => {
    scenario = funded('ETH-USDC')
    const rates = {
      publicRate: undefined,
      privateRate: { points: 9, seconds: 60 },
      ordersRate: { points: 5, seconds: 60, burst: 2 },
      registerRate: undefined,
    }
    const { consume } = await openCache({
      buckets: rateBuckets({ ...rates, settings: ACCOUNT_SETTINGS }),
    })
    venue = await tradingNodes(scenario, {
      host: { rates: { consume, proxyHops: 0, ...rates } },
    })
    close = venue.close
    const bucket = ({ limit, window_seconds, burst, remaining }: Record<string, number>) =>
      [limit, window_seconds, burst, remaining] as const
    await limits()
    const { requests, orders, cancels } = await limits()
    assert.deepEqual(bucket(requests), [9, 60, 0, 7])
    assert.deepEqual(bucket(orders), [5, 60, 2, 5])
    assert.deepEqual(bucket(cancels), [10, 60, 4, 10])
    assert.ok(requests.reset_ms > 0 && requests.reset_ms <= 60_000)
    const { body } = await place()
    await venue.send('alice', `DELETE /orders/${body.order_id}`)
    const after = await limits()
    assert.deepEqual([after.orders.remaining, after.cancels.remaining], [4, 9])
  })

  test('GET /limits reports live and queued orders, and no limit where there is none', async () => {
    await open(undefined)
    await venue.say({ gasPerBlock: 100_000 })
    const { body } = await place()
    await venue.caughtUp()
    assert.deepEqual(await limits(), {
      account: venue.walletOf('alice'),
      requests: null,
      orders: null,
      cancels: null,
      order_budget: null,
      live_orders: { limit: 1000, used: 1 },
      queue: { gas: 53_185, blocks: 0.54, blocks_max: 2, gas_per_block: 100_000 },
    })
    await venue.send('alice', `DELETE /orders/${body.order_id}`)
    await venue.caughtUp()
    const { live_orders, queue } = await limits()
    assert.deepEqual([live_orders.used, queue.gas], [0, 0])
  })
})
