// Stories as the store gets them: what their blocks did, and the state they lead to.
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'

export type Replay = Readonly<{ state: VenueState; blocks: readonly BlockChanges[] }>

/** Applies `blocks` to an empty venue. */
export function replay(blocks: readonly VenueBlock[]): Replay {
  const state = emptyState()
  return { state, blocks: blocks.map((block) => applyBlock(state, block)) }
}

/** What two states have to agree on: the rest of a state is made from it. */
export const factsOf = ({ head, records }: VenueState) => ({ head, records })
