// Socket.IO over several nodes behind a balancer.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { io, type Socket } from 'socket.io-client'
import { type Balancer, balancer } from '../../test/balancer.ts'
import { type SocketNode, socketNode } from '../../test/socket-node.ts'

let nodes: readonly SocketNode[] = []
let front: Balancer
const sockets: Socket[] = []
beforeEach(async () => {
  nodes = [await socketNode(), await socketNode()]
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await front.close()
  for (const node of nodes) await node.close()
})

const before = async (isSticky: boolean) => {
  front = await balancer(
    nodes.map(({ url }) => url),
    isSticky,
  )
}

function open(transports: readonly string[]): Socket {
  const options = { transports, withCredentials: true, reconnection: false, forceNew: true }
  const socket = io(front.url, options as object)
  sockets.push(socket)
  return socket
}

const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })

/** Sends an operation and returns its reply. */
const asked = (socket: Socket, op: string): Promise<{ data: { success?: boolean } }> =>
  new Promise((resolve) => {
    socket.once('message', (text: string) => resolve(JSON.parse(text)))
    socket.emit('message', { op })
  })

describe('several nodes behind a round-robin balancer', () => {
  test('several nodes behind a round-robin balancer refuse a polling client and name what it needs', async () => {
    await before(false)
    await assert.rejects(connected(open(['polling'])))
    const path = '/socket.io/?EIO=4&transport=polling'
    const { sid } = JSON.parse((await (await fetch(`${nodes[0]?.url}${path}`)).text()).slice(1))
    const answer = await fetch(`${nodes[1]?.url}${path}&sid=${sid}`)
    assert.equal(answer.status, 400)
    const { error, message } = (await answer.json()) as { error: string; message: string }
    assert.equal(error, 'SESSION_NOT_FOUND')
    assert.match(message, /sticky sessions/)
    assert.match(message, /transports: \['websocket'\]/)
  })

  test('several nodes behind a round-robin balancer serve clients that begin with a WebSocket', async () => {
    await before(false)
    for (let count = 0; count < 4; count++) {
      const socket = open(['websocket'])
      await connected(socket)
      assert.equal((await asked(socket, 'ping')).data.success, true)
    }
    for (const { sockets } of nodes) assert.equal(sockets.sessions.connectionCount, 2)
  })
})

describe('several nodes behind a balancer with sticky sessions', () => {
  test('several nodes behind a balancer with sticky sessions serve clients that poll', async () => {
    await before(true)
    for (let count = 0; count < 4; count++) {
      const socket = open(['polling'])
      await connected(socket)
      assert.equal((await asked(socket, 'ping')).data.success, true)
    }
    for (const { sockets } of nodes) assert.ok(sockets.sessions.connectionCount > 0)
  })

  test('several nodes behind a balancer with sticky sessions serve clients that poll and then upgrade', async () => {
    await before(true)
    const socket = open(['polling', 'websocket'])
    const upgraded = new Promise((resolve) => socket.io.engine.once('upgrade', resolve))
    await connected(socket)
    await upgraded
    assert.equal(socket.io.engine.transport.name, 'websocket')
    assert.equal((await asked(socket, 'ping')).data.success, true)
  })
})
