// Cancels the orders of closed connections, including those of nodes that are gone.
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import type { Intent } from '@openvenue/store/intents/intents'
import { NODE_SILENCE_MS, type SocketNode } from '@openvenue/store/intents/safeguards'
import { isLive } from './watched-intents.ts'
import type { WatcherContext } from './watcher-parts.ts'

/** Poll interval of nodes; longer while no order depends on one. */
const NODES_MS = 1_000
const IDLE_NODES_MS = 3_000
/** Maximum number of connections in one round. */
const ENDED_MAX = 500
/** How long an ended connection is remembered: all orders sent over it are known by then. */
const REMEMBERED_MS = 60_000
/** Maximum number of remembered connections. */
const REMEMBERED_MAX = 10_000

/** A connection is named `<node>:<number>`. */
const nodeOf = (connection: string) => connection.slice(0, connection.lastIndexOf(':'))

export class Disconnects {
  readonly #parts: WatcherContext
  readonly #orders = new Map<string, Set<string>>()
  readonly #connectionOf = new Map<string, string>()
  /** Time at which connections and nodes ended. */
  readonly #ended = new Map<string, number>()
  readonly #nodes = new Map<string, Readonly<{ beats: number; sinceMs: number }>>()
  #lookedMs = Number.NEGATIVE_INFINITY
  #endedReadMs = Number.NEGATIVE_INFINITY

  constructor(parts: WatcherContext) {
    this.#parts = parts
  }

  /** Has the next round read the ended connections. */
  news(): void {
    this.#endedReadMs = Number.NEGATIVE_INFINITY
  }

  clear(): void {
    this.#orders.clear()
    this.#connectionOf.clear()
  }

  step(intent: Intent): void {
    const { id, payload, state } = intent
    const connection = payload.kind === 'order' ? payload.connection : undefined
    if (connection === undefined) return
    if (!isLive(intent) && state !== 'included') {
      this.drop(id)
      return
    }
    const orders = this.#orders.get(connection) ?? new Set()
    this.#orders.set(connection, orders)
    orders.add(id)
    this.#connectionOf.set(id, connection)
    if (this.#ended.has(connection) || this.#ended.has(nodeOf(connection))) this.#take(id)
  }

  drop(id: string): void {
    const connection = this.#connectionOf.get(id)
    if (connection === undefined) return
    this.#connectionOf.delete(id)
    const orders = this.#orders.get(connection)
    orders?.delete(id)
    if (orders?.size === 0) this.#orders.delete(connection)
  }

  async round(): Promise<void> {
    const { safeguards, retractions, monotonicMs, mayAct } = this.#parts
    this.#forgetOld()
    const dead = await this.#deadNodes()
    const ended = await this.#readEnded()
    if ((dead.length === 0 && ended.length === 0) || !mayAct()) return
    for (const name of [...ended, ...dead.map(({ node }) => node)])
      this.#ended.set(name, monotonicMs())
    for (const [connection, orders] of this.#orders)
      if (this.#ended.has(connection) || this.#ended.has(nodeOf(connection)))
        for (const id of orders) this.#take(id)
    // They are deleted once their cancels are written.
    while (retractions.size > 0) await retractions.round()
    if (ended.length > 0) await safeguards.forgetConnections(ended)
    for (const node of dead) await safeguards.forgetNode(node)
  }

  async #readEnded(): Promise<readonly string[]> {
    const { safeguards, monotonicMs } = this.#parts
    const nowMs = monotonicMs()
    if (nowMs - this.#endedReadMs < LISTEN_FALLBACK_MS) return []
    // A signal during the read triggers another read.
    this.#endedReadMs = nowMs
    try {
      const ended = await safeguards.endedConnections(ENDED_MAX)
      // Each round re-reads them until they are deleted.
      if (ended.length > 0) this.news()
      return ended
    } catch (error) {
      this.news()
      throw error
    }
  }

  #take(id: string): void {
    this.#parts.retractions.take(id, 'CANCEL_ON_DISCONNECT')
  }

  /**
   * Returns nodes without a heartbeat during this process's own observation: no clocks are
   * compared, and no node could send one while the database was down.
   */
  async #deadNodes(): Promise<readonly SocketNode[]> {
    const { safeguards, monotonicMs } = this.#parts
    const nowMs = monotonicMs()
    const pauseMs = this.#orders.size === 0 ? IDLE_NODES_MS : NODES_MS
    if (nowMs - this.#lookedMs < pauseMs) return []
    const wasAway = nowMs - this.#lookedMs > NODE_SILENCE_MS / 2
    const nodes = await safeguards.nodes()
    this.#lookedMs = monotonicMs()
    const dead: SocketNode[] = []
    const liveNodes = new Set(nodes.map(({ node }) => node))
    for (const node of this.#nodes.keys()) if (!liveNodes.has(node)) this.#nodes.delete(node)
    for (const { node, beats } of nodes) {
      const seen = this.#nodes.get(node)
      if (seen?.beats !== beats || wasAway) this.#nodes.set(node, { beats, sinceMs: nowMs })
      else if (nowMs - seen.sinceMs >= NODE_SILENCE_MS) dead.push({ node, beats })
    }
    return dead
  }

  #forgetOld(): void {
    const beforeMs = this.#parts.monotonicMs() - REMEMBERED_MS
    for (const [name, endedMs] of this.#ended) {
      if (endedMs >= beforeMs && this.#ended.size <= REMEMBERED_MAX) return
      this.#ended.delete(name)
    }
  }
}
