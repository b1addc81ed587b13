// Reads a file of `npm run backup` into an empty database, while no service runs:
// npm run restore -- --in venue.backup [--nothing-since] [--replace]
// --nothing-since: the services had stopped before the backup was made, so it has everything.
// --replace: what the database holds goes.
// npm run restore -- --end-wait: the chain that is read will never have the block of the backup.
import { parseArgs } from 'node:util'
import { type RestoreSummary, restoreBackup } from '@openvenue/store/maintenance/restore'
import { endRestoreWait, type RestoreWaitEnd } from '@openvenue/store/maintenance/restore-wait'
import { openStore } from '@openvenue/store/open'
import { chainIdOf, databaseLocation, endWith } from './backup/location.ts'

const USAGE = `usage: npm run restore -- --in <file> [--nothing-since] [--replace]
       npm run restore -- --end-wait`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      in: { type: 'string' },
      'nothing-since': { type: 'boolean' },
      replace: { type: 'boolean' },
      'end-wait': { type: 'boolean' },
    },
  })
  if ((values.in === undefined) !== (values['end-wait'] === true)) throw new Error(USAGE)
  const chainId = chainIdOf(process.env)
  const store = await openStore(databaseLocation(process.env))
  try {
    if (values.in === undefined) {
      process.stdout.write(`${describeEnd(await endRestoreWait(store.db, Date.now()))}\n`)
      return
    }
    const restored = await restoreBackup(store.db, {
      path: values.in,
      chainId,
      nowMs: Date.now(),
      isComplete: values['nothing-since'] === true,
      isReplacing: values.replace === true,
    })
    process.stdout.write(`${describe(restored)}\n`)
  } finally {
    await store.close()
  }
}

const describeEnd = (wait: RestoreWaitEnd | undefined) =>
  wait === undefined
    ? 'no restore is pending'
    : [
        `no longer waiting for block ${wait.awaited}; indexed up to block ${wait.readTo}`,
        `ended ${wait.ended} orders and cancels: pending ones and those of later blocks`,
      ].join('\n')

const describe = ({ manifest, rows, ended, keysLeftOut }: RestoreSummary) =>
  [
    `restored ${rows} rows of ${new Date(manifest.madeMs).toISOString()}`,
    `ended ${ended} pending orders and cancels, left out ${keysLeftOut} API keys`,
    'Start the indexer, which reads the chain from the first block. Start the other services when it has caught up.',
  ].join('\n')

main().catch(endWith)
