// Socket.IO over several nodes behind a balancer.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Socket as ClientSocket, io } from 'socket.io-client'
import { type SocketNode, socketNode } from '../../test/socket-node.ts'

const COOKIE = 'node'

type Balancer = Readonly<{ url: string; close: () => Promise<void> }>

/**
 * Opens a balancer on a free port before the nodes at `urls`: requests go to each in turn, or stay
 * with the node that a cookie names.
 */
async function balancer(urls: readonly string[], isSticky: boolean): Promise<Balancer> {
  const ports = urls.map((url) => Number(new URL(url).port))
  const sockets = new Set<Socket>()
  let turn = 0
  const nodeIndex = ({ headers: { cookie = '' } }: IncomingMessage): number => {
    const [, kept] = new RegExp(`${COOKIE}=(\\d+)`).exec(cookie) ?? []
    return isSticky && kept !== undefined ? Number(kept) : turn++ % ports.length
  }
  const server = createServer((asked, answer) => {
    const index = nodeIndex(asked)
    const { method = 'GET', url = '/', headers } = asked
    const onward = request(
      { host: '127.0.0.1', port: ports[index], method, path: url, headers },
      (response) => {
        const { statusCode = 502, headers: given } = response
        const cookie = isSticky ? { 'set-cookie': `${COOKIE}=${index}; Path=/` } : {}
        answer.writeHead(statusCode, { ...given, ...cookie })
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    const onward = connect(ports[nodeIndex(asked)] ?? 0, '127.0.0.1')
    const lines = asked.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    onward.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    onward.write(head)
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

let nodes: readonly SocketNode[] = []
let front: Balancer
const sockets: ClientSocket[] = []
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

function open(transports: readonly string[]): ClientSocket {
  const options = { transports, withCredentials: true, reconnection: false, forceNew: true }
  const socket = io(front.url, options as object)
  sockets.push(socket)
  return socket
}

const connected = (socket: ClientSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })

/** Sends an operation and returns its reply. */
const asked = (socket: ClientSocket, op: string): Promise<{ data: { success?: boolean } }> =>
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
