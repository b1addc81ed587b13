// A link between clients and API nodes that keeps breaking: connections go to the nodes in turn,
// and all open ones are reset at once.
import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net'

export class UnstableLink {
  readonly url: string
  readonly #server: Server
  readonly #ports: readonly number[]
  readonly #open = new Set<Socket>()
  #accepted = 0
  /** Number of cuts with open connections. */
  cuts = 0

  private constructor(server: Server, ports: readonly number[]) {
    this.#server = server
    this.#ports = ports
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket) => this.#accept(socket))
  }

  static async open(ports: readonly number[]): Promise<UnstableLink> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new UnstableLink(server, ports)
  }

  /** Resets every connection. */
  cut(): void {
    if (this.#open.size > 0) this.cuts += 1
    for (const socket of this.#open) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }

  #accept(client: Socket): void {
    const port = this.#ports[this.#accepted % this.#ports.length] as number
    this.#accepted += 1
    const upstream = createConnection({ port, host: '127.0.0.1' })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }
}
