// Lists the packages, their test files and the programs that test besides them.
import { globSync, readFileSync } from 'node:fs'

/** A script that tests: its arguments to node, and its environment besides the usual. */
export type Program = Readonly<{
  name: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}>

/** Programs run one after another, and read what the one before has written. */
export type Package = Readonly<{ name: string; programs: readonly Program[] }>

/** Tests to run: all of the packages, those of them that need servers, or those of whole venues. */
export type Suite = 'test' | 'services' | 'e2e'

/** Found in a test that needs a PostgreSQL, a Redis, a browser or nginx. */
const NEEDS_SERVICES =
  /(\bprocess\.env\.(DATABASE|REDIS)_URL|\{ (CHROMIUM|NGINX_PROGRAM|NATS_PROGRAM) \} = process\.env)\b/

const FORGE: Program = {
  name: 'forge test',
  args: ['contracts/scripts/forge-command.ts', 'test'],
  env: { FORGE_SNAPSHOT_CHECK: 'true' },
}
const GAS: Program = { name: 'gas goals', args: ['contracts/scripts/gas.ts', '--check'] }

const NAMES = [
  ...[
    'root',
    'core',
    'wire',
    'runtime',
    'store',
    'contracts',
    'indexer',
    'keeper',
    'api',
    'deploy',
  ],
  ...['client', 'cli', 'examples', 'terminal', 'adapters/ccxt', 'adapters/mcp', 'devnet'],
  ...['e2e', 'drills', 'bench', 'scripts'],
]

export const PACKAGES: readonly Package[] = NAMES.map((name) => ({
  name,
  programs: name === 'contracts' ? [FORGE, GAS] : [],
}))

/** Returns the packages named, or all when none is named. Throws on an unknown name. */
export function choosePackages(names: readonly string[]): readonly Package[] {
  const all = PACKAGES.map(({ name }) => name)
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0)
    throw new Error(`package: got ${unknown.join(', ')}, expected ${all.join(', ')}`)
  return PACKAGES.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Returns the test files of `suite` in a package, sorted by path. */
export function findFiles({ name }: Package, suite: Suite): string[] {
  const ending = `*.${suite === 'e2e' ? 'e2e' : 'test'}.ts`
  const pattern = name === 'root' ? ending : `${name}/**/${ending}`
  const exclude = (path: string) => path.split('/').includes('node_modules')
  const files = globSync(pattern, { exclude }).sort()
  return suite === 'services'
    ? files.filter((path) => NEEDS_SERVICES.test(readFileSync(path, 'utf8')))
    : files
}
