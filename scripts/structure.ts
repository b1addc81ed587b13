// Measures the structure, which tidy.test.ts holds: `node scripts/structure.ts` prints each measure
// beside its limit. Sources are TypeScript files without tests and generated code.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Largest value of each measure. A change that lowers a measure lowers its limit here. A feature
 * may raise files, lines and types by what it adds.
 */
export const LIMITS = {
  'source files': 1_383,
  'source lines': 146_180,
  'percent of files with a single importer': 35,
  'named types': 2_548,
  'types named Deps or Parts': 111,
  'type names declared in more than three files': 3,
  'files in api/src/orders': 30,
  'files in terminal/src': 245,
}

export type Measure = keyof typeof LIMITS

const IMPORT = /(?<!')\b(?:from|import)\s*\(?\s*'([^']+)'/g
const NAMED_TYPE = /^(?:export )?(?:type|interface) (\w+)/gm
const NOT_SOURCE =
  /node_modules|(^|\/)(dist|generated|abi|out|cache|test)(\/|$)|^\.data|\.(test|e2e|browser|d)\.tsx?$/

export function measureStructure(): Readonly<Record<Measure, number>> {
  const paths = globSync('**/*.{ts,tsx}', { exclude: (path) => NOT_SOURCE.test(path) })
  const sources = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const importers = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      const target = pathOf(path, name)
      importers.set(target, (importers.get(target) ?? new Set()).add(path))
    }
  const types = sources.flatMap(({ text }) =>
    [...text.matchAll(NAMED_TYPE)].map(([, name = '']) => name),
  )
  const repeated = Map.groupBy(types, (name) => name)
  const single = paths.filter((path) => importers.get(path)?.size === 1)
  const below = (folder: string) => paths.filter((path) => path.startsWith(folder)).length
  return {
    'source files': paths.length,
    'source lines': sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
    'percent of files with a single importer': Math.round((100 * single.length) / paths.length),
    'named types': types.length,
    'types named Deps or Parts': types.filter((name) => /(Deps|Parts)$/.test(name)).length,
    'type names declared in more than three files': [...repeated.values()].filter(
      (names) => names.length > 3,
    ).length,
    'files in api/src/orders': below('api/src/orders/'),
    'files in terminal/src': below('terminal/src/'),
  }
}

/** Returns the path of an import within the repository, and other names as they are. */
function pathOf(path: string, name: string): string {
  if (name.startsWith('.')) return join(dirname(path), name)
  const [, owner = '', entry = ''] = /^@openvenue\/([\w-]+)\/(.+)$/.exec(name) ?? []
  return owner === '' ? name : `${owner}/src/${entry}.ts`
}

if (import.meta.main)
  for (const [name, value] of Object.entries(measureStructure()))
    process.stdout.write(`${value} ${name} (at most ${LIMITS[name as Measure]})\n`)
