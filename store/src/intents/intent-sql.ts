// Statements on intents and their log.

import { RESTING_SECONDS } from '../db/tables.ts'
import { ORIGIN_OF } from '../history/order-origins.ts'
import { INTENT_COLUMNS } from './intent-codec.ts'
import { INTENTS_CHANNEL, LIVE_STATES } from './intents.ts'

/** Old intents are deleted in small steps, as new ones come. */
export const DELETED_MAX = 200
/** Maximum number of given-up intents per read. */
const GIVEN_UP_MAX = 10_000

const LIVE = `('${LIVE_STATES.join("', '")}')`
const ORDER_COLUMNS = 'o.market, o.number, o.status, (o.resting_lots > 0)::int, o.block_number'
/** Length of the market's part of an order's chain id; 16 hex digits of its number follow. */
const MARKET_CHARS = 50
/** Condition that the order of intent `i` rests. */
const RESTS = `EXISTS (SELECT 1 FROM orders o
  WHERE o.ref = i.id AND o.ended_seconds = ${RESTING_SECONDS})`

/** Margin for a chain that returns to an earlier time. */
const CHAIN_MARGIN_S = 86_400
/**
 * Condition that order `o` did not end before the venue accepted intent `i`, which excludes the
 * partitions of earlier ends. Without the intent, all are searched.
 */
export const endedSince = (i: string) => `o.ended_seconds >= coalesce(
  (${i}.payload::jsonb ->> 'acceptedSeconds')::bigint, ${i}.received_ns / 1000000000, 0)
  - ${CHAIN_MARGIN_S}`

/** Block that the indexer must reach before intents may be compared with the chain. */
const AWAITED = 'SELECT restored_to FROM checkpoint WHERE restored_to > coalesce(number, -1)'

/** An entry in the format of the hash chain; an absent member is a dash. See the ledger. */
const entryLine = (at: string) =>
  `concat_ws(' ', seq, id, kind, lane, state, ${at}, include_by_block)`
const MOVED = ['tx_hash', 'block_number::text', 'reason']
const orDash = (column: string) => `coalesce(${column}, '-')`
/** Reads the hash of all entries up to the last of `entries`; no row when there are none. */
const hashOf = (line: string, entries: string) =>
  `SELECT max(e.seq) AS last, encode(sha256(convert_to(
        (SELECT hash FROM intent_head) || E'\\n' || string_agg(${line}, E'\\n' ORDER BY seq),
        'UTF8')), 'hex') AS hash FROM ${entries} e HAVING count(*) > 0`
/** The number of the last entry. */
const SEQ = '(SELECT seq FROM intent_head)'
const HASH_OF_LAST = '(SELECT hash FROM hashed WHERE last = seq)'
const COUNTED = 'UPDATE intent_head SET seq = hashed.last, hash = hashed.hash FROM hashed'

/** One notification per commit, since the database merges those of the same text. */
const NOTIFIED = `pg_notify('${INTENTS_CHANNEL}', (max(seq) OVER ())::text)::text`

/**
 * Every statement, so that their plans can be checked. Lookups of a given list run one by one: the
 * database estimates a hundred rows for a list, and would scan the table for the usual two.
 */
