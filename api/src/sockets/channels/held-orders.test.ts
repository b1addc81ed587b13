// The channel of orders that are not yet on the chain: order entry, section 4.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OrderItem } from '@openvenue/wire/orders'
import { funded } from '../../../test/funded.ts'
import { issueKey } from '../../../test/keyed.ts'
import { type Client, connectTo } from '../../../test/socket-client.ts'
import { type TradingNodes, tradingNodes } from '../../../test/trading-node.ts'

const KEY_LIFE_MS = 4_000_000_000_000
const TICK = 150_000

const scenario = funded('ETH-USDC')
let venue: TradingNodes
let client: Client
before(async () => {
  const consume = async () => ({ allowed: true, remaining: 1, resetMs: 0 })
  const rates = { consume, publicRate: undefined, proxyHops: 0 }
  venue = await tradingNodes(scenario, { host: { rates } })
  const [host] = venue.hosts
  const url = await host?.listen({ host: '127.0.0.1', port: 0 })
  client = await connectTo(String(url), 'websocket')
  const { key, secret } = await issueKey(venue.store, venue.walletOf('alice'), 0, KEY_LIFE_MS)
  assert.equal((await client.ask('auth', { key, secret })).error, undefined)
  await client.ask('subscribe', ['orders'])
})
after(async () => {
  client.close()
  await venue.close()
})

const heard = (id: string): OrderItem[] =>
  client.frames
    .filter(({ channel, type }) => channel === 'orders' && type === 'update')
    .flatMap(({ data }) => data.orders as OrderItem[])
    .filter(({ order_id }) => order_id === id)
const untilStatus = (id: string, status: string) =>
  client.next(({ data }) =>
    ((data?.orders ?? []) as OrderItem[]).some(
      (order) => order.order_id === id && order.order_status === status,
    ),
  )
const place = async (members: object = {}) => {
  const body = await venue.orderOf('alice', members)
  const { body: placed } = await venue.send('alice', 'POST /orders', { body })
  return String(placed.order_id)
}

test('each transition is announced once, up to the chain and there', async () => {
  const id = await place({ client_order_id: 'mine' })
  await untilStatus(id, 'pending')
  await venue.move(id, 'sent', { txHash: `0x${'ab'.repeat(32)}` })
  scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
  await venue.follow()
  await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
  await untilStatus(id, 'opened')
  scenario.place('bob', 'sell', TICK, 10n).next()
  await venue.follow()
  await untilStatus(id, 'filled')
  const orders = heard(id)
  assert.deepEqual(
    orders.map(({ order_status }) => order_status),
    ['pending', 'opened', 'filled'],
  )
  assert.ok(orders.every(({ client_order_id }) => client_order_id === 'mine'))
})

test('an end before the chain comes with its reason and valid_until', async () => {
  const refused = await place()
  await untilStatus(refused, 'pending')
  await venue.move(refused, 'refused', { reason: 'MarginTooLow' })
  await untilStatus(refused, 'rejected')
  const [, end] = heard(refused)
  assert.deepEqual([end?.order_status, end?.reject_reason], ['rejected', 'INSUFFICIENT_MARGIN'])
  assert.match(end?.valid_until ?? '', /^\d+$/)
  const held = await place({ stop: 'STOP_LOSS', trigger: '3000000000' })
  await untilStatus(held, 'stop_order')
  await venue.send('alice', `DELETE /orders/${held}`)
  await untilStatus(held, 'cancelled')
  assert.deepEqual(
    heard(held).map(({ order_status }) => order_status),
    ['stop_order', 'cancelled'],
  )
})
