// Mines the blocks of a live venue and keeps its time. Keepers in the test process use virtual
// time, in which a second lasts about 70 ms. Keepers in processes of their own need real time:
// blocks are mined when transactions are pending, and otherwise every second.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { AnvilVenue } from '@openvenue/indexer/test/anvil-venue'
import type { Store } from '@openvenue/store/store'
import { ManualClock, runClock, type TestClock, wallClock } from './clock.ts'

const MS_PER_S = 1_000
/** Interval between polls of the transaction pool in real time. */
const LOOK_MS = 25
/** Longest wait for the indexer to store a block; an indexer that ended must not stop the chain. */
const INDEXED_MS_MAX = 2_000

type Head = Readonly<{ number: number; hash: string; seconds: number }>

export class LiveBlocks {
  readonly #venue: AnvilVenue
  readonly #store: Store
  readonly #virtual: ManualClock | undefined
  readonly #stopped = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #making: Promise<unknown> = Promise.resolve()
  /** Mines a block every second. */
  isMining = false
  /** Set to false while no indexer runs. */
  hasIndexer = true

  constructor(venue: AnvilVenue, store: Store, { isRealTime }: Readonly<{ isRealTime: boolean }>) {
    this.#venue = venue
    this.#store = store
    this.#virtual = isRealTime ? undefined : new ManualClock(venue.seconds * MS_PER_S)
  }

  /** The chain's time. Everything in the test process uses this clock. */
  get clock(): TestClock {
    return this.#virtual ?? wallClock
  }

  start(): void {
    const { signal } = this.#stopped
    this.#running =
      this.#virtual === undefined ? this.#runRealTime(signal) : this.#runVirtualTime(this.#virtual)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  /** Mines a block now. In virtual time each block is at least a second later than its parent. */
  mine(): Promise<void> {
    const making = this.#making.then(() => this.#mine())
    this.#making = making.catch(() => undefined)
    return making
  }

  /** Moves the virtual time forward and mines a block. */
  async skipSeconds(seconds: number): Promise<void> {
    if (this.#virtual === undefined) throw new Error('real time cannot be skipped')
    this.#virtual.advance(seconds * MS_PER_S)
    await this.mine()
  }

  async #mine(): Promise<void> {
    const { seconds: lastSeconds } = await this.#head()
    const nowSeconds = Math.floor(this.clock.nowMs() / MS_PER_S)
    if (this.#virtual === undefined) {
      await this.#venue.call('evm_mine', { timestamp: Math.max(nowSeconds, lastSeconds) })
      return
    }
    const seconds = Math.max(nowSeconds, lastSeconds + 1)
    await this.#venue.call('evm_mine', { timestamp: seconds })
    this.#virtual.advance(Math.max(0, seconds * MS_PER_S - this.#virtual.nowMs()))
  }

  async #runVirtualTime(clock: ManualClock): Promise<void> {
    const pace = async () => {
      const { seconds } = await this.#head()
      if (!this.isMining || clock.nowMs() < (seconds + 1) * MS_PER_S) return
      await this.mine()
      await this.#waitForIndexer()
    }
    await runClock(clock, pace, this.#stopped.signal)
  }

  async #runRealTime(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(LOOK_MS)
      if (!this.isMining) continue
      const { pending } = (await this.#venue.call('txpool_status')) as { pending: string }
      const { seconds } = await this.#head()
      if (Number(pending) > 0 || Date.now() >= (seconds + 1) * MS_PER_S) await this.mine()
    }
  }

  /** Waits until the newest block is stored, so that a busy indexer does not fall behind. */
  async #waitForIndexer(): Promise<void> {
    const isStored = async () => {
      if (!this.hasIndexer || this.#stopped.signal.aborted) return true
      const { number, hash } = await this.#head()
      return (await this.#store.writer.readHeader(number))?.hash === hash
    }
    await until('the newest block is stored', isStored, INDEXED_MS_MAX).catch(() => undefined)
  }

  #head(): Promise<Head> {
    return this.#venue.head()
  }
}
