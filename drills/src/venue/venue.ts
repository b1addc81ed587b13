// Runs the whole venue like operators: a chain, PostgreSQL with a replica, Redis, two indexers, two
// API nodes and two keepers, each a process, and a link that can fail in each connection.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { readViews } from '@openvenue/runtime/views'
import { Postgres } from '../servers/postgres.ts'
import { Redis } from '../servers/redis.ts'
import { mountSmall } from '../servers/small-disk.ts'
import { until } from '../servers/until.ts'
import { VenueChain } from './chain.ts'
import { Links } from './links.ts'
import { PriceServer } from './price-server.ts'
import type { Service } from './service.ts'
import {
  type Backends,
  createApiService,
  createIndexerService,
  createKeeperService,
} from './services.ts'

const STARTED_MS_MAX = 120_000
const ANSWER_MS_MAX = 3_000

type VenueOptions = Readonly<{
  seed: number
  warn(text: string): void
  /** Size of the database's disk in MB, which requires root. */
  diskMb?: number
  /** Keeps the folder with all logs. */
  isKept?: boolean
  /** Orders are accepted and relayed. */
  relays?: boolean
}>

type EndFunctions = (() => Promise<void> | void)[]

type VenueServers = Readonly<{
  folder: string
  chain: VenueChain
  database: Postgres
  replica: Postgres
  redis: Redis
  links: Links
  prices: PriceServer
  indexers: readonly Service[]
  apis: readonly Service[]
  keepers: readonly Service[]
  /** Folder of the primary's files. */
  databaseFolder: string
}>

export class Venue {
  readonly parts: VenueServers
  readonly #ends: EndFunctions

  constructor(parts: VenueServers, ends: EndFunctions) {
    this.parts = parts
    this.#ends = ends
  }

  /** Starts everything; stops what had started when that fails. */
  static async start(options: VenueOptions): Promise<Venue> {
    const ends: EndFunctions = []
    try {
      return await build(options, ends)
    } catch (error) {
      await endAll(ends)
      throw error
    }
  }

  get services(): readonly Service[] {
    const { indexers, apis, keepers } = this.parts
    return [...indexers, ...apis, ...keepers]
  }

  /** Resolves when every API node is ready and one of the indexers and keepers leads. */
  async ready(withinMs = STARTED_MS_MAX): Promise<void> {
    const all = async () => {
      const apis = await Promise.all(this.parts.apis.map((api) => isReady(api)))
      return apis.every(Boolean) && (await this.leader('indexers')) !== undefined
    }
    await until('the API nodes are ready and an indexer leads', all, withinMs)
    await until(
      'a keeper leads',
      async () => (await this.leader('keepers')) !== undefined,
      withinMs,
    )
  }

  /** Returns the leading process; undefined while there is none. */
  async leader(of: 'indexers' | 'keepers'): Promise<Service | undefined> {
    const reports = await Promise.all(this.parts[of].map((service) => readyReport(service)))
    const isLeading = (report: Report | undefined) =>
      of === 'keepers'
        ? report?.status === 'leading'
        : report?.status === 'ready' || report?.status === 'leading'
    return this.parts[of][reports.findIndex(isLeading)]
  }

  /** The first leading process of the pair, and the other one; throws when there is none. */
  async pair(of: 'indexers' | 'keepers'): Promise<Readonly<{ leader: Service; heir: Service }>> {
    const leader = await this.leader(of)
    const heir = this.parts[of].find((service) => service !== leader)
    if (leader === undefined || heir === undefined) throw new Error(`none of the ${of} leads`)
    return { leader, heir }
  }

  /** Returns the number of a wallet's account on the chain. */
  async accountOf(wallet: string): Promise<number> {
    const { rpc, deployment } = this.parts.chain
    const view = { to: deployment.accounts, abi: accountsAbi, functionName: 'accountOf' }
    const [number] = await readViews(rpc, [{ ...view, args: [wallet] }])
    return Number(number)
  }

  /** Stops everything, newest first, and deletes its folder. */
  async stop(): Promise<void> {
    await endAll(this.#ends)
  }
}

async function endAll(ends: EndFunctions): Promise<void> {
  const failures: unknown[] = []
  for (let end = ends.pop(); end !== undefined; end = ends.pop())
    await Promise.resolve(end()).catch((error) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'some services did not stop')
}

async function build(options: VenueOptions, ends: EndFunctions): Promise<Venue> {
  const { seed, warn, diskMb, isKept, relays = false } = options
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-drills-'))
  if (isKept !== true) ends.push(() => rmSync(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const inside = (name: string) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const databaseFolder = inside('primary')
  if (diskMb !== undefined) ends.push(mountSmall(databaseFolder, diskMb))
  const dataDir = inside('chain')
  const chain = await VenueChain.start({ dataDir, seed, warn })
  ends.push(() => chain.stop())
  const database = await Postgres.primary(databaseFolder, join(folder, 'primary.log'))
  ends.push(() => database.stop())
  await database.query('CREATE DATABASE venue')
  const replica = await Postgres.startReplica(
    database,
    inside('replica'),
    join(folder, 'replica.log'),
  )
  ends.push(() => replica.stop())
  const redis = await Redis.open(join(folder, 'redis.log'))
  ends.push(() => redis.stop())
  const prices = await PriceServer.open(chain.randomWalk)
  ends.push(() => prices.close())
  const links = new Links()
  ends.push(() => links.close())
  const backends: Backends = {
    links,
    dataDir,
    folder,
    deployment: chain.deployment,
    chainUrl: chain.url,
    priceUrl: prices.url,
    relays,
    databasePort: database.port,
    replicaPort: replica.port,
    redisPort: redis.port,
  }
  const servers = { folder, chain, database, replica, redis, links, prices, databaseFolder }
  const venue = new Venue({ ...servers, ...(await createServices(backends)) }, ends)
  ends.push(() => stopServices(venue))
  await startServices(venue)
  return venue
}

async function createServices(backends: Backends) {
  const indexers = await Promise.all(
    ['indexer-1', 'indexer-2'].map((name) => createIndexerService(name, backends)),
  )
  const apis = await Promise.all(
    ['api-1', 'api-2'].map((name) => createApiService(name, backends, indexers)),
  )
  const keepers = await Promise.all(
    ['keeper-1', 'keeper-2'].map((name) => createKeeperService(name, backends)),
  )
  return { indexers, apis, keepers }
}

/** Starts one indexer first, since it creates the tables, and then the other services. */
async function startServices(venue: Venue): Promise<void> {
  const [first] = venue.parts.indexers
  first?.start()
  const leads = async () => (await venue.leader('indexers')) !== undefined
  await until('the first indexer leads', leads, STARTED_MS_MAX).catch((error: unknown) => {
    throw new Error(first?.lastLines(), { cause: error })
  })
  for (const service of venue.services) if (!service.isUp) service.start()
  await venue.ready()
}

async function stopServices({ parts, services }: Venue): Promise<void> {
  parts.links.restore()
  await Promise.all(services.map((service) => service.stop()))
}

type Report = Readonly<{ status?: string }>

/** Returns the `/ready` report of a service; undefined when it does not answer. */
async function readyReport({ url }: Service): Promise<Report | undefined> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    return (await response.json()) as Report
  } catch {
    return undefined
  }
}

async function isReady({ url }: Service): Promise<boolean> {
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  await response.arrayBuffer()
  return response.status === 200
}
