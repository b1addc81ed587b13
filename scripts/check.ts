// Everything that continuous integration asks, runnable at home: `npm run check`.
// `npm run check -- static` stops before the tests. Its steps run at the same time, as many as there
// are cores, and each is printed as it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

type Step = readonly [name: string, command: string, ...args: string[]]
type Outcome = Readonly<{ name: string; status: number; seconds: string; output: string }>

const MS = 1000
const CACHE = join('node_modules', '.cache', 'openvenue')

/** The types of a project, of whose files only those are looked at that changed since the last time. */
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
  types('types of core, without any I/O', 'core'),
  types('types of wire, without any I/O', 'wire'),
  ['contracts: format', 'node', 'contracts/scripts/forge.ts', 'fmt', '--check'],
]
/** One after another: they measure time. */
const TESTS: readonly Step[] = [
  ['tests on PostgreSQL and Redis', 'npm', 'run', 'test:services'],
  ['drills, the short form', 'npm', 'run', 'drills', '--', '--short'],
  ['tests', 'npm', 'test'],
]

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const secondsSince = (startedMs: number) => ((performance.now() - startedMs) / MS).toFixed(1)

/** Runs a step; what it prints is shown at once or given back. */
async function runStep([name, command, ...args]: Step, isShown: boolean): Promise<Outcome> {
  const startedMs = performance.now()
  const child = spawn(command, args, { stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return { name, status: status ?? 1, seconds: secondsSince(startedMs), output }
}

/** Runs all steps, some at the same time, and returns those that failed. */
async function runTogether(steps: readonly Step[]): Promise<Outcome[]> {
  const waiting = [...steps]
  const failed: Outcome[] = []
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await runStep(step, false)
      print(`${outcome.status === 0 ? '✔' : '✖'} ${outcome.seconds.padStart(6)} s  ${outcome.name}`)
      if (outcome.status !== 0) failed.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return failed
}

async function main(): Promise<number> {
  const startedMs = performance.now()
  const failed = await runTogether(STATIC)
  for (const { name, output } of failed) print(`\n✖ ${name}\n${output.trimEnd()}`)
  print(`${secondsSince(startedMs)} s in all`)
  const [first] = failed
  if (first !== undefined) return first.status
  if (process.argv.includes('static')) return 0
  for (const step of TESTS) {
    print(`\n== ${step[0]}`)
    const { name, status, seconds } = await runStep(step, true)
    if (status !== 0) {
      print(`\n✖ ${name}`)
      return status
    }
    // Nothing after the last: a run of everything ends with the totals of the tests.
    if (step !== TESTS.at(-1)) print(`✔ ${seconds} s  ${name}`)
  }
  return 0
}

process.exitCode = await main()
