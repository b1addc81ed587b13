// Admission of connections, their limits, and how they end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { WebSocket } from 'ws'
import { TRANSPORTS } from '../../../test/socket-client.ts'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'

/** Returns the answer of the server to a request for a WebSocket. */
async function upgradeAnswer(url: string, headers = {}) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers } as object)
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const chunk of response) body += chunk
  const { statusCode: status, headers: answered } = response as IncomingMessage
  return { status, body, headers: answered }
}

const HANDSHAKE = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
}

/** Returns the answer to a request that is not upgraded, with any headers. */
async function answered(url: string, options: { method?: string; headers?: object }) {
  const ask = request(url, options as RequestOptions)
  ask.end()
  const [response] = (await once(ask, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text || '{}') }
}

const metric = async (node: SocketNode, name: string) => {
  const text = await (await node.get('/metrics')).text()
  return Number(new RegExp(`^openvenue_api_socket_${name}(?:_total)? (.*)$`, 'm').exec(text)?.[1])
}

for (const transport of TRANSPORTS)
  describe(`a connection over ${transport}`, () => {
    let node: SocketNode
    beforeEach(async () => {
      node = await socketNode({ settings: { connectionsPerAddressMax: 2, subscriptionsMax: 2 } })
    })
    afterEach(() => node.close())

    test('a connection is refused when its address has the maximum, and admitted after one has closed', async () => {
      const first = await node.connect(transport)
      await node.connect(transport)
      await assert.rejects(node.connect(transport))
      first.close()
      await until('another client may connect', () =>
        node.connect(transport).catch(() => undefined),
      )
    })

    test(`a connection over ${transport} has a limited number of subscriptions`, async () => {
      const client = await node.connect(transport)
      await client.ask('auth', node.keys.issue('0xa', 'a'))
      const reply = await client.ask('subscribe', ['wall', 'orderbook:X', 'mine'])
      assert.deepEqual(reply.data, ['wall', 'orderbook:X'])
      assert.deepEqual(reply.rejected, [{ channel: 'mine', code: 'TOO_MANY_SUBSCRIPTIONS' }])
      await client.ask('unsubscribe', ['wall'])
      assert.deepEqual((await client.ask('subscribe', ['mine'])).data, ['mine'])
    })

    test(`a connection over ${transport} opens a channel as the first and closes it as the last, also by going away`, async () => {
      const [first, second] = [await node.connect(transport), await node.connect(transport)]
      await first.ask('subscribe', ['wall'])
      await second.ask('subscribe', ['wall'])
      assert.deepEqual(node.channels.opened, ['wall'])
      await first.ask('unsubscribe', ['wall'])
      assert.deepEqual(node.channels.closed, [])
      second.close()
      await until('the channel is closed', () => node.channels.closed.length === 1)
      await first.ask('subscribe', ['wall'])
      assert.deepEqual(node.channels.opened, ['wall', 'wall'])
    })

    test(`a connection over ${transport} is counted, with its subscriptions and what it is sent`, async () => {
      const client = await node.connect(transport)
      await client.ask('subscribe', ['wall', 'orderbook:X'])
      await client.next()
      await client.next()
      assert.equal(await metric(node, 'connections'), 1)
      assert.equal(await metric(node, 'subscriptions'), 2)
      assert.equal(await metric(node, 'frames'), 3)
      const bytes = JSON.stringify(client.frames[0]).length
      node.channels.publish('wall', 'x')
      assert.equal(await metric(node, 'frames'), 4)
      assert.ok((await metric(node, 'bytes')) > bytes)
      client.close()
      await until('no connection is counted', async () => (await metric(node, 'connections')) === 0)
      assert.equal(await metric(node, 'subscriptions'), 0)
    })

    test(`a connection over ${transport} ends at once when the server stops, which then takes no other`, async () => {
      const client = await node.connect(transport)
      const stalled = await node.connect(transport)
      stalled.stall()
      const startMs = Date.now()
      await node.stop()
      assert.ok(Date.now() - startMs < 2_000)
      const reason = await client.ended
      if (transport === 'websocket') assert.equal(reason, '1001 SHUTDOWN')
      await assert.rejects(node.connect(transport))
    })

    test(`a connection over ${transport} never sees what another one sends`, async () => {
      const [first, second] = [await node.connect(transport), await node.connect(transport)]
      await first.ask('subscribe', ['wall'])
      await second.ask('ping')
      assert.equal(second.frames.length, 1)
    })
  })

