// Lists the packages, their test files and the programs that test besides them.
import { globSync } from 'node:fs'

/** A script that tests: its arguments to node, and its environment besides the usual. */
export type Program = Readonly<{
  name: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}>

/** Programs run one after another, and read what the one before has written. */
export type Package = Readonly<{ name: string; programs: readonly Program[] }>

/** Tests to run: those of the packages, or those that start a whole venue. */
export type Suite = 'test' | 'e2e'

const FORGE: Program = {
  name: 'forge test',
  args: ['contracts/scripts/forge-command.ts', 'test'],
  env: { FORGE_SNAPSHOT_CHECK: 'true' },
}
const GAS: Program = { name: 'gas goals', args: ['contracts/scripts/gas.ts', '--check'] }

const NAMES = [
  ...['root', 'core', 'wire', 'store', 'contracts', 'indexer', 'keeper', 'api', 'deploy'],
  ...['client', 'cli', 'examples', 'terminal', 'adapters/ccxt', 'adapters/mcp', 'devnet'],
  ...['e2e', 'drills', 'bench', 'scripts'],
]

export const PACKAGES: readonly Package[] = NAMES.map((name) => ({
  name,
  programs: name === 'contracts' ? [FORGE, GAS] : [],
}))

/** Returns the packages named, or all when none is named. Throws on an unknown name. */
export function choosePackages(names: readonly string[]): readonly Package[] {
  const known = PACKAGES.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`no package ${unknown.join(', ')}: there are ${known.join(', ')}`)
  return PACKAGES.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Returns the test files of `suite` in a package, sorted by path. */
export function findFiles({ name }: Package, suite: Suite): string[] {
  const pattern = name === 'root' ? `*.${suite}.ts` : `${name}/**/*.${suite}.ts`
  return globSync(pattern, { exclude: (path) => path.split('/').includes('node_modules') }).sort()
}
