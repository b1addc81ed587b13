// Clients that do not read: bounded, then closed with a reason.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../../test/socket-client.ts'
import { type SocketApp, socketApp } from '../../../test/socket-host.ts'
import { message } from '../../../test/test-channels.ts'

const BUFFER_MAX = 1_000_000
/** A message that alone fills no bound. */
const PAYLOAD = 'x'.repeat(100_000)
/** What the kernel takes before anything waits here, at most. */
const KERNEL_MESSAGES_MAX = 2_000
const DEADLINE_MS = 5_000

for (const transport of ['socket.io', 'websocket'] as const)
  describe(`a client over ${transport} that does not read`, () => {
    let app: SocketApp
    let client: Client
    beforeEach(async () => {
      const settings = { bufferBytesMax: BUFFER_MAX, connectionsPerAddressMax: 1 }
      app = await socketApp({ settings })
      client = await app.connect(transport)
      await client.ask('subscribe', ['orderbook:X', 'wall'])
      await client.next(({ channel }) => channel === 'wall')
    })
    afterEach(() => app.close())

    const unsent = () => app.sockets.core.unsentBytes()
    /** Publishes until more than `bytes` wait for the client. */
    const fill = async (bytes: number) => {
      for (let count = 0; unsent() <= bytes; count++) {
        assert.ok(count < KERNEL_MESSAGES_MAX, 'what the client does not read must wait here')
        app.channels.tell('wall', PAYLOAD)
        await delay(0)
      }
    }
    const drained = async () => {
      const deadlineMs = Date.now() + DEADLINE_MS
      while (unsent() > 0 && Date.now() < deadlineMs) await delay(2)
      assert.equal(unsent(), 0)
    }

    test('has its books stopped, and gets a snapshot of them once it reads again', async () => {
      client.stall()
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      app.channels.tell('orderbook:X', 'skipped')
      client.resume()
      await drained()
      app.channels.tell('orderbook:X', 'skipped')
      app.sockets.sweep()
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'snapshot')
      app.channels.tell('orderbook:X', 'after')
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'after')
      assert.ok(client.frames.every(({ data }) => data !== 'skipped'))
      const walls = client.frames.filter(({ channel }) => channel === 'wall')
      assert.equal(walls.length, app.channels.seq - 3 + 1)
    })

    test('is closed with a reason when it does not read for ten seconds more', async () => {
      client.stall()
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      app.clock.nowMs = 9_999
      app.sockets.sweep()
      assert.equal(app.sockets.core.connectionCount, 1)
      app.clock.nowMs = 10_000
      app.sockets.sweep()
      assert.equal(app.sockets.core.connectionCount, 0)
      assert.equal(app.channels.open.size, 0)
      client.resume()
      assert.equal((await client.next(({ error }) => error !== undefined)).error, 'SLOW_CONSUMER')
      const reason = await client.ended
      assert.equal(
        reason,
        transport === 'websocket' ? '1013 SLOW_CONSUMER' : 'io server disconnect',
      )
      const { closedSlow } = app.sockets.core.meter
      assert.equal(closedSlow, 1)
    })

    test('is closed when it is behind again within a minute', async () => {
      client.stall()
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      client.resume()
      await drained()
      app.sockets.sweep()
      client.stall()
      app.clock.nowMs = 59_999
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      assert.equal(app.sockets.core.connectionCount, 0)
    })

    test('may be behind again after a minute', async () => {
      client.stall()
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      client.resume()
      await drained()
      app.sockets.sweep()
      client.stall()
      app.clock.nowMs = 60_000
      await fill(BUFFER_MAX)
      app.sockets.sweep()
      assert.equal(app.sockets.core.connectionCount, 1)
    })

    test('is closed at once when twice the bound waits, and is cut when it takes no notice', async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      app.sockets.sweep()
      assert.equal(app.sockets.core.connectionCount, 0)
      app.clock.nowMs = 10_000
      app.sockets.sweep()
      client.resume()
      await client.ended
    })

    test('is cut ten seconds after it was told, and makes room at its address', async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      app.sockets.sweep()
      await assert.rejects(app.connect(transport))
      app.clock.nowMs = 9_999
      app.sockets.sweep()
      await assert.rejects(app.connect(transport))
      app.clock.nowMs = 10_000
      app.sockets.sweep()
      const deadlineMs = Date.now() + DEADLINE_MS
      for (let isIn = false; !isIn; ) {
        assert.ok(Date.now() < deadlineMs, 'the connection that takes no notice must be gone')
        isIn = await app.connect(transport).then(
          () => true,
          () => false,
        )
      }
    })

    test('is closed when it keeps asking without reading the answers', async () => {
      client.stall()
      await fill(2 * BUFFER_MAX)
      client.send({ op: 'ping' })
      const deadlineMs = Date.now() + DEADLINE_MS
      while (app.sockets.core.connectionCount > 0 && Date.now() < deadlineMs) await delay(2)
      assert.equal(app.sockets.core.connectionCount, 0)
    })

    test('gets snapshots only as fast as it reads them', async () => {
      await client.ask('unsubscribe', ['orderbook:X'])
      client.stall()
      await fill(BUFFER_MAX / 2)
      client.send({ op: 'subscribe', id: 'late', data: ['orderbook:X'] })
      const deadlineMs = Date.now() + DEADLINE_MS
      while (!app.channels.open.has('orderbook:X') && Date.now() < deadlineMs) await delay(2)
      app.channels.tell('orderbook:X', 'unheard')
      client.resume()
      await drained()
      app.sockets.sweep()
      await client.next(({ id }) => id === 'late')
      assert.equal((await client.next(({ channel }) => channel === 'orderbook:X')).data, 'snapshot')
      assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
    })
  })

