// Run by a test, twice at once: claims one folder after the other, each at the same moment as the
// other process, and prints which it got: `node claim-rounds.ts FOLDER ROUNDS BEGIN_MS`.
import { join } from 'node:path'
import { claimFolder, FolderTaken } from '../src/apply/durable-file.ts'

const ROUND_MS = 2
const [, , folder = '', rounds = '', beginMs = ''] = process.argv
const claimed: number[] = []
for (let round = 0; round < Number(rounds); round++) {
  // Only a busy wait on the clock brings two processes to the same line at once.
  while (Date.now() < Number(beginMs) + round * ROUND_MS);
  try {
    claimFolder(join(folder, String(round)))
    claimed.push(round)
  } catch (error) {
    if (!(error instanceof FolderTaken)) throw error
  }
}
process.stdout.write(JSON.stringify(claimed))
// Keeps the claims until the other process is done.
process.stdin.on('end', () => process.exit(0)).resume()
