// Holds one WebSocket: pairs operations with their replies, and finds a silent other side.
import { ConnectionError, refusalOf } from '../errors.ts'
import { jsonText } from '../input.ts'
import type { WebSocketLike } from './web-socket.ts'

/** The venue answers within 10 seconds. */
export const ANSWER_MS_MAX = 15_000
/** After so long without a message the venue is asked whether it is there. */
export const SILENCE_MS = 15_000
/** Operations that wait for their answers. */
export const ASKED_MAX = 4_096

/** What comes without having been asked for: a message of a channel, or word of a loss. */
export type Unasked = Readonly<Record<string, unknown>>
/** The answer to an operation over a socket: `data` is what it returns. */
export type Reply = Readonly<{ id?: unknown; data?: unknown; error?: string }> &
  Readonly<Record<string, unknown>>
type Asked = Readonly<{
  settle: (reply: Reply | undefined) => void
  timer: ReturnType<typeof setTimeout>
}>

export type LinkEvents = Readonly<{
  onUnasked: (message: Unasked) => void
  /** Once, when it has ended, by whichever side. */
  onEnd: () => void
}>

export class Link {
  readonly #socket: WebSocketLike
  readonly #events: LinkEvents
  readonly #asked = new Map<number, Asked>()
  #id = 0
  #silence: ReturnType<typeof setTimeout> | undefined
  #isEnded = false

  private constructor(socket: WebSocketLike, events: LinkEvents) {
    this.#socket = socket
    this.#events = events
    socket.onmessage = ({ data }) => this.#take(data)
    socket.onclose = () => this.end()
    socket.onerror = () => this.end()
    this.#listen()
  }

  /** Connects. Throws a {@link ConnectionError} where that fails, or the reason of `signal`. */
  static open(socket: WebSocketLike, events: LinkEvents, signal: AbortSignal): Promise<Link> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        settle()
        closeQuietly(socket)
        reject(error)
      }
      const refuse = () => fail(new ConnectionError('the socket does not open'))
      const abort = () => fail(signal.reason)
      const timer = setTimeout(refuse, ANSWER_MS_MAX)
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        socket.onopen = socket.onerror = socket.onclose = null
      }
      socket.onopen = () => {
        settle()
        resolve(new Link(socket, events))
      }
      socket.onerror = socket.onclose = refuse
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
    })
  }

  /**
   * Sends an operation and returns its reply. Throws a `RefusedError`, or a {@link ConnectionError}
   * when the connection ends first: then nobody knows whether the operation was performed.
   */
  async ask(op: string, data: unknown, signal?: AbortSignal): Promise<Reply> {
    const reply = await this.exchange(op, data, signal)
    if (reply.error !== undefined) throw refusalOfReply(reply, reply.error)
    return reply
  }

  /** As `ask`, but returns what the venue refuses with as well. */
  async exchange(op: string, data: unknown, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted()
    if (this.#isEnded) throw new ConnectionError('the socket is closed')
    if (this.#asked.size >= ASKED_MAX)
      throw new ConnectionError(`${ASKED_MAX} operations wait for their answers`)
    const reply = await this.#send(op, data, signal)
    if (reply === undefined) {
      signal?.throwIfAborted()
      throw new ConnectionError(`no answer to ${op}: the socket was closed`)
    }
    return reply
  }

  #send(op: string, data: unknown, signal?: AbortSignal): Promise<Reply | undefined> {
    const id = ++this.#id
    const text = jsonText(data === undefined ? { op, id } : { op, id, data })
    return new Promise((resolve) => {
      const forget = () => settle(undefined)
      const settle = (reply: Reply | undefined) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', forget)
        this.#asked.delete(id)
        resolve(reply)
      }
      // Whoever does not answer this will answer nothing.
      const timer = setTimeout(() => this.end(), ANSWER_MS_MAX)
      this.#asked.set(id, { settle, timer })
      signal?.addEventListener('abort', forget)
      this.#socket.send(text)
    })
  }

  /** Closes, and answers whoever still waits. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#silence)
    const { onUnasked: _, onEnd } = this.#events
    this.#socket.onmessage = this.#socket.onclose = null
    this.#socket.onerror = null
    closeQuietly(this.#socket)
    for (const { settle } of [...this.#asked.values()]) settle(undefined)
    onEnd()
  }

  #take(data: unknown): void {
    this.#listen()
    const message = parseObject(String(data))
    // Whoever says what nobody can read is left: another connection may be better.
    if (message === undefined) {
      this.end()
      return
    }
    const { id } = message
    if (id === undefined) this.#events.onUnasked(message)
    else if (typeof id === 'number') this.#asked.get(id)?.settle(message)
  }

  /** Asks whether the venue is there once it has been silent; one that is not ends the link. */
  #listen(): void {
    clearTimeout(this.#silence)
    if (this.#isEnded) return
    this.#silence = setTimeout(() => {
      this.ask('ping', undefined).catch(() => this.end())
    }, SILENCE_MS)
  }
}

function parseObject(text: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Reply) : undefined
  } catch {
    return undefined
  }
}

function closeQuietly(socket: WebSocketLike): void {
  try {
    socket.close()
  } catch {
    // One that never opened may not be closed.
  }
}

/** Returns the error that a refused operation is. */
export function refusalOfReply({ data, details, request_id, message }: Reply, error: string) {
  const said = (data ?? {}) as { message?: string; retryAfterMs?: number }
  const { retryAfterMs } = said
  return refusalOf(
    {
      error,
      message: said.message ?? (message as string | undefined) ?? 'refused',
      ...(details === undefined ? {} : { details: details as [] }),
      ...(request_id === undefined ? {} : { request_id: request_id as string }),
      ...(retryAfterMs === undefined ? {} : { retry_after: String(retryAfterMs * 1_000_000) }),
    } as never,
    0,
  )
}
