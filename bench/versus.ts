// Loads two servers in turn, the venue and a baseline, from a third process. Figures are medians of
// the rounds, since machines are noisy.
import { type ChildProcess, fork } from 'node:child_process'
import { readCpuMicros } from './cpu.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { median, whole } from './table.ts'

export type VersusOptions = Readonly<{ rounds: number; roundMs: number; connections: number }>

type Server = Readonly<{ child: ChildProcess; port: number }>
type Bench = Readonly<{
  load: ChildProcess
  venue: Server
  plain: Server
  /** Sent with each request, to both servers. */
  headers?: Readonly<Record<string, string>>
}>

/** Paths requested in turn, with the name and minimum ratio of their row. */
type PathComparison = Readonly<{ name: string; paths: readonly string[]; ratioMin: number }>

const WARM_UP_MS = 300

export const COLUMNS = [
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

type Round = LoadResult & Readonly<{ cpuMicros: number }>

type Start = (file: string, args?: readonly string[], execArgv?: readonly string[]) => ChildProcess

/** Node flags of an API node, from api/src/node/main.ts. */
export const NODE_FLAGS = ['--max-semi-space-size=4']

/** Starts processes of the bench and ends all of them when `work` finishes or fails. */
export async function withProcesses<T>(work: (start: Start) => Promise<T>): Promise<T> {
  const children: ChildProcess[] = []
  try {
    return await work((file, args = [], execArgv = []) => {
      const child = fork(new URL(file, import.meta.url), args, { execArgv: [...execArgv] })
      children.push(child)
      return child
    })
  } finally {
    for (const child of children) child.kill()
  }
}

/** Returns the row of COLUMNS with the figures of both servers. */
export async function measureRow(
  bench: Bench,
  { name, paths, ratioMin }: PathComparison,
  options: VersusOptions,
): Promise<string[]> {
  const { connections, roundMs } = options
  const run = async ({ child, port }: Server, durationMs: number): Promise<Round> => {
    const before = await readCpuMicros(child)
    const result = await loaded(bench.load, {
      port,
      paths,
      connections,
      durationMs,
      headers: bench.headers,
    })
    return { ...result, cpuMicros: ((await readCpuMicros(child)) - before) / result.requests }
  }
  await run(bench.venue, WARM_UP_MS)
  await run(bench.plain, WARM_UP_MS)
  const venue: Round[] = []
  const plain: Round[] = []
  for (let round = 0; round < options.rounds; round++) {
    // Alternates the order, since the second server finds a warmer machine.
    const isVenueFirst = round % 2 === 0
    if (isVenueFirst) venue.push(await run(bench.venue, roundMs))
    plain.push(await run(bench.plain, roundMs))
    if (!isVenueFirst) venue.push(await run(bench.venue, roundMs))
  }
  const refused = venue.reduce((sum, round) => sum + round.refused, 0)
  if (refused > 0) throw new Error(`${name}: ${refused} answers were not 200`)
  const { cells, ratio } = compareRounds(venue, plain)
  return [name, ...cells, ratio >= ratioMin ? 'met' : `below ${ratioMin}`]
}

const requestRate = ({ requests, seconds }: LoadResult) => requests / seconds

function compareRounds(venue: readonly Round[], plain: readonly Round[]) {
  const middle = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of))
  const ratio = median(
    venue.map((round, at) => requestRate(round) / requestRate(plain[at] as Round)),
  )
  const cpu = { venue: middle(venue, cpuCost), plain: middle(plain, cpuCost) }
  const { bytes = 0, requests = 1 } = venue[0] ?? {}
  const cells = [
    whole(bytes / requests),
    whole(middle(venue, requestRate)),
    middle(venue, ({ p50Ms }) => p50Ms).toFixed(2),
    middle(venue, ({ p99Ms }) => p99Ms).toFixed(2),
    cpu.venue.toFixed(1),
    whole(middle(plain, requestRate)),
    middle(plain, ({ p99Ms }) => p99Ms).toFixed(2),
    cpu.plain.toFixed(1),
    (cpu.plain / cpu.venue).toFixed(2),
    ratio.toFixed(2),
  ]
  return { cells, ratio }
}

const cpuCost = ({ cpuMicros }: Round) => cpuMicros

async function loaded(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  load.send(order)
  const { result, error } = await nextMessage<{ result?: LoadResult; error?: string }>(load)
  if (result === undefined) throw new Error(`${order.paths[0]}: ${error}`)
  return result
}

/** Resolves with the next message of `child`; rejects if it ends first. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
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
