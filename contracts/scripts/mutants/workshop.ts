// Plants bugs in two copies of the contracts, which stay in cache/mutants with forge's cache. In
// the first, one source gets the bug, and only its dependents are recompiled. In the second the
// invariants are compiled once, from correct sources; they deploy artifacts that the first copy
// provides. A test specified by a bug is compiled with the bug, since the bug may be in a library
// that is part of the test. Contracts deployed by tests are compiled without IR, in a third of the
// time.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT, runForge } from '../forge.ts'
import type { Mutant } from './mutant.ts'

const HOME = join(ROOT, 'cache', 'mutants')
const SPOILT = join(HOME, 'spoilt')
const SOUND = join(HOME, 'sound')
const LOCK = join(HOME, 'lock')
const SOURCES = ['src', 'test', 'lib', 'tools', 'foundry.toml', 'package.json'] as const
/** Forge's build of the sound contracts, and its copy for the next bug. */
const BUILT = ['out', 'cache'] as const
const KEPT = join(HOME, 'built')
const INVARIANTS = ['test/perps/invariant/*', 'test/spot/invariant/*'] as const
/** Some bugs show only when an account fails, which takes more than the few runs of `npm test`. */
const RUNS = 40

const copy = (from: string, to: string) => {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function lock(): void {
  mkdirSync(HOME, { recursive: true })
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
  } catch {
    const pid = Number(readFileSync(LOCK, 'utf8'))
    if (isAlive(pid)) throw new Error(`process ${pid} plants bugs in ${HOME} already`)
    writeFileSync(LOCK, String(process.pid))
  }
}

/** Folder, in either copy, of the artifacts that tests deploy. */
const SHIPPED = join('out', 'shipped')

function forge(folder: string, args: readonly string[], profile: 'default' | 'quick' = 'default') {
  const env = {
    ...process.env,
    FOUNDRY_PROFILE: profile,
    FOUNDRY_CODE_SIZE_LIMIT: '10000000', // without IR an engine is larger than a chain takes
    FOUNDRY_INVARIANT_RUNS: String(RUNS),
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
  }
  return runForge(args, { cwd: folder, env })
}

/** Compiles the contracts that tests deploy. */
function compile(): void {
  const { status, stdout, stderr } = forge(SPOILT, ['build'], 'quick')
  if (status !== 0) throw new Error(`the copy does not compile\n${stdout}${stderr}`)
}

/** Returns the first failure of these tests, or null when they pass. */
function runTests(folder: string, tests: readonly string[]): string | null {
  const { status, stdout, stderr } = forge(folder, [
    'test',
    '--fail-fast',
    '--match-path',
    ...tests,
  ])
  const output = String(stdout)
  if (status === 0 && /[1-9]\d* passed/.test(output)) return null
  const reason = /\[FAIL[:.]? ?([^\]]*)\]/.exec(output)?.[1]
  if (reason === undefined) throw new Error(`the tests did not run\n${output}${stderr}`)
  return reason
}

function runInvariants(): string | null {
  copy(join(SPOILT, SHIPPED), join(SOUND, SHIPPED))
  for (const tests of INVARIANTS) {
    // Forge would replay the failures of the bug before.
    rmSync(join(SOUND, 'cache', 'invariant'), { recursive: true, force: true })
    const reason = runTests(SOUND, [tests, '--match-test', 'invariant_'])
    if (reason !== null) return reason
  }
  return null
}

const find = ({ by, test }: Pick<Mutant, 'by' | 'test'>): string | null =>
  by === undefined
    ? runInvariants()
    : runTests(SPOILT, [by, ...(test === undefined ? [] : ['--match-test', test])])

/** Copies the sound contracts, compiles them, and requires that the tests of all bugs pass. */
export function open(mutants: readonly Mutant[]): void {
  lock()
  for (const folder of [SPOILT, SOUND]) {
    for (const part of SOURCES) copy(join(ROOT, part), join(folder, part))
  }
  rmSync(join(HOME, 'node_modules'), { force: true })
  symlinkSync(resolve(ROOT, '..', 'node_modules'), join(HOME, 'node_modules'))
  const tests = new Map(mutants.map((mutant) => [`${mutant.by} ${mutant.test}`, mutant]))
  compile()
  for (const mutant of tests.values()) {
    const reason = find(mutant)
    const name = mutant.by ?? 'the invariants'
    if (reason !== null) throw new Error(`${name}: fails without any planted bug: ${reason}`)
  }
  for (const part of BUILT) copy(join(SPOILT, part), join(KEPT, part))
}

/** Returns the source with the bug of `mutant`. */
function spoil({ file, from, to }: Mutant): string {
  const source = readFileSync(join(ROOT, 'src', file), 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file}: not exactly once: ${from}`)
  return source.replace(from, () => to)
}

/** Requires that every bug can be planted, before planting the first. */
export const requirePlantable = (mutants: readonly Mutant[]): void => {
  for (const mutant of mutants) spoil(mutant)
}

/** Plants one bug and returns how its tests find it, or null when they do not. */
export function plant(mutant: Mutant): string | null {
  for (const part of BUILT) copy(join(KEPT, part), join(SPOILT, part))
  const path = join(SPOILT, 'src', mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, spoil(mutant))
  try {
    compile()
    return find(mutant)
  } finally {
    writeFileSync(path, source)
  }
}

export const close = (): void => rmSync(LOCK, { force: true })
