// Between a backup and the loss of the database the venue went on: keys were revoked, orders
// withdrawn, promises made. What might have been taken back since does not live again.
import type { Transaction } from './db.ts'
import { INTENT_SQL } from './intent-sql.ts'
import { type IntentState, LIVE_STATES } from './intents.ts'

/**
 * Numbers of the ledger that are left out: more than a venue gives within a week at a thousand
 * steps a second. A number that a lost receipt has is never given to another promise.
 */
export const SEQ_GAP = 1_000_000_000
/** Why an intent ended, in the ledger and in the answers to its owner. */
export const RESTORED = 'RESTORED'
const ENDED_AT_ONCE = 500
const NS_PER_MS = 1_000_000n

/** A key that was revoked or narrowed since would have its power back: none is restored. */
export async function leaveOutKeys(tx: Transaction): Promise<number> {
  const [row] = await tx.query('SELECT count(*)::text FROM api_keys')
  await tx.query('DELETE FROM api_keys')
  await tx.query(
    `UPDATE key_relays SET status = 'failed', reason = '${RESTORED}'
      WHERE status IN ('pending', 'sent')`,
  )
  return Number(row?.[0])
}

/**
 * Ends every intent that waited: its owner may have withdrawn it since, or it is on the chain,
 * where the relayer finds it. The ledger goes on behind a gap, from which on it is whole.
 */
export async function endWhatWasLive(tx: Transaction, nowMs: number): Promise<number> {
  await tx.query(`UPDATE intent_head SET seq = seq + ${SEQ_GAP}, from_seq = seq + ${SEQ_GAP} + 1`)
  return endLive(tx, nowMs)
}

/** Ends every intent that waits. Returns how many there were. */
export const endLive = (tx: Transaction, nowMs: number): Promise<number> =>
  endAll(tx, nowMs, {
    states: LIVE_STATES,
    where: `state IN ('${LIVE_STATES.join("', '")}')`,
  })

/** Ends every intent that is said to be in a block after `number`: no such block will be read. */
export const endIncludedAfter = (tx: Transaction, nowMs: number, number: number): Promise<number> =>
  endAll(tx, nowMs, {
    states: ['included'],
    where: `state = 'included' AND block_number > ${number}`,
  })

type Ended = Readonly<{ states: readonly IntentState[]; where: string }>

async function endAll(tx: Transaction, nowMs: number, { states, where }: Ended): Promise<number> {
  const atNs = (BigInt(nowMs) * NS_PER_MS).toString()
  for (let ended = 0; ; ) {
    const ids = await tx.query(
      `SELECT id FROM intents WHERE ${where} ORDER BY seq LIMIT ${ENDED_AT_ONCE}`,
    )
    if (ids.length === 0) return ended
    const moves = ids.map(([id], at) => ({
      ...{ at, id, sources: states.join(','), target: 'refused', at_ns: atNs },
      ...{ reason: RESTORED, unsent: false },
    }))
    await tx.query(INTENT_SQL.move, [JSON.stringify(moves)])
    ended += ids.length
  }
}
