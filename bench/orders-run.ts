// Measures the acceptance of orders on the PostgreSQL of DATABASE_URL; prints the section as JSON.

import type { ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@openvenue/store/open'
import { testEngines } from '@openvenue/store/test/engines'
import { privateKeyToAccount, sign } from 'viem/accounts'
import {
  NOTHING_REPLACED,
  orderDigest,
  orderMembers,
} from '../api/src/orders/rules/signed-order.ts'
import { readCpuMicros } from './cpu.ts'
import { BENCH_DOMAIN, BENCH_ENGINE } from './orders-domain.ts'
import { median, type Section, whole } from './table.ts'
import { NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

const KEY = `0x${'1c'.repeat(32)}` as const
const ACCOUNT = privateKeyToAccount(KEY).address.toLowerCase()
/** Orders per second of the open loop, sent whether or not earlier ones were answered. */
const RATE = 200
/** Open requests of the closed loop. */
const CONNECTIONS = 64
const CLOSED_ORDERS = 600
const ROUNDS = 5
/** Warm-up orders, in which both servers compile their code. */
const WARM_ORDERS = 600
const FAR_SECONDS = 4_000_000_000n

const [seconds = 10] = process.argv.slice(2).map(Number)
const roundSeconds = Math.max(1, Math.ceil(seconds / ROUNDS))
let salt = 0n

/** Returns the body of a new signed order. */
async function makeBody(): Promise<string> {
  salt += 1n
  const order = {
    account: ACCOUNT,
    market: 1,
    isBuy: true,
    limitPrice: 3n * 10n ** 21n,
    amount: 10n ** 18n,
    timeInForce: 3,
    reduceOnly: false,
    triggerKind: 0,
    triggerPrice: 0n,
    goodTil: 0n,
    maxFills: 0,
    replaces: NOTHING_REPLACED,
    replacesAmount: 0n,
    salt,
    deadline: FAR_SECONDS,
  }
  const id = orderDigest(BENCH_DOMAIN, BENCH_ENGINE, order) as `0x${string}`
  const signature = await sign({ hash: id, privateKey: KEY, to: 'hex' })
  return JSON.stringify({ id, order: orderMembers(order), signature })
}

const makeBodies = async (count: number) => {
  const bodies: string[] = []
  for (let at = 0; at < count; at++) bodies.push(await makeBody())
  return bodies
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

/** Sends an order; returns the milliseconds until the complete answer. */
function post(port: number, body: string): Promise<number> {
  const startedMs = performance.now()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path: '/orders', method: 'POST', agent, headers },
      (answer) => {
        if (answer.statusCode !== 200)
          reject(new Error(`order: got status ${answer.statusCode}, expected 200`))
        answer.resume().on('end', () => resolve(performance.now() - startedMs))
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** Sends `bodies` at the rate; returns their sorted latencies. */
async function sendOpen(port: number, bodies: readonly string[]): Promise<readonly number[]> {
  const startedMs = performance.now()
  const answers: Promise<number>[] = []
  for (const [at, body] of bodies.entries()) {
    const waitMs = startedMs + (at * 1000) / RATE - performance.now()
    if (waitMs > 1) await sleep(waitMs)
    answers.push(post(port, body))
  }
  return (await Promise.all(answers)).sort((a, b) => a - b)
}

/** Sends `bodies` as fast as they are answered; returns orders per second. */
async function sendClosed(port: number, bodies: readonly string[]): Promise<number> {
  const startedMs = performance.now()
  let next = 0
  const drive = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
      await post(port, body)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, drive))
  return (bodies.length * 1000) / (performance.now() - startedMs)
}

const engine = testEngines(process.env.DATABASE_URL).at(-1)
if (engine?.name !== 'PostgreSQL') throw new Error('DATABASE_URL: expected a PostgreSQL server')
const database = await engine.createSharedDatabase()
const { databaseUrl = '' } = database.options
const store = await openStore({ databaseUrl })
await store.db.script('CREATE TABLE bare_intents (LIKE intents INCLUDING ALL)')
await store.close()

type Server = Readonly<{ kind: string; child: ChildProcess; port: number }>
/** Figures of one server: latencies of the open loop; rates and CPU time of each closed round. */
type LoadFigures = { latencies: number[]; rates: number[]; micros: number[] }

/** Measures the servers in turn, so that other load on the machine affects both. */
async function measureRound({ child, port }: Server, into: LoadFigures): Promise<void> {
  const [open, closed] = [await makeBodies(RATE * roundSeconds), await makeBodies(CLOSED_ORDERS)]
  into.latencies.push(...(await sendOpen(port, open)))
  const before = await readCpuMicros(child)
  into.rates.push(await sendClosed(port, closed))
  into.micros.push(((await readCpuMicros(child)) - before) / closed.length)
}

function describeRow(kind: string, measured: LoadFigures, yardstick: LoadFigures): string[] {
  const sorted = measured.latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  const [rate, micros] = [median(measured.rates), median(measured.micros)]
  const ratios = measured.micros.map(
    (micros, round) => (yardstick.micros[round] ?? micros) / micros,
  )
  const figures = [at(0.5).toFixed(1), at(0.99).toFixed(1), whole(rate), whole(micros)]
  return [kind, ...figures, median(ratios).toFixed(2)]
}

const section = await withProcesses(async (start): Promise<Section> => {
  const servers: Server[] = []
  for (const kind of ['bare', 'venue']) {
    const child = start('./orders-server.ts', [kind, databaseUrl], NODE_FLAGS)
    const { port } = await nextMessage<{ port: number }>(child)
    await sendClosed(port, await makeBodies(WARM_ORDERS))
    servers.push({ kind, child, port })
  }
  const all = servers.map((): LoadFigures => ({ latencies: [], rates: [], micros: [] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, server] of servers.entries()) await measureRound(server, all[at] as LoadFigures)
  const [yardstick] = all
  return {
    title: `acceptance of signed orders: digest, signer, commit, receipt (${RATE} a second)`,
    columns: ['', 'p50 ms', 'p99 ms', 'most a second', 'CPU us each', 'ratio by CPU'],
    rows: servers.map(({ kind }, at) =>
      describeRow(kind, all[at] as LoadFigures, yardstick as LoadFigures),
    ),
  }
})
await database.remove()
process.stdout.write(`${JSON.stringify(section)}\n`)
