// Runs a venue on a PostgreSQL of three machines, and causes faults of the machines: how long no
// order is answered, and whether an answer is lost or given twice.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from '../servers/redis.ts'
import { until } from '../servers/until.ts'
import { markdownTable } from '../table.ts'
import { type ObservedAnswer, RestUser } from '../users/rest-user.ts'
import { MARKET } from '../users/users.ts'
import { VenueChain } from '../venue/chain.ts'
import { PriceServer } from '../venue/price-server.ts'
import { ServiceGroup } from '../venue/service-group.ts'
import type { Backends } from '../venue/services.ts'
import { Cluster } from './cluster.ts'
import { type Comparison, compareAnswers, countLive } from './comparison.ts'
import { FAILOVER_FAULTS, type FailoverFault } from './faults.ts'
import { Network } from './network.ts'
import { Traffic } from './traffic.ts'

const STEADY_MS = 3_000
const NEXT_MS_MAX = 60_000
const DRAINED_MS_MAX = 120_000
const READ_PATHS = [
  `/orderbook/${MARKET}`,
  `/markets/${MARKET}/trades?limit=20`,
  `/statistics?instrument_name=${MARKET}`,
  '/markets',
]

type FailoverRun = Readonly<{
  faults: number
  seed: number
  print(text: string): void
  /** Runs `end` at an exit without an orderly shutdown, too. */
  onExit(end: () => void): void
  isKept: boolean
}>

type Reads = Readonly<{ all: number; bad: number }>

type FaultResult = Readonly<{
  fault: FailoverFault
  /** Longest time without an answered order. */
  outageMs: number
  publicReads: Reads
  /** Reads with a key, which only the primary can check. */
  privateReads: Reads
}>

type Setup = Readonly<{
  cluster: Cluster
  group: ServiceGroup
  traffic: Traffic
  readers: readonly RestUser[]
  databaseUrl: string
}>

