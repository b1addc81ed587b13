// Keeps a relayer from its turn after a restore, until the chain was read to the block of the
// backup: before, all that the backup says is included is missing on the chain, as if it had been
// undone, and would be sent again.
import type { Intents } from '@openvenue/store/intents'
import type { Logger } from 'pino'

type RestoreWaitDeps = Readonly<{
  intents: Pick<Intents, 'awaitedBlock'>
  log: Pick<Logger, 'info'>
}>

/** Returns what says whether nothing is waited for. */
export function createRestoreWait({ intents, log }: RestoreWaitDeps): () => Promise<boolean> {
  let said: number | undefined
  return async () => {
    const block = await intents.awaitedBlock()
    if (block !== undefined && block !== said)
      log.info({ block }, 'restored: waiting until the indexer has read the chain to this block')
    said = block
    return block === undefined
  }
}
