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
import { applicationName, TcpProxy } from './tcp-proxy.ts'

/** The first packet of PostgreSQL's clients. */
function startupPacket(name: string): Buffer {
  const words = Buffer.from(`user\0postgres\0application_name\0${name}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(words.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, words])
}

describe('TcpProxy', () => {
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
    const client = { socket, received: '', error: '' }
    socket.on('data', (piece) => {
      client.received += piece
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      client.error = error.code ?? ''
    })
    await once(socket, 'connect')
    return client
  }

  test('a TCP proxy passes data both ways', async () => {
    const client = await connect()
    client.socket.write('hello')
    await until('the answer arrives', () => client.received === 'echo hello')
  })

  test('a TCP proxy that cuts resets open and new connections', async () => {
    const old = await connect()
    old.socket.write('hello')
    await until('the answer arrives', () => old.received !== '')
    proxy.fail({ mode: 'cut' })
    await until('the connection is reset', () => old.error === 'ECONNRESET')
    const fresh = await connect().catch((error: NodeJS.ErrnoException) => error.code)
    const isReset = () => typeof fresh !== 'object' || fresh.socket.destroyed
    await until('the new connection is reset', isReset)
  })

  test('a TCP proxy that freezes delivers neither data nor ends until it is restored', async () => {
    const client = await connect()
    client.socket.write('one')
    await until('the answer arrives', () => client.received === 'echo one')
    proxy.fail({ mode: 'freeze' })
    client.socket.write(' two')
    const late = await connect()
    late.socket.end('three')
    // A round trip past the proxy: meanwhile everything that is not frozen has passed.
    const beside = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(beside)
    beside.write('beside')
    await once(beside, 'data')
    assert.equal(reached, 'onebeside')
    assert.equal(client.received, 'echo one')
    proxy.restore()
    await until('both have arrived', () => reached.includes('two') && reached.includes('three'))
    await until('the answer arrives', () => client.received === 'echo oneecho  two')
  })

  test('a TCP proxy freezes only connections with the label in their startup packet', async () => {
    const listener = await connect()
    listener.socket.write(startupPacket('openvenue listener'))
    const feed = await connect()
    feed.socket.write(startupPacket('openvenue feed'))
    await until('both labels are known', () => proxy.labels.length === 2)
    await until('both are answered', () => listener.received !== '' && feed.received !== '')
    const before = listener.received
    proxy.fail({ mode: 'freeze', label: 'listener' })
    listener.socket.write('now')
    feed.socket.write('now')
    await until('the other is answered', () => feed.received.endsWith('echo now'))
    assert.equal(listener.received, before)
    proxy.restore()
    await until('the answer arrives', () => listener.received.endsWith('echo now'))
  })

  test('a TCP proxy that freezes one direction delivers to the server but not to the client', async () => {
    const client = await connect()
    proxy.fail({ mode: 'freeze', direction: 'down' })
    client.socket.write('hello')
    await until('the server receives it', () => reached === 'hello')
    assert.equal(client.received, '')
    proxy.restore()
    await until('the answer arrives', () => client.received === 'echo hello')
  })

  test('a TCP proxy that begins delivers one piece of an answer until it is restored', async () => {
    proxy.fail({ mode: 'begin' })
    const client = await connect()
    client.socket.write('one')
    await until('the first piece arrives', () => client.received === 'echo one')
    client.socket.write('two')
    await until('the server receives more', () => reached === 'onetwo')
    const beside = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(beside)
    beside.write('beside')
    await once(beside, 'data')
    assert.equal(client.received, 'echo one')
    proxy.restore()
    await until('the rest arrives', () => client.received === 'echo oneecho two')
  })

  test('a TCP proxy drops open connections, and accepts new ones', async () => {
    const old = await connect()
    old.socket.write('one')
    await until('the answer arrives', () => old.received !== '')
    proxy.drop()
    await until('the connection is reset', () => old.error === 'ECONNRESET')
    const fresh = await connect()
    fresh.socket.write('two')
    await until('the answer arrives', () => fresh.received === 'echo two')
  })

  test('a TCP proxy keeps the order of delayed data and of data after the delay', async () => {
    const client = await connect()
    proxy.fail({ mode: 'delay', delayMs: 30, direction: 'up' })
    for (const piece of ['a', 'b', 'c']) client.socket.write(piece)
    await until('the first piece arrives', () => reached.startsWith('a'))
    proxy.restore()
    client.socket.write('d')
    await until('all pieces arrive', () => reached === 'abcd')
  })

  test('only the startup packet of PostgreSQL has a label', () => {
    assert.equal(applicationName(startupPacket('openvenue feed')), 'openvenue feed')
    assert.equal(applicationName(Buffer.from('GET / HTTP/1.1\r\n')), undefined)
    assert.equal(applicationName(Buffer.alloc(3)), undefined)
  })
})
