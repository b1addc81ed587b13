// Writes what only the venue has, and the chain cannot give back, to a file:
// npm run backup -- --out venue.backup
// The database is that of DATABASE_URL, whose venue may go on, or the embedded one of DATA_DIR.
import { parseArgs } from 'node:util'
import { writeBackup } from '@openvenue/store/maintenance/backup'
import { openDatabase } from '@openvenue/store/open'
import { chainIdOf, databaseLocation, endWith } from './backup/location.ts'

const USAGE = 'usage: npm run backup -- --out <file>'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  if (values.out === undefined) throw new Error(USAGE)
  const chainId = chainIdOf(process.env)
  const db = await openDatabase(databaseLocation(process.env))
  try {
    const made = await writeBackup(db, { path: values.out, chainId, nowMs: Date.now() })
    const block = made.block === null ? 'no block' : `block ${made.block.number}`
    process.stdout.write(`${values.out}: chain ${chainId}, ${block}\n`)
  } finally {
    await db.close()
  }
}

main().catch(endWith)
