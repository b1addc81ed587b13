// Folds blocks into the state of the venue and undoes the newest after a reorganisation.
import { type BlockChanges, type Change, invertChanges } from '@openvenue/core/changes'
import type { Header, VenueBlock } from '@openvenue/core/events'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { consistent } from './consistent.ts'
import { ChainError } from './rpc.ts'

/** Number of blocks that can be undone; real reorganisations are far shorter. */
export const REORG_BLOCKS_MAX = 256
/** Maximum number of orders, positions, balances and other records of the state. */
export const RECORDS_MAX = 1_000_000

export class FoldedState {
  readonly state: VenueState = emptyState()
  /** Account numbers by wallet address in lower case. */
  readonly accounts = new Map<string, number>()
  readonly #undoable: (BlockChanges & Readonly<{ before: Header | undefined }>)[] = []

  get head(): Header | undefined {
    return this.state.head
  }

  /**
   * Applies the next block. Throws a ChainError and leaves the state unchanged if logs are missing.
   * Throws also if the venue has more than RECORDS_MAX records.
   */
  apply(block: VenueBlock): void {
    const before = this.state.head
    const changes = consistent(() => applyBlock(this.state, block))
    this.#countAccounts(changes.changes)
    this.#undoable.push({ ...changes, before })
    if (this.#undoable.length > REORG_BLOCKS_MAX) this.#undoable.shift()
    const { records } = this.state
    const count = Object.values(records).reduce((sum, { size }) => sum + size, this.accounts.size)
    if (count > RECORDS_MAX) throw new ChainError(`the venue has more than ${RECORDS_MAX} records`)
  }

  /** Undoes the newest block. Throws a ChainError if it is too old to undo. */
  undo(): void {
    const newest = this.#undoable.pop()
    if (newest === undefined)
      throw new ChainError(`the chain undid more than ${REORG_BLOCKS_MAX} blocks: open a new view`)
    const inverted = invertChanges(newest.changes)
    fold(this.state, inverted)
    this.#countAccounts(inverted)
    this.state.head = newest.before
  }

  /** Returns the hash of the applied block `number`; undefined if it is not known. */
  hashOf(number: number): string | undefined {
    const entry = this.#undoable.findLast(({ header }) => header.number === number)
    return entry?.header.hash
  }

  /** Accounts are not part of the state: nothing in a block depends on their wallets. */
  #countAccounts(changes: readonly Change[]): void {
    for (const { what, before, after } of changes) {
      if (what !== 'account') continue
      if (before !== undefined) this.accounts.delete(before.wallet)
      if (after !== undefined) this.accounts.set(after.wallet, after.account)
    }
  }
}
