// Who is close to liquidation. A warning begins where 80 % of the equity is bound as maintenance
// margin, and ends below two thirds, so that a price that swings around a limit warns once.
import type { BlockChanges, Change } from './changes.ts'
import { blockId, engineOf } from './ids.ts'
import { accountMargin } from './margin.ts'
import type { Notice } from './notices.ts'
import type { VenueState } from './state.ts'
import { fixedText, formatRaw } from './units.ts'

/** A block in which the warning of an account at an engine begins or ends. */
export type MarginTurn = Readonly<{
  engine: string
  account: number
  /** Of the block. */
  number: number
  isWarned: boolean
}>

export type MarginTurns = Readonly<{ turns: readonly MarginTurn[]; notices: readonly Notice[] }>

/** Digits after the point of a margin ratio, cut down. */
const RATIO_DECIMALS = 4
const RATIO_ONE = 10n ** BigInt(RATIO_DECIMALS)
const NO_TURNS: MarginTurns = { turns: [], notices: [] }

/** Follows the margins of all accounts of a state, block by block. */
export class MarginWatch {
  readonly #state: VenueState
  /** `engine|account` of those whose warning has begun and not ended. */
  readonly #warned: Set<string>
  /** Accounts that hold a position, by market. */
  readonly #holders = new Map<string, Set<number>>()

  /** `warned`: where the blocks before left it. */
  constructor(
    state: VenueState,
    warned: readonly Readonly<{ engine: string; account: number }>[] = [],
  ) {
    this.#state = state
    this.#warned = new Set(warned.map(({ engine, account }) => `${engine}|${account}`))
    for (const { market, account, lots } of state.records.position.values())
      this.#hold(market, account, lots)
  }

  /**
   * Returns the warnings that begin and end with a block that the state now holds. Margins are
   * looked at where it changed a mark, a position, collateral, or the parameters of a market.
   */
  after({ header, changes }: BlockChanges): MarginTurns {
    const touched = this.#touched(changes)
    if (touched.size === 0) return NO_TURNS
    const turns: MarginTurn[] = []
    const notices: Notice[] = []
    for (const key of touched) {
      const [engine = '', text] = key.split('|')
      const account = Number(text)
      const margin = accountMargin(this.#state, { engine, account, seconds: header.seconds })
      if (margin === undefined) continue
      const { equity, maintenance } = margin
      const wasWarned = this.#warned.has(key)
      const isWarned = wasWarned ? !isSafe(equity, maintenance) : isClose(equity, maintenance)
      if (isWarned === wasWarned) continue
      turns.push({ engine, account, number: header.number, isWarned })
      if (!isWarned) {
        this.#warned.delete(key)
        continue
      }
      this.#warned.add(key)
      notices.push({
        id: `${blockId(header.number)}-w-${engine}`,
        account,
        type: 'liquidation_warning',
        data: {
          engine,
          equity: fixedText(equity),
          maintenanceMargin: fixedText(maintenance),
          marginRatio: equity > 0n ? ratioDown(maintenance, equity) : null,
        },
      })
    }
    return { turns, notices }
  }

  /** Keys of the accounts whose margin the changes may have moved. */
  #touched(changes: readonly Change[]): Set<string> {
    const touched = new Set<string>()
    for (const change of changes) {
      switch (change.what) {
        case 'position': {
          const record = change.after ?? change.before
          if (record === undefined) break
          this.#hold(record.market, record.account, change.after?.lots ?? 0n)
          touched.add(`${engineOf(record.market)}|${record.account}`)
          break
        }
        case 'collateral':
          touched.add(change.key)
          break
        case 'mark':
        case 'market':
          this.#touchHolders(touched, change.key)
          break
      }
    }
    return touched
  }

  #touchHolders(touched: Set<string>, market: string): void {
    const engine = engineOf(market)
    for (const account of this.#holders.get(market) ?? []) touched.add(`${engine}|${account}`)
  }

  #hold(market: string, account: number, lots: bigint): void {
    const holders = this.#holders.get(market)
    if (lots === 0n) holders?.delete(account)
    else if (holders === undefined) this.#holders.set(market, new Set([account]))
    else holders.add(account)
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
