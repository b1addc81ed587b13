// Measures the trading page in Chromium on a devnet with twenty book changes and fifty trades a
// second: load size, time to the book, delay from message to paint, and memory growth.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Pace } from '@openvenue/devnet/pace'
import type {
  FrameFigures,
  HeapSample,
  LoadFigures,
  MeasureOptions,
  TerminalFigures,
} from '../terminal/test/speed/figures.ts'
import type { DevnetMessage } from './devnet.ts'
import { median, type Section } from './table.ts'
import { nextMessage } from './versus.ts'

const MARKET = 'ETH-PERP'
/** Block interval; the book changes in most blocks, about twenty times a second. */
const BLOCK_MS = '32'
/** About two hundred orders a second in the displayed market, of which fifty trade. */
const PACE: Pace = {
  lookMs: 32,
  marketsPerLook: 1,
  takes: 9,
  takeParts: 6,
  edits: 4,
  poolMs: 1_000,
  only: [MARKET],
}
const KB = 1000
const MINUTE_MS = 60_000
/** Goals of docs/SPEED.md. */
const GOALS = {
  scriptBeforeKb: 60,
  loadedKb: 150,
  bookMs: 1_000,
  largestPaintMs: 1_500,
  layoutShift: 0.02,
  frameMs: 50,
  taskMs: 50,
  /** Noise level of an hour. */
  heapKbPerMinute: 20,
}
const TERMINAL = new URL('../terminal/', import.meta.url)
const pathOf = (file: string) => fileURLToPath(new URL(file, TERMINAL))

type TerminalOptions = Readonly<{ loads: number; seconds: number; hours: number }>

export async function measureTerminal(options: TerminalOptions): Promise<readonly Section[]> {
  const { status } = spawnSync(process.execPath, [pathOf('scripts/build.ts')])
  if (status !== 0) throw new Error('the page cannot be built')
  const terms = JSON.stringify({ BLOCK_MS, pace: PACE })
  const devnet = fork(new URL('./devnet.ts', import.meta.url), [terms])
  try {
    const { apiUrl: url } = await nextMessage<DevnetMessage>(devnet)
    const { loads, seconds, hours } = options
    const figures = await run({ url, market: MARKET, loads, seconds, minutes: hours * 60 })
    return [writeLoads(figures), writeOpen(figures), writeHeap(figures.heap)]
  } finally {
    const ended = once(devnet, 'exit')
    // Stops its processes and removes its folder.
    if (devnet.connected) devnet.send('stop')
    await ended
  }
}

