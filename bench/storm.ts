// Measures what connected clients cost a node, and the storm when another node is killed: its
// clients, half over plain WebSockets and half over Socket.IO, all come to one that serves others.
import type { ChildProcess } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuMicrosOf, rssBytesOf } from './cpu.ts'
import type { Delays, Whole } from './storm-clients.ts'
import { type Section, whole } from './table.ts'
import { NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

/** Goals of a quiet machine, ms. */
const READY_P99_MS = 500
const WHOLE_MS = 5_000
/** Clients of the node before the storm, who follow each block. */
const WATCHERS = 100
const STEADY_MS = 10_000
const BLOCK_MS = 200
/** Blocks that a node emits until the bench ends. */
const BLOCKS = 2_900
/** Interval of the probes, each over a connection of its own, and time limit of an answer, ms. */
const PROBE_MS = 20
const PROBE_MS_MAX = 10_000
const TRANSPORTS = ['websocket', 'socket.io'] as const
const EACH_BLOCK = 'orderbook:ETH-USDC'
const CONFLATED = 'orderbook-500ms:ETH-USDC'

type StormNode = Readonly<{ child: ChildProcess; pid: number; port: number; probePort: number }>
type Cost = Readonly<{ transport: string; kilobytes: number; joinMicros: number; load: number }>

export const measureStorm = (clients: number): Promise<readonly Section[]> =>
  withProcesses(async (start) => {
    const startNode = async (): Promise<StormNode> => {
      const child = start('./fanout-venue.ts', ['storm'], NODE_FLAGS)
      const ports = await nextMessage<{ port: number; probePort: number }>(child)
      child.send({ frames: BLOCKS, everyMs: BLOCK_MS })
      return { child, pid: child.pid ?? 0, ...ports }
    }
    const startClients = async (port: number, [number, first, ...rest]: readonly unknown[]) => {
      const child = start('./storm-clients.ts', [port, number, first, ...rest].map(String))
      await nextMessage<Whole>(child)
      return child
    }
    const [killed, left] = [await startNode(), await startNode()]
    const watchers = await startClients(left.port, [WATCHERS, 0, 'websocket', EACH_BLOCK])
    const crowds: ChildProcess[] = []
    const costs: Cost[] = []
    const half = Math.floor(clients / TRANSPORTS.length)
    for (const [at, transport] of TRANSPORTS.entries()) {
      const before = await readCost(killed)
      const firstAddress = 1 + at * Math.ceil(half / 100)
      const startMicros = cpuMicrosOf(killed.pid)
      crowds.push(await startClients(killed.port, [half, firstAddress, transport, CONFLATED]))
      const joinMicros = (cpuMicrosOf(killed.pid) - startMicros) / half
      const after = await readCost(killed)
      costs.push({
        transport,
        kilobytes: (after.rssBytes - before.rssBytes) / half / 1024,
        joinMicros,
        load: (after.load - before.load) / half,
      })
    }
    return [
      writeCosts(costs, half),
      await storm({ killed, left, watchers, crowds, clients: half * TRANSPORTS.length }),
    ]
  })

/** Returns memory and processor time per second, in microseconds, of a node with steady clients. */
async function readCost({ pid }: StormNode) {
  const before = cpuMicrosOf(pid)
  const startMs = performance.now()
  await delay(STEADY_MS)
  const seconds = (performance.now() - startMs) / 1000
  return { load: (cpuMicrosOf(pid) - before) / seconds, rssBytes: rssBytesOf(pid) }
}

type StormOptions = Readonly<{
  killed: StormNode
  left: StormNode
  watchers: ChildProcess
  crowds: readonly ChildProcess[]
  clients: number
}>

async function storm(options: StormOptions): Promise<Section> {
  const { killed, left, watchers, crowds, clients } = options
  await askDelays(watchers)
  const probing = new AbortController()
  const own = probe(left.probePort, probing.signal)
  const shared = probe(left.port, probing.signal)
  const startMicros = cpuMicrosOf(left.pid)
  const back = crowds.map((crowd) => {
    crowd.send({ port: left.port })
    return nextMessage<Whole>(crowd)
  })
  const startMs = performance.now()
  killed.child.kill('SIGKILL')
  const ends = await Promise.all(back)
  const wholeMs = performance.now() - startMs
  const micros = cpuMicrosOf(left.pid) - startMicros
  probing.abort()
  const { delaysMs } = await askDelays(watchers)
  const own99 = await own
  const refused = ends.reduce((sum, end) => sum + end.refused, 0)
  const failed = ends.reduce((sum, end) => sum + end.failed, 0)
  return {
    title: `storm of ${whole(clients)} clients after a node was killed`,
    columns: ['', 'figure', 'goal'],
    rows: [
      ['all whole after, s', (wholeMs / 1000).toFixed(1), met(wholeMs, WHOLE_MS)],
      ['processor time of the node, s', (micros / 1e6).toFixed(1), ''],
      ['refused, other failed attempts', `${whole(refused)}, ${whole(failed - refused)}`, ''],
      ['/ready at the probe port, p50, p99 ms', quantiles(own99), met(p99(own99), READY_P99_MS)],
      ['/ready at the port of the clients, p50, p99 ms', quantiles(await shared), ''],
      ['messages of other clients, p50, p99 ms', quantiles(delaysMs), ''],
    ],
  }
}

const met = (figure: number, goal: number) => (figure <= goal ? 'met' : `above ${whole(goal)} ms`)

function askDelays(watchers: ChildProcess): Promise<Delays> {
  const answer = nextMessage<Delays>(watchers)
  watchers.send({})
  return answer
}

/** Asks for /ready in intervals, whether or not earlier requests were answered. */
async function probe(port: number, signal: AbortSignal): Promise<readonly number[]> {
  const answers: Promise<number>[] = []
  while (!signal.aborted) {
    answers.push(askReady(port))
    await delay(PROBE_MS)
  }
  return Promise.all(answers)
}

const askReady = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const startMs = performance.now()
    const done = () => resolve(performance.now() - startMs)
    const options = { port, host: '127.0.0.1', path: '/ready', agent: false }
    const request = get(options, (response) => response.resume().once('end', done))
    request.setTimeout(PROBE_MS_MAX, () => request.destroy())
    request.once('error', () => resolve(PROBE_MS_MAX))
  })

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
const p99 = (values: readonly number[]) => quantile(values, 0.99)
const quantiles = (values: readonly number[]) =>
  `${whole(quantile(values, 0.5))}, ${whole(p99(values))}`

const writeCosts = (costs: readonly Cost[], clients: number): Section => ({
  title: `cost of a client, ${whole(clients)} of each transport on ${CONFLATED}`,
  columns: ['', 'memory kB', 'to join, cpu us', 'each second, cpu us'],
  rows: costs.map(({ transport, kilobytes, joinMicros, load }) => [
    transport,
    kilobytes.toFixed(1),
    whole(joinMicros),
    whole(load),
  ]),
})
