// Names the connections of this node over which orders are made, and writes to the database which
// of them have ended, and a heartbeat of the node. The watcher cancels the orders of ended
// connections, and all of a node without a heartbeat. Interface 4.6.
import { randomBytes } from 'node:crypto'
import { Outage, type OutageLog } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import { NODE_BEAT_MS, type Safeguards } from '@openvenue/store/intents/safeguards'
import { historyUnavailable } from '../../http/refusals.ts'

/** Ends of one statement. */
const ENDS_MAX = 10_000
/** Tries to write the last ends before the process exits; a missing heartbeat ends them later. */
const LAST_TRIES_MAX = 3
const LAST_PAUSE_MS = 200
/** Pause after a failed write. */
const RETRY_MS = 1_000
const NODE_BYTES = 8

declare module 'fastify' {
  interface FastifyInstance {
    connectionEnds: ConnectionEnds
  }
}

type ConnectionEndsDeps = Readonly<{
  safeguards: Pick<Safeguards, 'beat' | 'endConnections'>
  /** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  log: OutageLog
  /** A name that no other process has or had. */
  newNode?: () => string
}>

/** A connection over which orders may be made that end with it. */
export class OrderConnection {
  readonly #ends: ConnectionEnds
  readonly #number: number
  /** Its names under which orders were written: a node may change its own. */
  readonly #names = new Set<string>()
  #isOver = false

  constructor(ends: ConnectionEnds, number: number) {
    this.#ends = ends
    this.#number = number
  }

  /**
   * Writes orders that end with the connection under the name that `write` is given; refuses while
   * its end could not be written. Orders committed after the end of the connection end, too.
   */
  async bind<T>(write: (name: string) => Promise<T>): Promise<T> {
    const name = `${this.#ends.requireNode()}:${this.#number}`
    this.#names.add(name)
    try {
      return await write(name)
    } finally {
      if (this.#isOver) this.#ends.say([name])
    }
  }

  /** Ends the connection, and so its orders. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ends.say([...this.#names])
  }
}

export class ConnectionEnds {
  readonly #deps: ConnectionEndsDeps
  readonly #news = new Signal()
  /**
   * Ends that are not written. Each had orders, and none are taken without the database: while it
   * is away, no more than there were connections.
   */
  readonly #unwritten = new Set<string>()
  readonly #writes: Outage
  #node: string
  #isKnown = false
  #connections = 0

  constructor(deps: ConnectionEndsDeps) {
    this.#deps = deps
    this.#writes = new Outage({
      log: deps.log,
      down: 'ends are not written yet',
      up: 'ends are written again',
    })
    this.#node = this.#newNode()
  }

  open(): OrderConnection {
    this.#connections += 1
    return new OrderConnection(this, this.#connections)
  }

  /** Returns the name of this node; refuses before the database knows it. */
  requireNode(): string {
    if (!this.#isKnown) throw historyUnavailable()
    return this.#node
  }

  /** Queues ends to write, those of one turn in one statement. */
  say(names: readonly string[]): void {
    if (names.length === 0) return
    for (const name of names) this.#unwritten.add(name)
    this.#news.set()
  }

  /** Beats and writes ends until `signal` aborts, then writes what is left. */
  async follow(signal: AbortSignal): Promise<void> {
    const { delay } = this.#deps
    const stop = () => this.#news.set()
    signal.addEventListener('abort', stop, { once: true })
    const beating = this.#beatOn(signal)
    while (!signal.aborted) {
      const isWritten = await this.#write()
      if (!isWritten) await delay(RETRY_MS, signal)
      else if (this.#unwritten.size === 0)
        await this.#news.wait(
          async (quiet) => void (await delay(NODE_BEAT_MS, AbortSignal.any([quiet, signal]))),
        )
    }
    signal.removeEventListener('abort', stop)
    await beating
    const patient = new AbortController().signal
    for (let tries = 1; !(await this.#write()) && tries < LAST_TRIES_MAX; tries++)
      await delay(LAST_PAUSE_MS, patient)
  }

  async #beatOn(signal: AbortSignal): Promise<void> {
    const { delay, log } = this.#deps
    const outage = new Outage({
      log,
      down: 'the heartbeat of this node cannot be written',
      up: 'the heartbeat of this node is written again',
    })
    while (!signal.aborted) {
      const nextMs = await outage
        .attempt(() => this.#beat())
        .then(
          () => NODE_BEAT_MS,
          () => RETRY_MS,
        )
      await delay(nextMs, signal)
    }
  }

  async #beat(): Promise<void> {
    const node = this.#node
    const beats = await this.#deps.safeguards.beat(node)
    if (!this.#isKnown || beats > 1) this.#isKnown = true
    else await this.#beginAnew()
  }

  /**
   * Renames the node: its heartbeat was missing until its orders were cancelled, and its old name
   * has ended.
   */
  async #beginAnew(): Promise<void> {
    this.#isKnown = false
    this.#node = this.#newNode()
    this.#deps.log.warn(
      { node: this.#node },
      'the heartbeat of this node was missing: connections get new names',
    )
    await this.#beat()
  }

  /** Returns whether all ends so far are written. */
  async #write(): Promise<boolean> {
    const names = [...this.#unwritten].slice(0, ENDS_MAX)
    if (names.length === 0) return true
    // A connection that ends again meanwhile is written again: it had orders committed since.
    for (const name of names) this.#unwritten.delete(name)
    try {
      await this.#deps.safeguards.endConnections(names)
      this.#writes.recovered()
      return true
    } catch (error) {
      for (const name of names) this.#unwritten.add(name)
      this.#writes.failed(error, { connections: names.length })
      return false
    }
  }

  #newNode(): string {
    return this.#deps.newNode?.() ?? randomBytes(NODE_BYTES).toString('hex')
  }
}
