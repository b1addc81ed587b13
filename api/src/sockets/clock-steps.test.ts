// The wall clock is set back or forward by an hour, as a virtual machine or a time server may do:
// no channel falls silent and no connection is closed.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { settled } from '../../test/channel-node.ts'
import { funded } from '../../test/funded.ts'
import { ownChannels } from '../../test/own-channels.ts'
import { type SocketNode, socketNode } from '../../test/socket-node.ts'

const HOUR_MS = 3_600_000
/** Longer than the interval of any channel. */
const INTERVAL_MS = 500
const STEPS = [
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
] as const

/** A node with a market whose book changes at each call of `bid`, and an account in it. */
function market() {
  const scenario = funded('ETH-USDC').place('alice', 'buy', 300_000, 5n).next()
  const { node, follow, wallet } = ownChannels(scenario)
  const bid = () => {
    scenario.place('alice', 'buy', 300_000, 1n).next()
    follow()
  }
  return { node, bid, wallet }
}

for (const [direction, stepMs] of STEPS)
  describe(`a wall clock that is set ${direction} by an hour`, () => {
    for (const name of [
      'orderbook-100ms:ETH-USDC',
      'orderbook-500ms:ETH-USDC',
      'ticker-500ms:ETH-USDC',
      'account',
    ])
      test(`${name} keeps sending after a step of the wall clock`, async () => {
        const { node, bid, wallet } = market()
        const channel = node.open(name, wallet)
        await channel.snapshot()
        bid()
        node.pass(INTERVAL_MS)
        await settled()
        channel.take()
        node.step(stepMs)
        bid()
        node.pass(10 * INTERVAL_MS)
        await settled()
        assert.equal(channel.take().length, 1)
      })

    test('a channel does not send before its interval is over', async () => {
      const { node, bid } = market()
      const channel = node.open('orderbook-500ms:ETH-USDC')
      await channel.snapshot()
      bid()
      channel.take()
      node.step(stepMs)
      bid()
      node.pass(INTERVAL_MS - 1)
      assert.deepEqual(channel.take(), [])
      node.pass(1)
      assert.equal(channel.take().length, 1)
    })
  })

for (const [direction, stepMs] of STEPS)
  describe(`connections, when the wall clock is set ${direction} by an hour`, () => {
    let node: SocketNode
    beforeEach(async () => {
      node = await socketNode()
    })
    afterEach(() => node.close())

    test('connections stay open, and end as idle when their time has passed', async () => {
      const client = await node.connect('websocket')
      node.clock.stepMs = stepMs
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 1)
      node.clock.nowMs = 900_000
      node.sockets.sweep()
      assert.equal(await client.ended, '1000 IDLE')
    })

    test('connections keep their budgets, no more and no less', async () => {
      const client = await node.connect('websocket')
      for (let count = 0; count < 20; count++) await client.ask('status')
      node.clock.stepMs = stepMs
      const { error, data } = await client.ask('status')
      assert.equal(error, 'RATE_LIMIT_EXCEEDED')
      assert.ok(data.retryAfterMs <= 1000)
      node.clock.nowMs += 1000
      assert.equal((await client.ask('status')).error, undefined)
    })

    test('connections are given the time of the wall clock', async () => {
      const client = await node.connect('websocket')
      node.clock.nowMs = 2 * HOUR_MS
      node.clock.stepMs = stepMs
      const { data } = await client.ask('ping')
      assert.equal(data.timestamp, `${2 * HOUR_MS + stepMs}000000`)
    })
  })
