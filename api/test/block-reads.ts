// Fake database answers for tests.
import type { BlockRead } from '@openvenue/store/db/block-read'
import { FreshReads } from '../src/model/fresh-reads.ts'
import type { VenueModel } from '../src/model/venue-model.ts'

/** Returns rows of a database that has everything any node has published. */
export const readOf = <T>(rows: T): BlockRead<T> => ({
  seq: Number.POSITIVE_INFINITY,
  head: undefined,
  rows,
})

/** Returns rows of a database at the model's entry. */
export const readAt = <T>({ seq, head }: VenueModel, rows: T): BlockRead<T> => ({ seq, head, rows })

/** Reads of a node that does not wait: a replica that is behind is skipped at once. */
export const freshReads = (model: VenueModel) => new FreshReads({ model, monotonicMs: () => 0 })