export const INTENT_SQL = {
  /** The next statement sees everything committed before. */
  lock: 'SELECT seq FROM intent_head FOR UPDATE',
  add: `WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(at int, id text, kind text,
        account bigint, wallet text, market text, lane text, state text, gas bigint,
        payload text, client_order_id text, parent_id text, deadline_seconds numeric,
        received_ns bigint, include_by_block bigint, takes_name_of text)
    ), fresh AS (
      SELECT given.*, ${SEQ} + row_number() OVER (ORDER BY at) AS seq FROM given
      WHERE (SELECT i.seq FROM intents i WHERE i.id = given.id) IS NULL
        AND NOT EXISTS (SELECT 1 FROM intents i
          WHERE i.account = given.account AND i.client_order_id = given.client_order_id
            AND i.id <> coalesce(given.takes_name_of, '')
            AND (i.state IN ${LIVE} OR i.state = 'included' AND ${RESTS}))
    ), added AS (
      INSERT INTO intents (id, seq, kind, account, wallet, market, lane, state, gas, payload,
        client_order_id, parent_id, deadline_seconds, received_ns, include_by_block, updated_ns)
      SELECT id, seq, kind, account, wallet, market, lane, state, gas, payload,
        client_order_id, parent_id, deadline_seconds, received_ns, include_by_block, received_ns
      FROM fresh
    ), hashed AS (
      ${hashOf(`${entryLine('received_ns')} || ' - - -'`, 'fresh')}
    ), logged AS (
      INSERT INTO intent_log (seq, id, state, at_ns, include_by_block, hash)
      SELECT seq, id, state, received_ns, include_by_block, ${HASH_OF_LAST} FROM fresh
    ), counted AS (${COUNTED}
    ), spent AS (
      INSERT INTO order_budgets AS b (account, orders, last_ns)
      SELECT account, count(*), max(received_ns) FROM fresh WHERE kind = 'order' GROUP BY account
      ON CONFLICT (account) DO UPDATE SET
        orders = b.orders + excluded.orders, last_ns = greatest(b.last_ns, excluded.last_ns)
      RETURNING account, orders
    )
    SELECT at, seq, ${NOTIFIED}, spent.orders FROM fresh LEFT JOIN spent USING (account)`,
  move: `WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(at int, id text, sources text,
        target text, at_ns bigint, tx_hash text, block_number bigint, reason text, promise bigint,
        unsent boolean)
    ), hit AS (
      SELECT at, given.id, sources, target, given.tx_hash, given.block_number, given.reason, promise,
        unsent, greatest(given.at_ns, i.updated_ns) AS at_ns,
        ${SEQ} + row_number() OVER (ORDER BY at) AS seq, given.target AS state,
        i.kind, i.lane, i.account,
        given.target = 'refused' AND coalesce(given.tx_hash, i.tx_hash) IS NOT NULL AS is_wasted,
        coalesce(given.promise, (SELECT l.include_by_block
          FROM intent_log l WHERE l.id = given.id ORDER BY l.seq DESC LIMIT 1)) AS include_by_block
      FROM given
      JOIN LATERAL (SELECT * FROM intents i WHERE i.id = given.id LIMIT 1) i ON true
      WHERE i.state = ANY (string_to_array(given.sources, ','))
        AND NOT (given.unsent AND i.state = 'queued' AND i.tx_hash IS NOT NULL)
    ), moved AS (
      UPDATE intents i SET state = hit.target, tx_hash = coalesce(hit.tx_hash, i.tx_hash),
        block_number = hit.block_number, reason = hit.reason, updated_ns = hit.at_ns
      FROM hit WHERE i.id = hit.id AND i.id = ANY (ARRAY(SELECT id FROM hit))
    ), hashed AS (
      ${hashOf(`concat_ws(' ', ${entryLine('at_ns')}, ${MOVED.map(orDash).join(', ')})`, 'hit')}
    ), logged AS (
      INSERT INTO intent_log (seq, id, state, at_ns, tx_hash, block_number, reason,
        include_by_block, hash)
      SELECT seq, id, state, at_ns, tx_hash, block_number, reason, include_by_block,
        ${HASH_OF_LAST} FROM hit
    ), counted AS (${COUNTED}
    ), wasted AS (
      INSERT INTO order_budgets AS b (account, orders, last_ns)
      SELECT account, count(*), max(at_ns) FROM hit WHERE is_wasted GROUP BY account
      ON CONFLICT (account) DO UPDATE SET
        orders = b.orders + excluded.orders, last_ns = greatest(b.last_ns, excluded.last_ns)
    )
    SELECT at, seq, include_by_block, at_ns, ${NOTIFIED} FROM hit`,
  find: `SELECT ${INTENT_COLUMNS} FROM intents i WHERE i.id = ANY ($1)`,
  promises: `SELECT DISTINCT ON (id) seq, at_ns, include_by_block, id FROM (
      SELECT l.id, l.seq, l.at_ns, l.include_by_block, l.state, lag(l.state) OVER w AS state_before,
        lag(l.include_by_block) OVER w AS promise_before
      FROM intent_log l WHERE l.id = ANY ($1)
      WINDOW w AS (PARTITION BY l.id ORDER BY l.seq)
    ) l WHERE state_before IS NULL OR state = 'queued'
      AND (state_before = 'received' OR include_by_block <> promise_before)
    ORDER BY id, seq DESC`,
  spent: 'SELECT orders, last_ns FROM order_budgets WHERE account = $1',
  /**
   * In one view with the orders, so that a reindex is never seen apart from them. A digest looks
   * like a chain id, but begins with no market's.
   */
  onChain: `SELECT (${AWAITED}), found.* FROM (SELECT) one LEFT JOIN (
      SELECT o.ref, ${ORDER_COLUMNS} FROM unnest($1::text[]) given (id)
      LEFT JOIN LATERAL (SELECT * FROM intents i WHERE i.id = given.id LIMIT 1) i ON true
      JOIN LATERAL (
        SELECT * FROM orders o WHERE o.ref = given.id AND ${endedSince('i')} LIMIT 1
      ) o ON true
      UNION ALL
      SELECT given.id, ${ORDER_COLUMNS} FROM unnest($1::text[]) given (id)
      JOIN LATERAL (
        SELECT id FROM markets m WHERE m.id = left(given.id, ${MARKET_CHARS}) LIMIT 1
      ) m ON true
      JOIN LATERAL (
        SELECT * FROM orders o WHERE o.market = m.id
          AND o.number = ('x' || substr(given.id, ${MARKET_CHARS + 1}))::bit(64)::bigint LIMIT 1
      ) o ON true
      WHERE given.id ~ '^0x[0-9a-f]{64}$'
    ) found ON true`,
  takenBy: `SELECT i.id FROM intents i WHERE i.account = $1 AND i.client_order_id = $2
    AND (i.state IN ${LIVE} OR i.state = 'included' AND ${RESTS}) LIMIT 1`,
  byClientOrderId: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.account = $1 AND i.client_order_id = $2
    ORDER BY (i.state IN ${LIVE} OR i.state = 'included' AND ${RESTS}) DESC, i.seq DESC LIMIT 1`,
  live: `SELECT h.seq, ${INTENT_COLUMNS} FROM intent_head h LEFT JOIN (
      SELECT i.* FROM intents i WHERE i.state IN ${LIVE}
      UNION ALL
      SELECT i.* FROM orders o JOIN intents i ON i.id = o.ref
      WHERE o.ended_seconds = ${RESTING_SECONDS} AND o.ref IS NOT NULL AND i.state = 'included'
    ) i ON true ORDER BY i.seq`,
  includedFrom: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.state = 'included' AND i.block_number >= $1 ORDER BY i.seq`,
  givenUpSince: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.state IN ('refused', 'expired') AND i.updated_ns >= $1
    ORDER BY i.updated_ns DESC LIMIT ${GIVEN_UP_MAX}`,
  logAfter: `SELECT h.seq, l.seq, l.id, l.state, l.at_ns, l.tx_hash, l.block_number, l.reason,
      l.include_by_block, ${INTENT_COLUMNS}
    FROM intent_head h LEFT JOIN LATERAL (
      SELECT * FROM intent_log WHERE seq > $1 ORDER BY seq LIMIT $2
    ) l ON true LEFT JOIN LATERAL (
      SELECT * FROM intents i WHERE i.id = l.id AND i.seq = l.seq LIMIT 1
    ) i ON true ORDER BY l.seq`,
  deleteOld: `WITH old AS (
      SELECT id FROM intents i WHERE i.state NOT IN ${LIVE} AND i.updated_ns <= $1
        AND NOT ${RESTS} ORDER BY i.updated_ns LIMIT ${DELETED_MAX}
    ), origins AS (
      INSERT INTO order_origins (id, origin)
      SELECT i.id, ${ORIGIN_OF} FROM intents i
      WHERE i.id = ANY (ARRAY(SELECT id FROM old)) AND i.kind = 'order'
        AND EXISTS (SELECT 1 FROM orders o WHERE o.ref = i.id AND ${endedSince('i')})
      ON CONFLICT DO NOTHING
    ), gone AS (
      DELETE FROM intent_log WHERE id IN (SELECT id FROM old) RETURNING seq
    ), shortened AS (
      UPDATE intent_head SET from_seq = greatest(from_seq, (SELECT max(seq) + 1 FROM gone))
      WHERE EXISTS (SELECT 1 FROM gone)
    )
    DELETE FROM intents WHERE id IN (SELECT id FROM old) RETURNING 1`,
  writeStatus: `INSERT INTO relay_status (status, updated_ms) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, updated_ms = excluded.updated_ms
    RETURNING pg_notify('${INTENTS_CHANNEL}', '')::text`,
  awaitedBlock: AWAITED,
  readStatus: 'SELECT status, updated_ms FROM relay_status',
} as const
