// Warns accounts that are close to liquidation. A warning begins where 80 % of the equity is bound
// as maintenance margin, and ends below two thirds, so that a price that swings around a limit
// warns once.

import type { BlockChanges } from './changes.ts'
import { blockId } from './ids.ts'
import type { AccountMargin } from './margin.ts'
import { type Limit, MarginIndex } from './margin-index.ts'
import type { Notification } from './notifications.ts'
import type { AccountNumber, Address } from './record-schema.ts'
import type { Market } from './records.ts'
import type { VenueState } from './state.ts'
import { fixedText, formatRaw } from './units.ts'

/** A block in which the warning of an account at an engine begins or ends. */
export type MarginTurn = Readonly<{
  engine: Address
  account: AccountNumber
  /** Of the block. */
  number: number
  isWarned: boolean
}>

export type MarginTurns = Readonly<{
  turns: readonly MarginTurn[]
  notifications: readonly Notification[]
}>

/** Digits after the point of a margin ratio, cut down. */
const RATIO_DECIMALS = 4
const RATIO_ONE = 10n ** BigInt(RATIO_DECIMALS)
const NO_TURNS: MarginTurns = { turns: [], notifications: [] }

/** An account that is not warned is watched at the first, one that is at the second. */
const LIMITS: readonly Limit[] = [
  { equity: 4n, maintenance: 5n, from: 'above' },
  { equity: 2n, maintenance: 3n, from: 'below' },
]
const [CLOSE, SAFE] = [0, 1]

/** Follows the margins of all accounts of a state, block by block. */
export class MarginWatch {
  readonly #state: VenueState
  /** `engine|account` of those whose warning has begun and not ended. */
  readonly #warned: Set<string>
  /** By engine. */
  readonly #indexes = new Map<string, MarginIndex>()

  /** `warned`: where the blocks before left it. */
  constructor(
    state: VenueState,
    warned: readonly Readonly<{ engine: Address; account: AccountNumber }>[] = [],
  ) {
    this.#state = state
    this.#warned = new Set(warned.map(({ engine, account }) => `${engine}|${account}`))
    for (const market of state.records.market.values()) this.#cover(market)
  }

  /** Accounts looked at since the beginning. */
  get looks(): number {
    return [...this.#indexes.values()].reduce((sum, { looks }) => sum + looks, 0)
  }

  /**
   * Returns the warnings that begin and end with a block that the state now holds, by account. In a
   * block that changes nothing none does: whether it is seen at all depends on who asks the node.
   */
  after({ header, changes }: BlockChanges): MarginTurns {
    if (changes.length === 0) return NO_TURNS
    for (const { what, after } of changes)
      if (what === 'market' && after !== undefined) this.#cover(after)
    const turns: MarginTurn[] = []
    const notifications: Notification[] = []
    for (const [engine, index] of this.#indexes) {
      index.note(changes)
      for (const account of index.due()) {
        const margin = this.#turned(index, engine, account)
        if (margin === undefined) continue
        const isWarned = this.#warned.has(`${engine}|${account}`)
        turns.push({ engine, account, number: header.number, isWarned })
        if (isWarned)
          notifications.push(buildWarning({ engine, account, number: header.number }, margin))
      }
    }
    return { turns, notifications }
  }

  /** Begins to follow the engine of a perpetual market, with all that the state holds. */
  #cover({ engine, type }: Market): void {
    if (type !== 'PERPETUAL' || this.#indexes.has(engine)) return
    this.#indexes.set(engine, new MarginIndex(this.#state, engine, LIMITS))
  }

  /** Looks at an account, and returns its margin if that begins or ends its warning. */
  #turned(index: MarginIndex, engine: Address, account: AccountNumber): AccountMargin | undefined {
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

type TurnPosition = Pick<MarginTurn, 'engine' | 'account' | 'number'>

const buildWarning = (
  { engine, account, number }: TurnPosition,
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

/** At least 80 % of the equity is bound: maintenance / equity >= 4 / 5. */
const isClose = (equity: bigint, maintenance: bigint) =>
  maintenance > 0n && equity * 4n <= maintenance * 5n

/** Less than two thirds are, or nothing is held. */
const isSafe = (equity: bigint, maintenance: bigint) =>
  maintenance === 0n || equity * 2n > maintenance * 3n

const ratioDown = (maintenance: bigint, equity: bigint) =>
  formatRaw((maintenance * RATIO_ONE) / equity, RATIO_DECIMALS)
