// A process to kill: `node migrating.ts <options as JSON> [folder]`. It brings the tables to the
// form of the scripts in the folder, or of our own.
import { migrate } from '../src/migrate.ts'
import { openDatabase } from '../src/open.ts'

const [options = '{}', folder] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(options))
process.stdout.write('open\n')
await migrate(db, folder)
await db.close()
