// Watches the socket and what is published: whether it goes on, how old it is, what is taken back.
import type { SocketState } from 'openvenue'
import { type Connection, judgeConnection, staleAfterMs } from './connection-view.ts'
import { type Published, ReorgCounter } from './reorg-counter.ts'

export class ConnectionWatch {
  readonly #nowMs: () => number
  readonly #reorgs = new ReorgCounter()
  #isOpen = false
  #wasOpen = false
  #changedMs: number
  #heardMs: number | undefined
  /** From block to block of late. */
  blockMs = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#changedMs = nowMs()
  }

  /** The socket says how it is. Attempts to connect are no change while it is lost. */
  enter(state: SocketState): void {
    const isOpen = state === 'open'
    if (isOpen !== this.#isOpen) this.#changedMs = this.#nowMs()
    this.#isOpen = isOpen
    this.#wasOpen ||= isOpen
  }

  /** Something was published. What REST says before the first connection is not that. */
  heard(message?: Published): void {
    if (!this.#wasOpen) return
    this.#heardMs = this.#nowMs()
    if (message !== undefined) this.#reorgs.take(message)
  }

  get state(): Connection {
    const times = { changedMs: this.#changedMs, heardMs: this.#heardMs, blockMs: this.blockMs }
    return judgeConnection({ isOpen: this.#isOpen, ...times }, this.#nowMs())
  }

  /** After so long without news what is shown is old, as text: `2 s`. */
  get staleAfter(): string {
    return `${Math.ceil(staleAfterMs(this.blockMs) / 1000)} s`
  }

  /** How long nothing has been published. */
  get quietMs(): number {
    return this.#nowMs() - (this.#heardMs ?? this.#changedMs)
  }

  get reorgs(): number {
    return this.#reorgs.count
  }
}
