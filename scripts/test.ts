// Runs the tests, package by package, and says how long each took:
//   npm test                    all of them
//   npm test -w core            those of a package
//   npm test -- core scripts    those of several; root and scripts are no npm packages
// Three packages run at a time. It ends with the totals of all, after the failures.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { addCounts, isGreen } from './tests/counts.ts'
import { runFiles } from './tests/files.ts'
import { choosePackages, findFiles, type Package } from './tests/packages.ts'
import { type ProgramResult, runProgram } from './tests/programs.ts'
import { type PackageResult, reportRun } from './tests/report.ts'

const MS = 1000
/** One more than cores, since some tests wait for real seconds; more would disturb them. */
const PACKAGES_AT_ONCE_MAX = 3
/** Keeps what node has compiled for the next file; programs under test share it. */
const COMPILE_CACHE = resolve('node_modules/.cache/openvenue/compiled')

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main(): Promise<boolean> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  // Test venues share a past, which the first of them makes (e2e/src/shared-past.ts).
  const pastDir = mkdtempSync(join(tmpdir(), 'openvenue-past-'))
  process.env.VENUE_PAST_DIR = pastDir
  process.once('exit', () => rmSync(pastDir, { recursive: true, force: true }))
  const startedMs = performance.now()
  const results = await runAll(choosePackages(process.argv.slice(2)))
  if (results.length === 0) throw new Error('there is no test to run')
  print(await reportRun(results, performance.now() - startedMs))
  return results.every(({ counts }) => isGreen(counts))
}

/** Runs `packages` side by side, and returns how each ended. */
async function runAll(packages: readonly Package[]): Promise<PackageResult[]> {
  const waiting = [...packages]
  const results: PackageResult[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const files = findFiles(next)
      if (files.length > 0 || next.programs.length > 0) results.push(await runPackage(next, files))
    }
  }
  const atOnce = Math.min(PACKAGES_AT_ONCE_MAX, availableParallelism() + 1)
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

async function runPackage(one: Package, files: readonly string[]): Promise<PackageResult> {
  const { name, programs } = one
  const startedMs = performance.now()
  print(`== ${name}: ${[`${files.length} files`, ...programs.map((p) => p.name)].join(', ')}`)
  const ran = await runFiles(files, one, print)
  let counts = ran.counts
  const output: string[] = []
  for (const program of programs) {
    const result = await runProgram(program)
    counts = addCounts(counts, result.counts)
    if (!result.isGreen) output.push(`✖ ${name}, ${program.name}:\n${result.output}`)
    printProgram(program.name, result)
  }
  const ms = performance.now() - startedMs
  print(`== ${name}: ${counts.tests} tests in ${(ms / MS).toFixed(1)} s`)
  return { name, counts, ms, failures: ran.failures, output }
}

function printProgram(name: string, { counts, isGreen, output }: ProgramResult): void {
  // A program that counts no tests, such as the gas table, is worth reading itself.
  print(`${isGreen ? '✔' : '✖'} ${name}${counts.tests > 0 ? `: ${counts.tests} tests` : ''}`)
  if (counts.tests === 0 || !isGreen) print(output.trimEnd())
}

process.exitCode = (await main()) ? 0 : 1
