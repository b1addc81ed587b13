// Floods: everything a client sends is counted, and a client over its budget is closed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { WebSocket } from 'ws'
import { TRANSPORTS } from '../../../test/socket-client.ts'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { MESSAGE_BYTES_MAX } from '../session/socket-limits.ts'
import { REFUSED_MS } from './inbound-budget.ts'

const MESSAGES_MAX = 30
const settings = {
  messagesPerConnection: { points: 10, seconds: 1, burst: MESSAGES_MAX - 10 },
  messagesPerAddress: { points: 10, seconds: 1, burst: 100 },
}

let node: SocketNode
beforeEach(async () => {
  node = await socketNode({ settings })
})
afterEach(() => node.close())

const wsUrl = (path: string) => `${node.url.replace('http', 'ws')}${path}`

async function plain(path = '/ws') {
  const socket = new WebSocket(wsUrl(path), { perMessageDeflate: false })
  const texts: string[] = []
  socket.on('message', (bytes) => texts.push(String(bytes)))
  socket.on('error', () => {})
  const ended = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`)
  await once(socket, 'open')
  return { socket, texts, ended }
}

/** The connection below a WebSocket. */
const rawSocket = (socket: WebSocket) => (socket as unknown as { _socket: Socket })._socket
/** Advances the clock past the time that a flooding client has to read the reason. */
async function cut(ended: Promise<string>): Promise<string> {
  await until('a client is closed for flooding', () => flooding() > 0)
  node.clock.nowMs += 1_000
  node.sockets.sweep()
  return await ended
}
const flooding = () => node.sockets.sessions.meter.closedFlooding

/** A frame as clients send it, masked with zeros; short ones only. */
const frame = (first: number, payload = '') =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])

describe('a plain WebSocket is closed when it sends too many', () => {
  for (const [what, send] of [
    ['malformed messages', (socket: WebSocket) => socket.send('{"op')],
    ['binary messages', (socket: WebSocket) => socket.send(Buffer.from('{}'))],
    ['operations', (socket: WebSocket) => socket.send('{"op":"status"}')],
    ['operation pings', (socket: WebSocket) => socket.send('{"op":"ping"}')],
    ['pings of the protocol', (socket: WebSocket) => socket.ping()],
    ['pongs of the protocol', (socket: WebSocket) => socket.pong()],
  ] as const)
    test(what, async () => {
      const { socket, texts, ended } = await plain()
      for (let count = 0; count <= 10 * MESSAGES_MAX; count++) send(socket)
      assert.equal(await cut(ended), '1008 RATE_LIMIT_EXCEEDED')
      const { error, data } = JSON.parse(texts.at(-1) ?? '')
      assert.equal(error, 'RATE_LIMIT_EXCEEDED')
      assert.equal(data.retryAfterMs, 100)
      assert.ok(texts.length <= MESSAGES_MAX + 1, 'nothing is answered beyond the budget')
      assert.equal(flooding(), 1)
    })

  test('a plain WebSocket is closed when it sends too many bytes: a large message counts as many', async () => {
    const { socket, ended } = await plain()
    socket.send('x'.repeat(MESSAGE_BYTES_MAX))
    socket.send('x')
    assert.equal(await cut(ended), '1008 RATE_LIMIT_EXCEEDED')
  })

  test('a plain WebSocket is closed when it sends too many fragments of one message', async () => {
    const { socket, ended } = await plain()
    const stream = rawSocket(socket)
    stream.write(frame(0x01, 'x'))
    stream.write(Buffer.concat(Array(200).fill(frame(0x00, 'x'))))
    assert.match(await ended, /^1008 /)
  })

  test('a plain WebSocket is closed when it sends too many empty fragments of one message', async () => {
    const { socket, ended } = await plain()
    const stream = rawSocket(socket)
    stream.write(frame(0x01))
    stream.write(Buffer.concat(Array(200).fill(frame(0x00))))
    assert.match(await ended, /^1008 /)
  })
})

test('a client may use its whole budget, and again as it comes back', async () => {
  const { socket, texts } = await plain()
  for (let count = 0; count < MESSAGES_MAX; count++) socket.send('{"op":"ping"}')
  await until('every ping is answered', () => texts.length === MESSAGES_MAX)
  node.clock.nowMs = 1000
  for (let count = 0; count < 10; count++) socket.send('{"op":"ping"}')
  await until('every further ping is answered', () => texts.length === MESSAGES_MAX + 10)
  assert.equal(flooding(), 0)
})

test('pings are answered within the budget', async () => {
  const { socket } = await plain()
  socket.ping('here')
  const [data] = await once(socket, 'pong')
  assert.equal(String(data), 'here')
})

for (const transport of TRANSPORTS)
  test(`${transport}: a client that sends too much gets the reason, is closed and refused for a moment`, async () => {
    const client = await node.connect(transport)
    for (let count = 0; count <= 2 * MESSAGES_MAX; count++) client.send('{"op')
    await cut(client.ended)
    if (transport !== 'polling') assert.equal(client.frames.at(-1)?.error, 'RATE_LIMIT_EXCEEDED')
    assert.equal(flooding(), 1)
    await assert.rejects(node.connect(transport))
    const refused = await node.get('/socket.io/?EIO=4&transport=polling')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), String(REFUSED_MS / 1000 - 1))
    assert.equal((await node.get('/time')).status, 200)
    node.clock.nowMs += REFUSED_MS
    const again = await node.connect(transport)
    assert.equal((await again.ask('ping')).data.success, true)
  })

describe('Socket.IO is closed when it sends too many', () => {
  /** The same for a client that may not have a connection of the core yet. */
  const cutFrames = async (ended: Promise<string>): Promise<string> => {
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    await until('the connection has ended', () => {
      node.clock.nowMs += 50
      node.sockets.sweep()
      return isOver
    })
    return await ended
  }

  for (const [what, text, isConnected] of [
    ['events that nobody knows', '42["junk",1]', true],
    ['connections to namespaces that are not there', '40/nowhere,', true],
    ['packets before it connected to a namespace', '42["junk",1]', false],
    ['pongs that nobody asked for', '3', true],
  ] as const)
    test(what, async () => {
      const { socket, texts, ended } = await plain('/socket.io/?EIO=4&transport=websocket')
      await until('the session is open', () => texts.length > 0)
      if (isConnected) {
        socket.send('40')
        await until('the namespace is open', () => texts.length > 1)
      }
      for (let count = 0; count <= 10 * MESSAGES_MAX; count++) socket.send(text)
      await cutFrames(ended)
      assert.ok(texts.length <= 2 * MESSAGES_MAX)
    })

  test('Socket.IO is closed when it sends too many pings below its own protocol', async () => {
    const { socket, ended } = await plain('/socket.io/?EIO=4&transport=websocket')
    for (let count = 0; count <= 2 * MESSAGES_MAX; count++) socket.ping()
    assert.equal(await cutFrames(ended), '1008 RATE_LIMIT_EXCEEDED')
  })

  test('Socket.IO is closed when it sends too many packets in one body of a poll, which is refused before it is parsed', async () => {
    const path = '/socket.io/?EIO=4&transport=polling'
    const { sid } = JSON.parse((await (await node.get(path)).text()).slice(1))
    const send = (body: string) => fetch(`${node.url}${path}&sid=${sid}`, { method: 'POST', body })
    assert.equal((await send('40')).status, 200)
    const answer = await send(Array(10_000).fill('42["junk",1]').join('\u001e').slice(0, 100_000))
    assert.equal(answer.status, 429)
    assert.equal(((await answer.json()) as { error: string }).error, 'RATE_LIMIT_EXCEEDED')
    await until('the connection has ended', () => node.sockets.sessions.connectionCount === 0)
  })
})

test('an address has one budget for all of its connections', async () => {
  const clients = []
  for (let count = 0; count < 5; count++) clients.push(await plain())
  for (const { socket } of clients)
    for (let count = 0; count < MESSAGES_MAX - 1; count++) socket.send('{"op":"ping"}')
  await until('a client is closed for flooding', () => flooding() > 0)
})

test('requests of Socket.IO count at their address, also those of no session', async () => {
  let status = 0
  const path = '/socket.io/?EIO=4&transport=polling&sid=nobody'
  for (let count = 0; count <= 110 && status !== 429; count++)
    status = (await node.get(path)).status
  assert.equal(status, 429)
})

test('a client that sends too much and does not read is cut, and the rest is not read', async () => {
  const { port } = new URL(node.url)
  const stream = connect(Number(port), '127.0.0.1')
  stream.on('error', () => {})
  stream.write(
    'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await until('the client is connected', () => node.sockets.sessions.connectionCount === 1)
  stream.pause()
  stream.write(Buffer.concat(Array(100_000).fill(frame(0x89))))
  await until('a client is closed for flooding', () => flooding() === 1)
  node.clock.nowMs = 1_000
  node.sockets.sweep()
  const ended = new Promise((resolve) => stream.once('close', resolve))
  stream.resume()
  await ended
})

test('a message that never ends is cut after thirty seconds', async () => {
  const { socket, ended } = await plain()
  rawSocket(socket).write(frame(0x81, 'a text').subarray(0, 8))
  await until('the start of the message has arrived', () => {
    node.sockets.sweep()
    return node.sockets.sessions.openBytes() > 0
  })
  node.clock.nowMs = 29_999
  node.sockets.sweep()
  assert.equal(node.sockets.sessions.connectionCount, 1)
  node.clock.nowMs = 30_000
  node.sockets.sweep()
  assert.equal(await ended, '1006 ')
})
