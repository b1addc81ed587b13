// A process to kill: `node migrating.ts <options as JSON> [folder]`. Runs the migrations of the
// folder, or the project's own.
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/open.ts'

const [options = '{}', folder] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(options))
process.stdout.write('open\n')
await migrate(db, folder)
await db.close()
