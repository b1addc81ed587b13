// A venue of accounts close to their limits: every step randomly changes a mark, a position,
// collateral, funding, the clock or a parameter, or undoes the last steps. Records are made
// directly, so that marks near zero, debts and other cases occur that a venue would rarely see.

import { heldPositions } from '../../src/account-positions.ts'
import { type Change, invertChanges, slotKey } from '../../src/changes.ts'
import type { Header } from '../../src/events.ts'
import { marketEngine, marketId } from '../../src/ids.ts'
import { E18 } from '../../src/integers.ts'
import { accountMargin, maintenanceMarginUp, markPerLotDown } from '../../src/margin.ts'
import { steadyMark } from '../../src/marks.ts'
import { emptyPosition } from '../../src/positions.ts'
import type { Market, Position } from '../../src/records.ts'
import { emptyState, fold, type StateKind, type VenueState } from '../../src/state.ts'
import { Chance } from './chance.ts'

export const ENGINES = [`0x${'e1'.repeat(20)}`, `0x${'e2'.repeat(20)}`] as const
export const MARGIN_ACCOUNTS = 12
const MARKETS = 5
const STEPS = [1n, 10n ** 11n, 10n ** 15n, E18, 3n * E18]
/** A lot of the first market is worth a few raw units, which exposes every rounding. */
const PRICES = [17n, 3_000n, 3_000n, 3_000n, 3_000n]
const HISTORY_MAX = 6

type BlockResult = Readonly<{ head: Header; changes: readonly Change[] }>
type Record = Readonly<{ [name: string]: unknown }>

export class RandomMargins {
  readonly state: VenueState = emptyState()
  readonly #chance: Chance
  readonly #history: BlockResult[] = []
  readonly #markets: readonly string[]

  constructor(seed: number) {
    this.#chance = new Chance(seed)
    this.state.head = makeHead(1, 3_600)
    const ids = Array.from({ length: MARKETS }, (_, index) =>
      marketId(ENGINES[index === 0 ? 1 : 0], index + 1),
    )
    this.#markets = ids
    for (const [index, id] of ids.entries()) {
      this.#put('market', this.#market(id, index))
      // The last market has no mark until a random step sets one.
      if (index < MARKETS - 1) this.#mark(id)
      this.#funding(id)
    }
  }

