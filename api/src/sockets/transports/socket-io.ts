// Serves Socket.IO: the client emits an object, or its JSON, on the event `message`; the server
// answers and publishes on `message` with JSON text. A client that waits for an acknowledgement
// gets the answer there, as an object. Interface 5.4 and 6.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SERVER_SHUTDOWN } from '@openvenue/wire/socket'
import { type Socket as IoSocket, Server } from 'socket.io'
import type { WebSocket } from 'ws'
import type { Admission, AdmissionDeps } from '../admission/admission.ts'
import { SOCKET_IO_PATH } from '../admission/paths.ts'
import { receive } from '../operations/operations.ts'
import type { Connection } from '../session/connection.ts'
import type { Sessions } from '../session/sessions.ts'
import type { CloseReason, Socket } from '../session/socket.ts'
import { MESSAGE_BYTES_MAX } from '../session/socket-limits.ts'
import { closeText } from '../session/socket-refusal.ts'
import { FrameServer, type FrameWatch } from './frame-server.ts'
import { Rooms } from './rooms.ts'
import { Polls } from './socket-io-polls.ts'
import { textFrame } from './text-frame.ts'

/** Time after which a client that only opened a connection is cut, ms. */
const CONNECT_TIMEOUT_MS = 10_000
/** Time that a client has to answer a ping, ms. */
const PONG_MS_MAX = 20_000
/** Time to wait for the last poll of an ending client, ms. The library waits 30 s. */
const LAST_POLL_MS = 2_000
/** Overhead of a waiting packet, bytes: objects of both protocols, and its frame. */
const PACKET_BYTES = 1_024
const EVENT = 'message'
/** Prefixes of an event in Socket.IO, and of a message in Engine.IO below it. */
const SOCKET_IO_EVENT = '2'
const ENGINE_IO_MESSAGE = '4'

/** Members of the library's connection that its types hide. */
type Engine = Readonly<{
  id: string
  writeBuffer: readonly { data?: string | Buffer }[]
  transport: {
    name: string
    /** False while packets are being sent. */
    writable: boolean
    socket?: WebSocket
    /** Only for polling. */
    closeTimeout?: number
  }
}>

type Conn = IoSocket['conn']
/** Facts of a connection that the library does not know. */
type SocketSession = { connection: Connection | undefined; packetsSent: number }

export class SocketIoTransport {
  readonly #sessions: Sessions
  readonly #io: Server
  readonly #polls: Polls
  readonly #rooms = new Rooms<Conn>()
  readonly #engines = new Map<Conn, SocketSession>()
  /** Connections by their WebSocket, from the upgrade on when they began by polling. */
  readonly #conns = new WeakMap<WebSocket, Conn>()
  #frames: FrameServer | undefined

