// Kills a chain and its owner with SIGKILL at every moment, and restarts them. DEVNET_KILLS=all
// visits every moment, and as many random ones; DEVNET_SEED selects those.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { anvilPidPath, readMark } from './anvil-mark.ts'
import { chainStatePath } from './chain-state.ts'
import { findProcess } from './find-process.ts'
import { isRunning } from './process-start.ts'
import { seededRandom } from './random.ts'
import { rpcAt } from './rpc.ts'

const KILLS = process.env.DEVNET_KILLS ?? 'few'
const SEED = Number(process.env.DEVNET_SEED ?? 1)
const RANDOM_KILLS = KILLS === 'all' ? 60 : 2
/** Lines printed by a chain in this test: ready, four saves, done. */
const LINES = 6
/** More moments than a chain has in this test. */
const MOMENTS_MAX = 400

const PROGRAM = fileURLToPath(new URL('../test/chain-process.ts', import.meta.url))
const PRELOAD = pathToFileURL(fileURLToPath(new URL('../test/kill-at-write.ts', import.meta.url)))

type Block = Readonly<{ number: string; hash: string }>
type Line = Readonly<{
  url?: string
  isNew?: boolean
  counted?: number
  listed?: number
  saved?: Block
  warning?: string
  done?: boolean
}>
type Run = Readonly<{
  child: ChildProcess
  lines: Line[]
  errors: () => string
  ended: Promise<string>
}>

let folder: string
let dataDir: string
const runs = new Set<ChildProcess>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openvenue-kills-'))
  dataDir = join(folder, 'data')
})
afterEach(() => {
  for (const child of runs) child.kill('SIGKILL')
  runs.clear()
  // Every anvil of this test has the folder among its arguments, for its socket.
  for (let pid = anvilHere(); pid !== undefined; pid = anvilHere()) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const anvilHere = () => findProcess('anvil', `${folder}/`, '--ipc')

function start(env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, DATA_DIR: dataDir, ANVIL_PORT: '0', ...env },
  })
  runs.add(child)
  const lines: Line[] = []
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) =>
    lines.push(JSON.parse(line)),
  )
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => String(signal ?? code))
  return { child, lines, errors: () => errors, ended }
}

const killedAt = (at: number, moment: 'before' | 'after') =>
  start({ NODE_OPTIONS: `--import=${PRELOAD}`, KILL_AT: `${at} ${moment}` })

const isOver = ({ child }: Run) => child.exitCode !== null || child.signalCode !== null

const reached = (run: Run, claim: string, look: (line: Line) => unknown) =>
  until(
    () => `${claim}: ${JSON.stringify(run.lines)} ${run.errors()}`,
    () => run.lines.find(look) ?? (isOver(run) && {}),
  ).then((line: Line) => {
    assert.ok(look(line), `${claim}: ${run.errors()}`)
    return line
  })

/** Restarts the chain and compares it with the last save before the kill. */
async function startsWell(saved: Block | undefined): Promise<Run> {
  const run = start()
  const { url = '', counted, listed, isNew } = await reached(run, 'it is ready', ({ url }) => url)
  assert.equal(counted, listed, 'its storage is that of its blocks')
  assert.equal(
    run.lines.some(({ warning }) => warning !== undefined),
    false,
  )
  if (saved !== undefined) {
    assert.equal(isNew, false, 'it is the chain that was saved')
    const block = await rpcAt(url).call('eth_getBlockByNumber', saved.number, false)
    assert.equal((block as Block | null)?.hash, saved.hash, 'the saved block is in it')
  }
  const { pid } = readMark(anvilPidPath(dataDir)) ?? {}
  assert.equal(anvilHere(), pid, 'no other chain is left')
  return run
}

const lastSaved = ({ lines }: Run) => lines.findLast(({ saved }) => saved !== undefined)?.saved

async function end({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended, '0')
  assert.equal(anvilHere(), undefined, 'its chain has ended')
}

