// Serves plain WebSockets: the same JSON as over Socket.IO, as text frames.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Admission } from '../admission/admission.ts'
import { receive } from '../operations/operations.ts'
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import { CLOSE_CODES, type Socket } from '../session/socket.ts'
import { closeText } from '../session/socket-refusal.ts'
import { FrameServer } from './frame-server.ts'
import { Rooms } from './rooms.ts'
import { textFrame } from './text-frame.ts'

/** Overhead of a waiting message, bytes: the buffer, the write, its place in a queue. */
const WRITE_BYTES = 512

type Upgrade = Readonly<{ request: IncomingMessage; socket: Duplex; head: Buffer }>
/** A recipient of broadcasts; `waiting` writes have not been taken by the kernel yet. */
type Member = {
  readonly socket: WebSocket
  readonly stream: Duplex
  waiting: number
  readonly written: () => void
}
type Client = {
  readonly connection: Connection
  heardMs: number
  pingedMs: number
  isHere: boolean
}

export class PlainTransport {
  readonly #sessions: Sessions
  readonly #admission: Admission
  readonly #server: FrameServer
  readonly #clients = new Map<WebSocket, Client>()
  readonly #rooms = new Rooms<Member>()

  constructor(sessions: Sessions, admission: Admission) {
    this.#sessions = sessions
    this.#admission = admission
    const { monotonicMs } = sessions.deps.clock
    this.#server = new FrameServer({
      monotonicMs,
      open: (request) => admission.openBudget(admission.address(request)),
      exceeded: (client, retryAfterMs) => {
        const { connection } = this.#clients.get(client) ?? {}
        if (connection !== undefined) sessions.drop(connection, 'RATE_LIMIT_EXCEEDED', retryAfterMs)
      },
    })
    sessions.topics.serve((room, text) => this.#broadcast(room, text))
  }

  /** Accepts a WebSocket connection. */
  accept({ request, socket, head }: Upgrade): void {
    const address = this.#admission.address(request)
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const ended = this.#admission.opened(address)
      const addresses = { address, exactAddress: this.#admission.exactAddress(request) }
      const connection = this.#sessions.connect(this.#createSocket(client, socket, addresses))
      const nowMs = this.#sessions.deps.clock.monotonicMs()
      this.#clients.set(client, { connection, heardMs: nowMs, pingedMs: nowMs, isHere: true })
      client.on('message', (bytes, isBinary) => this.#receive(client, bytes as Buffer, isBinary))
      client.on('pong', () => this.#hear(client))
      client.on('ping', () => this.#hear(client))
      // A frame that breaks the protocol; the library closes the connection with the right code.
      client.on('error', () => {})
      client.on('close', () => {
        this.#clients.delete(client)
        this.#sessions.disconnect(connection)
        this.#sessions.ended(connection)
        ended()
      })
    })
  }

  /**
   * Pings clients, and closes those that answer neither pings nor anything else. A client that only
   * reads and answers pings stays: it may be a bot whose orders end with its connection.
   */
  sweep(): void {
    this.#server.sweep()
    const nowMs = this.#sessions.deps.clock.monotonicMs()
    const { idleSeconds, pingSeconds } = this.#sessions.deps.settings
    const idleMs = idleSeconds * 1000
    // Every client is pinged at least once before it counts as idle.
    const pingMs = Math.min(pingSeconds * 1000, idleMs / 2)
    for (const [socket, client] of this.#clients) {
      if (nowMs - client.heardMs >= idleMs) this.#sessions.drop(client.connection, 'IDLE')
      if (nowMs - client.pingedMs < pingMs) continue
      // The client did not answer the last ping.
      if (!client.isHere) socket.terminate()
      client.pingedMs = nowMs
      client.isHere = false
      socket.ping()
    }
  }

  #receive(socket: WebSocket, bytes: Buffer, isBinary: boolean): void {
    const client = this.#clients.get(socket)
    if (client === undefined || client.connection.isClosed) return
    this.#hear(socket)
    receive(this.#sessions, client.connection, isBinary ? undefined : bytes.toString())
  }

  #hear(socket: WebSocket): void {
    const client = this.#clients.get(socket)
    if (client === undefined) return
    client.heardMs = this.#sessions.deps.clock.monotonicMs()
    client.isHere = true
  }

  #createSocket(
    socket: WebSocket,
    stream: Duplex,
    addresses: Pick<Socket, 'address' | 'exactAddress'>,
  ): Socket {
    const member: Member = {
      socket,
      stream,
      waiting: 0,
      written: () => {
        member.waiting -= 1
      },
    }
    return {
      transport: 'websocket',
      ...addresses,
      send: (text) => write(member, textFrame(text)),
      join: (room) => this.#rooms.join(room, member),
      leave: (room) => this.#rooms.leave(room, member),
      unsentBytes: () => socket.bufferedAmount + member.waiting * WRITE_BYTES,
      partialBytes: () => this.#server.partialBytes(socket),
      close: (reason, retryAfterMs) => {
        const text = closeText(reason, retryAfterMs)
        if (text !== undefined) write(member, textFrame(text))
        socket.close(CLOSE_CODES[reason], reason)
      },
      destroy: () => socket.terminate(),
    }
  }

  /** The frame is built once for all recipients. */
  #broadcast(room: string, text: string): number {
    const members = this.#rooms.members(room)
    if (members === undefined) return 0
    const frame = textFrame(text)
    for (const member of members) write(member, frame)
    return members.size
  }
}

/** Bypasses the library, which would build the frame again, in two pieces. */
function write(member: Member, frame: Buffer): void {
  if (member.socket.readyState !== member.socket.OPEN) return
  member.waiting += 1
  member.stream.write(frame, member.written)
}