describe('a client that polls no more', () => {
  test('is closed when twice the bound waits for it, and cut after ten seconds', async (t) => {
    const settings = { bufferBytesMax: BUFFER_MAX, connectionsPerAddressMax: 1 }
    const app = await socketApp({ settings })
    t.after(() => app.close())
    const handshake = '/socket.io/?EIO=4&transport=polling'
    const { sid } = JSON.parse((await (await app.get(handshake)).text()).slice(1))
    const post = (body: string) =>
      fetch(`${app.url}${handshake}&sid=${sid}`, { method: 'POST', body })
    await post('40')
    await post('42["message",{"op":"subscribe","data":["wall"]}]')
    const { core } = app.sockets
    for (let count = 0; core.unsentBytes() <= 2 * BUFFER_MAX; count++) {
      assert.ok(count < KERNEL_MESSAGES_MAX, 'what the client does not fetch must wait here')
      app.channels.tell('wall', PAYLOAD)
    }
    assert.equal(core.connectionCount, 1)
    app.sockets.sweep()
    assert.equal(core.connectionCount, 0)
    assert.equal(app.channels.open.size, 0)
    assert.equal((await app.get(handshake)).status, 429)
    app.clock.nowMs = 10_000
    app.sockets.sweep()
    const deadlineMs = Date.now() + DEADLINE_MS
    while ((await app.get(handshake)).status !== 200) assert.ok(Date.now() < deadlineMs)
  })
})

describe('what is published while a snapshot is read', () => {
  let app: SocketApp
  beforeEach(async () => {
    app = await socketApp()
  })
  afterEach(() => app.close())

  test('comes after it, without what it already holds', async () => {
    const client = await app.connect('websocket')
    const admission = Promise.withResolvers<void>()
    app.channels.snapshot = async () => {
      await admission.promise
      return [message('wall', 2, 'snapshot')]
    }
    await client.ask('subscribe', ['wall'])
    for (const payload of ['one', 'two', 'three']) app.channels.tell('wall', payload)
    admission.resolve()
    assert.equal((await client.next()).data, 'snapshot')
    assert.equal((await client.next()).data, 'three')
    app.channels.tell('wall', 'four')
    assert.equal((await client.next()).data, 'four')
    assert.deepEqual(
      client.frames.map(({ seq }) => seq),
      [undefined, 2, 3, 4],
    )
  })

  test('is bounded: beyond a thousand messages the snapshot is read again', async () => {
    const client = await app.connect('websocket')
    let admission = Promise.withResolvers<void>()
    let reads = 0
    app.channels.snapshot = async () => {
      reads += 1
      const { seq } = app.channels
      await admission.promise
      return [message('wall', seq, 'snapshot')]
    }
    await client.ask('subscribe', ['wall'])
    for (let count = 0; count < 1001; count++) app.channels.tell('wall', count)
    admission.resolve()
    admission = Promise.withResolvers()
    while (reads < 2) await delay(1)
    app.channels.tell('wall', 'last')
    admission.resolve()
    assert.equal((await client.next()).seq, 1001)
    assert.equal((await client.next()).data, 'last')
    assert.equal(reads, 2)
  })

  test('reaches nobody who unsubscribed meanwhile, and no one twice who came back', async () => {
    const client = await app.connect('websocket')
    const blockers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    app.channels.snapshot = async () => {
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
    app.channels.tell('wall', 'news')
    assert.equal((await client.next()).data, 'news')
    await client.ask('ping')
    assert.equal(client.frames.length, 6)
  })
})
