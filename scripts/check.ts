// Runs everything that continuous integration runs: `npm run check`, or some of its steps:
// `npm run check -- static services`. Each step is timed; one that fails does not stop the next.
import { join } from 'node:path'
import { type CheckStep, print, runStep, runTogether, secondsSince } from './checks/steps.ts'

const CACHE = join('node_modules', '.cache', 'openvenue')

/** Checks the types of a project; files that have not changed since the last time are skipped. */
const types = (name: string, project: string): CheckStep => {
  const memory = join(CACHE, `${project === '.' ? 'all' : project}.tsbuildinfo`)
  return [name, 'tsc', '-p', project, '--incremental', '--tsBuildInfoFile', memory]
}

/** Run side by side, the longest first. Contracts compile only when they have changed. */
const STATIC: readonly CheckStep[] = [
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
  ['commits: subjects', 'node', 'scripts/commits.ts'],
  ['contracts: format', 'node', 'contracts/scripts/forge-command.ts', 'fmt', '--check'],
]

/** Run one after another, since they measure time. The tests come last: a run ends with totals. */
const STEPS: readonly CheckStep[] = [
  ['static', 'node', 'scripts/check.ts', 'static'],
  ['alerts', 'npm', 'run', 'test:alerts'],
  ['sbom', 'npm', 'run', 'sbom'],
  ['services', 'npm', 'run', 'test:services'],
  ['browser', 'npm', 'run', 'test:browser'],
  ['drills', 'npm', 'run', 'drills', '--', '--short'],
  ['e2e', 'npm', 'run', 'e2e'],
  ['tests', 'npm', 'test'],
]

async function main(names: readonly string[]): Promise<boolean> {
  const steps = STEPS.map(([name]) => name)
  const unknown = names.filter((name) => !steps.includes(name))
  if (unknown.length > 0)
    throw new Error(`step: got ${unknown.join(', ')}, expected ${steps.join(', ')}`)
  if (names.length === 1 && names[0] === 'static') return runStatic()
  return runSteps(STEPS.filter(([name]) => names.length === 0 || names.includes(name)))
}

async function runStatic(): Promise<boolean> {
  const startedMs = performance.now()
  const failed = await runTogether(STATIC)
  for (const { name, output } of failed) print(`\n✖ ${name}\n${output.trimEnd()}`)
  print(`${secondsSince(startedMs)} s in all`)
  return failed.length === 0
}

async function runSteps(steps: readonly CheckStep[]): Promise<boolean> {
  const startedMs = performance.now()
  const lines: string[] = []
  let isGreen = true
  for (const step of steps) {
    // Printed before the tests, so that the run ends with their totals.
    if (step[0] === 'tests' && lines.length > 0) print(`\n${lines.join('\n')}`)
    print(`\n== ${step[0]}`)
    const { name, status, seconds } = await runStep(step, true)
    if (status !== 0) isGreen = false
    lines.push(`${status === 0 ? '✔' : '✖'} ${seconds.padStart(6)} s  ${name}`)
  }
  const last = steps.at(-1)?.[0]
  if (last !== 'tests') print(`\n${lines.join('\n')}\n${secondsSince(startedMs)} s in all`)
  return isGreen
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
