import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { until } from '@openvenue/core/test/until'
import type { Order } from '../../generated/shapes.ts'
import { Wires } from '../../test/lossy-socket.ts'
import { RefusedError } from '../errors.ts'
import { VenueSocket } from '../socket/venue-socket.ts'
import { trackOrder } from './track-order.ts'

const closings: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function open() {
  const venue = await tradingSockets(funded('ETH-USDC'))
  const wires = new Wires()
  const socket = new VenueSocket({
    url: venue.urls[0] as string,
    apiKey: await venue.issue('alice'),
    WebSocket: wires.class,
    random: () => 0,
  })
  closings.push(venue.close, () => socket.close())
  return { venue, wires, socket }
}

const track = (venue: TradingSockets, socket: VenueSocket, members: object = {}) =>
  trackOrder(socket, {
    place: async () => {
      const body = await venue.orderOf('alice', members)
      return (await socket.ask('create_order', body)).data as Order
    },
    find: async (id) => (await venue.send('alice', `GET /orders/${id}?include=closed`)).body,
  })

describe('a tracked order', () => {
  test('a tracked order is yielded with each change until its end', async () => {
    const { venue, socket } = await open()
    const tracked = track(venue, socket)
    const accepted = (await tracked.next()).value as Order
    assert.equal(accepted.order_status, 'pending')
    await venue.move(accepted.order_id, 'sent')
    await venue.move(accepted.order_id, 'refused', { reason: 'PostOnlyWouldCross' })
    const ended = (await tracked.next()).value as Order
    assert.deepEqual([ended.order_status, ended.reject_reason], ['rejected', 'POST_ONLY_CROSS'])
    assert.equal((await tracked.next()).done, true)
    const { data } = await socket.ask('status')
    assert.deepEqual((data as { subscriptions: string[] }).subscriptions, [])
  })

  test('a tracked order ends even if its end was missed while the connection was lost', async () => {
    const { venue, wires, socket } = await open()
    const tracked = track(venue, socket)
    const { order_id: id } = (await tracked.next()).value as Order
    let lost = 0
    wires.isLost = ({ channel }) => {
      if (channel !== 'orders') return false
      lost += 1
      return true
    }
    const next = tracked.next()
    await venue.move(id, 'expired')
    await until('a message is lost', () => lost > 0)
    wires.isLost = () => false
    wires.cut()
    assert.equal(((await next).value as Order).order_status, 'expired')
    assert.equal((await tracked.next()).done, true)
  })

  test('tracking an order that is refused at once throws and leaves no subscription open', async () => {
    const { venue, socket } = await open()
    await assert.rejects(track(venue, socket, { amount: '1' }).next(), (error) => {
      assert.ok(error instanceof RefusedError)
      return error.code === 'INVALID_AMOUNT_STEP_SIZE' && error.details[0]?.field === 'amount'
    })
    const { data } = await socket.ask('status')
    assert.deepEqual((data as { subscriptions: string[] }).subscriptions, [])
  })
})
