// Names the tables of this version, for copies of them that are kept from one run to the next.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { contentKey } from './cached-file.ts'

const PACKAGE = join(import.meta.dirname, '..')

/** Returns a key that changes with the migrations, with what runs them, and with `files`. */
export function schemaKey(files: readonly string[] = []): string {
  const all = [
    ...globSync('migrations/*.sql', { cwd: PACKAGE }).sort(),
    'src/db/migrate.ts',
    ...files,
  ]
  return contentKey(
    all.map((file) => join(PACKAGE, file)),
    all,
  )
}
