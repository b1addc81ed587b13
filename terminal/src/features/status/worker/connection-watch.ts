// Watches the socket and published data: whether it is alive, how old the data is, and reorgs.
import type { SocketState } from 'openvenue'
import type { ConnectionState } from '../status-protocol.ts'
import { type PublishedMessage, ReorgCounter } from './reorg-counter.ts'

/** Time without messages after which the display is outdated, unless blocks take longer. */
export const STALE_MS = 2_000
/** Number of block times after which data is outdated. */
const BLOCKS_STALE = 3
/** Time without a connection after which the API counts as down. */
export const DOWN_MS = 8_000

export class ConnectionWatch {
  readonly #nowMs: () => number
  readonly #reorgs = new ReorgCounter()
  #isOpen = false
  #wasOpen = false
  #changedMs: number
  #messageMs: number | undefined
  /** Recent average time between blocks. */
  blockMs = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#changedMs = nowMs()
  }

  /** Handles a socket state. Attempts to reconnect do not change a lost connection. */
  enter(state: SocketState): void {
    const isOpen = state === 'open'
    if (isOpen !== this.#isOpen) this.#changedMs = this.#nowMs()
    this.#isOpen = isOpen
    this.#wasOpen ||= isOpen
  }

  /** Records published data. REST answers before the first connection do not count. */
  noteMessage(message?: PublishedMessage): void {
    if (!this.#wasOpen) return
    this.#messageMs = this.#nowMs()
    if (message !== undefined) this.#reorgs.take(message)
  }

  get state(): ConnectionState {
    const times = { changedMs: this.#changedMs, messageMs: this.#messageMs, blockMs: this.blockMs }
    return judgeConnection({ isOpen: this.#isOpen, ...times }, this.#nowMs())
  }

  /** Age at which data counts as outdated, as text: `2 s`. */
  get staleAfter(): string {
    return `${Math.ceil(staleAfterMs(this.blockMs) / 1000)} s`
  }

  /** Time since the last published data, as text: `2 s`. */
  get quietFor(): string {
    return `${Math.floor(this.quietMs / 1000)} s`
  }

  /** Time since the last published data. */
  get quietMs(): number {
    return this.#nowMs() - (this.#messageMs ?? this.#changedMs)
  }

  get reorgs(): number {
    return this.#reorgs.count
  }
}

/** Times are of one clock, in milliseconds; undefined: never. */
type ConnectionFacts = Readonly<{
  isOpen: boolean
  /** When the socket was last opened or lost. */
  changedMs: number
  /** When data was last published. */
  messageMs: number | undefined
  /** Recent average time between blocks. */
  blockMs?: number
}>

/** Age at which data counts as outdated. */
const staleAfterMs = (blockMs: number): number => Math.max(STALE_MS, BLOCKS_STALE * blockMs)

export function judgeConnection(facts: ConnectionFacts, nowMs: number): ConnectionState {
  const { isOpen, changedMs, messageMs, blockMs = 0 } = facts
  const staleMs = staleAfterMs(blockMs)
  if (!isOpen) {
    if (nowMs - changedMs > DOWN_MS) return 'down'
    return messageMs === undefined ? 'connecting' : 'lost'
  }
  if (messageMs === undefined) return 'connecting'
  if (messageMs < changedMs) return nowMs - changedMs > staleMs ? 'stale' : 'resync'
  return nowMs - messageMs > staleMs ? 'stale' : 'open'
}
