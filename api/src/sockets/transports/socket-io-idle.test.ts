// Socket.IO: a connection with data flowing stays open, and one whose client no longer reads, or
// does not answer pings, ends. The test controls time, because the library has timers of its own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import timers from 'node:timers'
import { WebSocket } from 'ws'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'

const PING_MS = 25_000
/** The library's timeout of a ping. */
const PONG_MS = 20_000
const ROUNDS = 40
/** Event loop turns within which data on its way arrives. */
const TURNS_MAX = 20_000

/** Packets of Engine.IO and Socket.IO: a ping, its answer, the connect, an event. */
const [PING, PONG, CONNECT] = ['2', '3', '40']
const event = (message: object) => `42${JSON.stringify(['message', message])}`
const SUBSCRIBE = event({ op: 'subscribe', data: ['wall'], id: 1 })

const otherTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The library's timers, moved by `refresh`, which the timers of `node:test` do not support. */
class FakeTimers {
  readonly #waiting = new Set<FakeTimer>()
  #nowMs = 0

  readonly start = (run: () => void, ms = 0): FakeTimer => {
    const timer: FakeTimer = {
      atMs: this.#nowMs + ms,
      run,
      refresh: () => {
        timer.atMs = this.#nowMs + ms
        this.#waiting.add(timer)
        return timer
      },
      unref: () => timer,
    }
    return timer.refresh()
  }

  readonly stop = (timer: FakeTimer): boolean => this.#waiting.delete(timer)

  tick(ms: number): void {
    const untilMs = this.#nowMs + ms
    for (;;) {
      const [first] = [...this.#waiting].sort((one, other) => one.atMs - other.atMs)
      if (first === undefined || first.atMs > untilMs) break
      this.#waiting.delete(first)
      this.#nowMs = first.atMs
      first.run()
    }
    this.#nowMs = untilMs
  }
}
type FakeTimer = {
  atMs: number
  readonly run: () => void
  readonly refresh: () => FakeTimer
  readonly unref: () => FakeTimer
}

/** Like `until`, by turns of the event loop, because timers are frozen. */
async function soon(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    if (holds()) return
    await otherTurn()
  }
  assert.fail(`not in ${TURNS_MAX} turns: ${what}`)
}

/** A client without timers or answers of its own. */
type RawClient = Readonly<{
  packets: string[]
  isOpen: () => boolean
  send: (packet: string) => void
  /** Stops reading. */
  stall: () => void
  /** Waits for packets not yet taken, and returns them. */
  take: (what: string, isThere: (packets: readonly string[]) => boolean) => Promise<string[]>
}>

