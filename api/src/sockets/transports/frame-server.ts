// Takes WebSockets for both transports: bounded, one frame a turn, and each frame counted before
// anybody looks at it.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { Refusal } from '../../http/refusals.ts'
import { countUnits, type InboundBudget } from '../admission/inbound-budget.ts'
import { refuseUpgrade } from '../admission/upgrade.ts'
import { CLOSE_CODES } from '../session/socket.ts'
import { MESSAGE_BYTES_MAX } from '../session/socket-limits.ts'

/** Pieces that one message may come in: each costs more than the byte that it may hold. */
const FRAGMENTS_MAX = 128
/** Reads of the connection that one message may come in. */
const CHUNKS_MAX = 1_024
/** How long a message may take to arrive once it has begun. */
const MESSAGE_MS_MAX = 30_000
/** How long a client that sent too much has to take the reason. It is not read from any more. */
const CUT_MS = 1_000
/** Answers to pings that wait until they are read; beyond it pings are not answered. */
const PONGS_MAX = 16

/** Looks after the clients of a transport. */
export type FrameWatch = Readonly<{
  open: (request: IncomingMessage) => InboundBudget
  /** The client sent too much and is about to be closed: it hears why. */
  exceeded: (client: WebSocket, retryAfterMs: number) => void
  monotonicMs: () => number
}>

/** `heardBytes`: what had been read of the client when its last frame was complete. */
type Heard = { readonly stream: Duplex; heardBytes: number; heardMs: number; pongs: number }
/** Streams that are connections count what is read. */
type Counted = Readonly<{ bytesRead?: number }>
type Upgraded = (client: WebSocket, request: IncomingMessage) => void

export class FrameServer extends WebSocketServer {
  readonly #watch: FrameWatch
  readonly #heard = new Map<WebSocket, Heard>()
  /** Clients that sent too much, and when they are cut. */
  readonly #cutMs = new Map<WebSocket, number>()

  constructor(watch: FrameWatch) {
    super({
      noServer: true,
      clientTracking: false,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      // One frame of a client a turn: whoever sends thousands at once waits, not the others.
      allowSynchronousEvents: false,
      autoPong: false,
      maxFragments: FRAGMENTS_MAX,
      maxBufferedChunks: CHUNKS_MAX,
      // The types do not know the last two yet.
    } as ServerOptions)
    this.#watch = watch
    // Of what is wrong with a request, whatever was not refused before.
    this.on('wsClientError', ({ message }, socket, request) =>
      refuseUpgrade(socket, request, new Refusal('MALFORMED_REQUEST', { message })),
    )
  }

  override handleUpgrade(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    done: Upgraded,
  ): void {
    super.handleUpgrade(request, stream, head, (client) => {
      this.#count(client, stream, this.#watch.open(request))
      done(client, request)
    })
  }

  /** Returns how much was read of a message that is not complete yet. */
  partialBytes(client: WebSocket): number {
    const heard = this.#heard.get(client)
    return heard === undefined ? 0 : bytesRead(heard) - heard.heardBytes
  }

  /** Cuts those whose time is over: to take the reason, or to complete a message. */
  sweep(): void {
    const nowMs = this.#watch.monotonicMs()
    for (const [client, cutMs] of this.#cutMs) if (cutMs <= nowMs) client.terminate()
    for (const [client, heard] of this.#heard) {
      if (bytesRead(heard) === heard.heardBytes) heard.heardMs = nowMs
      else if (nowMs - heard.heardMs >= MESSAGE_MS_MAX) client.terminate()
    }
  }

  #count(client: WebSocket, stream: Duplex, budget: InboundBudget): void {
    const heard: Heard = { stream, heardBytes: 0, heardMs: this.#watch.monotonicMs(), pongs: 0 }
    heard.heardBytes = bytesRead(heard)
    this.#heard.set(client, heard)
    /** Returns false for a frame too many, and for all after it. */
    const take = (units: number): boolean => {
      heard.heardBytes = bytesRead(heard)
      heard.heardMs = this.#watch.monotonicMs()
      if (this.#cutMs.has(client)) return false
      const waitMs = budget.take(units)
      if (waitMs > 0) this.#end(client, waitMs)
      return waitMs === 0
    }
    // Before the listeners of the transport, which find the connection closed after this.
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

const bytesRead = ({ stream }: Heard) => (stream as Counted).bytesRead ?? 0
