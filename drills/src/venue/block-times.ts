// Records when each block of the real chain arrived, to compute the age of answers.
import { Loop } from '@openvenue/devnet/loop'
import type { ChainRpc } from '@openvenue/devnet/rpc'

const POLL_MS = 40

export class BlockTimes {
  /** Monotonic milliseconds by number; a block that replaces another has its own time. */
  readonly #arrivedMs = new Map<number, number>()
  readonly #rpc: ChainRpc
  readonly #loop: Loop
  #head = 0

  constructor(rpc: ChainRpc) {
    this.#rpc = rpc
    this.#loop = new Loop(
      () => this.#poll(),
      (tookMs) => POLL_MS - tookMs,
      () => {},
    )
    this.#loop.start()
  }

  get head(): number {
    return this.#head
  }

  /** Returns how long before `atMs` `block` was replaced as the newest: the lag of its answers. */
  ageMs(block: number, atMs: number): number {
    const nextMs = this.#arrivedMs.get(block + 1)
    return nextMs === undefined ? 0 : Math.max(0, atMs - nextMs)
  }

  /** Returns when `block` arrived; undefined if it did not, or did before the first poll. */
  arrivedMs(block: number): number | undefined {
    return this.#arrivedMs.get(block)
  }

  /** Returns the newest block at `atMs`. */
  blockAt(atMs: number): number {
    const blocks = [...this.#arrivedMs]
      .filter(([, arrivedMs]) => arrivedMs <= atMs)
      .map(([block]) => block)
    return Math.max(0, ...blocks)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  async #poll(): Promise<void> {
    const head = Number(await this.#rpc.call('eth_blockNumber'))
    const nowMs = performance.now()
    if (head < this.#head)
      for (let removed = head + 1; removed <= this.#head; removed++) this.#arrivedMs.delete(removed)
    const first = this.#arrivedMs.size === 0 ? head : Math.min(this.#head + 1, head + 1)
    for (let block = first; block <= head; block++) this.#arrivedMs.set(block, nowMs)
    this.#head = head
  }
}