describe('a connection of Socket.IO', () => {
  let node: SocketNode
  let streams: Socket[]
  let library: FakeTimers
  const clients: (() => void)[] = []
  beforeEach(async () => {
    node = await socketNode({ settings: { pingSeconds: PING_MS / 1000, idleSeconds: 900 } })
    streams = []
    node.host.server.on('connection', (stream: Socket) => streams.push(stream))
    library = new FakeTimers()
    mock.method(timers, 'setTimeout', library.start as never)
    mock.method(timers, 'clearTimeout', library.stop as never)
  })
  afterEach(async () => {
    mock.restoreAll()
    for (const end of clients.splice(0)) end()
    await node.close()
  })

  const isServed = () => node.sockets.sessions.connectionCount === 1
  const readBytes = () => streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0)

  function watch(client: Omit<RawClient, 'take'>): RawClient {
    let seen = 0
    return {
      ...client,
      take: async (what, isThere) => {
        await soon(what, () => isThere(client.packets.slice(seen)))
        const taken = client.packets.slice(seen)
        seen = client.packets.length
        return taken
      },
    }
  }

  async function overWebSocket(): Promise<RawClient> {
    const url = `${node.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
    const socket = new WebSocket(url)
    const packets: string[] = []
    socket.on('message', (bytes) => packets.push(String(bytes)))
    socket.on('error', () => {})
    await once(socket, 'open')
    clients.push(() => socket.terminate())
    const raw = () => (socket as unknown as { _socket: Socket })._socket
    return watch({
      packets,
      isOpen: () => socket.readyState === WebSocket.OPEN,
      send: (packet) => socket.send(packet),
      stall: () => raw().pause(),
    })
  }

  async function overPolling(): Promise<RawClient> {
    const url = `${node.url}/socket.io/?EIO=4&transport=polling`
    const handshake = await (await fetch(url)).text()
    const { sid } = JSON.parse(handshake.slice(1))
    const packets: string[] = []
    let isOpen = true
    let isReading = true
    const stop = new AbortController()
    const poll = async () => {
      while (isReading && isOpen) {
        const answer = await fetch(`${url}&sid=${sid}`, { signal: stop.signal })
        isOpen = answer.ok
        if (isOpen) packets.push(...(await answer.text()).split('\u001e'))
      }
    }
    const ended = () => {
      isOpen = false
    }
    let sent: Promise<unknown> = Promise.resolve()
    clients.push(() => stop.abort())
    poll().catch(ended)
    return watch({
      packets,
      isOpen: () => isOpen,
      send: (body) => {
        sent = sent.then(() => fetch(`${url}&sid=${sid}`, { method: 'POST', body })).catch(ended)
      },
      stall: () => {
        isReading = false
        stop.abort()
      },
    })
  }

  const begin = async (client: RawClient) => {
    client.send(CONNECT)
    await client.take('the connect is answered', (packets) =>
      packets.some((packet) => packet.startsWith(CONNECT)),
    )
    client.send(SUBSCRIBE)
    await client.take('the channel is subscribed to', () => node.channels.opened.includes('wall'))
    await soon('the connection is served', isServed)
    return client
  }
  /** Moves the time of the library's timers and of the node. */
  const pass = (ms: number) => {
    node.clock.nowMs += ms
    library.tick(ms)
    node.sockets.sweep()
  }
  const pinged = (client: RawClient) =>
    client.take('a ping came', (packets) => packets.includes(PING))
  /** Answers a ping; the server reads it before time passes. */
  const pong = async (client: RawClient) => {
    const before = readBytes()
    client.send(PONG)
    await soon('the answer is read', () => readBytes() > before)
    await otherTurn()
  }

  for (const [way, open] of [
    ['WebSocket', overWebSocket],
    ['polling', overPolling],
  ] as const) {
    test(`a connection of Socket.IO over ${way} that only reads and answers pings stays, however long`, async () => {
      const client = await begin(await open())
      for (let round = 0; round < ROUNDS; round++) {
        pass(PING_MS)
        await pinged(client)
        await pong(client)
        pass(PONG_MS - 1)
        assert.ok(isServed(), `round ${round}`)
      }
      assert.ok(node.clock.nowMs > 900_000, 'longer than the silence of a plain WebSocket')
    })

    test(`a connection of Socket.IO over ${way} to which data flows stays, and gets all of it`, async () => {
      const client = await begin(await open())
      const expected: string[] = []
      for (let round = 0; round < ROUNDS; round++) {
        for (const part of [0, 1]) {
          expected.push(`${round}/${part}`)
          node.channels.publish('wall', `${round}/${part}`)
        }
        pass(PING_MS)
        await pinged(client)
        await pong(client)
      }
      await client.take('the last has come', () =>
        client.packets.join().includes(`${ROUNDS - 1}/1`),
      )
      const text = client.packets.join()
      assert.ok(expected.every((data) => text.includes(`\\"${data}\\"`)))
      assert.ok(isServed() && client.isOpen())
    })

    test(`a connection of Socket.IO over ${way} that answers no ping ends when its time is over, though it reads`, async () => {
      const client = await begin(await open())
      pass(PING_MS)
      await pinged(client)
      node.channels.publish('wall', 'still read')
      await client.take('it is read', (packets) => packets.join().includes('still read'))
      pass(PONG_MS - 1)
      assert.ok(isServed())
      pass(1)
      await soon('the connection has ended', () => !isServed())
    })

    test(`a connection of Socket.IO over ${way} whose client stops reading ends when its time is over`, async () => {
      const client = await begin(await open())
      client.stall()
      pass(PING_MS)
      node.channels.publish('wall', 'not read')
      pass(PONG_MS)
      await soon('the connection has ended', () => !isServed())
    })

    test(`a Socket.IO connection over ${way} that sends and answers no ping is given its time a second time`, async () => {
      const client = await begin(await open())
      pass(PING_MS)
      await pinged(client)
      pass(PONG_MS - 1)
      client.send(event({ op: 'status', id: 2 }))
      await client.take('its message is answered', (packets) => packets.join().includes('"id\\":2'))
      pass(PONG_MS - 1)
      assert.ok(isServed())
      client.send(event({ op: 'status', id: 3 }))
      await client.take('its message is answered', (packets) => packets.join().includes('"id\\":3'))
      pass(1)
      await soon('the connection has ended', () => !isServed())
    })
  }
})
