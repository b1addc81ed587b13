// A process to suspend: `node long-load.ts <url> <limits of its pools as JSON>` streams an endless
// number of rows, and prints a line once they arrive.
import { openPostgres } from '../src/db/postgres.ts'

const [url = '', given = '{}'] = process.argv.slice(2)
const db = openPostgres(url, undefined, JSON.parse(given))
let rows = 0
await db.load((view) =>
  view.each(`SELECT generate_series(1, 1000000000), repeat('x', 1000)`, [], () => {
    rows += 1
    if (rows === 1000) process.stdout.write('streaming\n')
  }),
)