describe('the one port', () => {
  let node: SocketNode
  beforeEach(async () => {
    const settings = { connectionsPerAddressMax: 1, idleSeconds: 900 }
    node = await socketNode({ settings, host: { corsOrigins: ['https://venue.example'] } })
  })
  afterEach(() => node.close())

  test('the one port refuses an excess connection with 429 and the one error body', async () => {
    await node.connect('websocket')
    const { status, body, headers } = await upgradeAnswer(`${node.url}/ws`)
    assert.equal(status, 429)
    assert.equal(headers['retry-after'], '5')
    const { error, retry_after: retryNs } = JSON.parse(body)
    assert.deepEqual([error, retryNs], ['RATE_LIMIT_EXCEEDED', '5000000000'])
    const polling = await node.get('/socket.io/?EIO=4&transport=polling')
    assert.equal(polling.status, 429)
    assert.equal(polling.headers.get('retry-after'), '5')
    assert.equal(((await polling.json()) as { error: string }).error, 'RATE_LIMIT_EXCEEDED')
  })

  for (const path of [
    '/ws?sid=1',
    '/socket.io/?EIO=4&transport=websocket&sid=',
    '/socket.io/?EIO=4&transport=websocket&sid=1&sid=',
  ])
    test(`the one port refuses an excess connection that claims to continue: ${path}`, async () => {
      await node.connect('websocket')
      assert.equal((await upgradeAnswer(`${node.url}${path}`)).status, 429)
    })

  test('the one port lets pages connect only from the origins that REST lets read', async () => {
    const foreign = { origin: 'https://elsewhere.example' }
    for (const path of ['/ws', '/socket.io/?EIO=4&transport=websocket']) {
      const { status, body } = await upgradeAnswer(`${node.url}${path}`, foreign)
      assert.equal(status, 403)
      assert.equal(JSON.parse(body).error, 'FORBIDDEN_ORIGIN')
    }
    const client = await node.connect('websocket', { origin: 'https://venue.example' })
    assert.equal((await client.ask('ping')).data.success, true)
  })

  test('a stopping node refuses new clients with the reason and the one error body', async () => {
    const closing = node.sockets.close()
    const { status, body, headers } = await upgradeAnswer(`${node.url}/ws`)
    await closing
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '1')
    assert.equal(JSON.parse(body).error, 'SERVER_STOPPING')
  })

  test('a node drops a polling client that it ended and that polls no more, within seconds', async () => {
    const handshake = '/socket.io/?EIO=4&transport=polling'
    const { sid } = JSON.parse((await (await node.get(handshake)).text()).slice(1))
    const broken = '49'
    const answer = fetch(`${node.url}${handshake}&sid=${sid}`, { method: 'POST', body: broken })
    await answer.catch(() => {})
    assert.equal((await node.get(handshake)).status, 429)
    await until('the address may connect', async () => (await node.get(handshake)).status === 200)
  })

  test('a node names the origins whose pages may poll', async () => {
    const headers = { origin: 'https://venue.example' }
    const polling = await fetch(`${node.url}/socket.io/?EIO=4&transport=polling`, { headers })
    assert.equal(polling.headers.get('access-control-allow-origin'), headers.origin)
  })

  for (const path of ['', '/', '/?from=test', '/ws', '/ws?from=test', '/ws/?from=test'])
    test(`the one port takes plain WebSockets at "${path}"`, async () => {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}${path}`)
      await once(socket, 'open')
      socket.send('{"op":"ping"}')
      const [bytes] = await once(socket, 'message')
      assert.equal(JSON.parse(String(bytes)).data.success, true)
      socket.terminate()
    })

  for (const [path, status] of [
    ['/wsx', 404],
    ['//', 200],
    ['/ws/x', 404],
    ['/time', 200],
  ] as const)
    test(`the one port takes no WebSocket at ${path}, which answers as without`, async () => {
      const answer = await answered(`${node.url}${path}`, { headers: HANDSHAKE })
      assert.equal(answer.status, status)
    })

  test('the one port keeps its home page for requests that do not upgrade', async () => {
    const home = await answered(`${node.url}/`, {})
    const other = { connection: 'upgrade', upgrade: 'h2c' }
    for (const headers of [{}, other]) {
      const { status, body } = await answered(`${node.url}/`, { headers })
      assert.deepEqual([status, body], [200, home.body])
    }
  })

  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
    for (const path of ['/ws', '/ws/?a=1'])
      test(`the one port answers ${method} ${path} without an upgrade with 426 and what to do`, async () => {
        const { status, headers, body } = await answered(`${node.url}${path}`, { method })
        assert.equal(status, 426)
        assert.equal(headers.upgrade, 'websocket')
        assert.match(headers.connection ?? '', /upgrade/i)
        assert.equal(headers['sec-websocket-version'], '13')
        if (method === 'HEAD') return
        assert.equal(body.error, 'UPGRADE_REQUIRED')
        assert.equal(body.request_id, headers['x-request-id'])
      })

  for (const [what, method, wrong, status, error, names] of [
    ['another protocol', 'GET', { upgrade: 'h2c' }, 426, 'UPGRADE_REQUIRED', {}],
    [
      'another version',
      'GET',
      { 'sec-websocket-version': '12' },
      426,
      'UPGRADE_REQUIRED',
      { upgrade: 'websocket', 'sec-websocket-version': '13' },
    ],
    ['no version', 'GET', { 'sec-websocket-version': '' }, 426, 'UPGRADE_REQUIRED', {}],
    ['no key', 'GET', { 'sec-websocket-key': '' }, 400, 'MALFORMED_REQUEST', {}],
    ['a short key', 'GET', { 'sec-websocket-key': 'abc=' }, 400, 'MALFORMED_REQUEST', {}],
    ['a method other than GET', 'POST', {}, 405, 'METHOD_NOT_ALLOWED', { allow: 'GET' }],
    [
      'a protocol list that is none',
      'GET',
      { 'sec-websocket-protocol': ',,' },
      400,
      'MALFORMED_REQUEST',
      {},
    ],
  ] as const)
    for (const path of ['/', '/ws', '/socket.io/?EIO=4&transport=websocket'])
      test(`a WebSocket with ${what} at ${path} is refused with the reason`, async () => {
        // On other paths it is a request like any other.
        if (what === 'another protocol' && path !== '/ws') return
        const headers = { ...HANDSHAKE, ...wrong }
        const answer = await answered(`${node.url}${path}`, { method, headers })
        assert.deepEqual([answer.status, answer.body.error], [status, error])
        assert.equal(answer.body.request_id, answer.headers['x-request-id'])
        assert.equal(answer.headers['cache-control'], 'no-store')
        for (const [name, value] of Object.entries(names))
          assert.equal(answer.headers[name], value, name)
      })

  test('the one port counts a request that should be a WebSocket once, and limits them', async () => {
    const rate = { points: 10, seconds: 1 }
    const limited = await socketNode({ settings: { messagesPerAddress: rate } })
    for (let count = 0; count < 10; count++) assert.equal((await limited.get('/ws')).status, 426)
    const answer = await limited.get('/ws')
    assert.equal(answer.status, 429)
    assert.equal(answer.headers.get('retry-after'), '1')
    await limited.close()
  })

  test('a request for another protocol is answered as a plain request', async () => {
    const ask = request(`${node.url}/time`, { headers: { connection: 'upgrade', upgrade: 'h2c' } })
    ask.end()
    const [response] = await once(ask, 'response')
    assert.equal(response.statusCode, 200)
    response.resume()
  })

  test('the one port outlives a client that breaks the protocol or leaves in the middle', async () => {
    const { port } = new URL(node.url)
    const head = 'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'
    for (const rest of [
      '\r\n',
      'sec-websocket-key: x\r\n\r\n',
      'sec-websocket-version: 1\r\n\r\n',
    ]) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(head + rest)
      const [bytes] = await once(socket, 'data')
      assert.match(String(bytes), /^HTTP\/1\.1 4\d\d /)
      socket.destroy()
    }
    const client = new WebSocket(`${node.url.replace('http', 'ws')}/ws`)
    await once(client, 'open')
    const raw = (client as unknown as { _socket: { write(bytes: Buffer): void } })._socket
    raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    await once(client, 'close')
    await until('no connection is counted', async () => (await metric(node, 'connections')) === 0)
    assert.equal((await node.get('/time')).status, 200)
  })

  test('a binary frame on a plain WebSocket is answered with INVALID_MESSAGE', async () => {
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`)
    await once(socket, 'open')
    socket.send(Buffer.from('{"op":"ping"}'))
    const [bytes] = await once(socket, 'message')
    assert.equal(JSON.parse(String(bytes)).error, 'INVALID_MESSAGE')
    socket.terminate()
  })

  test('a plain WebSocket that only reads and answers pings stays open, however long', async (t) => {
    const [idleSeconds, pingSeconds] = [10, 4]
    const quiet = await socketNode({ settings: { idleSeconds, pingSeconds } })
    t.after(() => quiet.close())
    const streams: Socket[] = []
    quiet.host.server.on('connection', (stream: Socket) => streams.push(stream))
    const client = await quiet.connect('websocket')
    await client.ask('subscribe', ['wall'])
    const readBytes = () => streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    for (let round = 0; round < idleSeconds; round++) {
      const before = readBytes()
      quiet.clock.nowMs += pingSeconds * 1000
      quiet.sockets.sweep()
      await until('the answer to the ping is read', () => readBytes() > before)
      assert.equal(quiet.sockets.sessions.connectionCount, 1)
    }
    quiet.channels.publish('wall', 'still here')
    await client.next(({ data }) => data === 'still here')
  })

  test('a plain WebSocket is pinged before it counts as idle, however rare pings are', async (t) => {
    const quiet = await socketNode({ settings: { idleSeconds: 10, pingSeconds: 25 } })
    t.after(() => quiet.close())
    const socket = new WebSocket(`${quiet.url.replace('http', 'ws')}/ws`)
    await once(socket, 'open')
    const pinged = once(socket, 'ping')
    quiet.clock.nowMs = 5_000
    quiet.sockets.sweep()
    await pinged
  })

  test('a plain WebSocket that does not even answer pings for 15 minutes is closed', async () => {
    const client = await node.connect('websocket')
    node.clock.nowMs = 60_000
    await client.ask('ping')
    node.clock.nowMs = 60_000 + 899_999
    node.sockets.sweep()
    assert.equal(node.sockets.sessions.connectionCount, 1)
    node.clock.nowMs += 1
    node.sockets.sweep()
    assert.equal(await client.ended, '1000 IDLE')
  })

  test('a plain WebSocket that does not answer a heartbeat is cut', async () => {
    const client = await node.connect('websocket')
    node.clock.nowMs = 30_000
    node.sockets.sweep()
    await client.ask('ping')
    node.clock.nowMs = 60_000
    node.sockets.sweep()
    assert.equal(node.sockets.sessions.connectionCount, 1)
    client.stall()
    node.clock.nowMs = 90_000
    node.sockets.sweep()
    node.clock.nowMs = 120_000
    node.sockets.sweep()
    await until('the connection has ended', () => node.sockets.sessions.connectionCount === 0)
  })
})
