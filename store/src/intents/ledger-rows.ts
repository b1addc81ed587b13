// The ledger in the database.
import type { Db, SqlRow } from '../db/db.ts'
import { INTENTS_KEPT_MS } from './intents.ts'
import type { Ledger, LedgerPage, LedgerRow } from './ledger.ts'

/** Maximum steps of one intent, which may be held and released many times. */
const STEPS_MAX = 500

/** The newest commit that is old enough. Its entries have the place before it in the log. */
const HEAD = `SELECT h.from_seq, head.seq, head.hash FROM intent_head h LEFT JOIN LATERAL (
    SELECT seq, hash FROM intent_log WHERE hash IS NOT NULL AND at_ns <= $1
    ORDER BY seq DESC LIMIT 1
  ) head ON true`
const COLUMNS = `l.seq, l.id, i.kind, i.lane, l.state, l.at_ns, l.include_by_block, l.tx_hash,
  l.block_number, l.reason, l.hash, i.deadline_seconds`
const pageOf = (which: string, limit: string) => `WITH head AS (${HEAD})
  SELECT head.from_seq, head.seq, head.hash, l.* FROM head LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM intent_log l JOIN intents i ON i.id = l.id
    WHERE ${which} AND l.seq <= head.seq ORDER BY l.seq ${limit}
  ) l ON true ORDER BY l.seq`

/** Every statement, so that their plans can be checked. */
export const LEDGER_SQL = {
  page: pageOf('l.seq >= $2', 'LIMIT $3'),
  ofIntent: pageOf('l.id = $2', `LIMIT ${STEPS_MAX}`),
} as const

/** Returns the ledger in `db`. */
export const createLedger = (db: Db, keptMs = INTENTS_KEPT_MS): Ledger => ({
  keptMs,
  page: async ({ untilNs, fromSeq, limit }) =>
    decodePage(await db.replica.query(LEDGER_SQL.page, [untilNs.toString(), fromSeq, limit])),
  ofIntent: async (id, { untilNs }) =>
    decodePage(await db.replica.query(LEDGER_SQL.ofIntent, [untilNs.toString(), id])),
})

function decodePage(rows: readonly SqlRow[]): LedgerPage {
  const [fromSeq, seq, hash] = rows[0] ?? []
  return {
    fromSeq: Number(fromSeq ?? 1),
    head: seq == null ? undefined : { seq: Number(seq), hash: String(hash) },
    rows: rows.flatMap(([, , , ...row]) => (row[0] == null ? [] : [decodeRow(row)])),
  }
}

function decodeRow(row: SqlRow): LedgerRow {
  const [seq, id, kind, lane, state, atNs, includeBy, txHash, block, reason, ...rest] = row
  const [hash, deadline] = rest
  return {
    seq: Number(seq),
    id: String(id),
    kind: String(kind),
    lane: String(lane),
    state: String(state),
    atNs: BigInt(atNs as string),
    includeByBlock: Number(includeBy),
    txHash: txHash ?? undefined,
    blockNumber: block == null ? undefined : Number(block),
    reason: reason ?? undefined,
    hash: hash ?? undefined,
    deadlineSeconds: BigInt(deadline as string),
  }
}
