// Counts the traffic of the sockets, for Prometheus.
import { Gauge, Registry } from 'prom-client'
import { readCounter } from '../../http/read-counter.ts'

export class SocketMeter {
  /** Connections ended because the client did not read. */
  closedSlow = 0
  /** Part of `closedSlow`: closed because all clients together had too much unread data. */
  closedShed = 0
  /** Connections ended because the client sent too much. */
  closedFlooding = 0
  /** Connections begun: accepted upgrades, and polling sessions of Socket.IO. */
  handshakes = 0
  /** Connections refused because too many waited to begin. */
  handshakesRefused = 0
  /** First messages of subscriptions: snapshots and missed messages. */
  snapshots = 0
  #frames = 0
  #bytes = 0
  readonly #registry = new Registry()

  constructor() {
    this.count('frames', () => this.#frames)
    this.count('bytes', () => this.#bytes)
    this.count('closed_slow', () => this.closedSlow)
    this.count('closed_shed', () => this.closedShed)
    this.count('closed_flooding', () => this.closedFlooding)
    this.count('handshakes', () => this.handshakes)
    this.count('handshakes_refused', () => this.handshakesRefused)
    this.count('snapshots', () => this.snapshots)
  }

  /**
   * Counts `text`, sent to `receivers` clients. A character counts as a byte, since messages are
   * mostly ASCII.
   */
  sent(text: string, receivers: number): void {
    this.#frames += receivers
    this.#bytes += receivers * text.length
  }

  count(name: keyof typeof COUNTS, read: () => number): void {
    const help = COUNTS[name]
    readCounter(
      { name: `openvenue_api_socket_${name}_total`, help, registers: [this.#registry] },
      read,
    )
  }

  /** Exports a value that rises and falls. */
  measure(name: keyof typeof WORDS, read: () => number): void {
    new Gauge({
      name: `openvenue_api_socket_${name}`,
      help: WORDS[name],
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }

  metrics(): Promise<string> {
    return this.#registry.metrics()
  }
}

const WORDS = {
  connections: 'Connections open',
  subscriptions: 'Subscriptions of all connections',
  unsent_bytes: 'Memory of what clients have yet to take, bytes',
  handshakes_waiting: 'Connections that wait to begin',
  subscribes_waiting: 'Subscriptions that wait to begin',
  authentications_waiting: 'Authentications that wait for a query of the database',
}

const COUNTS = {
  frames: 'Messages sent, each counted once for each client',
  bytes: 'Characters of those messages',
  closed_slow: 'Connections ended because the client did not read',
  closed_shed: 'Slow consumers ended because all clients together had too much unread',
  closed_flooding: 'Connections ended because the client sent too much',
  handshakes: 'Connections begun',
  handshakes_refused: 'Connections refused because too many waited to begin',
  snapshots: 'Subscriptions begun with a snapshot or with missed messages',
}
