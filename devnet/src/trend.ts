// Shows how the devnet does over time: npm run trend -w devnet -- --minutes 30
//
// Starts a devnet of its own and prints, once a minute, the memory of its processes and their time
// on a processor, the size of what it keeps on disk, and how fast its API answers. TRADERS=calm or
// TRADERS=storm makes it less or more busy.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureUsage } from './process-usage.ts'

const REQUESTS = 200
const MINUTE_MS = 60_000
const MB = 1024 * 1024
const PATHS = ['/orderbook/ETH-PERP', '/markets', '/statistics?instrument_name=ETH-PERP']

async function main(): Promise<void> {
  const options = { minutes: { type: 'string', default: '30' } } as const
  const { values } = parseArgs({ options })
  const minutes = Number(values.minutes)
  if (!Number.isInteger(minutes) || minutes < 1) throw new Error('--minutes is a whole number')
  const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-trend-'))
  const devnet = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./main.ts'))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...ENVIRONMENT, DATA_DIR: dataDir },
  })
  try {
    const apiUrl = await readyUrl(devnet)
    print(COLUMNS)
    const busy = followBusy(devnet.pid ?? 0)
    for (let minute = 0; minute <= minutes; minute++) {
      const startMs = Date.now()
      print(await sample(minute, { apiUrl, dataDir, pid: devnet.pid ?? 0, busy }))
      if (minute < minutes) await sleep(MINUTE_MS - (Date.now() - startMs))
    }
  } finally {
    if (devnet.exitCode === null) {
      devnet.kill('SIGINT')
      await once(devnet, 'exit')
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const ENVIRONMENT = {
  PORT: '0',
  INDEXER_PORT: '0',
  INTEGRATED_PORT: '0',
  ANVIL_PORT: '0',
  KEEPER_PORT: '0',
  RATE_LIMIT_PUBLIC: 'off',
  LOG_LEVEL: 'error',
}

const COLUMNS = [
  'minute',
  'block',
  'node MB',
  'traders MB',
  'anvil MB',
  'all MB',
  'node %',
  'traders %',
  'anvil %',
  'db MB',
  'chain MB',
  'p50 ms',
  'p99 ms',
]

const print = (cells: readonly (string | number)[]) =>
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(10)).join(' ')}\n`)

async function readyUrl(devnet: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of devnet.stdout ?? []) {
    text += String(chunk)
    const url = /API\s+(http\S+)/.exec(text)?.[1]
    if (url !== undefined && text.includes('Ctrl-C')) return url
  }
  throw new Error(`the devnet does not start: ${text}`)
}

type SampledProcess = Readonly<{
  apiUrl: string
  dataDir: string
  pid: number
  /** CPU usage in percent since the last sample. */
  busy: () => readonly number[]
}>

async function sample(minute: number, { apiUrl, dataDir, pid, busy }: SampledProcess) {
  const { node, traders, anvil } = measureUsage(pid)
  const percents = busy()
  const { block, times } = await requestTimes(apiUrl)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2)
  return [
    minute,
    block,
    node.megabytes,
    traders.megabytes,
    anvil.megabytes,
    node.megabytes + traders.megabytes + anvil.megabytes,
    ...percents,
    measureSize(join(dataDir, 'db')),
    measureSize(join(dataDir, 'chain.state')),
    at(0.5),
    at(0.99),
  ]
}

/** Tracks the CPU usage of each process; a restarted process counts as zero. */
function followBusy(pid: number): () => readonly number[] {
  let last = { ms: performance.now(), usage: measureUsage(pid) }
  return () => {
    const now = { ms: performance.now(), usage: measureUsage(pid) }
    const seconds = (now.ms - last.ms) / 1_000
    const percents = (['node', 'traders', 'anvil'] as const).map((part) => {
      const worked = now.usage[part].cpuSeconds - last.usage[part].cpuSeconds
      return Math.round((100 * Math.max(0, worked)) / seconds)
    })
    last = now
    return percents
  }
}

/** Returns the durations of sequential requests in ms, ascending, and the newest block. */
async function requestTimes(apiUrl: string): Promise<{ block: string; times: number[] }> {
  const times: number[] = []
  let block = ''
  for (let request = 0; request < REQUESTS; request++) {
    const startMs = performance.now()
    const response = await fetch(new URL(PATHS[request % PATHS.length] ?? '/', apiUrl))
    await response.arrayBuffer()
    times.push(performance.now() - startMs)
    block = response.headers.get('x-block-number') ?? block
  }
  return { block, times: times.sort((a, b) => a - b) }
}

/** Megabytes of a file, or of everything in a folder. */
function measureSize(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  const bytes = stats.isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((name) => statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0)
    : stats.size
  return Math.round(bytes / MB)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
