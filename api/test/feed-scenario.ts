// Feeds of random scenarios, and models that begin somewhere in them: for tests.
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { OWNED_KINDS } from '@openvenue/store/history/owner-records'
import type { FeedEntry } from '@openvenue/store/store'
import { VenueModel } from '../src/model/venue-model.ts'
import { ScenarioFeed } from './channel-node.ts'
import { emptySnapshot } from './scenario-node.ts'

/** The feed of a scenario, with its last blocks taken back and published again. */
export function makeFeed(number: number, blocks: number): readonly FeedEntry[] {
  const feed = new ScenarioFeed()
  feed.applyBlocks(randomScenario(number, blocks))
  for (let undone = 0; undone < 3; undone++) feed.undoBlock()
  return feed.entries
}

/** Returns the state at an entry, with the records of all accounts. */
export function stateAt(entries: readonly FeedEntry[], at: number): VenueState {
  const state = emptyState()
  for (const { seq, changes } of entries) if (seq <= at) fold(state, changes)
  return state
}

/** A model loaded at an entry, as from a snapshot: it holds only public records. */
export function modelAt(entries: readonly FeedEntry[], at: number): VenueModel {
  const model = new VenueModel()
  const state = stateAt(entries, at)
  for (const what of [...OWNED_KINDS, 'key', 'unswept'] as const) state.records[what].clear()
  state.accountPositions.clear()
  model.load({ ...emptySnapshot(), seq: at, state })
  return model
}
