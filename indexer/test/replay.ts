// Runs the logs of a venue on anvil block by block through the decoder and core.
import type { EventType } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { assembleBlocks } from '../src/assemble-blocks.ts'
import { readExisting } from '../src/chain.ts'
import { compileEvents } from '../src/events.ts'
import { readLogs } from '../src/logs.ts'
import type { Rpc } from '../src/rpc.ts'
import type { AnvilVenue } from './anvil-venue.ts'
import { PerpFuzz } from './perp-fuzz.ts'
import { PerpLedger } from './perp-ledger.ts'
import type { SeededRandom } from './seeded-random.ts'

export class Replay {
  readonly state = emptyState()
  readonly fuzz: PerpFuzz
  readonly ledger: PerpLedger
  /** Number of events by type. */
  readonly counts = new Map<EventType, number>()
  readonly #venue: AnvilVenue
  readonly #rpc: Rpc
  readonly #reader: ReturnType<typeof compileEvents>
  #next = 1

  constructor(venue: AnvilVenue, rpc: Rpc, random: SeededRandom) {
    this.#venue = venue
    this.#rpc = rpc
    this.#reader = compileEvents(venue.deployment)
    this.fuzz = new PerpFuzz(venue, random, this.state, venue.usdc)
    this.ledger = new PerpLedger(venue.deployment.perps)
  }

  /** The newest applied block. */
  get number(): number {
    return this.#next - 1
  }

  /** Applies the new blocks. */
  async follow(): Promise<void> {
    const { number } = await this.#venue.head()
    const length = number - this.#next + 1
    const numbers = Array.from({ length }, (_, index) => this.#next + index)
    const headers = await readExisting(this.#rpc, numbers)
    const span = { from: this.#next, to: number }
    const logs = await readLogs(this.#rpc, span, [this.#reader.filter])
    for (const block of assembleBlocks(headers, logs, this.#reader.decodeLog)) {
      this.ledger.take(applyBlock(this.state, block))
      this.fuzz.learn(block)
      for (const { type } of block.events) this.counts.set(type, (this.counts.get(type) ?? 0) + 1)
    }
    this.#next = number + 1
  }
}
