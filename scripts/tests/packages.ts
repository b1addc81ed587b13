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
  /** How many of its files run at the same time. */
  atOnce: number
  programs: readonly Program[]
}>

/** Pure functions have no timing that a neighbour could disturb. */
const PURE_AT_ONCE = 2

const folder = (name: string, atOnce = 1): Package => ({
  name,
  files: [`${name}/**/*.{test,e2e}.ts`],
  atOnce,
  programs: [],
})

const FORGE: Program = {
  name: 'forge test',
  args: ['contracts/scripts/forge.ts', 'test'],
  env: { FORGE_SNAPSHOT_CHECK: 'true' },
}
const GAS: Program = { name: 'gas goals', args: ['contracts/scripts/gas.ts', '--check'] }

const CONTRACTS: Package = { ...folder('contracts'), programs: [FORGE, GAS] }

/** Each lane runs its packages one after another. What measures time has a lane to itself. */
export const LANES: readonly (readonly Package[])[] = [
  [CONTRACTS],
  [
    { ...folder('root'), files: ['*.test.ts'] },
    folder('core', PURE_AT_ONCE),
    folder('wire', PURE_AT_ONCE),
    folder('scripts'),
    folder('store'),
    folder('indexer'),
    folder('keeper'),
    folder('api'),
    folder('devnet'),
    folder('bench'),
    folder('drills'),
    folder('e2e'),
  ],
]

/** Returns the lanes with the packages named alone, or with all when none is named. */
export function chooseLanes(names: readonly string[]): readonly (readonly Package[])[] {
  const known = LANES.flat().map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`no package ${unknown.join(', ')}: there are ${known.join(', ')}`)
  const isChosen = ({ name }: Package) => names.length === 0 || names.includes(name)
  return LANES.map((lane) => lane.filter(isChosen)).filter((lane) => lane.length > 0)
}

/** Returns the test files of `one` that there are below the working directory, in order. */
export const findFiles = ({ files }: Package): string[] =>
  globSync(files, { exclude: (path) => path.split('/').includes('node_modules') }).sort()
