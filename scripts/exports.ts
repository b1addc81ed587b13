// Lists what packages import of each other, which is all that each of them exports: npx node
// scripts/exports.ts writes the lists into the package.json files.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'

const SPECIFIER = /\b(?:from|import|resolve)\s*\(?\s*'@openvenue\/(\w+)\/([\w./-]+)'/g

/** Returns the packages that export files, with the entries that others import, in order. */
export function wantedExports(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const entriesOf = new Map<string, Set<string>>()
  for (const path of sources())
    for (const [, owner = '', entry = ''] of readFileSync(path, 'utf8').matchAll(SPECIFIER)) {
      const entries = entriesOf.get(owner) ?? new Set()
      entriesOf.set(owner, entries.add(entry))
    }
  return new Map([...entriesOf].sort().map(([owner, entries]) => [owner, listed(owner, entries)]))
}

/** Returns the entries that a package exports now. */
export function presentExports(owner: string): unknown {
  return manifest(owner).exports
}

const sources = () =>
  globSync(['*.ts', '*/**/*.ts'], { exclude: ['**/node_modules'] }).filter(
    (path) => path !== 'tidy.test.ts',
  )

const listed = (owner: string, entries: ReadonlySet<string>) =>
  Object.fromEntries(
    [...entries].sort().map((entry) => [`./${entry}`, `./${entryPath(owner, entry)}`]),
  )

/** An entry is a file of `src`, or of another folder that it names: `test/backends`. */
function entryPath(owner: string, entry: string): string {
  if (entry.endsWith('.json')) return entry
  return existsSync(`${owner}/src/${entry}.ts`) ? `src/${entry}.ts` : `${entry}.ts`
}

const manifest = (owner: string) =>
  JSON.parse(readFileSync(`${owner}/package.json`, 'utf8')) as Record<string, unknown>

if (import.meta.main)
  for (const [owner, exports] of wantedExports())
    writeFileSync(
      `${owner}/package.json`,
      `${JSON.stringify({ ...manifest(owner), exports }, undefined, 2)}\n`,
    )
