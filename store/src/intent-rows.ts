// Intents in the database.
import type { Db, Sql, SqlRow } from './db.ts'
import { createGrouped } from './grouped.ts'
import {
  decodeIntent,
  decodeOnChain,
  encodeMove,
  encodeNew,
  INTENT_COLUMNS,
  printed,
} from './intent-codec.ts'
import { IntentTail } from './intent-tail.ts'
import {
  type AddOutcome,
  INTENTS_CHANNEL,
  INTENTS_KEPT_MS,
  INTENTS_PER_COMMIT_MAX,
  type Intent,
  type IntentLogEntry,
  type IntentMove,
  type IntentState,
  type Intents,
  LIVE_STATES,
  type NewIntent,
} from './intents.ts'
import type { QueuedNews } from './key-relay-rows.ts'
import type { AddedNews } from './notification-rows.ts'
import type { AddedNotifications } from './notifications.ts'
import { notifyOrderEnds } from './order-ends.ts'

/** Of intents, and of moves: those that wait for their commit in one process. */
const WAITING_MAX = 4096
const LIMITS = { purpose: 'intents', perRunMax: INTENTS_PER_COMMIT_MAX, waitingMax: WAITING_MAX }
/** Old ones are deleted a few at a time, as new ones come. */
const DELETED_MAX = 200
/** They are looked for this often. */
const DELETE_EVERY_MS = 10_000
/** Intents given up of late that are read at once. */
const GIVEN_UP_MAX = 10_000
const NS_PER_MS = 1_000_000n

const LIVE = `('${LIVE_STATES.join("', '")}')`
const COLUMN_COUNT = 19
const ORDER_COLUMNS = 'o.market, o.number, o.status, (o.resting_lots > 0)::int, o.block_number'
/** An order's chain id is its market's and 16 digits of its number. */
const MARKET_CHARS = 50
/** Whether the order of the intent `i` rests. */
const RESTS = `EXISTS (SELECT 1 FROM orders o WHERE o.ref = i.id AND o.resting_lots > 0)`

/** An entry as the chain of hashes has it; an absent member is a dash. The ledger shows how. */
const entryLine = (at: string) =>
  `concat_ws(' ', seq, id, kind, lane, state, ${at}, include_by_block)`
const MOVED = ['tx_hash', 'block_number::text', 'reason']
const orDash = (column: string) => `coalesce(${column}, '-')`
/** Reads the hash of all entries up to the last of `entries`; no row when there are none. */
const hashOf = (line: string, entries: string) =>
  `SELECT max(e.seq) AS last, encode(sha256(convert_to(
        (SELECT hash FROM intent_head) || E'\\n' || string_agg(${line}, E'\\n' ORDER BY seq),
        'UTF8')), 'hex') AS hash FROM ${entries} e HAVING count(*) > 0`
const HASH_OF_LAST = '(SELECT hash FROM hashed WHERE last = seq)'
const COUNTED = 'UPDATE intent_head SET seq = hashed.last, hash = hashed.hash FROM hashed'

/** One notification a commit: the database drops those of the same text. */
const NOTIFIED = `pg_notify('${INTENTS_CHANNEL}', (max(seq) OVER ())::text)::text`

/**
 * Every statement, so that their plans can be checked. What looks intents up for a list that is
 * given does so one by one: the database takes such a list for a hundred rows, and would read the
 * whole table for the two that it mostly has.
 */
