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
import { VenueChain } from './chain.ts'
import { Links } from './links.ts'
import { PriceServer } from './price-server.ts'
import type { Service } from './service.ts'
import { ServiceGroup } from './service-group.ts'
import type { Backends } from './services.ts'

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
  group: ServiceGroup
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
    return this.parts.group.all
  }

  /** Resolves when every API node is ready and one of the indexers and keepers leads. */
  async ready(withinMs?: number): Promise<void> {
    await this.parts.group.ready(withinMs)
  }

  /** Returns the leading process; undefined while there is none. */
  async leader(of: 'indexers' | 'keepers'): Promise<Service | undefined> {
    return this.parts.group.leader(of)
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
    database: { user: 'postgres', name: 'venue' },
  }
  const servers = { folder, chain, database, replica, redis, links, prices, databaseFolder }
  const group = await ServiceGroup.create(backends)
  const { indexers, apis, keepers } = group
  const venue = new Venue({ ...servers, group, indexers, apis, keepers }, ends)
  ends.push(async () => {
    links.restore()
    await group.stop()
  })
  await group.start()
  return venue
}
