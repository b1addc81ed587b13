// Creates invite codes for a venue where accounts register by invitation (INVITE_ONLY=true):
// npm run invites -- create 5
// The codes are printed once; the database keeps their hashes only. It is the one of DATABASE_URL,
// or the embedded one of DATA_DIR, which a running venue has to itself.
import { hash, randomBytes } from 'node:crypto'
import { openStore } from '@openvenue/store/open'
import { databaseLocation, endWith } from './backup/location.ts'

const USAGE = 'usage: npm run invites -- create <how many, from 1 to 1000>'
const COUNT_MAX = 1000
/** Too many to guess one. */
const CODE_BYTES = 10

async function main(): Promise<void> {
  const codes = Array.from({ length: parseCount(process.argv.slice(2)) }, () =>
    randomBytes(CODE_BYTES).toString('hex'),
  )
  const store = await openStore(databaseLocation(process.env))
  try {
    const hashes = codes.map((code) => hash('sha256', code))
    await store.identity.addInvites(hashes, Date.now())
  } finally {
    await store.close()
  }
  process.stdout.write(`${codes.join('\n')}\n`)
}

function parseCount([command, count = '', ...rest]: readonly string[]): number {
  const isCount = /^[1-9]\d{0,3}$/.test(count) && Number(count) <= COUNT_MAX
  if (command !== 'create' || !isCount || rest.length > 0) throw new Error(USAGE)
  return Number(count)
}

main().catch(endWith)
