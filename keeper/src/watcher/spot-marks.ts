// Provides the mark that triggers of a market compare with. A perpetual's is in the feed; a spot
// market's average is read from the chain, and only when it may have reached a trigger.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { bestAsk, bestBid } from '@openvenue/core/book'
import { markAt } from '@openvenue/core/marks'
import { type AveragedBook, triggerAverage } from '@openvenue/core/mid-average'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { RpcNode } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import type { Abi } from 'viem'

/** Range of a market's average since it was last read. */
type PriceRange = { low: bigint; high: bigint }

export class SpotMarks {
  readonly #node: RpcNode
  readonly #ranges = new Map<string, PriceRange>()

  constructor(node: RpcNode) {
    this.#node = node
  }

  /** Extends the range by a block's mid: the average moves towards it and no farther. */
  see(state: VenueState, market: Market): void {
    const range = this.#ranges.get(market.id)
    const mid = midOf(state, market)
    if (range === undefined || mid === undefined) return
    if (mid < range.low) range.low = mid
    if (mid > range.high) range.high = mid
  }

  /** Returns the range of the average; undefined when it must be read. */
  range(market: string): Readonly<PriceRange> | undefined {
    return this.#ranges.get(market)
  }

  /** Drops the ranges of markets without waiting orders. */
  keep(markets: ReadonlySet<string>): void {
    for (const market of this.#ranges.keys()) if (!markets.has(market)) this.#ranges.delete(market)
  }

  /** Reads the averages of `markets` at `seconds` in one request. */
  async ask(
    state: VenueState,
    markets: readonly Market[],
    seconds: number,
  ): Promise<ReadonlyMap<string, bigint>> {
    if (markets.length === 0) return new Map()
    const books = (await readViews(
      this.#node,
      markets.map(({ engine, number }) => ({
        to: engine,
        abi: spotAbi as Abi,
        functionName: 'stateOf',
        args: [number],
      })),
    )) as readonly AveragedBook[]
    const marks = new Map<string, bigint>()
    for (const [at, market] of markets.entries()) {
      const mark = triggerAverage(books[at] as AveragedBook, seconds, market.priceStep)
      const mid = midOf(state, market) ?? mark
      marks.set(market.id, mark)
      this.#ranges.set(market.id, { low: min(mark, mid), high: max(mark, mid) })
    }
    return marks
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a < b ? b : a)

/** Rounds in the opposite direction of the contract's finer rounding. */
function midOf(state: VenueState, { id, priceStep }: Market): bigint | undefined {
  const book = state.books.get(id)
  const [bid, ask] = [book && bestBid(book), book && bestAsk(book)]
  return bid === undefined || ask === undefined ? undefined : (BigInt(bid + ask) * priceStep) / 2n
}

/**
 * Returns a perpetual's mark in the next block; 0 if there is none. `nowSeconds` is the wall-clock
 * time, since a chain without new blocks does not advance its own.
 */
export function perpetualMark(state: VenueState, market: string, nowSeconds: number): bigint {
  const mark = state.records.mark.get(market)
  const headSeconds = state.head?.seconds ?? 0
  if (mark === undefined) return 0n
  const isNext = nowSeconds >= mark.nextFromSeconds && headSeconds + 1 >= mark.nextFromSeconds
  return markAt(mark, isNext ? Math.max(headSeconds, mark.nextFromSeconds) : headSeconds).price
}
