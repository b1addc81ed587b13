// Sends the windows of a lane, one transaction each, from a wallet of its own, so that nonces
// follow the order of arrival.
import { Signal } from '@openvenue/runtime/signal'
import type { Hex } from 'viem'
import type { Clock } from '../clock.ts'
import type { TxRequest, TxResult } from '../pending-tx.ts'
import { UNWANTED } from '../pending-tx.ts'
import { reasonText } from '../reason.ts'
import type { TxSender } from '../tx-sender.ts'
import type { BlockShare } from './block-share.ts'
import type { FollowedTx } from './follow-tx.ts'
import type { IntentQueue, TrackedIntent } from './intent-queue.ts'
import { type IntentStep, LeaseUncertain, type Outcomes } from './outcomes.ts'
import type { RelayTxEnd } from './relay-metrics.ts'
import { gasOfAll, pickWindow } from './windows.ts'

/** Chain data for a lane. */
type LaneChain = Readonly<{ head: () => number; blockMs: () => number }>

type LaneOptions = Readonly<{
  name: string
  sender: TxSender
  queue: IntentQueue
  outcomes: Outcomes
  share: BlockShare
  clock: Clock
  chain: LaneChain
  /** Orders wait for their share of a block; cancels do not. */
  isShared: boolean
  /** Returns the intents that may be sent now; ends those that never will be. */
  ready: (intents: readonly TrackedIntent[]) => readonly TrackedIntent[]
  request: (window: readonly TrackedIntent[]) => TxRequest
  follow: (followed: FollowedTx) => Promise<void>
  onEnd: (lane: string, end: RelayTxEnd, words?: string) => void
}>

/** Maximum number of pending transactions per lane. */
const OPEN_MAX = 8
/** Divisor of the block time: the latest moment to close a window. */
const WINDOW_PART = 4
/** Poll interval of the queue when no signal arrives. */
const LOOK_MS = 250
/** Pause after a node refused a transaction. */
const REFUSED_MS = 500

const NO_FUNDS = /insufficient (funds|balance)|exceeds (the )?balance/i

export class Lane {
  readonly name: string
  /** Set by the balance check; cleared when a node reports insufficient funds. */
  isFunded = true
  readonly #deps: LaneOptions
  readonly #news = new Signal()
  readonly #carrying = new Set<Promise<void>>()
  #open = 0
  #cutAtMs = 0
  #pausedToMs = 0

  constructor(deps: LaneOptions) {
    this.#deps = deps
    this.name = deps.name
  }

  get address(): string {
    return this.#deps.sender.address.toLowerCase()
  }

  /** Triggers a check of the queue. */
  notify(): void {
    this.#news.set()
  }

  /** Runs until `signal` aborts. */
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

  /** Sends the windows that are due; returns the delay until the next check. */
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

  /** Returns the window to send now, or the delay until there is one. */
  #nextWindow(nowMs: number): readonly TrackedIntent[] | number {
    const { queue, chain, isShared, share, ready, name } = this.#deps
    if (this.#open >= OPEN_MAX || (isShared && !this.isFunded)) return LOOK_MS
    const candidates = ready(queue.listWaiting(name))
    const gasMax = isShared ? share.room : share.gasPerTx
    const window = pickWindow(candidates, { gasMax, head: chain.head() })
    if (window.length === 0) return LOOK_MS
    const leftMs = this.#cutAtMs + chain.blockMs() / WINDOW_PART - nowMs
    // A clock that was set back ends the wait.
    const isOver = this.#open === 0 || leftMs <= 0 || leftMs > chain.blockMs()
    if (!isOver && window.length === candidates.length) return leftMs
    return isShared && !share.hasRoom(gasOfAll(window)) ? LOOK_MS : window
  }

  #keep(carrying: Promise<void>): void {
    this.#carrying.add(carrying)
    void carrying.finally(() => this.#carrying.delete(carrying))
  }

  async #carry(window: readonly TrackedIntent[], signal: AbortSignal): Promise<void> {
    const { share, follow, outcomes } = this.#deps
    const gas = gasOfAll(window)
    for (const tracked of window) tracked.isCarried = true
    this.#open += 1
    share.take(gas)
    let sent: BatchResult
    try {
      sent = await this.#send(window)
    } finally {
      this.#open -= 1
      share.give(gas)
      this.#news.set()
    }
    const { batch, outcome } = sent
    // Once the lease is lost, another process continues with them. If it was only uncertain for a
    // moment, this process takes up its recorded transactions like those of another process.
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

  /** Sends `window`; if some intents must no longer be sent, sends the rest instead. */
  async #send(window: readonly TrackedIntent[]): Promise<BatchResult> {
    const { request, sender } = this.#deps
    let batch = window
    while (batch.length > 0) {
      const going = batch
      let claimed: readonly TrackedIntent[] = []
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

  /** Records that `hash` carries the batch before sending. Returns the intents that may be sent. */
  async #claim(batch: readonly TrackedIntent[], hash: Hex): Promise<readonly TrackedIntent[]> {
    const steps = batch.map(
      ({ intent: { id } }): IntentStep => ({
        id,
        from: ['queued', 'sent'],
        to: 'sent',
        txHash: hash,
      }),
    )
    const moved = await this.#deps.outcomes.move(steps).catch((error: unknown) => {
      if (error instanceof LeaseUncertain) return []
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

type BatchResult = Readonly<{ batch: readonly TrackedIntent[]; outcome: TxResult }>
