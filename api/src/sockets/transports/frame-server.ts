// Accepts WebSockets for both transports: bounded, one frame per turn, each counted before it is
// processed.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { Refusal } from '../../http/refusals.ts'
import { countUnits, type InboundBudget } from '../admission/inbound-budget.ts'
import { refuseUpgrade } from '../admission/upgrade.ts'
import { CLOSE_CODES } from '../session/socket.ts'
import { MESSAGE_BYTES_MAX } from '../session/socket-limits.ts'

/** Maximum fragments of one message: each costs more than the byte that it may hold. */
const FRAGMENTS_MAX = 128
/** Maximum reads of the connection for one message. */
const CHUNKS_MAX = 1_024
/** Time in which a message must arrive once it has begun, ms. */
const MESSAGE_MS_MAX = 30_000
/** Time that a client over its budget has to read the reason, ms. Nothing more is read from it. */
const CUT_MS = 1_000
/** Unread answers to pings; further pings are not answered. */
const PONGS_MAX = 16

/** Callbacks for the clients of a transport. */
export type FrameWatch = Readonly<{
  open: (request: IncomingMessage) => InboundBudget
  /** The client sent too much and is about to be closed: send it the reason. */
  exceeded: (client: WebSocket, retryAfterMs: number) => void
  monotonicMs: () => number
}>

/** `heardBytes`: bytes read from the client when its last frame was complete. */
type Liveness = { readonly stream: Duplex; heardBytes: number; heardMs: number; pongs: number }
/** Connections count the bytes read; other streams do not. */
type ByteCounter = Readonly<{ bytesRead?: number }>

export class FrameServer extends WebSocketServer {
  readonly #watch: FrameWatch
  readonly #heard = new Map<WebSocket, Liveness>()
  /** Clients over their budget, and when they are cut. */
  readonly #cutMs = new Map<WebSocket, number>()

  constructor(watch: FrameWatch) {
    super({
      noServer: true,
      clientTracking: false,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      // One frame of a client per turn: a client that sends thousands at once delays only itself.
      allowSynchronousEvents: false,
      autoPong: false,
      maxFragments: FRAGMENTS_MAX,
      maxBufferedChunks: CHUNKS_MAX,
      // The library's types do not have the last two options yet.
    } as ServerOptions)
    this.#watch = watch
    // Errors of a request that were not refused before.
    this.on('wsClientError', ({ message }, socket, request) =>
      refuseUpgrade(socket, request, new Refusal('MALFORMED_REQUEST', { message })),
    )
  }

  override handleUpgrade(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    done: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, stream, head, (client) => {
      this.#count(client, stream, this.#watch.open(request))
      done(client, request)
    })
  }

  /** Returns the bytes read of an incomplete message. */
  partialBytes(client: WebSocket): number {
    const heard = this.#heard.get(client)
    return heard === undefined ? 0 : bytesRead(heard) - heard.heardBytes
  }

  /** Cuts clients whose time to read the reason, or to complete a message, is over. */
  sweep(): void {
    const nowMs = this.#watch.monotonicMs()
    for (const [client, cutMs] of this.#cutMs) if (cutMs <= nowMs) client.terminate()
    for (const [client, heard] of this.#heard) {
      if (bytesRead(heard) === heard.heardBytes) heard.heardMs = nowMs
      else if (nowMs - heard.heardMs >= MESSAGE_MS_MAX) client.terminate()
    }
  }

  #count(client: WebSocket, stream: Duplex, budget: InboundBudget): void {
    const heard: Liveness = { stream, heardBytes: 0, heardMs: this.#watch.monotonicMs(), pongs: 0 }
    heard.heardBytes = bytesRead(heard)
    this.#heard.set(client, heard)
    /** Returns false for a frame over the budget, and for all after it. */
    const take = (units: number): boolean => {
      heard.heardBytes = bytesRead(heard)
      heard.heardMs = this.#watch.monotonicMs()
      if (this.#cutMs.has(client)) return false
      const waitMs = budget.take(units)
      if (waitMs > 0) this.#end(client, waitMs)
      return waitMs === 0
    }
    // Registered before the transport's listeners, which find the connection closed after this.
    client.on('message', (data) => take(countUnits((data as Buffer).length)))
    client.on('ping', (data) => {
      if (!take(1) || heard.pongs >= PONGS_MAX) return
      heard.pongs += 1
      client.pong(data, false, () => {
        heard.pongs -= 1
      })
    })
    client.on('pong', () => take(1))
    client.once('close', () => {
      this.#heard.delete(client)
      this.#cutMs.delete(client)
    })
  }

  #end(client: WebSocket, waitMs: number): void {
    this.#cutMs.set(client, this.#watch.monotonicMs() + CUT_MS)
    this.#watch.exceeded(client, waitMs)
    client.close(CLOSE_CODES.RATE_LIMIT_EXCEEDED, 'RATE_LIMIT_EXCEEDED')
    client.pause()
  }
}

const bytesRead = ({ stream }: Liveness) => (stream as ByteCounter).bytesRead ?? 0
