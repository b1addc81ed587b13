// What a database tells that stands where a model stands: for tests.
import { emptyState, fold, loaded } from '@openvenue/core/state'
import { OWNED_KINDS } from '@openvenue/store/owned'
import type { FeedEntry, Reader } from '@openvenue/store/store'
import type { VenueModel } from '../model/venue-model.ts'

/** Returns what answers from the `entries` up to that of the model, the first of which came first. */
export const ownedOfFeed =
  (entries: readonly FeedEntry[], model: Pick<VenueModel, 'seq'>): Reader['owned'] =>
  async (accounts) => {
    const { seq: at } = model
    const state = emptyState()
    for (const { seq, changes } of entries) if (seq <= at) fold(state, changes)
    const rows = OWNED_KINDS.flatMap((what) =>
      [...state.records[what].values()]
        .filter(({ account }) => accounts.includes(account))
        .map((record) => loaded(what, record)),
    )
    return { seq: at, rows }
  }
