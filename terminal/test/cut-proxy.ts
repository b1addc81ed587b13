// A proxy before the API, which a test cuts: from then on nobody is there, or nobody answers.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class CutProxy {
  readonly #to: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #isSilent = false
  #isHolding = false
  readonly #held = new Set<Socket>()

  private constructor(to: number) {
    this.#to = to
  }

  /** Stands before a port of this machine. */
  static async before(port: number): Promise<CutProxy> {
    const proxy = new CutProxy(port)
    await proxy.restore()
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Lets everything through again, at the same port. */
  async restore(): Promise<void> {
    this.#isSilent = false
    if (this.#server !== undefined) return
    const server = createServer((socket) => this.#take(socket))
    this.#server = server
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
  }

  /** Ends every connection; new ones are taken. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.drop()
    if (server === undefined) return
    server.close()
    await once(server, 'close')
  }

  /** Ends every connection, takes new ones and never answers. */
  silence(): void {
    this.#isSilent = true
    this.drop()
  }

  /** Of new connections passes on how an answer begins, and keeps the rest until `release`. */
  hold(): void {
    this.#isHolding = true
  }

  release(): void {
    this.#isHolding = false
    for (const api of this.#held) api.resume()
    this.#held.clear()
  }

  #take(socket: Socket): void {
    this.#keep(socket)
    if (this.#isSilent) return
    const api = connect(this.#to, '127.0.0.1')
    this.#keep(api)
    socket.pipe(api)
    api.on('data', (bytes) => {
      socket.write(bytes)
      if (!this.#isHolding) return
      this.#held.add(api)
      api.pause()
    })
    api.on('end', () => socket.end())
    socket.on('close', () => api.destroy())
    api.on('close', () => socket.destroy())
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }
}
