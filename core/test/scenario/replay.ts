// Applies scenarios and reads the resulting blocks, for tests.
import { heldPositions } from '../../src/account-positions.ts'
import type { BlockChanges } from '../../src/changes.ts'
import type { VenueBlock } from '../../src/events.ts'
import type { RecordKind, RecordOf } from '../../src/records.ts'
import { emptyState, type VenueState } from '../../src/state.ts'
import { applyBlock } from '../../src/venue.ts'

export type ReplayResult = Readonly<{ state: VenueState; all: readonly BlockChanges[] }>

/** Returns the state after `blocks` and the changes of each. */
export function replay(blocks: readonly VenueBlock[]): ReplayResult {
  const state = emptyState()
  return { state, all: blocks.map((block) => applyBlock(state, block)) }
}

/** Returns each version of the records of a kind that the blocks wrote, in order. */
export const writtenRecords = <K extends RecordKind>(
  all: readonly BlockChanges[],
  kind: K,
): RecordOf<K>[] =>
  all.flatMap(({ changes }) =>
    changes.flatMap(({ what, after }) =>
      what === kind && after !== undefined ? [after as RecordOf<K>] : [],
    ),
  )

/** Returns the content of a state, independent of insertion order. */
export const stateContent = (state: VenueState) => ({
  records: state.records,
  deadlines: state.deadlines,
  accountPositions: new Map(
    [...state.accountPositions.keys()].map((account) => [
      account,
      [...heldPositions(state, account)].sort((a, b) => (a.market < b.market ? -1 : 1)),
    ]),
  ),
  levels: [...state.books].sort(byKey).flatMap(([market, { bids, asks }]) =>
    [bids, asks].flatMap((side) =>
      side.ticks.map((tick) => {
        const level = side.levels.get(tick)
        const numbers = [...(level?.orders.keys() ?? [])].sort((a, b) => a - b)
        return { market, tick, lots: level?.lots, numbers }
      }),
    ),
  ),
})

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
