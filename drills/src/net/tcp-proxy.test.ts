import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { applicationName } from './startup-packet.ts'
import { TcpProxy } from './tcp-proxy.ts'

/** The first packet of PostgreSQL's clients. */
function startupPacket(name: string): Buffer {
  const words = Buffer.from(`user\0postgres\0application_name\0${name}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(words.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, words])
}

describe('a TCP proxy', () => {
  let server: Server
  let proxy: TcpProxy
  /** All that reached the server, and its connections. */
  let reached = ''
  const upstreams: Socket[] = []
  const clients: Socket[] = []
  before(async () => {
    server = createServer((socket) => {
      upstreams.push(socket)
      socket.on('error', () => {})
      socket.on('data', (piece) => {
        reached += piece
        socket.write(`echo ${piece}`)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    proxy = await TcpProxy.open((server.address() as AddressInfo).port)
  })
  afterEach(() => {
    proxy.restore()
    for (const client of clients.splice(0)) client.destroy()
    reached = ''
  })
  after(async () => {
    await proxy.close()
    for (const socket of upstreams) socket.destroy()
    server.close()
  })

  const connect = async () => {
    const socket = createConnection(proxy.port, '127.0.0.1')
    clients.push(socket)
    const client = { socket, heard: '', error: '' }
    socket.on('data', (piece) => {
      client.heard += piece
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      client.error = error.code ?? ''
    })
    await once(socket, 'connect')
    return client
  }

  test('passes data both ways', async () => {
    const client = await connect()
    client.socket.write('hello')
    await until('it is answered', () => client.heard === 'echo hello')
  })

  test('cut: open and new connections are reset', async () => {
    const old = await connect()
    old.socket.write('hello')
    await until('it is answered', () => old.heard !== '')
    proxy.fail({ mode: 'cut' })
    await until('it is reset', () => old.error === 'ECONNRESET')
    const fresh = await connect().catch((error: NodeJS.ErrnoException) => error.code)
    const isReset = () => typeof fresh !== 'object' || fresh.socket.destroyed
    await until('it is reset, before it connects or after', isReset)
  })

  test('freeze: nothing is delivered and no end is visible until it thaws', async () => {
    const client = await connect()
    client.socket.write('one')
    await until('it is answered', () => client.heard === 'echo one')
    proxy.fail({ mode: 'freeze' })
    client.socket.write(' two')
    const late = await connect()
    late.socket.end('three')
    // Everything that is not frozen passes meanwhile: a round trip past the proxy.
    const beside = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(beside)
    beside.write('beside')
    await once(beside, 'data')
    assert.equal(reached, 'onebeside')
    assert.equal(client.heard, 'echo one')
    proxy.restore()
    await until('both have come', () => reached.includes('two') && reached.includes('three'))
    await until('it is answered', () => client.heard === 'echo oneecho  two')
  })

  test('freezes only connections with the label in their startup packet', async () => {
    const listener = await connect()
    listener.socket.write(startupPacket('openvenue listener'))
    const feed = await connect()
    feed.socket.write(startupPacket('openvenue feed'))
    await until('both labels are known', () => proxy.labels.length === 2)
    await until('both are answered', () => listener.heard !== '' && feed.heard !== '')
    const before = listener.heard
    proxy.fail({ mode: 'freeze', label: 'listener' })
    listener.socket.write('now')
    feed.socket.write('now')
    await until('the other is answered', () => feed.heard.endsWith('echo now'))
    assert.equal(listener.heard, before)
    proxy.restore()
    await until('it is answered', () => listener.heard.endsWith('echo now'))
  })

  test('freezes one direction: the server receives, the client does not', async () => {
    const client = await connect()
    proxy.fail({ mode: 'freeze', direction: 'down' })
    client.socket.write('hello')
    await until('the server hears it', () => reached === 'hello')
    assert.equal(client.heard, '')
    proxy.restore()
    await until('it is answered', () => client.heard === 'echo hello')
  })

  test('begin: an answer starts and stops until the fault ends', async () => {
    proxy.fail({ mode: 'begin' })
    const client = await connect()
    client.socket.write('one')
    await until('it begins', () => client.heard === 'echo one')
    client.socket.write('two')
    await until('the server hears more', () => reached === 'onetwo')
    const beside = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(beside)
    beside.write('beside')
    await once(beside, 'data')
    assert.equal(client.heard, 'echo one')
    proxy.restore()
    await until('the rest comes', () => client.heard === 'echo oneecho two')
  })

  test('drops open connections, and accepts new ones', async () => {
    const old = await connect()
    old.socket.write('one')
    await until('it is answered', () => old.heard !== '')
    proxy.drop()
    await until('it is reset', () => old.error === 'ECONNRESET')
    const fresh = await connect()
    fresh.socket.write('two')
    await until('it is answered', () => fresh.heard === 'echo two')
  })

  test('keeps the order of delayed data and of data after the delay', async () => {
    const client = await connect()
    proxy.fail({ mode: 'delay', delayMs: 30, direction: 'up' })
    for (const piece of ['a', 'b', 'c']) client.socket.write(piece)
    await until('the first has come', () => reached.startsWith('a'))
    proxy.restore()
    client.socket.write('d')
    await until('all have come', () => reached === 'abcd')
  })

  test("a packet other than PostgreSQL's first one has no label", () => {
    assert.equal(applicationName(startupPacket('openvenue feed')), 'openvenue feed')
    assert.equal(applicationName(Buffer.from('GET / HTTP/1.1\r\n')), undefined)
    assert.equal(applicationName(Buffer.alloc(3)), undefined)
  })
})
