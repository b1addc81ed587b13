// The first messages of a channel, and the recipients of snapshots, over each transport.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type Client, TRANSPORTS } from '../../../test/socket-client.ts'
import { ALICE, type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { message } from '../../../test/test-channels.ts'
import { LEFT_MS_MAX } from '../session/topics.ts'

for (const transport of TRANSPORTS)
  describe(`a subscription over ${transport}`, () => {
    let node: SocketNode
    let client: Client
    beforeEach(async () => {
      node = await socketNode()
      client = await node.connect(transport)
    })
    afterEach(() => node.close())

    /** Waits until a private channel is open. */
    const opened = async (name: string) => {
      while (!node.channels.open.has(`${name} ${ALICE}`)) await new Promise(setImmediate)
    }

    /** Frames received of a channel, up to everything sent before this call. */
    const cameOf = async (name: string) => {
      await client.ask('ping')
      return client.frames.filter(({ channel }) => channel === name).map(({ data }) => data)
    }

    test('a subscription to a per-block channel is refused beyond the limit of the connection', async () => {
      const limited = await socketNode({ settings: { perBlockMax: 1 } })
      limited.channels.add('orderbook:Y')
      const bot = await limited.connect(transport)
      const reply = await bot.ask('subscribe', ['orderbook:X', 'orderbook:Y', 'wall'])
      assert.deepEqual(reply.data, ['orderbook:X', 'wall'])
      assert.deepEqual(reply.rejected, [{ channel: 'orderbook:Y', code: 'TOO_MANY_PER_BLOCK' }])
      await bot.ask('unsubscribe', ['orderbook:X'])
      assert.deepEqual((await bot.ask('subscribe', ['orderbook:Y'])).data, ['orderbook:Y'])
      bot.close()
      await limited.close()
    })

    test('a subscription to events begins without a message, and its reply has the current seq', async () => {
      const { seq } = node.channels
      const reply = await client.ask('subscribe', ['news', 'wall'])
      assert.deepEqual(reply, { id: 1, data: ['news', 'wall'], seqs: { news: seq } })
      assert.deepEqual(await cameOf('wall'), ['snapshot'], 'a state is one')
      assert.deepEqual(await cameOf('news'), [])
      node.channels.publish('news', 'first')
      assert.deepEqual(await cameOf('news'), ['first'])
    })

    test('a subscription to events begins with a snapshot on request', async () => {
      const reply = await client.ask('subscribe', [{ channel: 'news', snapshot: true }])
      assert.deepEqual(reply, { id: 1, data: ['news'] })
      assert.deepEqual(await cameOf('news'), ['snapshot'])
    })

    test('a subscription to a state begins without a snapshot when the client declines it', async () => {
      const { seq } = node.channels
      const reply = await client.ask('subscribe', [{ channel: 'wall', snapshot: false }])
      assert.deepEqual(reply, { id: 1, data: ['wall'], seqs: { wall: seq } })
      node.channels.publish('wall', 'first')
      assert.deepEqual(await cameOf('wall'), ['first'])
    })

    test('a subscription from a seq gets the kept messages; the reply has the gap when they are not available', async () => {
      const { seq } = node.channels
      node.channels.held = [message('news', 5, 'five'), message('news', 6, 'six')]
      const held = await client.ask('subscribe', [{ channel: 'news', from_seq: 5 }])
      assert.deepEqual(held, { id: 1, data: ['news'] })
      assert.deepEqual(await cameOf('news'), ['six'])
      node.channels.held = undefined
      await client.ask('unsubscribe', ['news'])
      const gone = await client.ask('subscribe', [{ channel: 'news', from_seq: 5 }])
      const gaps = [{ channel: 'news', from_seq: 5, to_seq: seq }]
      const { id: _, ...said } = gone
      assert.deepEqual(said, { data: ['news'], seqs: { news: seq }, gap: true, gaps })
      assert.deepEqual(await cameOf('news'), ['six'], 'nothing old comes as if it were new')
      await client.ask('unsubscribe', ['news'])
      await client.ask('subscribe', [{ channel: 'news', from_seq: 5, snapshot: true }])
      assert.deepEqual(await cameOf('news'), ['six', 'snapshot'])
      const state = await client.ask('subscribe', [{ channel: 'wall', from_seq: 5 }])
      assert.equal((state as { gap?: true }).gap, true)
      assert.deepEqual(await cameOf('wall'), ['snapshot'])
    })

    test(`a subscription over ${transport} gets what is published between what it missed and its reply, once`, async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'e'))
      node.channels.held = [message('news', 5, 'five')]
      const ready = Promise.withResolvers<void>()
      node.channels.ready = ready.promise
      const reply = client.ask('subscribe', [{ channel: 'news', from_seq: 4 }, 'fills'])
      await opened('fills')
      node.channels.seq = 6
      node.channels.publish('news', 'seven')
      ready.resolve()
      assert.equal((await reply).error, undefined)
      assert.deepEqual(await cameOf('news'), ['five', 'seven'])
    })

    test(`a subscription over ${transport} leaves its channel open for a while, and then closes it`, async () => {
      await client.ask('subscribe', ['news', 'wall'])
      client.close()
      await until('the channels are left', () => node.channels.closed.length > 0)
      assert.deepEqual(node.channels.closed, ['wall'], 'nothing of it is worth coming back for')
      const again = await node.connect(transport)
      await again.ask('subscribe', ['news'])
      assert.deepEqual(node.channels.opened, ['news', 'wall'])
      await again.ask('unsubscribe', ['news'])
      node.clock.nowMs += LEFT_MS_MAX
      node.sockets.sweep()
      assert.deepEqual(node.channels.closed, ['wall', 'news'])
    })

    test(`a subscription over ${transport} to events gets a snapshot by resync`, async () => {
      await client.ask('subscribe', ['news'])
      await client.ask('resync', { channel: 'news' })
      assert.deepEqual(await cameOf('news'), ['snapshot'])
      node.channels.publish('news', 'after')
      assert.deepEqual(await cameOf('news'), ['snapshot', 'after'])
    })

    test('a snapshot for all subscribers of an event channel goes only to those that asked for one', async () => {
      const others = await Promise.all([node.connect(transport), node.connect(transport)])
      const [asking, resuming] = others
      await asking.ask('subscribe', [{ channel: 'news', snapshot: true }])
      node.channels.held = []
      await resuming.ask('subscribe', [{ channel: 'news', from_seq: 1 }])
      await client.ask('subscribe', ['news', 'wall'])
      await client.next(({ channel }) => channel === 'wall')
      for (const name of ['news', 'wall']) node.channels.publish(name, 'snapshot')
      node.channels.publish('news', 'after')
      assert.deepEqual(await cameOf('news'), ['after'])
      assert.deepEqual(await cameOf('wall'), ['snapshot', 'snapshot'])
      await asking.ask('ping')
      await resuming.ask('ping')
      const came = others.map(({ frames }) =>
        frames.flatMap(({ channel, data }) => (channel ? [data] : [])),
      )
      assert.deepEqual(came, [['snapshot', 'snapshot', 'after'], ['after']])
    })

    test('a subscription is answered once no following message can be missed', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      const ready = Promise.withResolvers<void>()
      node.channels.ready = ready.promise
      const reply = client.ask('subscribe', ['fills', 'wall'])
      await opened('fills')
      node.channels.publish('fills', 'before', ALICE)
      node.sockets.sweep()
      assert.ok(
        client.frames.every(({ channel }) => channel === undefined),
        'the reply is first',
      )
      ready.resolve()
      const { seq } = node.channels
      assert.deepEqual(await reply, { id: 2, data: ['fills', 'wall'], seqs: { fills: seq } })
      node.channels.publish('fills', 'after', ALICE)
      assert.deepEqual(await cameOf('fills'), ['after'])
    })

    test('a subscription does not wait when a snapshot covers the missed messages', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'b'))
      node.channels.ready = new Promise(() => {})
      const reply = await client.ask('subscribe', [{ channel: 'fills', snapshot: true }])
      assert.deepEqual(reply.data, ['fills'])
      assert.deepEqual(await cameOf('fills'), ['snapshot'])
    })

    test('a subscription that cannot be opened, or not within ten seconds, is refused', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'c'))
      const broken = Promise.withResolvers<void>()
      node.channels.ready = broken.promise
      broken.promise.catch(() => {})
      broken.reject(new Error('no database'))
      assert.equal((await client.ask('subscribe', ['fills'])).error, 'CHANNEL_UNAVAILABLE')
      node.channels.ready = new Promise(() => {})
      const late = client.ask('subscribe', ['wall', 'fills'])
      await opened('fills')
      node.clock.nowMs += 10_000
      node.sockets.sweep()
      const rejected = [{ channel: 'fills', code: 'CHANNEL_UNAVAILABLE' }]
      assert.deepEqual(await late, { id: 3, data: ['wall'], rejected })
      assert.deepEqual((await client.ask('status')).data.subscriptions, ['wall'])
    })

    test('a subscription is refused when the key is revoked while it waits', async () => {
      const credentials = node.keys.issue(ALICE, 'd')
      await client.ask('auth', credentials)
      const ready = Promise.withResolvers<void>()
      node.channels.ready = ready.promise
      const reply = client.ask('subscribe', ['fills'])
      await opened('fills')
      node.keys.revoke(credentials.key)
      ready.resolve()
      assert.equal((await reply).error, 'AUTH_REQUIRED')
      assert.equal(client.frames.at(-2)?.error, 'AUTH_EXPIRED')
      assert.deepEqual((await client.ask('status')).data.subscriptions, [])
    })
  })