/** Kills the owner around write number `at`, and restarts; false: it had fewer writes. */
async function survivesKillAt(at: number, moment: 'before' | 'after'): Promise<boolean> {
  const killed = killedAt(at, moment)
  await until(
    () => `it is killed: ${killed.errors()}`,
    () => isOver(killed) || killed.lines.some(({ done }) => done),
  )
  // Saves on request to end count, too.
  killed.child.kill('SIGTERM')
  const how = await killed.ended
  if (how === '0') return false
  assert.equal(how, 'SIGKILL', killed.errors())
  await end(await startsWell(lastSaved(killed)))
  rmSync(dataDir, { recursive: true })
  return true
}

/** Moments before and after the mark, the start of anvil, and each step of a save. */
const FEW_MOMENTS = [2, 3, 4, 5, 9, 12]

test('a chain whose owner is killed at any write restarts without a second anvil', async (t) => {
  let visited = 0
  const random = seededRandom(SEED)
  const both = ['before', 'after'] as const
  for (const at of KILLS === 'all' ? range(1, MOMENTS_MAX) : FEW_MOMENTS) {
    const moments = KILLS === 'all' ? both : [random.pick(both)]
    const before = visited
    for (const moment of moments) {
      const isKilled = await survivesKillAt(at, moment).catch((cause: unknown) => {
        throw new Error(`killed ${moment} write ${at}`, { cause })
      })
      if (isKilled) visited += 1
    }
    if (visited === before) break
  }
  t.diagnostic(`killed ${visited} times`)
  assert.ok(visited >= FEW_MOMENTS.length, `${visited} kills`)
})

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('a chain whose anvil is killed at random moments keeps its saved state', async (t) => {
  const random = seededRandom(SEED)
  let saved: Block | undefined
  for (let kill = 0; kill < RANDOM_KILLS; kill++) {
    const run = await startsWell(saved)
    const lines = 2 + random.whole(LINES - 2)
    await until(`it has printed ${lines} lines`, () => run.lines.length >= lines)
    t.diagnostic(`kill ${kill + 1}: anvil after ${lines} lines`)
    killAnvil()
    // If it was just being replaced, its owner continues.
    await until('its owner has noticed', () => isOver(run) || run.lines.length === LINES)
    run.child.kill('SIGKILL')
    await run.ended
    saved = lastSaved(run)
  }
  await end(await startsWell(saved))
})

function killAnvil(): void {
  const pid = readMark(anvilPidPath(dataDir))?.pid
  if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL')
}

test('an anvil whose owner is killed during its start is ended by the next start', async () => {
  // The mark is written to a temporary file, renamed, and then anvil is started.
  const killed = killedAt(3, 'after')
  assert.equal(await killed.ended, 'SIGKILL', killed.errors())
  const orphan = await until('anvil runs', anvilHere)
  assert.equal(readMark(anvilPidPath(dataDir))?.pid, undefined, 'no file names its process')
  const port = String(readMark(anvilPidPath(dataDir))?.port)
  const run = start({ ANVIL_PORT: port })
  await reached(run, 'it is ready at the same port', ({ url }) => url?.endsWith(`:${port}`))
  assert.equal(isRunning(orphan), false)
  await end(run)
})

test('a chain whose port is taken refuses to start, and keeps its files', async () => {
  await end(await startsWell(undefined).then(saving))
  const state = readFileSync(chainStatePath(dataDir))
  const first = dataDir
  dataDir = join(folder, 'other')
  const holder = await startsWell(undefined)
  await reached(holder, 'it has been renewed', ({ done }) => done)
  const { port, pid } = readMark(anvilPidPath(dataDir)) ?? {}
  dataDir = first
  const refused = start({ ANVIL_PORT: String(port) })
  assert.equal(await refused.ended, '1')
  assert.ok(
    refused
      .errors()
      .includes(
        `ANVIL_PORT is a free port, or 0 for any (${port} is in use by the chain of another venue, process ${pid})`,
      ),
    refused.errors(),
  )
  assert.ok(readFileSync(chainStatePath(dataDir)).equals(state))
  assert.equal(existsSync(anvilPidPath(dataDir)), false)
  assert.equal(isRunning(pid ?? 0), true)
  await end(holder)
})

const saving = async (run: Run) => {
  await reached(run, 'it is saved', ({ saved }) => saved)
  return run
}
