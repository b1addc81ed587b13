// Runs the tests of all packages and prints how long each took:
//   npm test                    all but the end-to-end tests
//   npm test -w core            those of a package
//   npm test -- core scripts    those of several; root and scripts are not npm packages
//   npm test -- --except core   all others
//   npm run e2e                 the end-to-end tests, which start whole venues
//   npm run test:services       those that need servers, beside which scripts/services.ts runs this
// Files are divided into processes, of which the longest start first. The run ends with the totals,
// after the failures.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addCounts, type Counts, isGreen, NONE, parseForge } from './tests/counts.ts'
import { runFiles } from './tests/files.ts'
import { createJobs, DURATIONS_FILE, type Job, longestFirst, readDurations } from './tests/jobs.ts'
import type { TestEvent } from './tests/lines.ts'
import {
  choosePackages,
  findFiles,
  type Package,
  type Program,
  type Suite,
} from './tests/packages.ts'
import { type PackageResult, reportRun } from './tests/report.ts'

/** Runs a program that tests, such as forge, and counts what it tested. */
type ProgramResult = Readonly<{ counts: Counts; isGreen: boolean; output: string }>

/** A compiler on every core gives way to the tests beside it that wait for a time. */
const NICENESS = 10
/** Characters kept of what a program prints, from its end. */
const OUTPUT_CHARACTERS_MAX = 1_000_000

const FAILED: Counts = { ...NONE, tests: 1, failed: 1 }

/**
 * Runs `program` to its end. One that fails without a failed test counts as a failed test itself.
 */
async function runProgram({ args, env }: Program): Promise<ProgramResult> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  let output = ''
  const take = (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX)
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const [status] = (await once(child, 'close')) as [number | null]
  const counts = parseForge(output) ?? NONE
  const isGreen = status === 0 && counts.failed === 0
  const isUncounted = !isGreen && counts.failed === 0
  return { counts: isUncounted ? FAILED : counts, isGreen, output }
}

/** Processes beyond the number of cores, since tests also wait for chains and databases. */
const JOBS_BEYOND_CORES: Readonly<Record<Suite, number>> = {
  test: 1,
  services: 1,
  e2e: 1,
}
/** Keeps what node has compiled for the next file; programs under test share it. */
const COMPILE_CACHE = resolve('node_modules/.cache/openvenue/compiled')
/** Shorter files have no entry among the recorded durations. */
const RECORDED_MS_MIN = 2_000
const MS = 1000

type JobResult = Readonly<{
  job: Job
  counts: Counts
  failures: readonly TestEvent[]
  output: readonly string[]
  ms: number
  fileMs: ReadonlyMap<string, number>
}>

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      e2e: { type: 'boolean', default: false },
      services: { type: 'boolean', default: false },
      except: { type: 'string', multiple: true, default: [] },
      // Writes scripts/tests/durations.json, by which jobs are divided and ordered.
      record: { type: 'boolean', default: false },
    },
  })
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  // Test venues share a past, which the first of them makes (e2e/src/shared-past.ts).
  const pastDir = mkdtempSync(join(tmpdir(), 'openvenue-past-'))
  process.env.VENUE_PAST_DIR = pastDir
  process.once('exit', () => rmSync(pastDir, { recursive: true, force: true }))
  const startedMs = performance.now()
  const excepted = values.except.length > 0 ? choosePackages(values.except) : []
  const packages = choosePackages(positionals).filter((owner) => !excepted.includes(owner))
  const suite = values.e2e ? 'e2e' : values.services ? 'services' : 'test'
  const jobs = planJobs(suite, packages)
  if (jobs.length === 0) throw new Error('no tests to run')
  const atOnce = availableParallelism() + JOBS_BEYOND_CORES[suite]
  const done = await runJobs(jobs, atOnce)
  if (values.record) recordDurations(suite, done)
  const results = sumPackages(done)
  print(await reportRun(results, performance.now() - startedMs))
  return results.every(({ counts }) => isGreen(counts))
}

function planJobs(suite: Suite, packages: readonly Package[]): Job[] {
  const durations = readDurations()[suite]
  const jobs = packages.flatMap((owner) => {
    const programs = suite === 'test' ? owner.programs : []
    const files = findFiles(owner, suite)
    if (files.length + programs.length > 0)
      print(
        `== ${owner.name}: ${[`${files.length} files`, ...programs.map((p) => p.name)].join(', ')}`,
      )
    return createJobs({ ...owner, programs }, files, durations)
  })
  return longestFirst(jobs)
}

/** Runs `jobs` in this order, `atOnce` at a time, and returns how each ended. */
async function runJobs(jobs: readonly Job[], atOnce: number): Promise<JobResult[]> {
  const queue = [...jobs]
  const results: JobResult[] = []
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results.push(await runJob(next))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

async function runJob(job: Job): Promise<JobResult> {
  const startedMs = performance.now()
  const result =
    job.files.length > 0
      ? { ...(await runFiles(job.files, print)), output: [] }
      : await runPrograms(job)
  return { job, ...result, ms: performance.now() - startedMs }
}

async function runPrograms({ package: name, programs }: Job) {
  let counts = NONE
  const failed: string[] = []
  for (const program of programs) {
    const result = await runProgram(program)
    counts = addCounts(counts, result.counts)
    if (!result.isGreen) failed.push(`✖ ${name}, ${program.name}:\n${result.output}`)
    printProgram(program.name, result)
  }
  return { counts, failures: [], output: failed, fileMs: new Map<string, number>() }
}

function printProgram(name: string, { counts, isGreen, output }: ProgramResult): void {
  // A program that counts no tests, such as the gas table, is worth reading itself.
  print(`${isGreen ? '✔' : '✖'} ${name}${counts.tests > 0 ? `: ${counts.tests} tests` : ''}`)
  if (counts.tests === 0 || !isGreen) print(output.trimEnd())
}

/** Adds up the jobs of each package: its seconds are those of its processes, not of the clock. */
function sumPackages(results: readonly JobResult[]): PackageResult[] {
  const byPackage = Map.groupBy(results, ({ job }) => job.package)
  return [...byPackage].map(([name, jobs]) => ({
    name,
    counts: jobs.reduce((sum, { counts }) => addCounts(sum, counts), NONE),
    ms: jobs.reduce((sum, { ms }) => sum + ms, 0),
    failures: jobs.flatMap(({ failures }) => failures),
    output: jobs.flatMap(({ output }) => output),
  }))
}

function recordDurations(suite: Suite, results: readonly JobResult[]): void {
  const files = results.flatMap(({ fileMs }) => [...fileMs])
  const slow = files.filter(([, ms]) => ms >= RECORDED_MS_MIN)
  const fresh = Object.fromEntries(slow.map(([path, ms]) => [path, Math.round(ms / MS)]))
  const recorded = readDurations()
  const rest = Object.entries(recorded[suite]).filter(([path]) => !files.some(([f]) => f === path))
  const sorted = [...rest, ...Object.entries(fresh)].sort(([a], [b]) => (a < b ? -1 : 1))
  const all = { ...recorded, [suite]: Object.fromEntries(sorted) }
  writeFileSync(DURATIONS_FILE, `${JSON.stringify(all, undefined, 2)}\n`)
}

process.exitCode = (await main()) ? 0 : 1
