// A stopping node: every client is notified and gets what was published before, and the node ends
// in time whatever its clients do.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { type Client, TRANSPORTS } from '../../test/socket-client.ts'
import { type SocketNode, socketNode } from '../../test/socket-node.ts'

const CLIENTS = 50
const MESSAGES = 20
/** More than kernels buffer for a connection, so that data waits in the node. */
const LARGE = 'x'.repeat(1_000_000)

const listening = () => socketNode({ delay: (ms, signal) => delay(ms, undefined, { signal }) })

async function subscribed(node: SocketNode, count: number): Promise<Client[]> {
  const clients: Client[] = []
  for (let index = 0; index < count; index++) {
    const client = await node.connect(TRANSPORTS[index % TRANSPORTS.length] ?? 'websocket')
    await client.ask('subscribe', ['wall'])
    clients.push(client)
  }
  return clients
}

describe('a node that stops', () => {
  test(`a stopping node ends ${CLIENTS} clients, each with every message published before`, async () => {
    const node = await listening()
    const clients = await subscribed(node, CLIENTS)
    for (let index = 0; index < MESSAGES; index++) node.channels.publish('wall', index)
    await node.sockets.close()
    const waits: number[] = []
    for (const { frames, ended } of clients) {
      await ended
      const published = frames.filter(({ channel }) => channel === 'wall').map(({ data }) => data)
      assert.deepEqual(published, ['snapshot', ...Array(MESSAGES).keys()])
      const last = frames.at(-1)
      assert.equal(last?.type, 'server_shutdown')
      assert.equal(last?.error, 'SERVER_STOPPING')
      waits.push(last?.data.retryAfterMs)
    }
    assert.equal(new Set(waits).size, CLIENTS, 'they do not all come back at once')
    assert.ok(waits.every((waitMs) => waitMs >= 0 && waitMs < 5_000))
    await node.close()
  })

  test('a stopping node waits for a client that is still reading, and is not ready meanwhile', async () => {
    const node = await listening()
    const client = await node.connect('websocket')
    await client.ask('subscribe', ['wall'])
    client.stall()
    for (let index = 0; index < 8; index++) node.channels.publish('wall', LARGE)
    const closing = node.sockets.close()
    const refused = await node.get('/socket.io/?EIO=4&transport=polling')
    assert.equal(refused.status, 503)
    assert.equal((await node.get('/time')).status, 200)
    client.resume()
    await closing
    assert.equal(await client.ended, '1001 SHUTDOWN')
    assert.equal(client.frames.filter(({ channel }) => channel === 'wall').length, 9)
    await node.close()
  })

  test('a stopping node ends although clients never read', async () => {
    const node = await listening()
    const clients = await subscribed(node, 3)
    for (const client of clients) client.stall()
    for (let index = 0; index < 8; index++) node.channels.publish('wall', LARGE)
    await node.sockets.close()
    assert.equal(node.sockets.sessions.connectionCount, 0)
    for (const client of clients) client.resume()
    await node.close()
  })

  test('a stopping node also notifies Socket.IO clients with a separate event', async () => {
    const node = await listening()
    const socket = io(node.url, { transports: ['websocket'], forceNew: true } as object)
    await once(socket as never, 'connect')
    const [said] = await Promise.all([
      new Promise((resolve) => socket.once('server_shutdown', resolve)),
      node.sockets.close(),
    ])
    const { type, error, data } = JSON.parse(String(said))
    assert.deepEqual([type, error], ['server_shutdown', 'SERVER_STOPPING'])
    assert.ok(data.retryAfterMs >= 0)
    socket.disconnect()
    await node.close()
  })

  test('a stopping node lets Socket.IO clients reconnect on their own', async () => {
    const node = await listening()
    const socket = io(node.url, { transports: ['websocket'], forceNew: true } as object)
    await once(socket as never, 'connect')
    const [reason] = await Promise.all([
      new Promise((resolve) => socket.once('disconnect', resolve)),
      node.sockets.close(),
    ])
    assert.equal(reason, 'transport close')
    assert.ok(socket.active, 'it tries again')
    socket.disconnect()
    await node.close()
  })
})