  /** Makes a random change to the state and returns it. */
  step(): { header: Header; changes: readonly Change[] } {
    const head = this.state.head as Header
    const last = this.#history.at(-1)
    if (last !== undefined && this.#chance.happens(6)) {
      this.#history.pop()
      const changes = invertChanges(last.changes)
      fold(this.state, changes)
      this.state.head = last.head
      return { header: last.head, changes }
    }
    const seconds = head.seconds + this.#chance.below(this.#chance.happens(10) ? 5_000 : 15)
    this.state.head = makeHead(head.number + 1, seconds)
    const changes = this.#someChanges()
    this.#history.push({ head, changes })
    if (this.#history.length > HISTORY_MAX) this.#history.shift()
    return { header: this.state.head, changes }
  }

  #someChanges(): Change[] {
    const market = this.#chance.pick(this.#markets) as string
    const account = 3 + this.#chance.below(MARGIN_ACCOUNTS)
    const engine = marketEngine(market)
    const roll = this.#chance.below(100)
    if (roll < 45) return this.#chance.happens(90) ? [this.#mark(market)] : this.#allMarks()
    if (roll < 50) return [this.#index(market)]
    if (roll < 68) return this.#hold(market, account)
    if (roll < 80) return [this.#collateral(engine, account)]
    if (roll < 94) return [this.#funding(market)]
    const at = this.#markets.indexOf(market)
    return [this.#put('market', this.#market(market, at))]
  }

  #allMarks(): Change[] {
    return this.#markets.slice(0, MARKETS - 1).map((market) => this.#mark(market))
  }

  #market(id: string, index: number): Market {
    const amountStep = STEPS[index] as bigint
    return {
      id,
      engine: marketEngine(id),
      number: index + 1,
      name: `M${index}-PERP`,
      type: 'PERPETUAL',
      asset: `A${index}`,
      quoteAsset: 'USDC',
      baseToken: null,
      quoteToken: null,
      baseDecimals: 18,
      quoteDecimals: 18,
      priceStep: E18,
      amountStep,
      quotePerLotTick: amountStep,
      minOrderValue: 0n,
      maxOrderValue: E18,
      maxNotionalValue: E18,
      maxOpenInterest: E18,
      maxLeverage: this.#chance.pick([1, 2, 20, 50]) as number,
      makerFee: 0,
      takerFee: 0,
      isHalted: false,
      isEnded: false,
      lossAccount: null,
      listedSeconds: 0,
    }
  }

  /** Mostly a small move; at times a jump, or a fall to near zero. */
  #mark(market: string): Change {
    const first = (PRICES[this.#markets.indexOf(market)] as bigint) * E18
    const before = this.state.records.mark.get(market)?.price ?? first
    const roll = this.#chance.below(100)
    const part = BigInt(this.#chance.below(2_001) - 1_000)
    const wide = roll < 75 ? 100_000n : 4_000n
    const moved = roll < 95 ? before + (before * part) / wide : BigInt(this.#chance.below(30))
    const price = before < 10n ** 15n || moved > first * 100n ? first : moved
    const mark = steadyMark({ market, price, seconds: 0 })
    if (!this.#chance.happens(20)) return this.#put('mark', mark)
    // Takes effect only a little later, with or without a block.
    const from = (this.state.head?.seconds ?? 0) + 1 + this.#chance.below(20)
    const until = { price: before, nextPrice: price, nextFromSeconds: from }
    return this.#put('mark', { ...mark, ...until })
  }

  /** Up to half a percent from the mark. */
  #index(market: string): Change {
    const mark = this.state.records.mark.get(market)?.price ?? 0n
    const price = mark + (mark * BigInt(this.#chance.below(101) - 50)) / 10_000n
    const asset = `A${this.#markets.indexOf(market)}`
    return this.#put('indexPrice', { asset, price, seconds: 0, blockNumber: 0 })
  }

  #funding(market: string): Change {
    const before = this.state.records.funding.get(market)
    const perLot = 3_000n * (STEPS[this.#markets.indexOf(market)] as bigint)
    const part = BigInt(this.#chance.below(101) - 50)
    return this.#put('funding', {
      market,
      rate: 0n,
      premiumSum: 0n,
      sampledSeconds: 0,
      mark: 0n,
      settledSeconds: this.state.head?.seconds ?? 0,
      perSecond: (perLot * part) / 20_000_000n,
      cumulative: (before?.cumulative ?? 0n) + (perLot * part) / 2_000n,
    })
  }

  #hold(market: string, account: number): Change[] {
    const slot = this.state.records.position.get(`${market}|${account}`)
    if (slot !== undefined && this.#chance.happens(5))
      return [this.#change('position', slot, undefined)]
    const mark = this.state.records.mark.get(market)
    const listed = this.state.records.market.get(market) as Market
    // Without a mark an account can only choose its leverage.
    const random = mark === undefined ? 0n : BigInt(this.#chance.below(41) - 20)
    const lots = slot !== undefined && this.#chance.happens(20) ? slot.lots : random
    const bidLots = BigInt(this.#chance.below(3))
    const fundingIndex = this.state.records.funding.get(market)?.cumulative ?? 0n
    if (slot !== undefined && this.#chance.happens(20)) {
      const part = this.#chance.happens(50) ? { bidLots } : { fundingIndex }
      return [this.#change('position', slot, { ...slot, ...part })]
    }
    const perLot = markPerLotDown(listed, mark?.price ?? 0n)
    const quote = (-lots * perLot * BigInt(90 + this.#chance.below(21))) / 100n
    const empty = emptyPosition(market, account)
    const position: Position = { ...empty, lots, quote, fundingIndex, bidLots, leverage: 1 }
    const change = this.#put('position', position)
    if (this.#chance.happens(40)) return [change]
    return [change, this.#collateral(marketEngine(market), account)]
  }

  /** Sets the account near one of its limits. */
  #collateral(engine: string, account: number): Change {
    const seconds = this.state.head?.seconds ?? 0
    const margin = accountMargin(this.state, { engine, account, seconds })
    const smallest = heldPositions(this.state, account).reduce((sum, position) => {
      const market = this.state.records.market.get(position.market)
      return market === undefined ? sum : sum + maintenanceMarginUp(market, position, 1n)
    }, 1n)
    const percent = BigInt(this.#chance.pick([95, 99, 100, 101, 110, 124, 125, 126, 150, 151]) ?? 0)
    const targetEquity = ((margin?.maintenance ?? 0n) * percent) / 100n
    const jitter = BigInt(this.#chance.below(3) - 1) * smallest
    const amount = targetEquity + jitter - ((margin?.equity ?? 0n) - (margin?.collateral ?? 0n))
    return this.#put('collateral', { engine, account, amount })
  }

  #put(kind: StateKind, record: Record): Change {
    const slots: ReadonlyMap<string, unknown> = this.state.records[kind]
    const before = slots.get(slotKey(kind, record as never))
    return this.#change(kind, before, record)
  }

  #change(kind: StateKind, before: unknown, after: unknown): Change {
    const key = slotKey(kind, (after ?? before) as never)
    const change = { what: kind, key, before, after } as Change
    fold(this.state, [change])
    return change
  }
}

const makeHead = (number: number, seconds: number): Header => ({
  number,
  hash: `0x${number}`,
  parentHash: `0x${number - 1}`,
  seconds,
})