/** Returns whether nothing was lost or doubled, and reads continued where they must. */
export async function runFailover(run: FailoverRun): Promise<boolean> {
  const ends: (() => Promise<void> | void)[] = []
  try {
    const setup = await build(run, ends)
    ends.push(() => {
      for (const [refusal, count] of setup.traffic.refusals) run.print(`${count} x ${refusal}`)
    })
    const results: FaultResult[] = []
    for (let at = 0; at < run.faults; at++) {
      const fault = FAILOVER_FAULTS[at % FAILOVER_FAULTS.length]
      if (fault !== undefined) results.push(await causeFault(setup, fault, run))
    }
    await setup.traffic.stop()
    const isDrained = async () => (await countLive(setup.databaseUrl)) === 0
    await until('every order has ended', isDrained, DRAINED_MS_MAX)
    const comparison = await compareAnswers(setup.databaseUrl, setup.traffic)
    process.stdout.write(`\n${writeTables(results, comparison)}\n`)
    return hasPassed(results, comparison)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function build(run: FailoverRun, ends: (() => Promise<void> | void)[]): Promise<Setup> {
  const { seed, print, isKept } = run
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-failover-'))
  if (!isKept) ends.push(() => rmSync(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  print(`logs: ${folder}`)
  const network = Network.open()
  ends.push(() => network.remove())
  run.onExit(() => network.remove())
  print(
    network.hasLinks
      ? `three network namespaces in ${network.subnet}`
      : 'no network namespaces here (they require root): three addresses of 127.0.0.0/8, and a ' +
          'lost machine closes its connections',
  )
  const cluster = await Cluster.start(network, folder, run.onExit)
  ends.push(() => cluster.stop())
  print('three databases are up; building a venue')
  const dataDir = join(folder, 'chain')
  mkdirSync(dataDir)
  const chain = await VenueChain.start({ dataDir, seed, warn: () => {} })
  ends.push(() => chain.stop())
  const redis = await Redis.open(join(folder, 'redis.log'))
  ends.push(() => redis.stop())
  const prices = await PriceServer.open(chain.randomWalk)
  ends.push(() => prices.close())
  const { ports, user } = cluster
  const backends: Backends = {
    ...{ folder, dataDir, links: DIRECT, relays: true, chainUrl: chain.url },
    ...{ deployment: chain.deployment, priceUrl: prices.url, redisPort: redis.port },
    databasePort: ports.primary,
    replicaPort: ports.replica,
    database: { user, name: 'openvenue' },
  }
  const group = await ServiceGroup.create(backends)
  ends.push(() => group.stop())
  await group.start()
  const urls = group.apis.map(({ url }) => url)
  const traffic = await Traffic.start(urls)
  ends.push(() => traffic.stop())
  const { headers } = traffic
  const readers = urls.map(
    (apiUrl) =>
      new RestUser({ apiUrl, publicPaths: READ_PATHS, privatePaths: ['/open-orders'], headers }),
  )
  ends.push(async () => void (await Promise.all(readers.map((reader) => reader.stop()))))
  const databaseUrl = `postgres://${user}@127.0.0.1:${ports.primary}/openvenue`
  return { cluster, group, traffic, readers, databaseUrl }
}

/** Services connect directly: the faults are those of machines. */
const DIRECT: Backends['links'] = {
  open: async (_from, _to, port) => port,
  openNodes: async (_from, chainUrl) => [Number(new URL(chainUrl).port)],
}

async function causeFault(
  { cluster, group, traffic, readers }: Setup,
  fault: FailoverFault,
  { print }: FailoverRun,
): Promise<FaultResult> {
  await cluster.healthy()
  await group.ready()
  await sleep(STEADY_MS)
  const fromMs = performance.now()
  const before = traffic.answeredMs.length
  const end = await fault.cause(cluster)
  const causedMs = performance.now()
  const isAnswered = () => (traffic.answeredMs.at(-1) ?? 0) > causedMs + STEADY_MS
  await until('orders are answered again', isAnswered, NEXT_MS_MAX)
  end()
  await cluster.healthy()
  await group.ready()
  const toMs = performance.now()
  const momentsMs = [fromMs, ...traffic.answeredMs.slice(before), toMs]
  const outageMs = Math.max(...momentsMs.map((atMs, at) => atMs - (momentsMs[at - 1] ?? atMs)))
  const seen = readers
    .flatMap(({ seen }) => seen)
    .filter(({ askedMs }) => askedMs >= fromMs && askedMs <= toMs)
  const publicReads = countReads(seen.filter(({ isPrivate }) => !isPrivate))
  const privateReads = countReads(seen.filter(({ isPrivate }) => isPrivate))
  print(
    `${fault.name}: ${seconds(outageMs)} without an answered order, whole after ` +
      `${seconds(toMs - fromMs)}; reads other than 200: ${publicReads.bad} public, ` +
      `${privateReads.bad} private`,
  )
  return { fault, outageMs, publicReads, privateReads }
}

const countReads = (seen: readonly ObservedAnswer[]): Reads => ({
  all: seen.length,
  bad: seen.filter(({ status }) => status !== 200).length,
})

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const COLUMNS = [
  'fault',
  'times',
  'median',
  'longest',
  'bound',
  'over it',
  'public reads other than 200',
  'private',
]

function writeTables(results: readonly FaultResult[], comparison: Comparison): string {
  const rows = [...Map.groupBy(results, ({ fault }) => fault)].map(([{ name, boundMs }, all]) => {
    const sorted = all.map(({ outageMs }) => outageMs).sort((a, b) => a - b)
    const over = all.filter(({ outageMs }) => outageMs > (boundMs ?? Number.POSITIVE_INFINITY))
    return [
      name,
      String(all.length),
      seconds(sorted[Math.floor(sorted.length / 2)] ?? 0),
      seconds(sorted.at(-1) ?? 0),
      boundMs === undefined ? '-' : seconds(boundMs),
      String(over.length),
      sumReads(all.map(({ publicReads }) => publicReads)),
      sumReads(all.map(({ privateReads }) => privateReads)),
    ]
  })
  const kinds = (['orders', 'receipts', 'keys'] as const).map((kind) => {
    const { all, lost, doubled } = comparison[kind]
    return [kind, ...[all, lost, doubled].map(String)]
  })
  const tables = [
    markdownTable(COLUMNS, rows),
    markdownTable(['answered', 'number', 'lost', 'doubled'], kinds),
  ]
  return [...tables, ...comparison.examples].join('\n\n')
}

const sumReads = (reads: readonly Reads[]) =>
  `${reads.reduce((sum, { bad }) => sum + bad, 0)} of ${reads.reduce((sum, { all }) => sum + all, 0)}`

function hasPassed(results: readonly FaultResult[], comparison: Comparison): boolean {
  const isWhole = (['orders', 'receipts', 'keys'] as const).every((kind) => {
    const { all, lost, doubled } = comparison[kind]
    return all > 0 && lost === 0 && doubled === 0
  })
  return (
    isWhole &&
    results.every(({ fault, publicReads }) => !fault.readsContinue || publicReads.bad === 0)
  )
}
