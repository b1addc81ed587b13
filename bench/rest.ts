// Public REST reads against a plain node:http server that sends the same bytes. Both serve in
// processes of their own, in turns, and a third process asks; medians, since machines are noisy.
import { type ChildProcess, fork } from 'node:child_process'
import { get } from 'node:http'
import { cpuMicrosOf } from './cpu.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import type { PlainAnswer } from './plain-server.ts'
import { median, type Section, whole } from './table.ts'

export type RestOptions = Readonly<{
  rounds: number
  roundMs: number
  connections: number
  /** Only endpoints that begin so. */
  path: string
}>

/** Budget of architecture section 10. */
const RATIO_MIN = 0.85
const WARM_UP_MS = 300

const PATHS = [
  '/time',
  '/markets',
  '/markets/ETH-PERP',
  '/orderbook/ETH-USDC',
  '/markets/ETH-USDC/trades',
  '/instrument/ETH-PERP/trade-history',
  '/statistics/ETH/PERPETUAL',
  '/funding/ETH-PERP',
  '/funding-history/ETH-PERP',
  '/index/ETH',
  '/assets',
  '/markets-summary',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=100',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=1000',
  '/last-traded-tradingview/history?symbol=ETH-PERP&resolution=1&countback=1000',
] as const

export async function measureRest(options: RestOptions): Promise<Section> {
  const children: ChildProcess[] = []
  const start = (file: string) => {
    const child = fork(new URL(file, import.meta.url))
    children.push(child)
    return child
  }
  const paths = PATHS.filter((path) => path.startsWith(options.path))
  try {
    const venue = start('./venue-server.ts')
    const { port } = await messageOf<{ port: number }>(venue)
    const plain = start('./plain-server.ts')
    plain.send(await Promise.all(paths.map((path) => plainAnswer(port, path))))
    const bench: Bench = {
      load: start('./load.ts'),
      venue: { child: venue, port },
      plain: { child: plain, ...(await messageOf<{ port: number }>(plain)) },
    }
    const rows: string[][] = []
    for (const path of paths) rows.push(await measurePath(bench, path, options))
    return {
      title: `REST, ${options.connections} connections, ${options.rounds} rounds of ${options.roundMs} ms each way`,
      columns: COLUMNS,
      rows,
    }
  } finally {
    for (const child of children) child.kill()
  }
}

const COLUMNS = [
  'endpoint',
  'bytes',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'cpu us',
  'plain req/s',
  'p99 ms',
  'cpu us',
  'cpu ratio',
  'ratio',
  'budget',
]

type Server = Readonly<{ child: ChildProcess; port: number }>
type Bench = Readonly<{ load: ChildProcess; venue: Server; plain: Server }>
type Round = LoadResult & Readonly<{ cpuMicros: number }>

async function measurePath(bench: Bench, path: string, options: RestOptions): Promise<string[]> {
  const { connections, roundMs } = options
  const run = async ({ child, port }: Server, durationMs: number): Promise<Round> => {
    const before = await cpuMicrosOf(child)
    const result = await loaded(bench.load, { port, path, connections, durationMs })
    return { ...result, cpuMicros: ((await cpuMicrosOf(child)) - before) / result.requests }
  }
  await run(bench.venue, WARM_UP_MS)
  await run(bench.plain, WARM_UP_MS)
  const venue: Round[] = []
  const plain: Round[] = []
  for (let round = 0; round < options.rounds; round++) {
    // Whoever goes second finds a warmer machine: take turns.
    const isVenueFirst = round % 2 === 0
    if (isVenueFirst) venue.push(await run(bench.venue, roundMs))
    plain.push(await run(bench.plain, roundMs))
    if (!isVenueFirst) venue.push(await run(bench.venue, roundMs))
  }
  return rowOf(path, venue, plain)
}

const rateOf = ({ requests, seconds }: LoadResult) => requests / seconds

function rowOf(path: string, venue: readonly Round[], plain: readonly Round[]): string[] {
  const refused = venue.reduce((sum, result) => sum + result.refused, 0)
  if (refused > 0) throw new Error(`${path}: ${refused} answers were not 200`)
  const middle = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of))
  const ratio = median(venue.map((round, at) => rateOf(round) / rateOf(plain[at] as Round)))
  const cpu = { venue: middle(venue, costOf), plain: middle(plain, costOf) }
  const { bytes = 0, requests = 1 } = venue[0] ?? {}
  return [
    path,
    whole(bytes / requests),
    whole(middle(venue, rateOf)),
    middle(venue, ({ p50Ms }) => p50Ms).toFixed(2),
    middle(venue, ({ p99Ms }) => p99Ms).toFixed(2),
    cpu.venue.toFixed(1),
    whole(middle(plain, rateOf)),
    middle(plain, ({ p99Ms }) => p99Ms).toFixed(2),
    cpu.plain.toFixed(1),
    (cpu.plain / cpu.venue).toFixed(2),
    ratio.toFixed(2),
    ratio >= RATIO_MIN ? 'met' : `below ${RATIO_MIN}`,
  ]
}

const costOf = ({ cpuMicros }: Round) => cpuMicros

async function loaded(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  load.send(order)
  const { result, error } = await messageOf<{ result?: LoadResult; error?: string }>(load)
  if (result === undefined) throw new Error(`${order.path}: ${error}`)
  return result
}

/** Resolves with the next message of `child`; rejects when it ends instead. */
function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`a process of the bench ended: ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

/** What node:http adds by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive'])

/** Asks the venue twice, since the first answer may take another way, and keeps the second. */
async function plainAnswer(port: number, path: string): Promise<PlainAnswer> {
  await answerOf(port, path)
  const { rawHeaders, body } = await answerOf(port, path)
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!OWN_HEADERS.has(name.toLowerCase())) headers.push(name, value)
  }
  return { path, headers, body: body.toString('base64') }
}

function answerOf(port: number, path: string) {
  return new Promise<{ rawHeaders: string[]; body: Buffer }>((resolve, reject) => {
    get({ port, path, host: '127.0.0.1' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200)
          resolve({ rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) })
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}
