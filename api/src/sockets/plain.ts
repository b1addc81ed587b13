// Plain WebSocket: the same JSON as Socket.IO carries, as text frames.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Connection } from './connection.ts'
import type { SocketCore } from './core.ts'
import { CLOSE_CODES, type Gate, type Link } from './link.ts'
import { Rooms } from './rooms.ts'
import { MESSAGE_BYTES_MAX } from './socket-limits.ts'
import { failureText } from './socket-refusal.ts'
import { textFrame } from './text-frame.ts'

/** How often a client is asked whether it is there; one that does not say so until then is not. */
const PING_MS = 30_000

type Upgrade = Readonly<{ request: IncomingMessage; socket: Duplex; head: Buffer }>
type Member = Readonly<{ socket: WebSocket; stream: Duplex }>
type Client = {
  readonly connection: Connection
  heardMs: number
  pingedMs: number
  isHere: boolean
}

export class PlainDoor {
  readonly #core: SocketCore
  readonly #gate: Gate
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  })
  readonly #clients = new Map<WebSocket, Client>()
  readonly #rooms = new Rooms<Member>()

  constructor(core: SocketCore, gate: Gate) {
    this.#core = core
    this.#gate = gate
    core.serve((room, text) => this.#broadcast(room, text))
  }

  /** Takes a connection that asks for the WebSocket protocol. */
  accept({ request, socket, head }: Upgrade): void {
    const address = this.#gate.addressOf(request)
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const ended = this.#gate.opened(address)
      const connection = this.#core.connect(this.#linkOf(client, socket, address))
      const nowMs = this.#core.deps.clock.monotonicMs()
      this.#clients.set(client, { connection, heardMs: nowMs, pingedMs: nowMs, isHere: true })
      client.on('message', (bytes, isBinary) => this.#receive(client, bytes as Buffer, isBinary))
      client.on('pong', () => this.#isHere(client))
      // A frame that breaks the protocol; the library closes the connection with the code for it.
      client.on('error', () => {})
      client.on('close', () => {
        this.#clients.delete(client)
        this.#core.disconnect(connection)
        this.#core.ended(connection)
        ended()
      })
    })
  }

  /** Closes clients that say nothing, and those that are gone without a word. */
  sweep(): void {
    const nowMs = this.#core.deps.clock.monotonicMs()
    const idleMs = this.#core.deps.settings.idleSeconds * 1000
    for (const [socket, client] of this.#clients) {
      if (nowMs - client.heardMs >= idleMs) this.#core.drop(client.connection, 'IDLE')
      if (nowMs - client.pingedMs < PING_MS) continue
      if (!client.isHere) socket.terminate()
      client.pingedMs = nowMs
      client.isHere = false
      socket.ping()
    }
  }

  #receive(socket: WebSocket, bytes: Buffer, isBinary: boolean): void {
    const client = this.#clients.get(socket)
    if (client === undefined) return
    client.heardMs = this.#core.deps.clock.monotonicMs()
    client.isHere = true
    this.#core.receive(client.connection, isBinary ? undefined : bytes.toString())
  }

  #isHere(socket: WebSocket): void {
    const client = this.#clients.get(socket)
    if (client !== undefined) client.isHere = true
  }

  #linkOf(socket: WebSocket, stream: Duplex, address: string): Link {
    const member = { socket, stream }
    return {
      transport: 'websocket',
      address,
      send: (text) => socket.send(text),
      join: (room) => this.#rooms.join(room, member),
      leave: (room) => this.#rooms.leave(room, member),
      unsentBytes: () => socket.bufferedAmount,
      close: (reason) => {
        if (reason === 'SLOW_CONSUMER') socket.send(failureText({ code: reason }))
        socket.close(CLOSE_CODES[reason], reason)
      },
      destroy: () => socket.terminate(),
    }
  }

  /** The frame is made once, and written past the library, which would make it for each. */
  #broadcast(room: string, text: string): number {
    const members = this.#rooms.membersOf(room)
    if (members === undefined) return 0
    const frame = textFrame(text)
    for (const { socket, stream } of members)
      if (socket.readyState === socket.OPEN) stream.write(frame)
    return members.size
  }
}
