// Knows the mark that a market's triggers compare with. A perpetual's is of the feed; a spot
// market's average is asked of the chain, and only where it may have reached somebody.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { bestAsk, bestBid } from '@openvenue/core/book'
import { markAt } from '@openvenue/core/marks'
import { type AveragedBook, triggerAverage } from '@openvenue/core/mid-average'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Abi } from 'viem'
import type { Node } from '../node.ts'
import { readViews } from '../views.ts'

/** Prices between which the average of a market has been since it was asked. */
type Range = { low: bigint; high: bigint }

export class SpotMarks {
  readonly #node: Node
  readonly #ranges = new Map<string, Range>()

  constructor(node: Node) {
    this.#node = node
  }

  /** Takes the mid of a block in: the average moves towards it and no farther. */
  see(state: VenueState, market: Market): void {
    const range = this.#ranges.get(market.id)
    const mid = midOf(state, market)
    if (range === undefined || mid === undefined) return
    if (mid < range.low) range.low = mid
    if (mid > range.high) range.high = mid
  }

  /** Returns the prices between which the average must be; undefined: it must be asked. */
  range(market: string): Readonly<Range> | undefined {
    return this.#ranges.get(market)
  }

  /** Forgets the ranges of markets in which nobody waits. */
  keep(markets: ReadonlySet<string>): void {
    for (const market of this.#ranges.keys()) if (!markets.has(market)) this.#ranges.delete(market)
  }

  /** Asks for the averages of `markets` at `seconds`; one question for all of them. */
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

const min = (one: bigint, other: bigint) => (one < other ? one : other)
const max = (one: bigint, other: bigint) => (one < other ? other : one)

/** Rounded away from the cut of the contract's, which is finer. */
function midOf(state: VenueState, { id, priceStep }: Market): bigint | undefined {
  const book = state.books.get(id)
  const [bid, ask] = [book && bestBid(book), book && bestAsk(book)]
  return bid === undefined || ask === undefined ? undefined : (BigInt(bid + ask) * priceStep) / 2n
}

/**
 * Returns the mark of a perpetual that a transaction of the next block meets; 0 for none.
 * `nowSeconds` is the time outside: a chain that is silent has not moved its own.
 */
export function perpetualMark(state: VenueState, market: string, nowSeconds: number): bigint {
  const mark = state.records.mark.get(market)
  const headSeconds = state.head?.seconds ?? 0
  if (mark === undefined) return 0n
  const isNext = nowSeconds >= mark.nextFromSeconds && headSeconds + 1 >= mark.nextFromSeconds
  return markAt(mark, isNext ? Math.max(headSeconds, mark.nextFromSeconds) : headSeconds).price
}
