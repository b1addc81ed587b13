// Stories as the store gets them: what their blocks did, and the state they lead to.
import { type BlockChanges, type Change, rowKeyOf } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import type { Fields } from '../tables.ts'

export type Replay = Readonly<{ state: VenueState; blocks: readonly BlockChanges[] }>

/** Applies `blocks` to an empty venue. */
export function replay(blocks: readonly VenueBlock[]): Replay {
  const state = emptyState()
  return { state, blocks: blocks.map((block) => applyBlock(state, block)) }
}

/** What two states have to agree on: the rest of a state is made from it. */
export const factsOf = ({ head, records }: VenueState) => ({ head, records })

/** Every row that changes left, with its last content, in the order in which it first came. */
export function rowsOfKind(changes: readonly Change[], kind: Change['what']): Fields[] {
  const rows = new Map<string, Fields>()
  for (const { what, before, after } of changes) {
    if (what !== kind) continue
    if (after !== undefined) rows.set(rowKeyOf(what, after), after)
    else if (before !== undefined) rows.delete(rowKeyOf(what, before))
  }
  return [...rows.values()]
}
