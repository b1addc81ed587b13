// Between a backup and the loss of the database, keys were revoked, orders withdrawn and promises
// made. Anything that may have been revoked since is not restored.
import type { Sql } from '../db/db.ts'
import { INTENT_SQL } from '../intents/intent-sql.ts'
import { type IntentState, LIVE_STATES } from '../intents/intents.ts'

/**
 * Ledger numbers to skip: more than a venue uses within a week at a thousand steps a second. The
 * number of a lost receipt is never given to another promise.
 */
export const SEQ_GAP = 1_000_000_000
/**
 * The last number before the next one. It is as large as the time in microseconds: more than any
 * number that another copy of the log can have reached, however much this one lacks.
 */
export const afterGap = (column: string) =>
  `greatest(${column} + ${SEQ_GAP}, (extract(epoch FROM now()) * 1000000)::bigint)`
/** Reason of such an intent, in the ledger and in answers to its owner. */
export const RESTORED = 'RESTORED'
const ENDED_AT_ONCE = 500
const NS_PER_MS = 1_000_000n

/** Restores no keys: one that was revoked or narrowed since would regain its rights. */
export async function leaveOutKeys(tx: Sql): Promise<number> {
  const [row] = await tx.query('SELECT count(*)::text FROM api_keys')
  await tx.query('DELETE FROM api_keys')
  await tx.query(
    `UPDATE key_relays SET status = 'failed', reason = '${RESTORED}'
      WHERE status IN ('pending', 'sent')`,
  )
  return Number(row?.[0])
}

/**
 * Ends every waiting intent: its owner may have withdrawn it since, or it is on the chain, where
 * the relayer finds it. The ledger continues after a gap and is complete from there.
 */
export async function endLiveIntents(tx: Sql, nowMs: number): Promise<number> {
  await tx.query(
    `UPDATE intent_head SET seq = ${afterGap('seq')}, from_seq = ${afterGap('seq')} + 1`,
  )
  return endLive(tx, nowMs)
}

/** Ends every waiting intent. Returns their number. */
export const endLive = (tx: Sql, nowMs: number): Promise<number> =>
  endAll(tx, nowMs, {
    states: LIVE_STATES,
    where: `state IN ('${LIVE_STATES.join("', '")}')`,
  })

/** Ends every intent recorded in a block after `number`: no such block will be read. */
export const endIncludedAfter = (tx: Sql, nowMs: number, number: number): Promise<number> =>
  endAll(tx, nowMs, {
    states: ['included'],
    where: `state = 'included' AND block_number > ${number}`,
  })

async function endAll(
  tx: Sql,
  nowMs: number,
  { states, where }: Readonly<{ states: readonly IntentState[]; where: string }>,
): Promise<number> {
  const atNs = (BigInt(nowMs) * NS_PER_MS).toString()
  for (let ended = 0; ; ) {
    const ids = await tx.query(
      `SELECT id FROM intents WHERE ${where} ORDER BY seq LIMIT ${ENDED_AT_ONCE}`,
    )
    if (ids.length === 0) return ended
    const moves = ids.map(([id], at) => ({
      at,
      id,
      sources: states.join(','),
      target: 'refused',
      at_ns: atNs,
      reason: RESTORED,
      unsent: false,
    }))
    await tx.query(INTENT_SQL.move, [JSON.stringify(moves)])
    ended += ids.length
  }
}
