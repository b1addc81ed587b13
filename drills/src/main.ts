// Injects faults into a venue, and checks that it recovers without losing data:
//   npm run drills                          every drill
//   npm run drills -- --short               the subset for continuous integration
//   npm run drills -- --only cut-redis,reorg --seed 7 --rounds 3
//   npm run drills -- --list               lists names and faults
//   npm run drills -- --keep               keeps the logs of every process
//   npm run drills -- clients              clients over an unstable link (--seconds, --maker)
//   npm run drills -- failover           machines of the database fail (--faults, --keep)
//   npm run drills -- alerts               each alert, with a Prometheus (--only, --list, --keep)
import { parseArgs } from 'node:util'
import { ALERT_DRILLS } from './alerts/catalogue.ts'
import { runAlerts } from './alerts/run-alerts.ts'
import { runClients } from './clients/run-clients.ts'
import type { Drill } from './drill.ts'
import { runFailover } from './failover/run-failover.ts'
import { DRILLS } from './faults/catalogue.ts'
import { runDrills } from './run-drills.ts'
import { killAll } from './servers/child.ts'
import { writeTable } from './table.ts'

const SEED_MAX = 1_000_000
/** Default duration of the drill of clients. */
const CLIENTS_SECONDS = 45
/** Default number of faults of the drill of failovers. */
const FAILOVERS = 50

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      seed: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      seconds: { type: 'string', default: String(CLIENTS_SECONDS) },
      faults: { type: 'string', default: String(FAILOVERS) },
      maker: { type: 'boolean', default: false },
    },
  })
  if (positionals[0] === 'alerts') return drillAlerts(values)
  if (positionals[0] === 'failover') return drillFailover(values)
  if (positionals[0] === 'clients') return drillClients(values)
  const chosen = chooseDrills(values.short, values.only)
  if (values.list) {
    for (const { name, about } of chosen) print(`${name}: ${about}`)
    return true
  }
  const seed = parseWhole('--seed', values.seed ?? String(Math.floor(Math.random() * SEED_MAX)))
  const drills = Array.from({ length: parseWhole('--rounds', values.rounds) }, () => chosen).flat()
  print(`seed ${seed}`)
  const stopping = new AbortController()
  // A second request does not wait for an orderly shutdown.
  const stop = () => (stopping.signal.aborted ? process.exit(1) : stopping.abort())
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  // No process may outlive the run.
  process.on('exit', killAll)
  const { signal: stopped } = stopping
  const results = await runDrills({
    drills,
    seed,
    print,
    warn: () => {},
    stopped,
    isKept: values.keep,
  })
  process.stdout.write(`\n${writeTable(results)}\n`)
  const hasPassed =
    results.length === drills.length && results.every(({ failures }) => !failures.length)
  // Continuous integration runs a few of each kind.
  return values.short && !stopped.aborted ? (await drillClients(values)) && hasPassed : hasPassed
}

type ClientOptions = Readonly<{ seconds: string; maker: boolean; keep: boolean; seed?: string }>

function drillClients({ seconds, maker, keep, seed }: ClientOptions): Promise<boolean> {
  process.on('exit', killAll)
  return runClients({
    seed: parseWhole('--seed', seed ?? '1'),
    seconds: parseWhole('--seconds', seconds),
    withMaker: maker,
    print,
    env: process.env,
    isKept: keep,
  })
}

type FailoverOptions = Readonly<{ faults: string; keep: boolean; seed?: string }>

function drillFailover({ faults, keep, seed }: FailoverOptions): Promise<boolean> {
  process.on('exit', killAll)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))
  return runFailover({
    faults: parseWhole('--faults', faults),
    seed: parseWhole('--seed', seed ?? '1'),
    print,
    onExit: (end) => process.on('exit', end),
    isKept: keep,
  })
}

type AlertOptions = Readonly<{ only?: string; list: boolean; keep: boolean; seed?: string }>

async function drillAlerts({ only, list, keep, seed }: AlertOptions): Promise<boolean> {
  const names = only?.split(',')
  const drills = ALERT_DRILLS.filter(({ name }) => names?.includes(name) ?? true)
  if (list) for (const { name, about, alerts } of drills) print(`${name}: ${about}: ${alerts}`)
  if (list) return true
  process.on('exit', killAll)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))
  return runAlerts({ drills, seed: parseWhole('--seed', seed ?? '1'), print, isKept: keep })
}

const startedMs = performance.now()

function print(text: string): void {
  const atSeconds = ((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)
  process.stdout.write(`${atSeconds} s  ${text}\n`)
}

function chooseDrills(isShort: boolean, only: string | undefined): readonly Drill[] {
  if (only === undefined) return DRILLS.filter((drill) => !isShort || drill.isShort)
  return only.split(',').map((name) => {
    const match = DRILLS.find((drill) => drill.name === name)
    if (match === undefined) {
      const names = DRILLS.map((drill) => drill.name).join(', ')
      throw new Error(`--only is invalid: got "${name}", expected one of ${names}`)
    }
    return match
  })
}

function parseWhole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`${name} is invalid: got "${text}", expected a whole number`)
  return Number(text)
}

const code = await main().then(
  (hasPassed) => (hasPassed ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    return 1
  },
)
process.exit(code)
