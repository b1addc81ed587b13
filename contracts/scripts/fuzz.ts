// Runs the long fuzz of the contracts: random calls on both engines with all invariants checked,
// then planted bugs that must be found, and prints a summary. FUZZ_CALLS (1,000,000 by default) is
// the least number of calls, FUZZ_SEED (random by default) the seed, FUZZ_SUITE a part of the names
// of the campaigns to run (all by default). The calls run in portions with seeds of their own (even
// for short runs, odd for long ones), so that a failure can be repeated without the earlier ones.
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './forge.ts'
import { AFTER_FUZZ, plantEach } from './mutants.ts'
import { runForgeTest } from './shipped.ts'

const CALLS_DEFAULT = 1_000_000
const PORTION_CALLS = 50_000
const SUITES = ['SpotInvariants', 'PerpsInvariants', 'AdversaryInvariants', 'SchemeInvariants']
/**
 * Calls after which each rare case has occurred. The calls are deterministic: the outcome depends
 * only on the behaviour of the engines.
 */
const RANDOM_CALLS = 14_000
/** Calls per run: short runs often start afresh, long ones build full books and old positions. */
const DEPTHS = [100, 500] as const
/** The adversary's gains, one line a run, by `_reportTaken` of AdversaryStrikes.sol. */
const TAKEN = join('out', 'fuzz', 'taken.txt')
const OUTPUT_BYTES_MAX = 1 << 30 // forge's output may hold traces

type TestKind = Readonly<{ Invariant?: Readonly<{ runs: number; calls: number; reverts: number }> }>
type FuzzVerdict = Readonly<{ status: string; reason: string | null; kind: TestKind }>
type Suites = Readonly<
  Record<string, Readonly<{ test_results: Readonly<Record<string, FuzzVerdict>> }>>
>
type CampaignRow = { runs: number; calls: number; reverts: number; failures: number }

