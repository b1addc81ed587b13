// Finds the accounts whose margin may have crossed a limit by checking only those near it. Decision
// 0031 proves that none is missed.

import { heldPositions } from './account-positions.ts'
import { invariant } from './assert.ts'
import { BoundHeap } from './bound-heap.ts'
import type { Change } from './changes.ts'
import { fundingIndexAt } from './funding.ts'
import { marketEngine } from './ids.ts'
import { abs, ceilDiv } from './integers.ts'
import { type AccountMargin, accountMargin, maintenanceDivisor, markPerLotDown } from './margin.ts'
import { markAt } from './marks.ts'
import type { AccountNumber, Address, PerLot, Seconds } from './record-schema.ts'
import type { Collateral, Market, Position } from './records.ts'
import type { VenueState } from './state.ts'

/**
 * The spare margin of an account is `equity * its equity - maintenance * its maintenance margin`.
 * It is watched `from` above while that is positive, until it no longer is; or from below while it
 * is not positive, until it is.
 */
export type Limit = Readonly<{ equity: bigint; maintenance: bigint; from: 'above' | 'below' }>

/**
 * Change in spare margin per lot on one side of a market, with the sign chosen so that it falls
 * towards the limit, and the bounds on it.
 */
type Track = { value: bigint; reach: number; readonly bounds: BoundHeap }
type Tracks = Readonly<{ long: Track; short: Track }>
/** `tracks` follows the order of the limits; `perLot` is the mark of a lot. */
type MarginLine = { perLot: PerLot; readonly tracks: readonly Tracks[] }

const STAMP_MAX = 2 ** 32 - 1

/** The accounts of one engine that hold positions, each watched at one limit. */
export class MarginIndex {
  /** Number of accounts checked so far, which the index exists to minimise. */
  looks = 0
  readonly #state: VenueState
  readonly #engine: Address
  readonly #limits: readonly Limit[]
  readonly #aheadSeconds: number
  readonly #lines = new Map<string, MarginLine>()
  /** The stamp of the bounds of each watched account. */
  readonly #stamps = new Map<number, number>()
  #stamp = 0
  /** Accounts to check regardless of their bounds. */
  #touched: Set<number>
  /** Accounts whose margin is unknown until a mark is known. */
  readonly #blind = new Set<number>()

  /**
   * All accounts in `state` are due at first. The caller changes the state and then calls `note`.
   * Margins are computed `aheadSeconds` after the state's head, assuming no events until then.
   */
  constructor(state: VenueState, engine: Address, limits: readonly Limit[], aheadSeconds = 0) {
    this.#state = state
    this.#engine = engine
    this.#limits = limits
    this.#aheadSeconds = aheadSeconds
    this.#touched = new Set(state.accountPositions.keys())
  }

  /** Records changes that were applied to the state. */
  note(changes: readonly Change[]): void {
    for (const { what, before, after } of changes) {
      if (what === 'position' && isSameHeld(before, after) && !this.#isBlindTo(after)) continue
      if (what === 'position' || what === 'collateral') this.#addAffected(after ?? before)
      else if ((what === 'mark' || what === 'funding') && before === undefined) this.#addBlind()
    }
  }

  /** The orders that hid an account's margin may have been its last in a market without a mark. */
  #isBlindTo(position: Position | undefined): boolean {
    return position !== undefined && this.#blind.has(position.account)
  }

  #addAffected(record: Position | Collateral | undefined): void {
    if (record === undefined) return
    const engine = 'engine' in record ? record.engine : marketEngine(record.market)
    if (engine === this.#engine) this.#touched.add(record.account)
  }

  #addBlind(): void {
    for (const account of this.#blind) this.#touched.add(account)
    this.#blind.clear()
  }

  get #seconds(): number {
    return (this.#state.head?.seconds ?? 0) + this.#aheadSeconds
  }

