// Ends the wait after a restore manually, when the current chain will never have the backup's block
// because it is another one, or was restarted.

import type { Db, Transaction } from '../db/db.ts'
import { INTENT_SQL } from '../intents/intent-sql.ts'
import { BackupRefused } from './backup-lines.ts'
import { requireStopped } from './restore-checks.ts'
import { endIncludedAfter, endLive } from './restore-gap.ts'

export type RestoreWaitEnd = Readonly<{
  /** The awaited block, and the last indexed block; -1: none. */
  awaited: number
  readTo: number
  /** Orders and cancels that ended: waiting ones, and those of blocks that will not come. */
  ended: number
}>

/**
 * Ends the wait in one transaction. Waiting intents, and those recorded in a block that this chain
 * lacks, end as refused: nothing of another chain is sent to this one. Returns undefined when no
 * block is awaited.
 */
export async function endRestoreWait(db: Db, nowMs: number): Promise<RestoreWaitEnd | undefined> {
  const session = await db.session(() => {})
  if (session === undefined) throw new BackupRefused('an indexer is running: stop the services')
  try {
    await requireStopped(db)
    return await session.transaction((tx) => endIn(tx, nowMs))
  } finally {
    await session.close()
  }
}

async function endIn(tx: Transaction, nowMs: number): Promise<RestoreWaitEnd | undefined> {
  await tx.query('LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE')
  const [[awaited = null] = []] = await tx.query(INTENT_SQL.awaitedBlock)
  if (awaited === null) return undefined
  const [[number = null] = []] = await tx.query('SELECT number FROM checkpoint')
  const readTo = number === null ? -1 : Number(number)
  const ended = (await endLive(tx, nowMs)) + (await endIncludedAfter(tx, nowMs, readTo))
  await tx.query('UPDATE checkpoint SET restored_to = NULL')
  return { awaited: Number(awaited), readTo, ended }
}
