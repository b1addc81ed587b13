// Wraps one WebSocket: matches replies to operations and detects a silent server.
import { KINDS } from '../../generated/codes.ts'
import { ConnectionError, refusalOf } from '../errors.ts'
import { jsonText } from '../input.ts'
import type { WebSocketLike } from './web-socket.ts'

/** Time limit for an answer. The venue answers within 10 seconds. */
const ANSWER_MS_MAX = 15_000
/** The link sends a ping after this time without a message. */
const SILENCE_MS = 15_000
/** Maximum number of operations that await answers. */
const ASKED_MAX = 4_096

/** An unsolicited message: of a channel, or the report of a loss. */
export type PushMessage = Readonly<Record<string, unknown>>
/** Reply to an operation over a socket; `data` is its result. */
export type Reply = Readonly<{ id?: unknown; data?: unknown; error?: string }> &
  Readonly<Record<string, unknown>>
type PendingRequest = Readonly<{
  settle: (reply: Reply | undefined) => void
  timer: ReturnType<typeof setTimeout>
}>

type LinkEvents = Readonly<{
  onUnasked: (message: PushMessage) => void
  /** Called with each message. */
  onMessage: () => void
  /** Called once when the connection has ended, whichever side closed it. */
  onEnd: () => void
}>

export class Link {
  readonly #socket: WebSocketLike
  readonly #events: LinkEvents
  readonly #asked = new Map<number, PendingRequest>()
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

  /** Connects. Throws a {@link ConnectionError} on failure, or the reason of `signal`. */
  static open(socket: WebSocketLike, events: LinkEvents, signal: AbortSignal): Promise<Link> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        settle()
        closeQuietly(socket)
        reject(error)
      }
      const refuse = () => fail(new ConnectionError('the socket did not open'))
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
   * if the connection ends first: then it is unknown whether the operation was performed.
   */
  async ask(op: string, data: unknown, signal?: AbortSignal): Promise<Reply> {
    const reply = await this.exchange(op, data, signal)
    if (reply.error !== undefined) throw refusalOfReply(reply, reply.error)
    return reply
  }

  /** Like `ask`, but also returns refusals. */
  async exchange(op: string, data: unknown, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted()
    if (this.#isEnded) throw new ConnectionError('the socket is closed')
    if (this.#asked.size >= ASKED_MAX)
      throw new ConnectionError(`${ASKED_MAX} operations are pending`)
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
      // A server that misses this limit is considered dead.
      const timer = setTimeout(() => this.end(), ANSWER_MS_MAX)
      this.#asked.set(id, { settle, timer })
      signal?.addEventListener('abort', forget)
      this.#socket.send(text)
    })
  }

  /** Closes the socket and settles pending operations without a reply. */
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
    // Malformed message: disconnect, since another connection may reach a healthy node.
    if (message === undefined) {
      this.end()
      return
    }
    this.#events.onMessage()
    const { id } = message
    if (id === undefined) this.#events.onUnasked(message)
    else if (typeof id === 'number') this.#asked.get(id)?.settle(message)
  }

  /** Pings the venue after a silence; ends the link if the ping fails. */
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
    // Some implementations throw if the socket never opened.
  }
}

/** Returns the error for the refusal of an operation. */
export function refusalOfReply({ data, details, request_id, message }: Reply, error: string) {
  const facts = (data ?? {}) as { message?: string; retryAfterMs?: number }
  const { retryAfterMs } = facts
  return refusalOf(
    {
      error,
      message: facts.message ?? (message as string | undefined) ?? 'refused',
      ...(details === undefined ? {} : { details: details as [] }),
      ...(request_id === undefined ? {} : { request_id: request_id as string }),
      ...(retryAfterMs === undefined ? {} : { retry_after: String(retryAfterMs * 1_000_000) }),
    } as never,
    0,
    Object.hasOwn(KINDS, error) ? KINDS[error as keyof typeof KINDS] : kindByName(error),
  )
}

/**
 * Returns the kind that the name of a code suggests. It classifies the codes of a newer venue, and
 * keeps the generated table to the exceptions, since every page loads that table.
 */
export function kindByName(code: string) {
  if (/RATE_LIMIT|TOO_MANY/.test(code)) return 'rate'
  if (/UNAVAILABLE|INTERNAL|START|STOP|SLOW|UNFUNDED|PENDING|STALE/.test(code)) return 'unavailable'
  if (/^AUTH_|SCOPE_|IP_NOT|FORBIDDEN|INVITE/.test(code)) return 'auth'
  if (/NOT_FOUND|NOT_EXIST/.test(code)) return 'absent'
  return /_BY_|EXISTS|KEY_TAKEN|REVOKED/.test(code) ? 'conflict' : 'invalid'
}
