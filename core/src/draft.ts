// The block being applied: reads see its own writes; nothing reaches the state before the end.

import { invariant } from './assert.ts'
import type { Change } from './changes.ts'
import type { Header } from './events.ts'
import { blockId, logId } from './ids.ts'
import type { Lots, OrderNumber, Tick, TickLots } from './record-schema.ts'
import type { RecordKind, RecordOf } from './records.ts'
import type { StateKind, VenueState } from './state.ts'

/** A slot changed by the block. Assign `after`; undefined removes the record. */
export type Slot<K extends RecordKind> = {
  readonly what: K
  readonly key: string
  readonly before: RecordOf<K> | undefined
  after: RecordOf<K> | undefined
}

/** The trades of a market in this block, aggregated for its candles. Prices are ticks. */
export type Bar = {
  readonly open: Tick
  high: Tick
  low: Tick
  close: Tick
  volume: Lots
  quoteUnits: TickLots
  takerBuyVolume: Lots
  takerBuyUnits: TickLots
  trades: number
}

/** An order that closes a position by force: its fills so far, and the last of them. */
type ForcedOrder = Readonly<{
  order: OrderNumber
  isPlaced: boolean
  lots: Lots
  /** Sum of tick * lots. */
  units: TickLots
  /** Empty before the first fill. */
  fillId: string
}>

export class Draft {
  readonly state: VenueState
  readonly header: Header
  /** Bars by market, merged into the candles at the end of the block. */
  readonly bars = new Map<string, Bar>()
  /** Keyed by `market|account`, from the log Liquidating to its close, in one transaction. */
  readonly forced = new Map<string, ForcedOrder>()
  readonly #blockId: string
  #list: Slot<RecordKind>[] = []
  readonly #slots = new Map<StateKind, Map<string, Slot<StateKind>>>()

  constructor(state: VenueState, header: Header) {
    this.state = state
    this.header = header
    this.#blockId = `${blockId(header.number)}-`
  }

  /** Returns the slot at `key` for reading and writing. */
  slot<K extends StateKind>(kind: K, key: string): Slot<K> {
    let slots = this.#slots.get(kind)
    if (slots === undefined) {
      slots = new Map()
      this.#slots.set(kind, slots)
    }
    const existing = slots.get(key)
    if (existing !== undefined) return existing as unknown as Slot<K>
    const before = this.state.records[kind].get(key) as RecordOf<K> | undefined
    const slot: Slot<K> = { what: kind, key, before, after: before }
    slots.set(key, slot as unknown as Slot<StateKind>)
    this.#list.push(slot as unknown as Slot<RecordKind>)
    return slot
  }

  /** Returns the record at `key`, including the changes of this block so far. */
  find<K extends StateKind>(kind: K, key: string): RecordOf<K> | undefined {
    const slot = this.#slots.get(kind)?.get(key)
    if (slot !== undefined) return slot.after as RecordOf<K> | undefined
    return this.state.records[kind].get(key) as RecordOf<K> | undefined
  }

  /** Yields all records of a kind as this block left them so far. Not for kinds with many. */
  *all<K extends StateKind>(kind: K): Generator<RecordOf<K>, void, undefined> {
    const slots = this.#slots.get(kind)
    for (const [key, record] of this.state.records[kind])
      if (slots?.has(key) !== true) yield record as RecordOf<K>
    if (slots === undefined) return
    for (const slot of slots.values()) if (slot.after !== undefined) yield slot.after as RecordOf<K>
  }

  /** Adds a record of an insert-only kind. */
  insert<K extends Exclude<RecordKind, StateKind>>(kind: K, key: string, after: RecordOf<K>): void {
    this.#list.push({ what: kind, key, before: undefined, after } as unknown as Slot<RecordKind>)
  }

  /** Returns the record that this block inserted at `key`, to amend it. A linear search. */
  inserted<K extends Exclude<RecordKind, StateKind>>(kind: K, key: string): { after: RecordOf<K> } {
    const slot = this.#list.findLast((slot) => slot.what === kind && slot.key === key)
    invariant(slot?.after !== undefined, 'only records of this block are amended', { kind, key })
    return slot as unknown as { after: RecordOf<K> }
  }

  /** Returns the id of the record created by the log at `logIndex`. */
  placeId(logIndex: number): string {
    return this.#blockId + logId(logIndex)
  }

  /** Returns the changes since the last call, in the order of the first change. */
  take(): Change[] {
    const changed = this.#list.filter(
      ({ before, after }) => before !== after && !(before !== undefined && isSame(before, after)),
    )
    this.#list = []
    this.#slots.clear()
    return changed as unknown as Change[]
  }
}

/** Returns whether two records of one kind are equal: a restored slot counts as unchanged. */
function isSame(a: object, b: object | undefined): boolean {
  if (b === undefined) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const name in left) if (left[name] !== right[name]) return false
  return true
}