function readNumber(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  if (!/^\d+$/.test(text)) throw new Error(`${name}: got ${text}, expected a whole number`)
  return Number(text)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Returns the campaigns that FUZZ_SUITE chooses. */
function readSuites(): readonly string[] {
  const part = process.env.FUZZ_SUITE ?? ''
  const suites = SUITES.filter((name) => name.includes(part))
  if (suites.length > 0) return suites
  throw new Error(`FUZZ_SUITE: got ${part}, expected a part of ${SUITES.join(', ')}`)
}

/** Returns forge's arguments for tests of these campaigns. */
const matching = (suites: readonly string[], test: string): readonly string[] => [
  '--match-path',
  'test/*/invariant/*',
  '--match-contract',
  `^(${suites.join('|')})Test$`,
  '--match-test',
  test,
]

/** Runs the campaigns once and returns forge's report of each. */
function runPortion(suites: readonly string[], seed: number, calls: number, depth: number): Suites {
  const { status, stdout, stderr, error } = runForgeTest(
    [...matching(suites, 'invariant_'), '--json'],
    {
      maxBuffer: OUTPUT_BYTES_MAX,
      env: {
        ...process.env,
        FOUNDRY_PROFILE: 'long',
        FUZZ_TAKEN: TAKEN,
        FOUNDRY_FUZZ_SEED: `0x${seed.toString(16)}`,
        FOUNDRY_INVARIANT_DEPTH: String(depth),
        FOUNDRY_INVARIANT_RUNS: String(Math.ceil(calls / suites.length / depth)),
      },
    },
  )
  if (error) throw error
  const report = String(stdout)
    .split('\n')
    .find((line) => line.startsWith('{"test/'))
  if (report === undefined) throw new Error(`forge ended with ${status}\n${stdout}${stderr}`)
  return JSON.parse(report)
}

/** Adds a portion to the rows and returns its failures. */
function count(rows: Map<string, CampaignRow>, portion: Suites): string[] {
  const failures: string[] = []
  for (const [suite, { test_results: results }] of Object.entries(portion)) {
    const name = suite.split(':')[1] ?? suite
    const row = rows.get(name) ?? { runs: 0, calls: 0, reverts: 0, failures: 0 }
    rows.set(name, row)
    for (const { status, reason, kind } of Object.values(results)) {
      row.runs += kind.Invariant?.runs ?? 0
      row.calls += kind.Invariant?.calls ?? 0
      row.reverts += kind.Invariant?.reverts ?? 0
      if (status === 'Success') continue
      row.failures += 1
      failures.push(`${name}: ${reason}`)
    }
  }
  return failures
}

function sumRows(rows: Map<string, CampaignRow>): CampaignRow {
  const sum = { runs: 0, calls: 0, reverts: 0, failures: 0 }
  for (const row of rows.values()) {
    sum.runs += row.runs
    sum.calls += row.calls
    sum.reverts += row.reverts
    sum.failures += row.failures
  }
  return sum
}

/** Units of quote with two decimals. */
const formatUnits = (raw: bigint): string => (Number(raw / 10n ** 14n) / 10_000).toFixed(2)

function printTaken(): void {
  const path = join(ROOT, TAKEN)
  if (!existsSync(path)) return
  const runs = readFileSync(path, 'utf8').trimEnd().split('\n')
  const rows = runs.map((line) => line.split(' ').map(BigInt))
  const most = (column: number): string =>
    formatUnits(
      rows.reduce((max, row) => ((row[column] ?? 0n) > max ? (row[column] ?? 0n) : max), 0n),
    )
  const agreed = formatUnits(rows.reduce((sum, row) => sum + (row[2] ?? 0n), 0n))
  print(`\nadversary, in ${rows.length.toLocaleString('en')} runs, beyond what others agreed to:`)
  print(`at most ${most(0)} in a strike and ${most(1)} in a run; by what they agreed to, ${agreed}`)
  print(`in a scheme, debt left and gains together: at most ${most(3)}`)
}

function printSummary(rows: Map<string, CampaignRow>, seed: number, seconds: number): void {
  const all = [...rows, ['all', sumRows(rows)] as const]
  const width = Math.max(...all.map(([name]) => name.length))
  const cells = (values: readonly (string | number)[]): string =>
    values.map((value) => value.toLocaleString('en').padStart(10)).join('')
  print(`\n${'suite'.padEnd(width)}${cells(['runs', 'calls', 'reverts', 'failures'])}`)
  for (const [name, row] of all) {
    print(`${name.padEnd(width)}${cells([row.runs, row.calls, row.reverts, row.failures])}`)
  }
  printTaken()
  const { calls, failures } = sumRows(rows)
  const rate = Math.round(calls / seconds).toLocaleString('en')
  print(`\ncalls ${calls.toLocaleString('en')}, failures ${failures}, seed ${seed}`)
  print(`${Math.round(seconds)} s, ${rate} calls a second`)
}

/**
 * Runs fixed random calls that must meet even the rare cases: a campaign shows nothing about a case
 * that it never meets.
 */
function meetsEveryCase(suites: readonly string[]): boolean {
  const { status, stdout, stderr } = runForgeTest(matching(suites, 'test_the_random_traders'), {
    env: { ...process.env, RANDOM_CALLS: String(RANDOM_CALLS) },
  })
  if (status === 0) {
    print(`${RANDOM_CALLS.toLocaleString('en')} random calls of each campaign meet every case`)
    return true
  }
  print(`random calls did not meet every case\n${stdout}${stderr}`)
  return false
}

function main(): number {
  const calls = readNumber('FUZZ_CALLS', CALLS_DEFAULT)
  const seed = readNumber('FUZZ_SEED', randomInt(2 ** 31))
  const suites = readSuites()
  print(`${calls.toLocaleString('en')} calls, seed ${seed}: ${suites.join(', ')}`)
  if (!meetsEveryCase(suites)) return 1
  const rows = new Map<string, CampaignRow>()
  mkdirSync(join(ROOT, 'out', 'fuzz'), { recursive: true })
  rmSync(join(ROOT, TAKEN), { force: true })
  const startMs = Date.now()
  let failures: string[] = []
  for (let portion = 0; sumRows(rows).calls < calls && failures.length === 0; portion++) {
    const left = calls - sumRows(rows).calls
    const depth = DEPTHS[(seed + portion) % DEPTHS.length] ?? DEPTHS[0]
    const size = Math.min(left, PORTION_CALLS)
    failures = count(rows, runPortion(suites, seed + portion, size, depth))
    const done = sumRows(rows).calls.toLocaleString('en')
    print(`${done} calls after ${Math.round((Date.now() - startMs) / 1000)} s`)
    for (const failure of failures) {
      const suite = process.env.FUZZ_SUITE ? `FUZZ_SUITE=${process.env.FUZZ_SUITE} ` : ''
      const again = `${suite}FUZZ_SEED=${seed + portion} FUZZ_CALLS=${size}`
      print(`FAILED ${failure}\nagain: ${again} npm run fuzz:contracts`)
    }
  }
  const seconds = (Date.now() - startMs) / 1000
  if (failures.length === 0) print('')
  const isFound = failures.length === 0 && plantEach(AFTER_FUZZ) === 0
  printSummary(rows, seed, seconds)
  return isFound ? 0 : 1
}

process.exitCode = main()