async function run(options: MeasureOptions): Promise<TerminalFigures> {
  const args = [pathOf('test/speed/run.ts'), JSON.stringify(options)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the measuring of the page ended with ${code}`)
  return JSON.parse(text) as TerminalFigures
}

const judged = (value: number, goal: number): string => (value <= goal ? 'met' : `above ${goal}`)
const atShare = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
const largest = (values: readonly number[]): number => Math.max(0, ...values)

function writeLoads({ loads, bare, traffic }: TerminalFigures): Section {
  const row = (name: string, of: (figures: LoadFigures) => number, goal: number, digits = 0) => {
    const values = loads.map(of)
    const [middle, worst] = [median(values), Math.max(...values)]
    const plain = median(bare.map(of))
    const cells = [middle, worst, plain].map((value) => value.toFixed(digits))
    return [name, ...cells, judged(middle, goal)]
  }
  const sum = (name: string, value: string, verdict = '') => [name, value, '', '', verdict]
  const [before, all] = [
    traffic.scriptBytesBefore / KB,
    (traffic.scriptBytes + traffic.styleBytes) / KB,
  ]
  return {
    title: `The page, ${loads.length} cold loads beside a bare page with the same socket`,
    columns: ['', 'median', 'worst', 'bare', 'goal'],
    rows: [
      row('first book on the screen, ms', ({ bookMs }) => bookMs, GOALS.bookMs),
      row('largest paint, ms', (figures) => figures.largestPaintMs, GOALS.largestPaintMs),
      row('layout shift', ({ layoutShift }) => layoutShift, GOALS.layoutShift, 3),
      row('longest task of the load, ms', ({ longTaskMs }) => longTaskMs, GOALS.taskMs),
      sum('script until the book, kB', before.toFixed(1), judged(before, GOALS.scriptBeforeKb)),
      sum('scripts and styles in all, kB', all.toFixed(1), judged(all, GOALS.loadedKb)),
      sum('requests until the book', String(traffic.requestsBefore.length)),
      sum('socket messages until the book', String(traffic.messagesBefore)),
      sum('sockets, channels', `${traffic.sockets}, ${traffic.channels.length}`),
      sum('requests a minute from then on', traffic.requestsPerMinute.toFixed(0)),
    ],
  }
}

function writeOpen({ open: { quiet, used, hidden }, asked }: TerminalFigures): Section {
  const { seconds } = asked
  const row = (name: string, of: (figures: FrameFigures) => number, goal?: number) => {
    const values = [of(quiet), of(used)]
    const verdict = goal === undefined ? '' : judged(Math.max(...values), goal)
    return [name, ...values.map((value) => value.toFixed(0)), verdict]
  }
  const alone = (name: string, value: number, goal?: number) => [
    name,
    value.toFixed(0),
    '',
    goal === undefined ? '' : judged(value, goal),
  ]
  return {
    title: `The page, open for twice ${seconds} s; in the second it is dragged and clicked`,
    columns: ['', 'looked at', 'used', 'goal'],
    rows: [
      row('messages of the book a second', ({ bookMessages }) => bookMessages / seconds),
      row('messages of trades a second', ({ tradesMessages }) => tradesMessages / seconds),
      row('posts of the worker a second', ({ posts }) => posts / seconds),
      row('book, message to paint, p50 ms', ({ bookMs }) => atShare(bookMs, 0.5)),
      row('book, message to paint, p95 ms', ({ bookMs }) => atShare(bookMs, 0.95), GOALS.frameMs),
      row('trades, p95 ms', ({ tradesMs }) => atShare(tradesMs, 0.95), GOALS.frameMs),
      row('tasks of 50 ms and more', ({ longTasksMs }) => longTasksMs.length),
      row('the longest of them, ms', ({ longTasksMs }) => largest(longTasksMs), GOALS.taskMs),
      alone('hidden: posts of the worker, but for the title', hidden.posts, 0),
      alone('hidden: posts of the title only', hidden.titles),
      alone('hidden: changes of the tree', hidden.mutations, 0),
      alone('seen again: posts until it is right', hidden.postsAfter, 1),
      alone('seen again: until then, ms', hidden.caughtUpMs, GOALS.frameMs),
    ],
  }
}

function writeHeap(samples: readonly HeapSample[]): Section {
  const row = (name: string, of: (sample: HeapSample) => number) => {
    const [first, last] = [samples[0], samples.at(-1)].map((sample) =>
      sample === undefined ? Number.NaN : of(sample) / KB,
    ) as [number, number]
    const slope = slopeOf(samples, of) / KB
    const cells = [first, last, slope].map((value) => value.toFixed(1))
    return [name, ...cells, judged(slope, GOALS.heapKbPerMinute)]
  }
  const nodes = [samples[0]?.nodes, samples.at(-1)?.nodes].map(String)
  const lastMs = samples.at(-1)?.ms ?? 0
  const minutes = (lastMs / MINUTE_MS).toFixed(0)
  // Messages before the first sample are outside the interval.
  const messages = samples.slice(1).reduce((sum, sample) => sum + sample.messages, 0)
  const rate = ((messages * 1000) / lastMs).toFixed(1)
  return {
    title: `The page, left open for ${minutes} minutes, garbage collected at each look`,
    columns: ['', 'first', 'last', 'a minute', 'goal'],
    rows: [
      row('heap of the page, kB', ({ page }) => page),
      row('heap of the worker, kB', ({ worker }) => worker),
      ['messages of the book a second', '', '', rate, ''],
      ['elements of the tree', ...nodes, slopeOf(samples, (sample) => sample.nodes).toFixed(1), ''],
    ],
  }
}

/** Returns the slope of `of` per minute by linear regression. */
function slopeOf(samples: readonly HeapSample[], of: (sample: HeapSample) => number): number {
  const middle = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const points = samples.map((sample) => [sample.ms / MINUTE_MS, of(sample)] as const)
  const [middleX, middleY] = [middle(points.map(([x]) => x)), middle(points.map(([, y]) => y))]
  const above = points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0)
  const below = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
  return above / below
}
