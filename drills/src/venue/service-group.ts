// The processes of a venue: two each of indexers, API nodes and keepers.
import { until } from '../servers/until.ts'
import type { Service } from './service.ts'
import {
  type Backends,
  createApiService,
  createIndexerService,
  createKeeperService,
} from './services.ts'

const STARTED_MS_MAX = 120_000
const ANSWER_MS_MAX = 3_000

export class ServiceGroup {
  readonly indexers: readonly Service[]
  readonly apis: readonly Service[]
  readonly keepers: readonly Service[]

  private constructor({
    indexers,
    apis,
    keepers,
  }: Pick<ServiceGroup, 'indexers' | 'apis' | 'keepers'>) {
    this.indexers = indexers
    this.apis = apis
    this.keepers = keepers
  }

  static async create(backends: Backends): Promise<ServiceGroup> {
    const indexers = await Promise.all(
      ['indexer-1', 'indexer-2'].map((name) => createIndexerService(name, backends)),
    )
    const apis = await Promise.all(
      ['api-1', 'api-2'].map((name) => createApiService(name, backends, indexers)),
    )
    const keepers = await Promise.all(
      ['keeper-1', 'keeper-2'].map((name) => createKeeperService(name, backends)),
    )
    return new ServiceGroup({ indexers, apis, keepers })
  }

  get all(): readonly Service[] {
    return [...this.indexers, ...this.apis, ...this.keepers]
  }

  /** Starts one indexer first, since it creates the tables, and then the other services. */
  async start(): Promise<void> {
    const [first] = this.indexers
    first?.start()
    const leads = async () => (await this.leader('indexers')) !== undefined
    await until('the first indexer leads', leads, STARTED_MS_MAX).catch((error: unknown) => {
      throw new Error(first?.lastLines(), { cause: error })
    })
    for (const service of this.all) if (!service.isUp) service.start()
    await this.ready()
  }

  /** Resolves when every API node is ready and one of the indexers and keepers leads. */
  async ready(withinMs = STARTED_MS_MAX): Promise<void> {
    const all = async () => {
      const apis = await Promise.all(this.apis.map((api) => isReady(api)))
      return apis.every(Boolean) && (await this.leader('indexers')) !== undefined
    }
    await until('the API nodes are ready and an indexer leads', all, withinMs)
    const leads = async () => (await this.leader('keepers')) !== undefined
    await until('a keeper leads', leads, withinMs)
  }

  /** Returns the leading process; undefined while there is none. */
  async leader(of: 'indexers' | 'keepers'): Promise<Service | undefined> {
    const reports = await Promise.all(this[of].map((service) => readyReport(service)))
    const isLeading = (report: Report | undefined) =>
      of === 'keepers'
        ? report?.status === 'leading'
        : report?.status === 'ready' || report?.status === 'leading'
    return this[of][reports.findIndex(isLeading)]
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((service) => service.stop()))
  }
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
