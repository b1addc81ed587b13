// Forwards TCP, and can fail like a network: cut connections, or keep them without delivering
// anything. Frozen bytes are delivered after the freeze; until then no connection ends, as when a
// switch hangs.
import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `cut`: open and new connections are reset. `freeze`: connections stay open and deliver nothing;
 * new ones are accepted. `begin`: one more piece from the server is delivered, and no other.
 * `delay`: every piece is late.
 */
export type Mode = 'pass' | 'cut' | 'freeze' | 'begin' | 'delay'

export type Failure = Readonly<{
  mode: Mode
  /** Only connections whose PostgreSQL application_name contains this. */
  label?: string
  /** `up`: only the direction to the server. */
  direction?: 'up' | 'down' | 'both'
  delayMs?: number
}>

const PASS: Failure = { mode: 'pass' }

export class TcpProxy {
  readonly port: number
  readonly #server: Server
  #upstreamPort: number
  readonly #connections = new Set<Connection>()
  #failure: Failure = PASS
  #accepted = 0

  private constructor(server: Server, upstreamPort: number) {
    this.#server = server
    this.#upstreamPort = upstreamPort
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#accept(socket))
  }

  /** Opens a port of 127.0.0.1 in front of `upstreamPort`. */
  static async open(upstreamPort: number): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, upstreamPort)
  }

  /** Number of connections ever accepted. */
  get accepted(): number {
    return this.#accepted
  }

  /** Labels of the open connections. */
  get labels(): readonly string[] {
    return [...this.#connections].flatMap(({ label }) => label ?? [])
  }

  /** Fails like `failure` until `restore`. */
  fail(failure: Failure): void {
    this.#failure = failure
    for (const connection of this.#connections) connection.obey(failure)
  }

  restore(): void {
    this.fail(PASS)
  }

  /** Resets the open connections; new ones fail or pass like before. */
  drop(): void {
    for (const connection of this.#connections) connection.reset()
  }

  /** Leads new connections to another server; open ones are reset. */
  redirect(upstreamPort: number): void {
    this.#upstreamPort = upstreamPort
    this.drop()
  }

  async close(): Promise<void> {
    const over = once(this.#server, 'close')
    this.#server.close()
    this.drop()
    await over
  }

  #accept(client: Socket): void {
    this.#accepted += 1
    const connection = new Connection(client, this.#upstreamPort, () =>
      this.#connections.delete(connection),
    )
    this.#connections.add(connection)
    connection.obey(this.#failure)
  }
}

/** Version 3.0 of the protocol, as the packet has it. */
const PROTOCOL = 196_608
/** Length and version, four bytes each. */
const HEAD_BYTES = 8

/** Returns what `first`, the first bytes of a connection, gives as application_name. */
export function applicationName(first: Buffer): string | undefined {
  if (first.length < HEAD_BYTES || first.readInt32BE(4) !== PROTOCOL) return undefined
  const words = first.subarray(HEAD_BYTES).toString('utf8').split('\0')
  for (let index = 0; index + 1 < words.length; index += 2)
    if (words[index] === 'application_name') return words[index + 1]
  return undefined
}

/** A client's connection and its upstream connection. */
class Connection {
  readonly #client: Socket
  readonly #upstream: Socket
  readonly #directions: Readonly<Record<'up' | 'down', OneWay>>
  label: string | undefined
  #failure: Failure = PASS

  constructor(client: Socket, upstreamPort: number, onClose: () => void) {
    this.#client = client
    this.#upstream = createConnection({
      port: upstreamPort,
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    this.#directions = {
      up: new OneWay(client, this.#upstream),
      down: new OneWay(this.#upstream, client),
    }
    client.setNoDelay(true)
    this.#upstream.setNoDelay(true)
    client.once('data', (first) => {
      this.label = applicationName(first as Buffer)
      this.obey(this.#failure)
    })
    // A reset on one side resets the other, once data may pass.
    const over = (side: OneWay) => void side.whenOpen(() => this.reset())
    client.on('error', () => over(this.#directions.up))
    this.#upstream.on('error', () => over(this.#directions.down))
    client.on('close', () => over(this.#directions.up))
    this.#upstream.on('close', () => over(this.#directions.down))
    void Promise.all([closed(client), closed(this.#upstream)]).then(onClose)
  }

  obey(failure: Failure): void {
    this.#failure = failure
    const { label, direction = 'both', mode, delayMs = 0 } = failure
    const isSelected = label === undefined || (this.label?.includes(label) ?? false)
    if (isSelected && mode === 'cut') {
      this.reset()
      return
    }
    for (const way of ['up', 'down'] as const) {
      const isHit = isSelected && (direction === 'both' || direction === way)
      this.#directions[way].set({
        isShut: isHit && mode === 'freeze',
        isShutting: isHit && mode === 'begin' && way === 'down',
        delayMs: isHit && mode === 'delay' ? delayMs : 0,
      })
    }
  }

  reset(): void {
    // A connection that is being ended cannot be reset: Node would keep it forever.
    for (const socket of [this.#client, this.#upstream])
      if (socket.writableEnded || socket.destroyed) socket.destroy()
      else socket.resetAndDestroy()
  }
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()))

/** `isShutting`: it is shut once one more piece has passed. */
type ProxyState = Readonly<{ isShut: boolean; isShutting: boolean; delayMs: number }>

/** One direction of a connection. */
class OneWay {
  readonly #from: Socket
  readonly #to: Socket
  #isShut = false
  #isShutting = false
  #delayMs = 0
  #queued: (() => void)[] = []
  /** Delayed pieces, which later ones wait for. */
  #delayQueue: Promise<void> = Promise.resolve()
  #delayed = 0

  constructor(from: Socket, to: Socket) {
    this.#from = from
    this.#to = to
    from.on('data', (piece: Buffer) => this.#pass(() => this.#write(piece)))
    from.on('end', () => this.#pass(() => void this.#to.end()))
  }

  set({ isShut, isShutting, delayMs }: ProxyState): void {
    this.#isShut = isShut
    this.#isShutting = isShutting
    this.#delayMs = delayMs
    if (isShut) return
    const queued = this.#queued
    this.#queued = []
    for (const resume of queued) resume()
    this.#from.resume()
  }

  /** Calls `then` now, or when it opens again. */
  whenOpen(then: () => void): void {
    if (this.#isShut) this.#queued.push(then)
    else then()
  }

  #pass(write: () => void): void {
    if (this.#isShut) {
      // Received bytes are kept; the rest stays in the sender's buffers.
      this.#from.pause()
      this.#queued.push(() => this.#pass(write))
    } else if (this.#delayMs > 0 || this.#delayed > 0) this.#delay(write)
    else {
      this.#isShut = this.#isShutting
      write()
    }
  }

  #delay(write: () => void): void {
    const delayMs = this.#delayMs
    this.#delayed += 1
    this.#delayQueue = this.#delayQueue
      .then(() => sleep(delayMs, undefined, { ref: false }))
      .then(() => {
        this.#delayed -= 1
        this.whenOpen(write)
      })
  }

  #write(piece: Buffer): void {
    if (this.#to.destroyed || this.#to.writableEnded || this.#to.write(piece)) return
    this.#from.pause()
    this.#to.once('drain', () => {
      if (!this.#isShut) this.#from.resume()
    })
  }
}
