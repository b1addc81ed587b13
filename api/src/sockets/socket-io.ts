// Socket.IO: the client emits an object, or its JSON, on the event `message`; the server answers
// and publishes on `message` with JSON text. Interface 5.4 and 6.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server, type Socket } from 'socket.io'
import type { SocketCore } from './core.ts'
import type { Gate, Link } from './link.ts'
import { Rooms } from './rooms.ts'
import { MESSAGE_BYTES_MAX } from './socket-limits.ts'
import { failureText } from './socket-refusal.ts'
import { textFrame } from './text-frame.ts'

export const SOCKET_IO_PATH = '/socket.io'
/** A client that opened a connection and says nothing more is cut. */
const CONNECT_TIMEOUT_MS = 10_000
/** How long a polling client that ends is waited for to poll once more. The library waits 30 s. */
const LAST_POLL_MS = 2_000
const EVENT = 'message'
/** How the protocol of Socket.IO begins an event, and that of Engine.IO below it a message. */
const SOCKET_IO_EVENT = '2'
const ENGINE_IO_MESSAGE = '4'

/** What the library keeps of a connection, as far as the types hide it. */
type Engine = Readonly<{
  writeBuffer: readonly { data?: string | Buffer }[]
  transport: {
    socket?: { bufferedAmount: number; terminate: () => void }
    /** Of polling. */
    closeTimeout?: number
  }
}>

export type Origins = Readonly<{ isAny: boolean; list: readonly string[] }>

export class SocketIoDoor {
  readonly #core: SocketCore
  readonly #io: Server
  readonly #rooms = new Rooms<Socket['conn']>()

  constructor(core: SocketCore, gate: Gate, { isAny, list }: Origins) {
    this.#core = core
    this.#io = new Server({
      path: SOCKET_IO_PATH,
      serveClient: false,
      maxHttpBufferSize: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      cors: { origin: isAny ? '*' : [...list] },
    })
    // It never listens: requests come to it from the one server, after what that one checks.
    this.#io.attach(createServer())
    this.#io.engine.on('connection', (raw: Socket['conn']) => {
      engineOf(raw).transport.closeTimeout = LAST_POLL_MS
      raw.on('close', gate.opened(gate.addressOf(raw.request)))
    })
    this.#io.on('connection', (socket) => this.#accept(socket, gate.addressOf(socket.request)))
    core.serve((room, text) => this.#broadcast(room, text))
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    this.#io.engine.handleRequest(request as never, response)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#io.engine.handleUpgrade(request as never, socket, head)
  }

  /** Ends all connections, after `SocketCore.close` told them why. */
  close(): Promise<void> {
    return this.#io.close()
  }

  #accept(socket: Socket, address: string): void {
    const connection = this.#core.connect(linkOf(socket, address, this.#rooms))
    socket.on(EVENT, (raw: unknown) => this.#core.receive(connection, raw))
    socket.onAny((event: string) => {
      if (event !== EVENT) this.#core.receive(connection, undefined)
    })
    socket.on('disconnect', () => this.#core.disconnect(connection))
    socket.conn.once('close', () => this.#core.ended(connection))
  }

  /**
   * The packet and its frame are made once. The library would do the same for a room, with two
   * writes to each connection instead of one.
   */
  #broadcast(room: string, text: string): number {
    const members = this.#rooms.membersOf(room)
    if (members === undefined) return 0
    const packet = `${SOCKET_IO_EVENT}${JSON.stringify([EVENT, text])}`
    const wsPreEncodedFrame = [textFrame(`${ENGINE_IO_MESSAGE}${packet}`)]
    const options = { compress: false, wsPreEncodedFrame }
    for (const conn of members) conn.write(packet, options)
    return members.size
  }
}

function linkOf(socket: Socket, address: string, rooms: Rooms<Socket['conn']>): Link {
  return {
    transport: 'socket.io',
    address,
    send: (text) => {
      socket.emit(EVENT, text)
    },
    join: (room) => rooms.join(room, socket.conn),
    leave: (room) => rooms.leave(room, socket.conn),
    unsentBytes: () => unsentBytes(engineOf(socket.conn)),
    close: (reason) => {
      if (reason === 'SLOW_CONSUMER') socket.emit(EVENT, failureText({ code: reason }))
      socket.disconnect(true)
    },
    destroy: () => {
      const { transport } = engineOf(socket.conn)
      socket.conn.close(true)
      transport.socket?.terminate()
    },
  }
}

const engineOf = (conn: Socket['conn']) => conn as unknown as Engine

/** What waits in the library, and what waits in the connection. */
function unsentBytes({ writeBuffer, transport }: Engine): number {
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) bytes += data?.length ?? 0
  return bytes
}
