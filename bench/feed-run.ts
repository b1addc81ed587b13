// Commits blocks beside followers in processes of their own, which follow in turns by LISTEN and
// over NATS. Prints one line of JSON. Linux only: CPU times come from /proc.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { openStore } from '@openvenue/store/open'
import { postgresEngine } from '@openvenue/store/test/engines'
import { NatsServer } from '@openvenue/store/test/nats-server'
import { replay } from '@openvenue/store/test/replay'
import { cpuMicrosEver, parentOf } from './cpu.ts'
import type { FollowerReport } from './feed-follower.ts'

export type FeedMode = 'none' | 'listen' | 'nats'
/** Milliseconds from the commit to a follower, and PostgreSQL's CPU time per block. */
export type FeedResult = Readonly<{
  mode: FeedMode
  p50: number
  p99: number
  cpuMs: number
  reads: number
}>

const BLOCK_MS = 200
const BLOCKS = 30
const WARM_UP_BLOCKS = 5
const ACTIONS_MAX = 6
/** Followers that start at a time. */
const GROUP = 5
const TURNS: readonly FeedMode[] = ['none', 'listen', 'nats', 'nats', 'listen']
const { NATS_PROGRAM = 'nats-server' } = process.env

const database = await postgresEngine(process.env.DATABASE_URL)?.createDatabase()
if (database === undefined) throw new Error('DATABASE_URL is not set: expected a PostgreSQL')
const nats = await NatsServer.start(NATS_PROGRAM)
const feedUrl = nats.url
const openWriter = (mode: FeedMode) =>
  openStore({ ...database.options, feedUrl: mode === 'nats' ? feedUrl : undefined })
let store = await openWriter('none')
const [[pid] = []] = await store.db.primary.query('SELECT pg_backend_pid()')
const postmaster = parentOf(Number(pid))
const { blocks } = replay(
  randomScenario(1, TURNS.length * (BLOCKS + WARM_UP_BLOCKS), { actionsMax: ACTIONS_MAX }),
)
const children: ChildProcess[] = []
while (children.length < Number(process.argv[2] ?? 50)) {
  const fresh = Array.from({ length: GROUP }, () =>
    fork(new URL('./feed-follower.ts', import.meta.url), [JSON.stringify(database.options)]),
  )
  await Promise.all(fresh.map((child) => once(child, 'message')))
  children.push(...fresh)
}

let next = 0
/** Commits the next blocks; returns when each was committed, by number. */
async function commit(count: number): Promise<ReadonlyMap<number, number>> {
  const times = new Map<number, number>()
  for (const block of blocks.slice(next, next + count)) {
    await store.writer.commit([block], 0)
    times.set(block.header.number, performance.timeOrigin + performance.now())
    await delay(BLOCK_MS)
  }
  next += count
  return times
}

async function ask<T>(message: object): Promise<readonly T[]> {
  const answer = async (child: ChildProcess) => {
    const answered = once(child, 'message')
    child.send(message)
    return ((await answered) as [T])[0]
  }
  const answers: T[] = []
  // In groups: a start takes the processor from the others for seconds.
  for (let at = 0; at < children.length; at += GROUP)
    answers.push(...(await Promise.all(children.slice(at, at + GROUP).map(answer))))
  return answers
}

async function measure(mode: FeedMode): Promise<FeedResult> {
  // A writer with NATS sends no signals to followers that listen.
  await store.close()
  store = await openWriter(mode)
  if (mode !== 'none') await ask({ start: mode === 'nats' ? { feedUrl } : {} })
  await commit(WARM_UP_BLOCKS)
  const before = cpuMicrosEver(postmaster)
  const times = await commit(BLOCKS)
  const cpuMs = (cpuMicrosEver(postmaster) - before) / 1000 / BLOCKS
  if (mode === 'none') return { mode, p50: 0, p99: 0, cpuMs, reads: 0 }
  const reports = await ask<FollowerReport>({ stop: Math.max(...times.keys()) })
  const waits = reports
    .flatMap(({ arrived }) => arrived)
    .flatMap(([number, ms]) => {
      const committedMs = times.get(number)
      return committedMs === undefined ? [] : [ms - committedMs]
    })
    .sort((a, b) => a - b)
  if (waits.length !== children.length * BLOCKS)
    throw new Error(`${waits.length} arrivals of ${children.length * BLOCKS}`)
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.NaN
  const reads = reports.reduce((sum, report) => sum + report.reads, 0)
  return { mode, p50: at(0.5), p99: at(0.99), cpuMs, reads }
}

const results: FeedResult[] = []
for (const mode of TURNS) results.push(await measure(mode))
for (const child of children) child.kill()
await store.close()
await nats.close()
await database.remove()
process.stdout.write(`${JSON.stringify(results)}\n`)
