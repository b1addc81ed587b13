// Replies to clients of Socket.IO that wait for an acknowledgement, with the library's own client.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { io, type Socket } from 'socket.io-client'
import { ALICE, type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { TestChannels } from '../../../test/test-channels.ts'

const DEADLINE_MS = 5_000
const BUFFER_MAX = 1_000_000

/** Connects; `came` is what arrives on `message`. */
async function connected(url: string, transport: 'websocket' | 'polling') {
  const socket = io(url, { transports: [transport], reconnection: false, forceNew: true })
  const came: unknown[] = []
  socket.on('message', (text: string) => came.push(JSON.parse(text)))
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)))
  const ask = (message: unknown) => socket.timeout(DEADLINE_MS).emitWithAck('message', message)
  return { socket, came, ended, ask }
}

const stalled = (socket: Socket) => {
  type Inner = { transport: { ws: { _socket: { pause(): void; resume(): void } } } }
  const stream = (socket.io.engine as unknown as Inner).transport.ws._socket
  stream.pause()
  return stream
}

for (const transport of ['websocket', 'polling'] as const)
  describe(`emitWithAck over ${transport}`, () => {
    let node: SocketNode
    before(async () => {
      node = await socketNode()
    })
    after(() => node.close())

    test(`emitWithAck over ${transport} resolves with the reply as an object, which is not sent on message too`, async () => {
      const { socket, came, ask } = await connected(node.url, transport)
      const { seq } = node.channels
      const replies = [
        await ask({ op: 'subscribe', id: 7, data: ['wall', 'news'] }),
        await ask('{"op":"status"}'),
        await ask({ op: 'auth', data: node.keys.issue(ALICE, 'a') }),
      ]
      assert.deepEqual(replies.slice(0, 2), [
        { id: 7, data: ['wall', 'news'], seqs: { news: seq } },
        { data: { account: null, subscriptions: ['wall', 'news'], trading: 'live' } },
      ])
      assert.equal(replies[2].data.account, ALICE)
      node.channels.publish('news', 'hello')
      await ask({ op: 'ping' })
      const news = { channel: 'news', seq: node.channels.seq, data: 'hello' }
      assert.deepEqual(came, [{ channel: 'wall', seq, data: 'snapshot' }, news])
      socket.disconnect()
    })

    test(`emitWithAck over ${transport} resolves with every refusal as well`, async () => {
      const { socket, came, ask } = await connected(node.url, transport)
      const refusals = [
        await ask({ op: 'subscribe', data: ['nothing'] }),
        await ask({ op: 'nothing' }),
        await ask({ op: 'create_order' }),
        await ask('{'),
        await ask(null),
        await socket.timeout(DEADLINE_MS).emitWithAck('message'),
        await socket.timeout(DEADLINE_MS).emitWithAck('subscribe', ['wall']),
        await socket.timeout(DEADLINE_MS).emitWithAck('error', {}),
      ]
      assert.deepEqual(
        refusals.map(({ error, data }) => [error, data.success]),
        [
          ['CHANNEL_NOT_FOUND', false],
          ['INVALID_OP', false],
          ['AUTH_REQUIRED', false],
          ...Array.from({ length: 5 }, () => ['INVALID_MESSAGE', false]),
        ],
      )
      assert.deepEqual(came, [])
      socket.disconnect()
    })

    test(`emitWithAck over ${transport} takes the object before the callback, whatever is between them`, async () => {
      const { socket } = await connected(node.url, transport)
      const reply = await socket
        .timeout(DEADLINE_MS)
        .emitWithAck('message', { op: 'status', id: 1 }, { op: 'ping', id: 2 })
      assert.equal(reply.id, 1)
      socket.disconnect()
    })

    test(`emitWithAck over ${transport} counts acknowledged operations like others`, async () => {
      const { socket, ask } = await connected(node.url, transport)
      const metrics = async () => (await node.get('/metrics')).text()
      const frames = async () =>
        Number(/^openvenue_api_socket_frames_total (.*)$/m.exec(await metrics())?.[1])
      const sent = await frames()
      await ask({ op: 'ping' })
      assert.equal(await frames(), sent + 1)
      socket.disconnect()
    })
  })

/** Messages of a connection at once, by default. */
const MESSAGES_MAX = 2_000

test('a connection with too many acknowledgements is closed', async () => {
  const node = await socketNode()
  const { socket, came, ended } = await connected(node.url, 'websocket')
  let acknowledged = 0
  for (let count = 0; count < 2 * MESSAGES_MAX; count++)
    socket.emit('message', { op: 'ping' }, () => {
      acknowledged += 1
    })
  const { sessions } = node.sockets
  await until('the connection has ended', () => sessions.connectionCount === 0)
  node.clock.nowMs += 1_000
  node.sockets.sweep()
  await ended
  assert.ok(acknowledged <= MESSAGES_MAX, '700 in a second, and 1,300 now and then')
  assert.deepEqual(
    came.map((one) => (one as { error?: string }).error),
    ['RATE_LIMIT_EXCEEDED'],
  )
  await node.close()
})

test('a client that does not read its acknowledgements is a slow consumer', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(100)}${index}`)
  const free = { points: 10_000, seconds: 1 }
  const budgets = { messagesPerConnection: free, messagesPerAddress: free, operations: free }
  const node = await socketNode({
    settings: { bufferBytesMax: BUFFER_MAX, ...budgets },
    host: { channels: new TestChannels(names) },
  })
  const { socket, came, ended } = await connected(node.url, 'websocket')
  const stream = stalled(socket)
  const { sessions } = node.sockets
  await until('the connection has ended', () => {
    socket.emit('message', { op: 'channels' }, () => {})
    assert.ok(sessions.unsentBytes() < 3 * BUFFER_MAX, 'what waits is bounded')
    return sessions.connectionCount === 0
  })
  assert.equal(sessions.meter.closedSlow, 1)
  stream.resume()
  await ended
  assert.equal((came.at(-1) as { error?: string }).error, 'SLOW_CONSUMER')
  await node.close()
})
