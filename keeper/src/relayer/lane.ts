// Sends what a lane has to: windows of intents, one transaction each, by a wallet of its own, so
// that the order of nonces is the order of arrival.
import { Signal } from '@openvenue/store/signal'
import type { Hex } from 'viem'
import type { Clock } from '../clock.ts'
import type { Outcome, TxRequest } from '../pending-tx.ts'
import { UNWANTED } from '../pending-tx.ts'
import { reasonText } from '../reason.ts'
import type { TxSender } from '../tx-sender.ts'
import type { Followed } from './follow-tx.ts'
import type { IntentQueue, Tracked } from './intent-queue.ts'
import { type Outcomes, type Step, TurnUnsure } from './outcomes.ts'
import type { RelayTxEnd } from './relay-metrics.ts'
import type { BlockShare } from './share.ts'
import { gasOfAll, pickWindow } from './windows.ts'

/** What a lane may ask about the chain. */
export type LaneChain = Readonly<{ head: () => number; blockMs: () => number }>

export type LaneDeps = Readonly<{
  name: string
  sender: TxSender
  queue: IntentQueue
  outcomes: Outcomes
  share: BlockShare
  clock: Clock
  chain: LaneChain
  /** Orders wait for their share of a block, cancels do not. */
  isShared: boolean
  /** Returns those that may go now; ends those that never will. */
  ready: (waiting: readonly Tracked[]) => readonly Tracked[]
  request: (window: readonly Tracked[]) => TxRequest
  follow: (followed: Followed) => Promise<void>
  onEnd: (lane: string, end: RelayTxEnd, words?: string) => void
}>

/** Transactions of a lane that wait for a block. */
const OPEN_MAX = 8
/** A window is cut after this part of a block's time at the latest. */
const WINDOW_PART = 4
/** Without news of the queue it is looked at this often. */
const LOOK_MS = 250
/** A node that refuses is left alone for so long. */
const REFUSED_MS = 500

const NO_FUNDS = /insufficient (funds|balance)|exceeds (the )?balance/i

export class Lane {
  readonly name: string
  /** Set by whoever looks at balances, and unset by a node that says so. */
  isFunded = true
  readonly #deps: LaneDeps
  readonly #news = new Signal()
  readonly #carrying = new Set<Promise<void>>()
  #open = 0
  #cutAtMs = 0
  #pausedToMs = 0

  constructor(deps: LaneDeps) {
    this.#deps = deps
    this.name = deps.name
  }

  get address(): string {
    return this.#deps.sender.address.toLowerCase()
  }

  /** Looks at the queue now. */
  notify(): void {
    this.#news.set()
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const sending = this.#deps.sender.run(signal)
    while (!signal.aborted) {
      const waitMs = this.#sendNext(signal)
      await this.#news.wait((quiet) =>
        this.#deps.clock.delay(waitMs, AbortSignal.any([quiet, signal])),
      )
    }
    await sending
    await Promise.all(this.#carrying)
  }

  /** Sends what may go out now; returns after how long to look again. */
  #sendNext(signal: AbortSignal): number {
    const nowMs = this.#deps.clock.nowMs()
    if (nowMs < this.#pausedToMs) return this.#pausedToMs - nowMs
    for (;;) {
      const next = this.#nextWindow(nowMs)
      if (typeof next === 'number') return next
      this.#cutAtMs = nowMs
      this.#keep(this.#carry(next, signal))
    }
  }

  /** Returns what goes out now, or for how long nothing does. */
  #nextWindow(nowMs: number): readonly Tracked[] | number {
    const { queue, chain, isShared, share, ready, name } = this.#deps
    if (this.#open >= OPEN_MAX || (isShared && !this.isFunded)) return LOOK_MS
    const waiting = ready(queue.waiting(name))
    const gasMax = isShared ? share.room : share.gasPerTx
    const window = pickWindow(waiting, { gasMax, head: chain.head() })
    if (window.length === 0) return LOOK_MS
    const leftMs = this.#cutAtMs + chain.blockMs() / WINDOW_PART - nowMs
    // A clock that was set back ends the wait.
    const isOver = this.#open === 0 || leftMs <= 0 || leftMs > chain.blockMs()
    if (!isOver && window.length === waiting.length) return leftMs
    return isShared && !share.hasRoom(gasOfAll(window)) ? LOOK_MS : window
  }

  #keep(carrying: Promise<void>): void {
    this.#carrying.add(carrying)
    void carrying.finally(() => this.#carrying.delete(carrying))
  }

  async #carry(window: readonly Tracked[], signal: AbortSignal): Promise<void> {
    const { share, follow, outcomes } = this.#deps
    const gas = gasOfAll(window)
    for (const tracked of window) tracked.isCarried = true
    this.#open += 1
    share.take(gas)
    let sent: Sent
    try {
      sent = await this.#send(window)
    } finally {
      this.#open -= 1
      share.give(gas)
      this.#news.set()
    }
    const { batch, outcome } = sent
    // Where the turn is over, another process goes on with them. Where it was unsure for a moment
    // only, this one does: it asks for what it has written down, as for what another one has.
    if (outcome.kind === 'abandoned' || batch.length === 0) {
      for (const tracked of batch) tracked.isCarried = signal.aborted
      return
    }
    if (outcome.kind === 'refused') {
      this.#refused(reasonText(outcome.reason))
      return outcomes.requeue(batch)
    }
    const words = outcome.kind === 'reverted' ? outcome.reason.name : undefined
    this.#deps.onEnd(this.name, outcome.kind, words)
    await follow({ batch, hash: outcome.hash, words, signal })
  }

  /** Sends `window`; where some of it is no longer to go, the rest of it in its place. */
  async #send(window: readonly Tracked[]): Promise<Sent> {
    const { request, sender } = this.#deps
    let batch = window
    while (batch.length > 0) {
      const going = batch
      let claimed: readonly Tracked[] = []
      const onSigned = async (hash: Hex) => {
        claimed = await this.#claim(going, hash)
        return claimed.length === going.length
      }
      const outcome = await sender.send({ ...request(going), onSigned })
      if (outcome.kind !== 'refused' || outcome.reason.name !== UNWANTED) return { batch, outcome }
      for (const tracked of going) tracked.isCarried = claimed.includes(tracked)
      batch = claimed
    }
    return { batch, outcome: { kind: 'abandoned' } }
  }

  /** Writes down that `hash` carries them, before it does. Returns those that may go. */
  async #claim(batch: readonly Tracked[], hash: Hex): Promise<readonly Tracked[]> {
    const steps = batch.map(
      ({ intent: { id } }): Step => ({ id, from: ['queued', 'sent'], to: 'sent', txHash: hash }),
    )
    const moved = await this.#deps.outcomes.move(steps).catch((error: unknown) => {
      if (error instanceof TurnUnsure) return []
      throw error
    })
    return batch.filter((_, at) => moved[at])
  }

  #refused(words: string): void {
    const { clock, onEnd, name } = this.#deps
    if (NO_FUNDS.test(words)) this.isFunded = false
    this.#pausedToMs = clock.nowMs() + REFUSED_MS
    onEnd(name, 'untaken', words)
  }
}

type Sent = Readonly<{ batch: readonly Tracked[]; outcome: Outcome }>