  /**
   * Returns the accounts whose margin may have crossed their limit since they were watched, by
   * number, and stops watching them: the caller checks each and watches it again. The margins of
   * all other accounts are still on the same side.
   */
  due(): number[] {
    const due = this.#touched
    this.#touched = new Set()
    const seconds = this.#seconds
    for (const market of this.#state.records.market.values())
      if (market.engine === this.#engine) this.#advance(market, seconds)
    for (const { tracks } of this.#lines.values())
      for (const { long, short } of tracks) {
        long.bounds.reached(long.reach, due)
        short.bounds.reached(short.reach, due)
      }
    for (const account of due) this.#stamps.delete(account)
    return [...due].sort((a, b) => a - b)
  }

  /** Returns the current margin of `account`; undefined while a mark is unknown. */
  look(account: AccountNumber): AccountMargin | undefined {
    this.looks++
    const at = { engine: this.#engine, account, seconds: this.#seconds }
    const margin = accountMargin(this.#state, at)
    if (margin === undefined) this.#blind.add(account)
    else this.#blind.delete(account)
    return margin
  }

  /**
   * Watches an account that was due at the limit with index `at`. `margin` is the result of `look`
   * since the last `due`. An account without positions is not watched.
   */
  watch(account: AccountNumber, margin: AccountMargin, at: number): void {
    const limit = this.#limits[at]
    invariant(limit !== undefined, 'an account is watched at a limit of the index', { at })
    const positions = this.#heldBy(account)
    const lots = positions.reduce((sum, position) => sum + abs(position.lots), 0n)
    if (lots === 0n) return
    this.#stamp = this.#stamp === STAMP_MAX ? 0 : this.#stamp + 1
    this.#stamps.set(account, this.#stamp)
    const spare = limit.equity * margin.equity - limit.maintenance * margin.maintenance
    const room = (limit.from === 'above' ? spare : -spare) - limit.maintenance * lots
    for (const position of positions) {
      const line = this.#lines.get(position.market)
      const tracks = line?.tracks[at]
      if (line === undefined || tracks === undefined) continue
      const track = position.lots > 0n ? tracks.long : tracks.short
      // Each lot gets a share of the room in proportion to its value, as if all marks moved alike.
      const isAtEdge = room <= 0n || margin.notional === 0n
      const share = isAtEdge ? 0n : (room * line.perLot) / margin.notional
      track.bounds.add(isAtEdge ? Infinity : Number(track.value - share), account)
    }
  }

  /** The positions of an account at this engine that are not flat. */
  #heldBy(account: AccountNumber): Position[] {
    const positions = heldPositions(this.#state, account)
    return positions.filter(({ lots, market }) => lots !== 0n && this.#lines.has(market))
  }

  /** Updates mark, funding and leverage of the market. */
  #advance(market: Market, seconds: Seconds): void {
    const { mark: marks, funding: fundings } = this.#state.records
    const [mark, funding] = [marks.get(market.id), fundings.get(market.id)]
    if (mark === undefined || funding === undefined || market.maxLeverage === null) return
    let line = this.#lines.get(market.id)
    if (line === undefined) {
      line = { perLot: 0n, tracks: this.#limits.map(() => newTracks(this.#stamps)) }
      this.#lines.set(market.id, line)
    }
    const perLot = markPerLotDown(market, markAt(mark, seconds).price)
    line.perLot = perLot
    const paid = fundingIndexAt(funding, seconds)
    const marginUp = ceilDiv(perLot, maintenanceDivisor(market))
    for (const [at, limit] of this.#limits.entries()) {
      const tracks = line.tracks[at]
      if (tracks === undefined) continue
      const equity = limit.equity * (perLot - paid)
      const margin = limit.maintenance * marginUp
      const way = limit.from === 'above' ? 1n : -1n
      moveTo(tracks.long, way * (equity - margin))
      moveTo(tracks.short, -way * (equity + margin))
      // Without a positive mark there is no margin to hold, however much is spare.
      if (limit.from === 'below' && perLot === 0n)
        tracks.long.reach = tracks.short.reach = -Infinity
    }
  }
}

/** Order and leverage changes move no limit, so such an account need not be checked. */
const isSameHeld = (before: Position | undefined, after: Position | undefined): boolean =>
  before !== undefined &&
  before.lots === after?.lots &&
  before.quote === after.quote &&
  before.fundingIndex === after.fundingIndex

const newTrack = (stamps: ReadonlyMap<number, number>): Track => ({
  value: 0n,
  reach: 0,
  bounds: new BoundHeap(stamps),
})

const newTracks = (stamps: ReadonlyMap<number, number>): Tracks => ({
  long: newTrack(stamps),
  short: newTrack(stamps),
})

/** Conversion to a float preserves the order of the integers, so no bound is skipped. */
function moveTo(track: Track, value: bigint): void {
  track.value = value
  track.reach = Number(value)
}
