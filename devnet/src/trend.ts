// Shows how the devnet does over time: npm run trend -w devnet -- --minutes 30
//
// Starts a devnet of its own and prints, once a minute, the memory of its processes, the size of
// what it keeps on disk, and how fast its API answers.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

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
    for (let minute = 0; minute <= minutes; minute++) {
      const startMs = Date.now()
      print(await sample(minute, { apiUrl, dataDir, pid: devnet.pid ?? 0 }))
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

type Subject = Readonly<{ apiUrl: string; dataDir: string; pid: number }>

async function sample(minute: number, { apiUrl, dataDir, pid }: Subject) {
  const { node, traders, anvil } = measureMemory(pid)
  const { block, times } = await requestTimes(apiUrl)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2)
  return [
    minute,
    block,
    node,
    traders,
    anvil,
    node + traders + anvil,
    measureSize(join(dataDir, 'db')),
    measureSize(join(dataDir, 'chain.state')),
    at(0.5),
    at(0.99),
  ]
}

/** Resident megabytes of the devnet and the processes it started. */
function measureMemory(devnetPid: number): { node: number; traders: number; anvil: number } {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, pid, parent, kilobytes, command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      megabytes: Number(kilobytes) / 1024,
      command,
    }))
  const total = (found: typeof rows) =>
    Math.round(found.reduce((sum, { megabytes }) => sum + megabytes, 0))
  const children = rows.filter(({ parent }) => parent === devnetPid)
  return {
    node: total(rows.filter(({ pid }) => pid === devnetPid)),
    traders: total(children.filter(({ command }) => command.includes('traders-main'))),
    anvil: total(children.filter(({ command }) => command.includes('anvil'))),
  }
}

/** Milliseconds of requests one after the other, ascending, and the newest block seen. */
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
