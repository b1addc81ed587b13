// Names the tables of this version, for copies of them that are kept from one run to the next.
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '..')

/** Returns a key that changes with the migrations, with what runs them, and with `files`. */
export function schemaKey(files: readonly string[] = []): string {
  const all = [...globSync('migrations/*.sql', { cwd: PACKAGE }).sort(), 'src/migrate.ts', ...files]
  const texts = all.map((file) => readFileSync(join(PACKAGE, file), 'utf8'))
  return hash('sha256', JSON.stringify([all, texts])).slice(0, 16)
}
