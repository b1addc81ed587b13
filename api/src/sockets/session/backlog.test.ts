// Clients that do not read: their backlog is bounded, then they are closed with a reason.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { Client } from '../../../test/socket-client.ts'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { message } from '../../../test/test-channels.ts'
import { LEFT_MS_MAX } from './topics.ts'

const BUFFER_MAX = 1_000_000
/** Too small to exceed a bound on its own. */
const PAYLOAD = 'x'.repeat(100_000)
/** Maximum messages that kernels buffer before the node has to. */
const KERNEL_MESSAGES_MAX = 2_000

for (const transport of ['socket.io', 'websocket'] as const)
  describe(`a client over ${transport} that does not read`, () => {
    let node: SocketNode
    let client: Client
    beforeEach(async () => {
      const settings = { bufferBytesMax: BUFFER_MAX, connectionsPerAddressMax: 1 }
      node = await socketNode({ settings })
      client = await node.connect(transport)
      await client.ask('subscribe', ['orderbook:X', 'wall'])
      await client.next(({ channel }) => channel === 'wall')
    })
    afterEach(() => node.close())

    const unsent = () => node.sockets.sessions.unsentBytes()
    /** Publishes until more than `bytes` wait for the client. */
    const fill = async (bytes: number) => {
      for (let count = 0; unsent() <= bytes; count++) {
        assert.ok(count < KERNEL_MESSAGES_MAX, 'what the client does not read must wait here')
        node.channels.publish('wall', PAYLOAD)
        await turn()
      }
    }
    const drained = () =>
      until(
        () => `the client has read everything: ${unsent()} bytes are left`,
        () => unsent() === 0,
      )

    test(`a client over ${transport} that does not read has its books stopped, and gets a snapshot of them once it reads again`, async () => {
      client.stall()
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      node.channels.publish('orderbook:X', 'skipped')
      client.resume()
      await drained()
      node.channels.publish('orderbook:X', 'skipped')
      node.sockets.sweep()
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'snapshot')
      node.channels.publish('orderbook:X', 'after')
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'after')
      assert.ok(client.frames.every(({ data }) => data !== 'skipped'))
      const walls = client.frames.filter(({ channel }) => channel === 'wall')
      assert.equal(walls.length, node.channels.seq - 3 + 1)
    })

    test(`a client over ${transport} that does not read is closed with a reason when it does not read for ten seconds more`, async () => {
      client.stall()
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      node.clock.nowMs = 9_999
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 1)
      node.clock.nowMs = 10_000
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 0)
      client.resume()
      assert.equal((await client.next(({ error }) => error !== undefined)).error, 'SLOW_CONSUMER')
      const reason = await client.ended
      assert.equal(
        reason,
        transport === 'websocket' ? '1013 SLOW_CONSUMER' : 'io server disconnect',
      )
      const { closedSlow } = node.sockets.sessions.meter
      assert.equal(closedSlow, 1)
      node.clock.nowMs += LEFT_MS_MAX
      node.sockets.sweep()
      assert.equal(node.channels.open.size, 0)
    })

    test(`a client over ${transport} that does not read is closed when it is behind again within a minute`, async () => {
      client.stall()
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      client.resume()
      await drained()
      node.sockets.sweep()
      client.stall()
      node.clock.nowMs = 59_999
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 0)
    })

    test(`a client over ${transport} that does not read may be behind again after a minute`, async () => {
      client.stall()
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      client.resume()
      await drained()
      node.sockets.sweep()
      client.stall()
      node.clock.nowMs = 60_000
      await fill(BUFFER_MAX)
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 1)
    })

    test(`a client over ${transport} that does not read is closed at once when twice the bound waits, and is cut when it does not react`, async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      node.sockets.sweep()
      assert.equal(node.sockets.sessions.connectionCount, 0)
      node.clock.nowMs = 10_000
      node.sockets.sweep()
      client.resume()
      await client.ended
    })

    test(`a client over ${transport} is cut ten seconds after it got the reason, and makes room at its address`, async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      node.sockets.sweep()
      await assert.rejects(node.connect(transport))
      node.clock.nowMs = 9_999
      node.sockets.sweep()
      await assert.rejects(node.connect(transport))
      node.clock.nowMs = 10_000
      node.sockets.sweep()
      await until('the connection that does not react is gone', () =>
        node.connect(transport).catch(() => undefined),
      )
    })

    test(`a client over ${transport} that does not read is closed when it keeps asking without reading the answers`, async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      client.send({ op: 'ping' })
      await until('the client is closed', () => node.sockets.sessions.connectionCount === 0)
    })

    test(`a client over ${transport} that does not read gets snapshots only as fast as it reads them`, async () => {
      await client.ask('unsubscribe', ['orderbook:X'])
      client.stall()
      await fill(BUFFER_MAX / 2)
      client.send({ op: 'subscribe', id: 'late', data: ['orderbook:X'] })
      await until('the channel is open', () => node.channels.open.has('orderbook:X'))
      node.channels.publish('orderbook:X', 'unheard')
      client.resume()
      await drained()
      node.sockets.sweep()
      await client.next(({ id }) => id === 'late')
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'snapshot')
      assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
    })
  })

