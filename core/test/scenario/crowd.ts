// A venue with many accounts and markets that has only the records needed for margins. Most
// accounts hold one position, some a few, one in a thousand one in every market; the first markets
// have the most holders. Equity ranges from just above the maintenance margin to the whole value
// held.

import { type Change, invertChanges, slotKey } from '../../src/changes.ts'
import { fundingIndexAt } from '../../src/funding.ts'
import { E18, max } from '../../src/integers.ts'
import { markPerLotDown } from '../../src/margin.ts'
import { steadyMark } from '../../src/marks.ts'
import { emptyPosition } from '../../src/positions.ts'
import type { Market } from '../../src/records.ts'
import { emptyState, fold, type StateKind, type VenueState } from '../../src/state.ts'
import { Chance } from './chance.ts'
import { PLAIN_AMOUNT_STEP, PLAIN_LEVERAGE_MAX, plainMarket } from './plain-market.ts'

const MILLION = 1_000_000n
export const CROWD_ENGINE = `0x${'c0'.repeat(20)}`
const START_SECONDS = 3_600
const FIRST_ACCOUNT = 3
/** Millionths of the value held: just above the maintenance margin of a fortieth. */
const EQUITY_MIN = 25_500n

/** Returns the number of positions of an account by its place in a thousand. */
function positionsFor(rank: number, markets: number): number {
  if (rank === 0) return markets
  if (rank < 10) return 40
  if (rank < 50) return 10
  if (rank < 150) return 4
  return rank < 400 ? 2 : 1
}

/** `isEven`: each account holds a position in every market. */
export type CrowdSize = Readonly<{
  markets: number
  accounts: number
  seed: number
  isEven?: boolean
}>

export class Crowd {
  readonly state: VenueState = emptyState()
  readonly markets: readonly Market[]
  readonly #chance: Chance

  constructor({ markets, accounts, seed, isEven = false }: CrowdSize) {
    this.#chance = new Chance(seed)
    this.markets = Array.from({ length: markets }, (_, index) =>
      plainMarket(CROWD_ENGINE, index + 1),
    )
    this.pass(0)
    for (const market of this.markets) {
      this.#put('market', market)
      this.#put('mark', makeMark(market, BigInt(1 + this.#chance.below(5_000)) * E18))
      this.#put('funding', makeFunding(market, START_SECONDS, 0n))
    }
    for (let count = 0; count < accounts; count++) this.#open(FIRST_ACCOUNT + count, isEven)
  }

  /** Advances the clock by one block. */
  pass(seconds: number): void {
    const { number, seconds: from } = this.state.head ?? { number: 0, seconds: START_SECONDS }
    const [hash, parentHash] = [`0x${number + 1}`, `0x${number}`]
    this.state.head = { number: number + 1, hash, parentHash, seconds: from + seconds }
  }

  /** Moves the mark of a market by some millionths. */
  move({ id }: Market, millionths: number): readonly Change[] {
    const mark = this.state.records.mark.get(id)
    if (mark === undefined) return []
    const price = mark.price + (mark.price * BigInt(millionths)) / MILLION
    return [this.#put('mark', makeMark({ id }, price))]
  }

  /** Settles the hours of a market and begins the next at another rate, within 0.01 %. */
  settle(market: Market): readonly Change[] {
    const funding = this.state.records.funding.get(market.id)
    const mark = this.state.records.mark.get(market.id)
    const seconds = this.state.head?.seconds ?? 0
    if (funding === undefined || mark === undefined) return []
    const hours = Math.floor((seconds - funding.settledSeconds) / 3_600)
    const cumulative = funding.cumulative + funding.perSecond * BigInt(hours * 3_600)
    const rate = BigInt(this.#chance.below(201) - 100)
    const perSecond = (markPerLotDown(market, mark.price) * rate) / MILLION / 3_600n
    const begun = makeFunding(market, funding.settledSeconds + hours * 3_600, perSecond)
    return [this.#put('funding', { ...begun, cumulative })]
  }

  /** Opens an account with one long lot in a market and equity in millionths of its value. */
  park({ id }: Market, account: number, equity: number): readonly Change[] {
    const { mark: marks, funding: fundings } = this.state.records
    const [mark, funding] = [marks.get(id), fundings.get(id)]
    if (mark === undefined || funding === undefined) return []
    const value = (mark.price * PLAIN_AMOUNT_STEP) / E18
    const amount = (value * BigInt(equity)) / MILLION
    const fundingIndex = fundingIndexAt(funding, this.state.head?.seconds ?? 0)
    return [
      this.#put('position', {
        ...emptyPosition(id, account),
        lots: 1n,
        quote: -value,
        fundingIndex,
      }),
      this.#put('collateral', { engine: CROWD_ENGINE, account, amount }),
    ]
  }

  /** Undoes changes. */
  undo(changes: readonly Change[]): readonly Change[] {
    const undone = invertChanges(changes)
    fold(this.state, undone)
    return undone
  }

  /** Opens the positions of an account at the current marks. */
  #open(account: number, isEven: boolean): void {
    const rank = isEven ? 0 : this.#chance.below(1_000)
    const count = positionsFor(rank, this.markets.length)
    const first = this.#chance.below(this.markets.length)
    let notional = 0n
    for (let nth = 0; nth < count; nth++) {
      const isAll = count === this.markets.length
      const market = this.markets[isAll ? (first + nth) % count : this.#popular()]
      if (market !== undefined) notional += this.#hold(market, account)
    }
    const leverage = BigInt(1 + this.#chance.below(PLAIN_LEVERAGE_MAX))
    const drifted = (10_000n / leverage) * BigInt(60 + this.#chance.below(80))
    const equity = max(drifted, EQUITY_MIN)
    const amount = (notional * equity) / MILLION
    this.#put('collateral', { engine: CROWD_ENGINE, account, amount })
  }

  /** Returns the index of a market; of 200 markets the first has a fourteenth of the positions. */
  #popular(): number {
    const part = this.#chance.below(1_000_000) / 1_000_000
    return Math.floor(part * part * this.markets.length)
  }

  /** Returns the value of the added position. */
  #hold(market: Market, account: number): bigint {
    const mark = this.state.records.mark.get(market.id)
    if (mark === undefined || this.state.records.position.has(`${market.id}|${account}`)) return 0n
    const size = BigInt(1 + this.#chance.below(10_000))
    const lots = this.#chance.happens(50) ? size : -size
    const perLot = markPerLotDown(market, mark.price)
    const empty = emptyPosition(market.id, account)
    this.#put('position', { ...empty, lots, quote: -lots * perLot })
    return size * perLot
  }

  #put(kind: StateKind, after: Readonly<Record<string, unknown>>): Change {
    const key = slotKey(kind, after as never)
    const before = (this.state.records[kind] as ReadonlyMap<string, unknown>).get(key)
    const change = { what: kind, key, before, after } as Change
    fold(this.state, [change])
    return change
  }
}

const makeMark = ({ id }: Pick<Market, 'id'>, price: bigint) =>
  steadyMark({ market: id, price, seconds: 0 })

const makeFunding = ({ id }: Market, settledSeconds: number, perSecond: bigint) => ({
  market: id,
  settledSeconds,
  rate: 0n,
  perSecond,
  cumulative: 0n,
  premiumSum: 0n,
  sampledSeconds: 0,
  mark: 0n,
})