export const INTENT_SQL = {
  /** The statement after it sees what those before it have committed. */
  lock: 'SELECT seq FROM intent_head FOR UPDATE',
  add: `WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(at int, id text, kind text,
        account bigint, wallet text, market text, lane text, state text, gas bigint,
        payload text, client_order_id text, parent_id text, deadline_seconds numeric,
        received_ns bigint, include_by_block bigint)
    ), fresh AS (
      SELECT given.*, $2::bigint + row_number() OVER (ORDER BY at) AS seq FROM given
      WHERE (SELECT i.seq FROM intents i WHERE i.id = given.id) IS NULL
        AND NOT EXISTS (SELECT 1 FROM intents i
          WHERE i.account = given.account AND i.client_order_id = given.client_order_id
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
        target text, at_ns bigint, tx_hash text, block_number bigint, reason text, promise bigint)
    ), hit AS (
      SELECT given.*, $2::bigint + row_number() OVER (ORDER BY at) AS seq, given.target AS state,
        i.kind, i.lane, coalesce(given.promise, (SELECT l.include_by_block
          FROM intent_log l WHERE l.id = given.id ORDER BY l.seq DESC LIMIT 1)) AS include_by_block
      FROM given
      JOIN LATERAL (SELECT * FROM intents i WHERE i.id = given.id LIMIT 1) i ON true
      WHERE i.state = ANY (string_to_array(given.sources, ','))
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
    ), counted AS (${COUNTED})
    SELECT at, seq, include_by_block, ${NOTIFIED} FROM hit`,
  find: `SELECT ${INTENT_COLUMNS} FROM intents i WHERE i.id = ANY ($1)`,
  promise: `SELECT seq, at_ns, include_by_block FROM (
      SELECT l.seq, l.at_ns, l.include_by_block, l.state,
        lag(l.state) OVER (ORDER BY l.seq) AS state_before,
        lag(l.include_by_block) OVER (ORDER BY l.seq) AS promise_before
      FROM intent_log l WHERE l.id = $1
    ) l WHERE state_before IS NULL OR state = 'queued'
      AND (state_before = 'received' OR include_by_block <> promise_before)
    ORDER BY seq DESC LIMIT 1`,
  spent: 'SELECT orders, last_ns FROM order_budgets WHERE account = $1',
  onChain: `SELECT o.ref, ${ORDER_COLUMNS} FROM orders o WHERE o.ref = ANY ($1)
    UNION ALL
    SELECT given.id, ${ORDER_COLUMNS} FROM unnest($1::text[]) given (id)
    JOIN orders o ON o.market = left(given.id, ${MARKET_CHARS})
      AND o.number = ('x' || substr(given.id, ${MARKET_CHARS + 1}))::bit(64)::bigint
    WHERE given.id ~ '^0x[0-9a-f]{64}$'`,
  takenBy: `SELECT i.id FROM intents i WHERE i.account = $1 AND i.client_order_id = $2
    AND (i.state IN ${LIVE} OR i.state = 'included' AND ${RESTS}) LIMIT 1`,
  byClientOrderId: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.account = $1 AND i.client_order_id = $2 ORDER BY i.seq DESC LIMIT 1`,
  live: `SELECT h.seq, ${INTENT_COLUMNS} FROM intent_head h LEFT JOIN (
      SELECT i.* FROM intents i WHERE i.state IN ${LIVE}
      UNION ALL
      SELECT i.* FROM orders o JOIN intents i ON i.id = o.ref
      WHERE o.resting_lots > 0 AND o.ref IS NOT NULL AND i.state = 'included'
    ) i ON true ORDER BY i.seq`,
  includedFrom: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.state = 'included' AND i.block_number >= $1 ORDER BY i.seq`,
  givenUpSince: `SELECT ${INTENT_COLUMNS} FROM intents i
    WHERE i.state IN ('refused', 'expired') AND i.updated_ns >= $1
    ORDER BY i.updated_ns DESC LIMIT ${GIVEN_UP_MAX}`,
  logAfter: `SELECT l.seq, l.id, l.state, l.at_ns, l.tx_hash, l.block_number, l.reason,
      l.include_by_block, ${INTENT_COLUMNS}
    FROM intent_log l LEFT JOIN LATERAL (
      SELECT * FROM intents i WHERE i.id = l.id AND i.seq = l.seq LIMIT 1
    ) i ON true
    WHERE l.seq > $1 ORDER BY l.seq LIMIT $2`,
  deleteOld: `WITH old AS (
      SELECT id FROM intents i WHERE i.state NOT IN ${LIVE} AND i.updated_ns <= $1
        AND NOT ${RESTS} ORDER BY i.updated_ns LIMIT ${DELETED_MAX}
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
  readStatus: 'SELECT status, updated_ms FROM relay_status',
} as const

type IntentsDeps = Readonly<{ queued: QueuedNews; added: AddedNews; keptMs?: number | undefined }>

/** What a commit answers, and the entries it has added to the log. */
type Done<T> = { answer: T; entries: readonly IntentLogEntry[] }

/** Returns the intents in `db`. Each of the news notifies this process of its own commits. */
export function createIntents(
  db: Db,
  { queued, added, keptMs = INTENTS_KEPT_MS }: IntentsDeps,
): Intents {
  const list = async (text: string, params: readonly (string | number)[]) =>
    (await db.primary.query(text, params)).map(decodeIntent)
  const readLog = async (seq: number, limit: number) =>
    (await db.primary.query(INTENT_SQL.logAfter, [seq, limit])).map(decodeEntry)
  const tail = new IntentTail(db, readLog)
  queued.hear(() => tail.signal())
  const inTurn = <T>(work: (tx: Sql, seq: number) => Promise<Done<T>>): Promise<T> =>
    tail.commit(() =>
      db.writeTransaction(async (tx) => {
        const [[seq] = []] = await tx.query(INTENT_SQL.lock)
        return work(tx, Number(seq))
      }),
    )
  return {
    ...createChanges(inTurn, added, keptMs),
    live: async () => {
      const rows = await db.primary.query(INTENT_SQL.live)
      const seq = Number(rows[0]?.[0])
      return { seq, intents: rows.flatMap(([, ...row]) => (row[0] ? [decodeIntent(row)] : [])) }
    },
    includedFrom: (fromBlock) => list(INTENT_SQL.includedFrom, [fromBlock]),
    givenUpSince: (ns) => list(INTENT_SQL.givenUpSince, [ns.toString()]),
    logAfter: (seq, limit) => tail.after(seq, limit),
    find: (ids) =>
      ids.length === 0 ? Promise.resolve([]) : list(INTENT_SQL.find, [textList(ids)]),
    promiseOf: async (id) => decodePromise((await db.primary.query(INTENT_SQL.promise, [id]))[0]),
    onChain: async (ids) =>
      ids.length === 0
        ? []
        : (await db.primary.query(INTENT_SQL.onChain, [textList(ids)])).map(decodeOnChain),
    findByClientOrderId: async (account, clientOrderId) =>
      (await list(INTENT_SQL.byClientOrderId, [account, clientOrderId]))[0],
    ordersEver: async (account) =>
      decodeSpent((await db.primary.query(INTENT_SQL.spent, [account]))[0]),
    onLog: (signal) => tail.onSignal(signal),
    writeStatus: async (status, nowMs) => {
      await db.primary.query(INTENT_SQL.writeStatus, [status, nowMs])
      tail.say({ status, updatedMs: nowMs })
    },
    readStatus: () =>
      tail.said(async () => {
        const [row] = await db.primary.query(INTENT_SQL.readStatus)
        return row && { status: String(row[0]), updatedMs: Number(row[1]) }
      }),
  }
}

type InTurn = <T>(work: (tx: Sql, seq: number) => Promise<Done<T>>) => Promise<T>

/** Returns what changes intents: each a group of callers, in one commit. */
function createChanges(
  inTurn: InTurn,
  added: AddedNews,
  keptMs: number,
): Pick<Intents, 'add' | 'move'> {
  const deleteOld = createDeletion(keptMs)
  return {
    add: createGrouped<NewIntent, AddOutcome>(
      (intents) =>
        inTurn(async (tx, seq) => {
          const done = await addAll(tx, intents, seq)
          await deleteOld(tx, intents)
          return done
        }),
      { ...LIMITS, keysOf: keysOfNew },
    ),
    move: createGrouped<IntentMove, boolean>(
      async (moves) => {
        const { isMade, ends } = await inTurn((tx, seq) => moveAll(tx, moves, seq))
        added.publish(ends)
        return isMade
      },
      { ...LIMITS, keysOf: ({ id }) => [id] },
    ),
  }
}

/** Two of one id, or of one client order id, must see each other. */
const keysOfNew = ({ id, account, clientOrderId }: NewIntent) =>
  clientOrderId === undefined ? [id] : [id, `${account} ${clientOrderId}`]

/** An array for PostgreSQL; ids hold no quotes, but whoever asks may. */
const textList = (texts: readonly string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

async function addAll(
  tx: Sql,
  intents: readonly NewIntent[],
  seq: number,
): Promise<Done<readonly AddOutcome[]>> {
  const given = JSON.stringify(intents.map(encodeNew))
  const rows = await tx.query(INTENT_SQL.add, [given, seq])
  const added = new Map(rows.map(([at, own, , orders]) => [Number(at), { own, orders }]))
  const absent = intents.filter((_, at) => !added.has(at)).map(({ id }) => id)
  const known = absent.length === 0 ? [] : await tx.query(INTENT_SQL.find, [textList(absent)])
  const knownById = new Map(known.map((row) => [String(row[0]), decodeIntent(row)]))
  const outcomes: AddOutcome[] = []
  for (const [at, intent] of intents.entries()) {
    const own = added.get(at)
    const there = knownById.get(intent.id)
    if (own !== undefined) outcomes.push(addedAs(intent, own))
    else if (there !== undefined) outcomes.push({ known: there })
    else outcomes.push({ clientOrderIdTaken: await findTaker(tx, intent) })
  }
  const entries = outcomes.flatMap((outcome) =>
    'added' in outcome ? beginEntry(outcome.added) : [],
  )
  return { answer: outcomes, entries }
}

const decodePromise = (row: SqlRow | undefined) =>
  row && { seq: Number(row[0]), atNs: BigInt(row[1] as string), includeByBlock: Number(row[2]) }

const decodeSpent = ([orders, lastNs]: SqlRow = []) => ({
  orders: Number(orders ?? 0),
  lastMs: Number(BigInt(lastNs ?? 0) / NS_PER_MS),
})

const addedAs = (intent: NewIntent, { own, orders }: Readonly<{ own: Cell; orders: Cell }>) => ({
  added: begin(intent, Number(own)),
  ordersEver: Number(orders ?? 0),
})
type Cell = SqlRow[number] | undefined

/** Returns what now and then deletes what ended too long before the newest of `added`. */
function createDeletion(keptMs: number) {
  let nextMs = Number.NEGATIVE_INFINITY
  return async (tx: Sql, added: readonly NewIntent[]): Promise<void> => {
    if (performance.now() < nextMs) return
    const newestNs = added.reduce((most, { receivedNs }) => max(most, receivedNs), 0n)
    const oldestNs = newestNs - BigInt(keptMs) * NS_PER_MS
    const gone = await tx.query(INTENT_SQL.deleteOld, [oldestNs.toString()])
    // There may be more of them: the next commit goes on.
    if (gone.length < DELETED_MAX) nextMs = performance.now() + DELETE_EVERY_MS
  }
}

const max = (one: bigint, other: bigint) => (one > other ? one : other)

async function findTaker(tx: Sql, { account, clientOrderId = '' }: NewIntent): Promise<string> {
  const [[id] = []] = await tx.query(INTENT_SQL.takenBy, [account, clientOrderId])
  return String(id)
}

type Moved = Readonly<{ isMade: readonly boolean[]; ends: readonly AddedNotifications[] }>

async function moveAll(tx: Sql, moves: readonly IntentMove[], seq: number): Promise<Done<Moved>> {
  const rows = await tx.query(INTENT_SQL.move, [JSON.stringify(moves.map(encodeMove)), seq])
  const made = new Set(rows.map(([at]) => Number(at)))
  const entries = rows
    .map(([at, own, promise]) =>
      moveEntry(moves[Number(at)] as IntentMove, Number(own), Number(promise)),
    )
    .sort((one, other) => one.seq - other.seq)
  const isMade = moves.map((_, at) => made.has(at))
  const ends = await notifyOrderEnds(
    tx,
    moves.filter((_, at) => isMade[at]),
  )
  return { answer: { isMade, ends }, entries }
}

const beginEntry = (intent: Intent): IntentLogEntry => ({
  ...{ seq: intent.seq, id: intent.id, state: intent.state, atNs: intent.receivedNs },
  ...{ txHash: undefined, blockNumber: undefined, reason: undefined },
  ...{ includeByBlock: intent.includeByBlock, intent },
})

const moveEntry = (move: IntentMove, seq: number, includeByBlock: number): IntentLogEntry => ({
  ...{ seq, id: move.id, state: move.to, atNs: move.atNs },
  ...{ txHash: move.txHash, blockNumber: move.blockNumber, reason: printed(move.reason) },
  ...{ includeByBlock, intent: undefined },
})

const begin = (intent: NewIntent, seq: number): Intent => ({
  ...intent,
  seq,
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
  updatedNs: intent.receivedNs,
})

/** The row may have gone on since. */
const atItsBegin = (intent: Intent, state: IntentState, includeByBlock: number): Intent => ({
  ...begin({ ...intent, state: 'queued', includeByBlock }, intent.seq),
  state,
})

function decodeEntry(row: SqlRow): IntentLogEntry {
  const [seq, id, state, at, txHash, block, reason, includeBy] = row
  const intent = row.slice(-COLUMN_COUNT)
  return {
    seq: Number(seq),
    id: String(id),
    state: state as IntentState,
    atNs: BigInt(at as string),
    txHash: txHash ?? undefined,
    blockNumber: block == null ? undefined : Number(block),
    reason: reason ?? undefined,
    includeByBlock: Number(includeBy),
    intent:
      intent[0] == null
        ? undefined
        : atItsBegin(decodeIntent(intent), state as IntentState, Number(includeBy)),
  }
}
