// Answers as a database would: for tests that stand in its place.
import type { BlockRead } from '@openvenue/store/block-read'
import { FreshReads } from '../src/model/fresh-reads.ts'
import type { VenueModel } from '../src/model/venue-model.ts'

/** Returns rows of a database that has whatever any node has published. */
export const readOf = <T>(rows: T): BlockRead<T> => ({
  seq: Number.POSITIVE_INFINITY,
  head: undefined,
  rows,
})

/** Returns rows of a database that stands where the model does. */
export const readAt = <T>({ seq, head }: VenueModel, rows: T): BlockRead<T> => ({ seq, head, rows })

/** Reads of a node that waits for nothing: a replica that is behind is passed over at once. */
export const freshReads = (model: VenueModel) => new FreshReads({ model, monotonicMs: () => 0 })
