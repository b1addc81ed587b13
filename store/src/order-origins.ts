// Reads what the venue knows of the orders that it brought to the chain.
import type { LoggedEvent, OrderOrigin, VenueBlock } from '@openvenue/core/events'
import type { Sql } from './db.ts'
import type { Writer } from './store.ts'
import { textArray } from './tables.ts'

/** Orders that one statement asks for. */
const REFS_MAX = 1000
const NO_HASH = `0x${'0'.repeat(64)}`

/** The origin of the order that the intent `i` is, as JSON. */
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

/** Of digests; the intents of old orders are deleted. */
const ORIGINS = `SELECT i.id, ${ORIGIN_OF} FROM intents i
    WHERE i.id = ANY ($1::text[]) AND i.kind = 'order'
  UNION ALL SELECT id, origin FROM order_origins WHERE id = ANY ($1::text[])`

/** As the database has it. */
type StoredOrigin = Readonly<{
  acceptedSeconds: number
  isMarket: boolean
  clientOrderId: string | null
  parentRef: string | null
  triggerKind: number
  triggerPrice: string
  replaces: string | null
}>

/** Returns the origins of those of `refs` that the venue accepted, by digest. */
export async function readOrigins(
  sql: Sql,
  refs: readonly string[],
): Promise<ReadonlyMap<string, OrderOrigin>> {
  const origins = new Map<string, OrderOrigin>()
  for (let start = 0; start < refs.length; start += REFS_MAX) {
    const rows = await sql.query(ORIGINS, [textArray(refs.slice(start, start + REFS_MAX))])
    for (const [id, origin] of rows) origins.set(String(id), decodeOrigin(String(origin)))
  }
  return origins
}

/** Adds what the venue knows of the orders that blocks place, where it accepted them. */
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
