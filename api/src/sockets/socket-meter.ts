// What the sockets count, for Prometheus.
import { Gauge, Registry } from 'prom-client'

export class SocketMeter {
  /** Connections ended because the client did not read. */
  closedSlow = 0
  #frames = 0
  #bytes = 0
  readonly #registry = new Registry()

  constructor() {
    this.count('frames', () => this.#frames)
    this.count('bytes', () => this.#bytes)
    this.count('closed_slow', () => this.closedSlow)
  }

  /** `text` went to so many clients. Bytes are counted as characters: what is sent is mostly ASCII. */
  sent(text: string, receivers: number): void {
    this.#frames += receivers
    this.#bytes += receivers * text.length
  }

  count(name: keyof typeof WORDS, read: () => number): void {
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
  frames: 'Messages sent, each counted once for each client',
  bytes: 'Characters of those messages',
  unsent_bytes: 'Bytes that clients have yet to take',
  closed_slow: 'Connections ended because the client did not read',
}
