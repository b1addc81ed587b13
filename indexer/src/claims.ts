// Sums the claims of accounts to each token at each engine from block changes: the cost depends on
// the changes of a block, not on the number of accounts.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Header } from '@openvenue/core/events'
import type { Collateral, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'

/** Total claims of all accounts at the end of a block. */
export type Claims = Readonly<{
  header: Header
  /** Raw units by token, free and locked. */
  spot: ReadonlyMap<string, bigint>
  /**
   * Equity of all accounts at the perpetual engine, 18 decimals. It does not depend on prices,
   * since the lots of a market add up to zero.
   */
  perps: bigint
  /** Tokens of the engines, with their decimals. */
  tokens: ReadonlyMap<string, Readonly<{ symbol: string; decimals: number }>>
}>

export class ClaimSums {
  #spot = new Map<string, bigint>()
  #tokens = new Map<string, Readonly<{ symbol: string; decimals: number }>>()
  #perps = 0n
  #header: Header | undefined

  /** Starts over from `state`. */
  load({ records, head }: VenueState): void {
    this.#spot = new Map()
    this.#tokens = new Map()
    this.#perps = 0n
    this.#header = head
    for (const { address, symbol, decimals } of records.token.values())
      this.#tokens.set(address, { symbol, decimals })
    for (const { token, free, locked } of records.balance.values()) this.#add(token, free + locked)
    for (const collateral of records.collateral.values()) this.#perps += collateralClaim(collateral)
    for (const position of records.position.values()) this.#perps += positionClaim(position)
  }

  /** Applies the next block of the chain. */
  take({ header, changes }: BlockChanges): void {
    for (const change of changes) this.#takeChange(change)
    this.#header = header
  }

  /** Returns the current sums; undefined before the first block. */
  read(): Claims | undefined {
    if (this.#header === undefined) return undefined
    return {
      header: this.#header,
      spot: new Map(this.#spot),
      perps: this.#perps,
      tokens: new Map(this.#tokens),
    }
  }

  #takeChange(change: Change): void {
    const { what } = change
    if (what === 'balance') {
      const { before, after } = change
      if (before !== undefined) this.#add(before.token, -before.free - before.locked)
      if (after !== undefined) this.#add(after.token, after.free + after.locked)
    } else if (what === 'collateral') {
      this.#perps += collateralClaim(change.after) - collateralClaim(change.before)
    } else if (what === 'position') {
      this.#perps += positionClaim(change.after) - positionClaim(change.before)
    } else if (what === 'token' && change.after !== undefined) {
      const { address, symbol, decimals } = change.after
      this.#tokens.set(address, { symbol, decimals })
    }
  }

  #add(token: string, amount: bigint): void {
    this.#spot.set(token, (this.#spot.get(token) ?? 0n) + amount)
  }
}

const collateralClaim = (collateral: Collateral | undefined) => collateral?.amount ?? 0n

/** Its quote and its unpaid funding: over all positions, the current funding index cancels out. */
const positionClaim = (position: Position | undefined) =>
  position === undefined ? 0n : position.quote + position.lots * position.fundingIndex
