// Measures the memory of an API node on the PostgreSQL of DATABASE_URL, and prints the section as
// JSON.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import type { Store } from '@openvenue/store/store'
import { testEngines } from '@openvenue/store/test/engines'
import { fillVenue } from './memory-rows.ts'
import { benchScenario } from './scenario.ts'
import type { Section } from './table.ts'

const MINUTES = 600
const COMMIT_BLOCKS = 200
const READY_POLL_MS = 50
/** Idle time after the first answer, in which garbage of the start is collected. */
const IDLE_MS = 15_000
const GOALS = { idleMb: 120, largeMb: 1024, readySeconds: 30 } as const

const [markets = 200, accounts = 1_000_000] = process.argv.slice(2).map(Number)
const engine = testEngines(process.env.DATABASE_URL).at(-1)
if (engine?.name !== 'PostgreSQL') throw new Error('DATABASE_URL: expected a PostgreSQL server')

type MemoryFigures = Readonly<{ readySeconds: number; idleMb: number; peakMb: number }>

/** Runs a node twice over the data of `fill`: the first start fills the compile cache. */
async function measured(fill: (store: Store) => Promise<void>): Promise<readonly MemoryFigures[]> {
  const database = await (engine as NonNullable<typeof engine>).createSharedDatabase()
  try {
    const store = await database.open()
    await fill(store)
    await store.close()
    const { databaseUrl = '' } = database.options
    return [await heldBy(databaseUrl), await heldBy(databaseUrl)]
  } finally {
    await database.remove()
  }
}

async function heldBy(databaseUrl: string): Promise<MemoryFigures> {
  const port = await freePort()
  const startMs = performance.now()
  const node = spawn(
    process.execPath,
    [fileURLToPath(new URL('../api/src/node/main.ts', import.meta.url))],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        NETWORK: 'devnet',
        PORT: String(port),
      },
    },
  )
  try {
    await answers(node, `http://127.0.0.1:${port}/markets`)
    const readySeconds = (performance.now() - startMs) / 1000
    await delay(IDLE_MS)
    return { readySeconds, idleMb: statusMb(node, 'VmRSS'), peakMb: statusMb(node, 'VmHWM') }
  } finally {
    node.kill('SIGTERM')
    if (node.exitCode === null) await once(node, 'exit')
  }
}

async function answers(node: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (node.exitCode !== null) throw new Error(`the node ended with ${node.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return
    await delay(READY_POLL_MS)
  }
}

/** The kernel reports units of 1024 bytes as kB. */
function statusMb({ pid }: ChildProcess, name: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(`${name}:\\s*(\\d+) kB`)
  return Number(line?.[1]) / 1024
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function tradedFor(store: Store): Promise<void> {
  const state = emptyState()
  const blocks = benchScenario(MINUTES).map((block) => applyBlock(state, block))
  for (let from = 0; from < blocks.length; from += COMMIT_BLOCKS)
    await store.writer.commit(blocks.slice(from, from + COMMIT_BLOCKS), blocks.length)
}

const small = await measured(tradedFor)
const large =
  accounts === 0
    ? []
    : await measured((store) =>
        fillVenue(store.db, { markets, accounts }, Math.floor(Date.now() / 1000)),
      )
const heldRows = (name: string, figures: readonly MemoryFigures[], mbMax: number) =>
  figures.map(({ readySeconds, idleMb, peakMb }, time) => [
    `${name}, start ${time + 1}`,
    readySeconds.toFixed(1),
    idleMb.toFixed(0),
    peakMb.toFixed(0),
    `${mbMax} MB, ${GOALS.readySeconds} s`,
  ])
const section: Section = {
  title: 'Memory of an API node on PostgreSQL',
  columns: ['venue', 'ready, s', 'idle, MB', 'at most, MB', 'goal'],
  rows: [
    ...heldRows('ten hours of six markets', small, GOALS.idleMb),
    ...heldRows(`${markets} markets, ${accounts} accounts and positions`, large, GOALS.largeMb),
  ],
}
process.stdout.write(`${JSON.stringify(section)}\n`)
