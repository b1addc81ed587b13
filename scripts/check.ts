// Everything that continuous integration asks, runnable at home: `npm run check`. `npm run check --
// static` stops before the tests. Its steps run at the same time, as many as there are cores, and
// each is printed as it ends.
import { join } from 'node:path'
import { print, runStep, runTogether, type Step, secondsSince } from './checks/steps.ts'

const CACHE = join('node_modules', '.cache', 'openvenue')

/**
 * The types of a project, of whose files only those are looked at that changed since the last time.
 */
const types = (name: string, project: string): Step => {
  const memory = join(CACHE, `${project === '.' ? 'all' : project}.tsbuildinfo`)
  return [name, 'tsc', '-p', project, '--incremental', '--tsBuildInfoFile', memory]
}

/** The longest first. Contracts compile only when they changed since the last time. */
const STATIC: readonly Step[] = [
  [
    'contracts: ABIs are those of a fresh build',
    'node',
    'contracts/scripts/generate-abi.ts',
    '--check',
  ],
  [
    'contracts: vectors are those of a fresh run',
    'node',
    'contracts/scripts/vectors.ts',
    '--check',
  ],
  ['format and lint', 'biome', 'check', '.'],
  types('types', '.'),
  types('types of the terminal', 'terminal'),
  types('types of core, without any I/O', 'core'),
  types('types of wire, without any I/O', 'wire'),
  ['client: types are those of the schemas', 'node', 'client/scripts/generate.ts', '--check'],
  ['client: sizes are within their limits', 'node', 'client/scripts/sizes.ts', '--check'],
  ['terminal: sizes are within their limits', 'node', 'terminal/scripts/sizes.ts', '--check'],
  ['mcp: tools are those of the document', 'node', 'adapters/mcp/scripts/generate.ts', '--check'],
  ['docs: the collection for Postman is fresh', 'node', 'api/scripts/postman.ts', '--check'],
  ['client: every export has its docstring', 'node', 'client/scripts/docs.ts', '--check'],
  ['contracts: format', 'node', 'contracts/scripts/forge.ts', 'fmt', '--check'],
]
/** One after another: they measure time. */
const TESTS: readonly Step[] = [
  ['alerts and dashboard', 'npm', 'run', 'test:alerts'],
  ['tests on PostgreSQL and Redis', 'npm', 'run', 'test:services'],
  ['tests of the terminal in a browser', 'npm', 'run', 'test:browser'],
  ['drills, the short form', 'npm', 'run', 'drills', '--', '--short'],
  ['tests', 'npm', 'test'],
]

async function main(): Promise<number> {
  const startedMs = performance.now()
  const failed = await runTogether(STATIC)
  for (const { name, output } of failed) print(`\n✖ ${name}\n${output.trimEnd()}`)
  print(`${secondsSince(startedMs)} s in all`)
  const [first] = failed
  if (first !== undefined) return first.status
  if (process.argv.includes('static')) return 0
  return await runTests()
}

/** A step that fails ends nothing: what else is wrong is seen in the same run. */
async function runTests(): Promise<number> {
  let firstStatus = 0
  const broken: string[] = []
  for (const step of TESTS) {
    // Nothing after the last: a run of everything ends with the totals of the tests.
    const isLast = step === TESTS.at(-1)
    if (isLast) for (const name of broken) print(`✖ failed before the tests: ${name}`)
    print(`\n== ${step[0]}`)
    const { name, status, seconds } = await runStep(step, true)
    if (status !== 0) broken.push(name)
    firstStatus ||= status
    if (!isLast) print(`${status === 0 ? '✔' : '✖'} ${seconds} s  ${name}`)
  }
  return firstStatus
}

process.exitCode = await main()