describe('a client that no longer polls', () => {
  test('a client that no longer polls is closed when twice the bound waits for it, and cut after ten seconds', async (t) => {
    const settings = { bufferBytesMax: BUFFER_MAX, connectionsPerAddressMax: 1 }
    const node = await socketNode({ settings })
    t.after(() => node.close())
    const handshake = '/socket.io/?EIO=4&transport=polling'
    const { sid } = JSON.parse((await (await node.get(handshake)).text()).slice(1))
    const post = (body: string) =>
      fetch(`${node.url}${handshake}&sid=${sid}`, { method: 'POST', body })
    await post('40')
    await post('42["message",{"op":"subscribe","data":["wall"]}]')
    const { sessions } = node.sockets
    for (let count = 0; sessions.unsentBytes() <= 2 * BUFFER_MAX; count++) {
      assert.ok(count < KERNEL_MESSAGES_MAX, 'what the client does not fetch must wait here')
      node.channels.publish('wall', PAYLOAD)
    }
    assert.equal(sessions.connectionCount, 1)
    node.sockets.sweep()
    assert.equal(sessions.connectionCount, 0)
    assert.equal(node.channels.open.size, 0)
    assert.equal((await node.get(handshake)).status, 429)
    node.clock.nowMs = 10_000
    node.sockets.sweep()
    await until('the address may connect', async () => (await node.get(handshake)).status === 200)
  })
})

describe('messages published while a snapshot is read', () => {
  let node: SocketNode
  beforeEach(async () => {
    node = await socketNode()
  })
  afterEach(() => node.close())

  test('a message published while a snapshot is read comes after it, unless the snapshot contains it', async () => {
    const client = await node.connect('websocket')
    const admission = Promise.withResolvers<void>()
    node.channels.snapshot = async () => {
      await admission.promise
      return [message('wall', 2, 'snapshot')]
    }
    await client.ask('subscribe', ['wall'])
    for (const payload of ['one', 'two', 'three']) node.channels.publish('wall', payload)
    admission.resolve()
    assert.equal((await client.next()).data, 'snapshot')
    assert.equal((await client.next()).data, 'three')
    node.channels.publish('wall', 'four')
    assert.equal((await client.next()).data, 'four')
    assert.deepEqual(
      client.frames.map(({ seq }) => seq),
      [undefined, 2, 3, 4],
    )
  })

  test('messages published while a snapshot is read are bounded: beyond a thousand it is read again', async () => {
    const client = await node.connect('websocket')
    let admission = Promise.withResolvers<void>()
    let reads = 0
    node.channels.snapshot = async () => {
      reads += 1
      const { seq } = node.channels
      await admission.promise
      return [message('wall', seq, 'snapshot')]
    }
    await client.ask('subscribe', ['wall'])
    for (let count = 0; count < 1001; count++) node.channels.publish('wall', count)
    admission.resolve()
    admission = Promise.withResolvers()
    await until('the snapshot is read again', () => reads === 2)
    node.channels.publish('wall', 'last')
    admission.resolve()
    assert.equal((await client.next()).seq, 1001)
    assert.equal((await client.next()).data, 'last')
    assert.equal(reads, 2)
  })

  test('a message published during a snapshot is not sent to clients that unsubscribed, nor twice to those that returned', async () => {
    const client = await node.connect('websocket')
    const blockers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    node.channels.snapshot = async () => {
      const read = reads++
      await blockers[read]?.promise
      return [message('wall', 0, `snapshot ${read}`)]
    }
    await client.ask('subscribe', ['wall'])
    await client.ask('unsubscribe', ['wall'])
    await client.ask('subscribe', ['wall'])
    blockers[0]?.resolve()
    blockers[1]?.resolve()
    assert.equal((await client.next()).data, 'snapshot 1')
    node.channels.publish('wall', 'news')
    assert.equal((await client.next()).data, 'news')
    await client.ask('ping')
    assert.equal(client.frames.length, 6)
  })
})
