// A process to stop: `node long-load.ts <url> <limits of its pools as JSON>` streams more rows than
// there will ever be time for, and says once that they come.
import { openPostgres } from '../src/postgres.ts'

const [url = '', given = '{}'] = process.argv.slice(2)
const db = openPostgres(url, undefined, JSON.parse(given))
let rows = 0
await db.load((view) =>
  view.each(`SELECT generate_series(1, 1000000000), repeat('x', 1000)`, [], () => {
    rows += 1
    if (rows === 1000) process.stdout.write('streaming\n')
  }),
)
