// Clients that do not read stay within their memory bounds, each and together.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { Client } from '../../../test/socket-client.ts'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'

const MB = 2 ** 20
/** More than kernels buffer for a connection on both sides. */
const KERNEL_BYTES_MAX = 64 * MB

let node: SocketNode
afterEach(() => node.close())

const resident = () => process.memoryUsage().rss

/** Publishes until `bytes` wait for all clients together. */
async function fill(bytes: number, payload: string): Promise<void> {
  let published = 0
  while (node.sockets.sessions.openBytes() < bytes) {
    assert.ok(published < KERNEL_BYTES_MAX, 'what clients do not read must wait here')
    for (let count = 0; count < 50; count++) node.channels.publish('wall', payload)
    published += 50 * payload.length
    await turn()
  }
}

const stuck = async (transport: 'socket.io' | 'websocket', count: number) => {
  const clients: Client[] = []
  for (let index = 0; index < count; index++) {
    const client = await node.connect(transport)
    await client.ask('subscribe', ['wall'])
    client.stall()
    clients.push(client)
  }
  return clients
}

for (const transport of ['socket.io', 'websocket'] as const)
  describe(`clients over ${transport} that never read`, () => {
    test(`clients over ${transport} that never read take what is counted, also when messages are as small as they get`, async () => {
      node = await socketNode()
      const clients = await stuck(transport, 4)
      // Excludes memory that the first messages need once.
      await fill(MB, 'x'.repeat(1_000))
      const before = { rss: resident(), counted: node.sockets.sessions.openBytes() }
      await fill(before.counted + 24 * MB, 'x')
      const counted = node.sockets.sessions.openBytes() - before.counted
      assert.ok(resident() - before.rss < 1.5 * counted + 16 * MB, 'more than is counted')
      assert.equal(clients.length, node.sockets.sessions.connectionCount)
    })

    test(`clients over ${transport} that never read are closed, the heaviest first, when all together hold too much`, async () => {
      const memoryBytesMax = 4 * MB
      node = await socketNode({ settings: { memoryBytesMax, bufferBytesMax: 64 * MB } })
      const reader = await node.connect(transport)
      await reader.ask('subscribe', ['wall'])
      await stuck(transport, 3)
      await fill(memoryBytesMax + 1, 'x'.repeat(20_000))
      node.sockets.sweep()
      assert.ok(node.sockets.sessions.openBytes() <= memoryBytesMax)
      assert.ok(node.sockets.sessions.meter.closedShed > 0)
      const refused = await node.get('/socket.io/?EIO=4&transport=polling')
      assert.equal(refused.status, 503)
      assert.equal(refused.headers.get('retry-after'), '5')
      assert.equal(((await refused.json()) as { error: string }).error, 'SOCKETS_FULL')
      node.clock.nowMs += 1_000
      node.sockets.sweep()
      await until('new clients are taken again', async () => {
        node.sockets.sweep()
        return (await node.get('/socket.io/?EIO=4&transport=polling')).status === 200
      })
      node.channels.publish('wall', 'to those who read')
      const last = await reader.next(({ data }) => data === 'to those who read')
      assert.equal(last.channel, 'wall')
    })
  })

test('no more connections are taken than a node may have, of whatever address', async () => {
  node = await socketNode({ settings: { connectionsMax: 2 } })
  const first = await node.connect('websocket')
  await node.connect('socket.io')
  await assert.rejects(node.connect('websocket'))
  const refused = await node.get('/socket.io/?EIO=4&transport=polling')
  assert.equal(refused.status, 503)
  assert.equal(((await refused.json()) as { error: string }).error, 'SOCKETS_FULL')
  first.close()
  await until('another client may connect', () => node.connect('websocket').catch(() => undefined))
})
