// Reads the venue's data about orders that it relayed to the chain.
import type { LoggedEvent, OrderOrigin, VenueBlock } from '@openvenue/core/events'
import type { Sql } from '../db/db.ts'
import { textArray } from '../db/tables.ts'
import type { Writer } from '../store.ts'

/** Maximum number of orders per statement. */
const REFS_MAX = 1000
const NO_HASH = `0x${'0'.repeat(64)}`

/** The origin of the order of intent `i`, as JSON. */
export const ORIGIN_OF = `jsonb_build_object(
  'acceptedSeconds', coalesce(i.payload::jsonb -> 'acceptedSeconds',
    to_jsonb(i.received_ns / 1000000000)),
  'isMarket', coalesce(i.payload::jsonb -> 'isMarket', 'false'::jsonb),
  'clientOrderId', i.client_order_id,
  'parentRef', i.parent_id,
  'triggerKind', i.payload::jsonb -> 'order' -> 'triggerKind',
  'triggerPrice', i.payload::jsonb -> 'order' -> 'triggerPrice',
  'replaces', CASE WHEN i.payload::jsonb -> 'order' ->> 'replaces' = '${NO_HASH}'
    THEN i.payload::jsonb -> 'edits' ELSE i.payload::jsonb -> 'order' -> 'replaces' END
)::text`

/** Parameter: digests. */
export const ORIGIN_SQL = {
  ofIntents: `SELECT i.id, ${ORIGIN_OF} FROM intents i
    WHERE i.id = ANY ($1::text[]) AND i.kind = 'order'`,
  /**
   * Orders with deleted intents: a permanent row each, which is their only record when the chain is
   * reindexed or a backup is restored.
   */
  ofDeleted: 'SELECT id, origin FROM order_origins WHERE id = ANY ($1::text[])',
} as const

/** Format in the database. */
type StoredOrigin = Readonly<{
  acceptedSeconds: number
  isMarket: boolean
  clientOrderId: string | null
  parentRef: string | null
  triggerKind: number
  triggerPrice: string
  replaces: string | null
}>

/**
 * Returns the origins of those of `refs` that the venue accepted, by digest. The growing table is
 * only read for orders without an intent, of which a new block has none.
 */
export async function readOrigins(
  sql: Sql,
  refs: readonly string[],
): Promise<ReadonlyMap<string, OrderOrigin>> {
  const origins = new Map<string, OrderOrigin>()
  for (const text of [ORIGIN_SQL.ofIntents, ORIGIN_SQL.ofDeleted]) {
    const missing = refs.filter((ref) => !origins.has(ref))
    for (let start = 0; start < missing.length; start += REFS_MAX) {
      const rows = await sql.query(text, [textArray(missing.slice(start, start + REFS_MAX))])
      for (const [id, origin] of rows) origins.set(String(id), decodeOrigin(String(origin)))
    }
  }
  return origins
}

/** Adds the venue's data to orders placed by blocks, if it accepted them. */
export async function withOrigins(
  { readOrigins: read }: Pick<Writer, 'readOrigins'>,
  blocks: readonly VenueBlock[],
): Promise<readonly VenueBlock[]> {
  const refs = blocks.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'Placed' && event.ref !== null ? event.ref : [])),
  )
  if (refs.length === 0) return blocks
  const origins = await read(refs)
  if (origins.size === 0) return blocks
  const withOrigin = (event: LoggedEvent) =>
    event.type === 'Placed' ? { ...event, origin: origins.get(event.ref ?? '') } : event
  return blocks.map(({ header, events }) => ({ header, events: events.map(withOrigin) }))
}

function decodeOrigin(text: string): OrderOrigin {
  const { triggerKind, triggerPrice, ...origin } = JSON.parse(text) as StoredOrigin
  const isTriggered = triggerKind !== 0
  return {
    ...origin,
    triggerKind: isTriggered ? triggerKind : null,
    triggerPrice: isTriggered ? BigInt(triggerPrice) : null,
  }
}