  constructor(sessions: Sessions, admission: Admission, { isAny, list }: AdmissionDeps['origins']) {
    this.#sessions = sessions
    this.#polls = new Polls(admission)
    const pingMs = sessions.deps.settings.pingSeconds * 1000
    this.#io = new Server({
      path: SOCKET_IO_PATH,
      serveClient: false,
      maxHttpBufferSize: MESSAGE_BYTES_MAX,
      connectTimeout: CONNECT_TIMEOUT_MS,
      pingInterval: pingMs,
      pingTimeout: Math.min(pingMs, PONG_MS_MAX),
      cors: { origin: isAny ? '*' : [...list] },
      wsEngine: this.#engineClass(admission),
    })
    // This server never listens: the one host checks requests and passes them to it.
    this.#io.attach(createServer())
    this.#io.engine.on('connection', (conn: Conn) => this.#opened(conn, admission))
    this.#io.on('connection', (socket) => this.#accept(socket, admission))
    sessions.topics.serve((room, text) => this.#broadcast(room, text))
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#polls.watch(request, response)) return
    this.#io.engine.handleRequest(request as never, response)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#io.engine.handleUpgrade(request as never, socket, head)
  }

  sweep(): void {
    this.#frames?.sweep()
  }

  /** Ends all connections, after `Sessions.close` sent the reason. */
  close(): Promise<void> {
    return this.#io.close()
  }

  /** The library creates its own WebSocket server from a class. */
  #engineClass(admission: Admission) {
    const sessions = this.#sessions
    const watch: FrameWatch = {
      monotonicMs: sessions.deps.clock.monotonicMs,
      open: (request) => admission.openBudget(admission.address(request)),
      exceeded: (client, retryAfterMs) => {
        const conn = this.#conns.get(client)
        const { connection } = (conn && this.#engines.get(conn)) ?? {}
        if (connection !== undefined) sessions.drop(connection, 'RATE_LIMIT_EXCEEDED', retryAfterMs)
      },
    }
    const keep = (frames: FrameServer) => {
      this.#frames = frames
    }
    return class extends FrameServer {
      constructor() {
        super(watch)
        keep(this)
      }
    }
  }

  #opened(conn: Conn, admission: Admission): void {
    const address = admission.address(conn.request)
    const session: SocketSession = { connection: undefined, packetsSent: 0 }
    const { id, transport } = engine(conn)
    transport.closeTimeout = LAST_POLL_MS
    if (transport.socket !== undefined) this.#conns.set(transport.socket, conn)
    this.#engines.set(conn, session)
    this.#polls.open(id, address, (retryAfterMs) => this.#end(conn, retryAfterMs))
    const ended = admission.opened(address)
    conn.on('upgrade', ({ socket }: Engine['transport']) => {
      if (socket !== undefined) this.#conns.set(socket, conn)
    })
    conn.on('flush', (packets: readonly unknown[]) => {
      session.packetsSent = packets.length
    })
    conn.on('close', () => {
      this.#engines.delete(conn)
      this.#polls.end(id)
      ended()
    })
  }

  #accept(socket: IoSocket, admission: Admission): void {
    const { request } = socket
    const address = admission.address(request)
    const addresses = { address, exactAddress: admission.exactAddress(request) }
    const connection = this.#sessions.connect(this.#createSocket(socket, addresses))
    const session = this.#engines.get(socket.conn)
    if (session !== undefined) session.connection = connection
    socket.onAny((event: string, ...args: readonly unknown[]) => {
      const message = event === EVENT ? args[0] : undefined
      receive(this.#sessions, connection, message, acknowledge(args.at(-1)))
    })
    socket.on('disconnect', () => this.#sessions.disconnect(connection))
    socket.conn.once('close', () => this.#sessions.ended(connection))
  }

  /** Ends a polling client that sent too much. */
  #end(conn: Conn, retryAfterMs: number): void {
    const { connection } = this.#engines.get(conn) ?? {}
    if (connection === undefined) conn.close(true)
    else this.#sessions.drop(connection, 'RATE_LIMIT_EXCEEDED', retryAfterMs)
  }

  /**
   * The packet and its frame are built once. The library would do the same for a room, but with two
   * writes to each connection instead of one.
   */
  #broadcast(room: string, text: string): number {
    const members = this.#rooms.members(room)
    if (members === undefined) return 0
    const packet = `${SOCKET_IO_EVENT}${JSON.stringify([EVENT, text])}`
    const wsPreEncodedFrame = [textFrame(`${ENGINE_IO_MESSAGE}${packet}`)]
    const options = { compress: false, wsPreEncodedFrame }
    for (const conn of members) conn.write(packet, options)
    return members.size
  }

  #createSocket(socket: IoSocket, addresses: Pick<Socket, 'address' | 'exactAddress'>): Socket {
    const { conn } = socket
    return {
      transport: 'socket.io',
      ...addresses,
      send: (text) => {
        socket.emit(EVENT, text)
      },
      join: (room) => this.#rooms.join(room, conn),
      leave: (room) => this.#rooms.leave(room, conn),
      unsentBytes: () => this.#unsentBytes(conn),
      partialBytes: () => {
        const client = engine(conn).transport.socket
        return client === undefined ? 0 : (this.#frames?.partialBytes(client) ?? 0)
      },
      close: (reason, retryAfterMs) => close(socket, reason, retryAfterMs),
      destroy: () => {
        const { id, transport } = engine(conn)
        this.#polls.cut(id)
        conn.close(true)
        transport.socket?.terminate()
      },
    }
  }

  /** Counts the bytes that wait in the library, in its WebSocket, and in answers to polls. */
  #unsentBytes(conn: Conn): number {
    const { id, writeBuffer, transport } = engine(conn)
    const isSending = transport.socket !== undefined && !transport.writable
    const sent = isSending ? (this.#engines.get(conn)?.packetsSent ?? 0) : 0
    let bytes = (writeBuffer.length + sent) * PACKET_BYTES
    bytes += (transport.socket?.bufferedAmount ?? 0) + this.#polls.unsentBytes(id)
    for (const { data } of writeBuffer) bytes += data?.length ?? 0
    return bytes
  }
}

/**
 * Returns a function that sends the reply as an acknowledgement, as a value, which such clients
 * expect. Undefined: the client does not wait for one.
 */
function acknowledge(last: unknown): ((text: string) => void) | undefined {
  if (typeof last !== 'function') return undefined
  return (text) => last(JSON.parse(text))
}

/**
 * Sends the reason and ends. When the server is stopping, no disconnect packet is sent: the client
 * sees its transport end, and reconnects on its own to a node that serves.
 */
function close(socket: IoSocket, reason: CloseReason, retryAfterMs: number | undefined): void {
  const text = closeText(reason, retryAfterMs)
  if (text !== undefined) socket.emit(EVENT, text)
  if (reason === 'SHUTDOWN') {
    // For clients that listen only for this event.
    socket.emit(SERVER_SHUTDOWN, text)
    socket.conn.close()
  } else socket.disconnect(true)
}

const engine = (conn: Conn) => conn as unknown as Engine
