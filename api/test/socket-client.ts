// Clients of the sockets, for tests: the same calls over each transport.
import { once } from 'node:events'
import { io, type Socket } from 'socket.io-client'
import { WebSocket } from 'ws'

/** Timeout of a wait in tests, ms. */
const DEADLINE_MS = 5_000

export type Frame = Readonly<{
  id?: number | string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came
  data?: any
  error?: string
  channel?: string
  type?: string
  seq?: number
  prev_seq?: number | null
  seqs?: Readonly<Record<string, number>>
  rejected?: readonly { channel: string; code: string }[]
}>

export type Client = Readonly<{
  /** All received frames, oldest first. */
  frames: Frame[]
  /** Sends a value in the transport's way, or a text unchanged. */
  send: (message: unknown) => void
  /** Sends an operation and returns its reply. */
  ask: (op: string, data?: unknown) => Promise<Frame>
  /** Waits for a frame that meets the condition, starting after the last awaited one. */
  next: (condition?: (frame: Frame) => boolean) => Promise<Frame>
  /** Resolves with the reason when the connection ends. */
  ended: Promise<string>
  /** Stops reading. */
  stall: () => void
  resume: () => void
  close: () => void
}>

export type Transport = 'socket.io' | 'polling' | 'websocket'
export const TRANSPORTS: readonly Transport[] = ['socket.io', 'polling', 'websocket']

/** Connects; rejects when the server refuses. */
export const connectTo = (url: string, transport: Transport, headers = {}): Promise<Client> =>
  transport === 'websocket' ? plainClient(url, headers) : socketIoClient(url, transport, headers)

async function plainClient(url: string, headers: object): Promise<Client> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers } as object)
  const inbox = new Inbox()
  socket.on('message', (bytes, isBinary) => {
    if (isBinary) throw new Error('a frame is text')
    inbox.take(String(bytes))
  })
  const ended = new Promise<string>((resolve) =>
    socket.once('close', (code, reason) => resolve(`${code} ${reason}`)),
  )
  await once(socket, 'open')
  const raw = () => (socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  return inbox.client({
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    ended,
    stall: () => raw().pause(),
    resume: () => raw().resume(),
    close: () => socket.terminate(),
  })
}

async function socketIoClient(
  url: string,
  transport: Transport,
  extraHeaders: object,
): Promise<Client> {
  const transports = [transport === 'polling' ? 'polling' : 'websocket']
  const options = { transports, extraHeaders, reconnection: false, forceNew: true } as object
  const socket: Socket = io(url, options)
  const inbox = new Inbox()
  socket.on('message', (text: unknown) => {
    if (typeof text !== 'string') throw new Error('an answer is JSON text')
    inbox.take(text)
  })
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  type Inner = { transport: { ws?: { _socket: { pause(): void; resume(): void } } } }
  // Taken while the connection is open: the engine drops it when a ping is not answered.
  const raw = (socket.io.engine as unknown as Inner).transport.ws?._socket
  return inbox.client({
    send: (message) => void socket.emit('message', message),
    ended,
    stall: () => raw?.pause(),
    resume: () => raw?.resume(),
    close: () => {
      // The close frame of the server must be read before the connection closes.
      raw?.resume()
      socket.disconnect()
    },
  })
}

class Inbox {
  readonly #frames: Frame[] = []
  /** Checks of pending `next` calls. */
  readonly #looks = new Set<() => void>()
  #seen = 0
  #id = 0

  take(text: string): void {
    this.#frames.push(JSON.parse(text) as Frame)
    for (const look of this.#looks) look()
  }

  client(transport: Pick<Client, 'send' | 'ended' | 'stall' | 'resume' | 'close'>): Client {
    return {
      ...transport,
      frames: this.#frames,
      next: (condition = () => true) => this.#next(condition),
      ask: async (op, data) => {
        this.#id += 1
        const id = this.#id
        const start = this.#frames.length
        transport.send({ op, id, ...(data === undefined ? {} : { data }) })
        return await this.#next((frame) => frame.id === id, start)
      },
    }
  }

  #next(condition: (frame: Frame) => boolean, start?: number): Promise<Frame> {
    const { promise, resolve, reject } = Promise.withResolvers<Frame>()
    const look = () => {
      const from = start ?? this.#seen
      const at = this.#frames.findIndex((frame, index) => index >= from && condition(frame))
      const frame = this.#frames[at]
      if (frame === undefined) return
      this.#seen = Math.max(this.#seen, at + 1)
      this.#looks.delete(look)
      clearTimeout(late)
      resolve(frame)
    }
    const late = setTimeout(() => {
      this.#looks.delete(look)
      const unseen = JSON.stringify(this.#frames.slice(this.#seen))
      reject(new Error(`no such frame came; of those not looked at: ${unseen}`))
    }, DEADLINE_MS)
    this.#looks.add(look)
    look()
    return promise
  }
}
