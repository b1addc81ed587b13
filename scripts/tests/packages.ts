// Lists what there is to test: each package with its test files and the programs that follow them.
import { globSync } from 'node:fs'

/** A program of node's: its script, its arguments and what its environment has besides. */
export type Program = Readonly<{
  name: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}>

export type Package = Readonly<{
  name: string
  /** Patterns of its test files, wherever below it they lie. */
  files: readonly string[]
  /** How many processes run its files at the same time. */
  atOnce: number
  /** How many of its files one process runs, one after the other. */
  together: number
  programs: readonly Program[]
}>

/** Pure functions have no timing that a neighbour could disturb. */
const PURE_AT_ONCE = 2

/** Most of its tests wait for blocks of a chain that makes one a second, and compute little. */
const WAITING_AT_ONCE = 2

/** To load the modules costs each process a second; a process holds what so many have opened. */
const TOGETHER = 10

const folder = (name: string, { atOnce = 1, together = 1 } = {}): Package => ({
  name,
  files: [`${name}/**/*.{test,e2e}.ts`],
  ...{ atOnce, together },
  programs: [],
})

const FORGE: Program = {
  name: 'forge test',
  args: ['contracts/scripts/forge.ts', 'test'],
  env: { FORGE_SNAPSHOT_CHECK: 'true' },
}
const GAS: Program = { name: 'gas goals', args: ['contracts/scripts/gas.ts', '--check'] }

const CONTRACTS: Package = { ...folder('contracts'), programs: [FORGE, GAS] }

/** In the order in which they begin: those that take seconds, and then the longest first. */
export const PACKAGES: readonly Package[] = [
  { ...folder('root'), files: ['*.test.ts'] },
  folder('core', { atOnce: PURE_AT_ONCE, together: TOGETHER }),
  folder('wire', { atOnce: PURE_AT_ONCE, together: TOGETHER }),
  folder('api', { together: TOGETHER }),
  folder('e2e'),
  CONTRACTS,
  folder('keeper', { atOnce: WAITING_AT_ONCE }),
  folder('indexer'),
  folder('store'),
  folder('devnet'),
  folder('deploy'),
  folder('client', { together: TOGETHER }),
  folder('terminal', { together: TOGETHER }),
  folder('cli', { together: TOGETHER }),
  folder('examples'),
  folder('adapters/ccxt'),
  folder('adapters/mcp', { together: TOGETHER }),
  folder('drills'),
  folder('bench'),
  folder('scripts'),
]

/** Returns the packages named, or all when none is named. */
export function choosePackages(names: readonly string[]): readonly Package[] {
  const known = PACKAGES.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`no package ${unknown.join(', ')}: there are ${known.join(', ')}`)
  return PACKAGES.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Returns the test files of `one` that there are below the working directory, in order. */
export const findFiles = ({ files }: Package): string[] =>
  globSync(files, { exclude: (path) => path.split('/').includes('node_modules') }).sort()
