// Holds a plain WebSocket of a venue, as a bot does: operations with their answers, and the frames
// of channels in their order. A gap in a channel is asked for anew.
import { type ApiKey, VenueRefusal } from './venue-client.ts'

/** A message of a channel. */
export type Frame = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  data: unknown
}>

type Reply = Readonly<{
  id?: number
  error?: string
  data?: Readonly<{ message?: string; retryAfterMs?: number }>
}>
type Waiting = Readonly<{ resolve: (data: unknown) => void; reject: (error: Error) => void }>

const OPENED_WITHIN_MS = 5_000
const ANSWERED_WITHIN_MS = 15_000

/** The connection is gone: whoever asked does not know what became of it. */
export class SocketClosed extends Error {
  override name = 'SocketClosed'
}

export class VenueSocket {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  /** Newest number of each channel. */
  readonly #seqs = new Map<string, number>()
  readonly #onFrame: (frame: Frame) => void
  #nextId = 1
  /** Messages that were missing so far. */
  gaps = 0
  /** Why it was closed, in the venue's words; empty while it is open. */
  closedBy = ''

  private constructor(socket: WebSocket, onFrame: (frame: Frame) => void) {
    this.#socket = socket
    this.#onFrame = onFrame
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)))
    socket.onclose = ({ code, reason }) => {
      this.closedBy ||= `${code} ${reason}`.trim()
      this.#fail()
    }
  }

  /** Connects to `/ws`; `onFrame` hears every frame that continues its channel. */
  static async open(apiUrl: string, onFrame: (frame: Frame) => void): Promise<VenueSocket> {
    const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new SocketClosed('the socket does not open'))
      const timer = setTimeout(refuse, OPENED_WITHIN_MS)
      socket.onopen = () => {
        clearTimeout(timer)
        resolve()
      }
      socket.onerror = () => {
        clearTimeout(timer)
        refuse()
      }
    })
    socket.onerror = () => {}
    return new VenueSocket(socket, onFrame)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  async authenticate({ key, secret }: ApiKey): Promise<void> {
    await this.ask('auth', { key, secret })
  }

  /** Returns the data of the reply; throws `VenueRefusal` when the operation failed. */
  ask<T>(op: string, data?: unknown): Promise<T> {
    if (!this.isOpen) return Promise.reject(new SocketClosed(`${op}: the socket is closed`))
    const id = this.#nextId++
    const answered = new Promise<unknown>((resolve, reject) => {
      const late = () => reject(new SocketClosed(`${op} is not answered`))
      const timer = setTimeout(late, ANSWERED_WITHIN_MS)
      const settle = () => {
        clearTimeout(timer)
        this.#waiting.delete(id)
      }
      this.#waiting.set(id, {
        resolve: (value) => {
          settle()
          resolve(value)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
    })
    this.#socket.send(JSON.stringify({ op, id, ...(data === undefined ? {} : { data }) }))
    return answered as Promise<T>
  }

  close(): void {
    this.#socket.close()
  }

  #take(message: Frame & Reply): void {
    if (message.id !== undefined) this.#answer(message.id, message)
    else if (message.error === undefined && message.channel !== undefined) this.#follow(message)
  }

  #answer(id: number, { error, data }: Reply): void {
    const waiting = this.#waiting.get(id)
    if (error === undefined) waiting?.resolve(data)
    else waiting?.reject(new VenueRefusal(error, data?.message ?? '', data?.retryAfterMs))
  }

  #follow(frame: Frame): void {
    const { channel, type, seq, prev_seq: before } = frame
    const known = this.#seqs.get(channel)
    if (type !== 'snapshot' && known !== undefined) {
      if (seq <= known && !(seq === known && before === known)) return
      if (before !== null && before > known) {
        this.#resync(channel)
        return
      }
    }
    this.#seqs.set(channel, seq)
    this.#onFrame(frame)
  }

  #resync(channel: string): void {
    this.gaps++
    this.ask('resync', { channel }).catch((error: unknown) => {
      this.closedBy = `${channel} cannot go on: ${String(error)}`
      this.close()
    })
  }

  #fail(): void {
    for (const { reject } of [...this.#waiting.values()])
      reject(new SocketClosed('the socket was closed'))
  }
}
