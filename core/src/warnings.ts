// Warns accounts that are close to liquidation. A warning begins when maintenance margin reaches 80
// % of equity and ends below two thirds, so that a price oscillating around a limit warns once.

import type { BlockChanges } from './changes.ts'
import { blockId } from './ids.ts'
import type { AccountMargin } from './margin.ts'
import { type Limit, MarginIndex } from './margin-index.ts'
import type { Notification } from './notifications.ts'
import type { AccountNumber, Address } from './record-schema.ts'
import type { Market } from './records.ts'
import type { VenueState } from './state.ts'
import { fixedText, formatRaw } from './units.ts'

/** A block in which the margin warning of an account at an engine begins or ends. */
export type WarningChange = Readonly<{
  engine: Address
  account: AccountNumber
  /** Block number. */
  number: number
  isWarned: boolean
}>

type WarningChanges = Readonly<{
  turns: readonly WarningChange[]
  notifications: readonly Notification[]
}>

/** Decimals of a margin ratio, rounded down. */
const RATIO_DECIMALS = 4
const RATIO_ONE = 10n ** BigInt(RATIO_DECIMALS)
const NO_TURNS: WarningChanges = { turns: [], notifications: [] }

/** An account without a warning is watched at the first limit, one with a warning at the second. */
const LIMITS: readonly Limit[] = [
  { equity: 4n, maintenance: 5n, from: 'above' },
  { equity: 2n, maintenance: 3n, from: 'below' },
]
const [CLOSE, SAFE] = [0, 1]

/** Tracks the margins of all accounts of a state, block by block. */
export class MarginWatch {
  readonly #state: VenueState
  /** `engine|account` of the active warnings. */
  readonly #warned: Set<string>
  /** Indexes by engine. */
  readonly #indexes = new Map<string, MarginIndex>()

  /** `warned`: the warnings active after the preceding blocks. */
  constructor(
    state: VenueState,
    warned: readonly Readonly<{ engine: Address; account: AccountNumber }>[] = [],
  ) {
    this.#state = state
    this.#warned = new Set(warned.map(({ engine, account }) => `${engine}|${account}`))
    for (const market of state.records.market.values()) this.#cover(market)
  }

  /** Number of accounts checked so far. */
  get looks(): number {
    return [...this.#indexes.values()].reduce((sum, { looks }) => sum + looks, 0)
  }

  /**
   * Returns the warnings that begin and end with a block that was applied to the state, by account.
   * A block without changes returns none: whether it is seen depends on how the node is queried.
   */
  after({ header, changes }: BlockChanges): WarningChanges {
    if (changes.length === 0) return NO_TURNS
    for (const { what, after } of changes)
      if (what === 'market' && after !== undefined) this.#cover(after)
    const turns: WarningChange[] = []
    const notifications: Notification[] = []
    for (const [engine, index] of this.#indexes) {
      index.note(changes)
      for (const account of index.due()) {
        const margin = this.#check(index, engine, account)
        if (margin === undefined) continue
        const isWarned = this.#warned.has(`${engine}|${account}`)
        turns.push({ engine, account, number: header.number, isWarned })
        if (isWarned)
          notifications.push(buildWarning({ engine, account, number: header.number }, margin))
      }
    }
    return { turns, notifications }
  }

  /** Starts to track the engine of a perpetual market with all accounts in the state. */
  #cover({ engine, type }: Market): void {
    if (type !== 'PERPETUAL' || this.#indexes.has(engine)) return
    this.#indexes.set(engine, new MarginIndex(this.#state, engine, LIMITS))
  }

  /** Checks an account, and returns its margin if that begins or ends its warning. */
  #check(index: MarginIndex, engine: Address, account: AccountNumber): AccountMargin | undefined {
    const margin = index.look(account)
    if (margin === undefined) return undefined
    const { equity, maintenance } = margin
    const key = `${engine}|${account}`
    const wasWarned = this.#warned.has(key)
    const isWarned = wasWarned ? !isSafe(equity, maintenance) : isClose(equity, maintenance)
    index.watch(account, margin, isWarned ? SAFE : CLOSE)
    if (isWarned === wasWarned) return undefined
    if (isWarned) this.#warned.add(key)
    else this.#warned.delete(key)
    return margin
  }
}

const buildWarning = (
  { engine, account, number }: Pick<WarningChange, 'engine' | 'account' | 'number'>,
  margin: AccountMargin,
): Notification => {
  const { equity, maintenance } = margin
  return {
    id: `${blockId(number)}-w-${engine}`,
    account,
    type: 'liquidation_warning',
    data: {
      engine,
      equity: fixedText(equity),
      maintenanceMargin: fixedText(maintenance),
      marginRatio: equity > 0n ? ratioDown(maintenance, equity) : null,
    },
  }
}

/** Maintenance margin is at least 80 % of equity: maintenance / equity >= 4 / 5. */
const isClose = (equity: bigint, maintenance: bigint) =>
  maintenance > 0n && equity * 4n <= maintenance * 5n

/** Maintenance margin is below two thirds of equity, or there is no position. */
const isSafe = (equity: bigint, maintenance: bigint) =>
  maintenance === 0n || equity * 2n > maintenance * 3n

const ratioDown = (maintenance: bigint, equity: bigint) =>
  formatRaw((maintenance * RATIO_ONE) / equity, RATIO_DECIMALS)
