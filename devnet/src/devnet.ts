// Runs the whole venue on one machine: chain, contracts, history, services, prices and traders.
import { ChainDiverged } from '@openvenue/indexer/reorg'
import { quantity } from '@openvenue/runtime/node'
import { type Store, UndoGone } from '@openvenue/store/store'
import type { Logger } from 'pino'
import { deployAmm } from './amm/deploy.ts'
import { type Chain, forgetChain, startChain } from './chain.ts'
import type { DevnetConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { deploy } from './deploy.ts'
import {
  type DevnetDeployment,
  isDeployed,
  readDeployment,
  type WholeDeployment,
  writeDeployment,
} from './deployment.ts'
import { grantTxs } from './grant.ts'
import type { RunningIndexer } from './indexing.ts'
import type { DevnetKeeper } from './keeper.ts'
import { keepSwapping, type Motion, prepareMotion } from './motion.ts'
import type { Pace } from './pace.ts'
import { ROLES } from './roles.ts'
import type { Services } from './services.ts'
import { startHistory } from './start-history.ts'
import { Startup } from './startup.ts'
import { startTraders, type Traders } from './traders.ts'
import { TxSender } from './tx-sender.ts'

export type Devnet = Readonly<{
  apiUrl: string
  /** URL of the second host. */
  integratedUrl: string
  indexerUrl: string
  keeperUrl: string
  /** The API serves the trading page. */
  hasTerminal: boolean
  /** Why the page was not built; undefined: it was, or was not requested. */
  terminalProblem: string | undefined
  rpcUrl: string
  deployment: WholeDeployment
  /** Addresses of the mnemonic, by index: see `roles.ts`. */
  wallets: readonly string[]
  /** This start created the chain. */
  isNew: boolean
  /** Other processes of the devnet. */
  pids(): Readonly<{ anvil: number; traders: number | undefined }>
  /** Restarts anvil, which also happens every few hours. */
  renewChain(): Promise<void>
  /** Replaces the chain's newest blocks by empty ones. */
  reorganise(depth: number): Promise<void>
  /** Rejects when an essential part has ended. */
  failed: Promise<never>
  /** Stops everything; the chain and the database are saved. */
  stop(): Promise<void>
}>

const HOUR_SECONDS = 3_600

/** Starts everything in `config.dataDir`, resumed or new. `startup` receives the progress. */
export async function createDevnet(
  config: DevnetConfig,
  log: Logger,
  startup = new Startup(),
): Promise<Devnet> {
  const stack = new Stack(log)
  try {
    return await start({ config, log, startup, stack })
  } catch (error) {
    await stack.unwind()
    throw error
  }
}

async function start(own: Omit<DevnetContext, 'opening'>): Promise<Devnet> {
  const { config, log, stack } = own
  const opening = openDatabase(config, own.startup)
  // Callers that await it get the failure; until then it is ignored.
  const opened = opening.catch(() => undefined)
  stack.push('store', async () => (await opened)?.close())
  const venue = await startVenue({ ...own, opening })
  const { chain, deployment, wallets, indexing, services, keeper } = venue
  const { pace } = config
  const { apiUrl } = services
  const traders = pace && runTraders({ config, pace, chain, apiUrl, log })
  if (traders !== undefined) stack.push('traders', traders.stop)
  return {
    apiUrl,
    integratedUrl: services.integratedUrl,
    hasTerminal: services.hasTerminal,
    terminalProblem: services.terminalProblem,
    indexerUrl: indexing.indexerUrl,
    keeperUrl: keeper.keeperUrl,
    rpcUrl: chain.url,
    deployment,
    wallets,
    isNew: chain.isNew,
    pids: () => ({ anvil: chain.pid, traders: traders?.pid() }),
    renewChain: () => chain.renew(),
    reorganise: (depth) => chain.reorganise(depth),
    failed: firstFailure(venue),
    stop: () => stack.unwind(),
  }
}

type DevnetContext = Readonly<{
  config: DevnetConfig
  log: Logger
  /** Being opened while the chain starts. */
  opening: Promise<Store>
  startup: Startup
  stack: Stack
}>
type DevnetVenue = Readonly<{
  chain: Chain
  deployment: WholeDeployment
  wallets: readonly string[]
  indexing: RunningIndexer
  services: Services
  keeper: DevnetKeeper
}>

/**
 * Starts the chain and its services. When chain and database do not match (one of them was deleted,
 * and the chain no longer has its first logs), both are recreated.
 */
async function startVenue(parts: DevnetContext, isRetry = false): Promise<DevnetVenue> {
  const { config, log, stack, startup } = parts
  const depth = stack.depth
  try {
    startup.begin('starting the chain')
    const chain = await openChain(parts)
    // Loaded while the chain works: it takes as long as a tenth of the history.
    const servicesLoading = import('./services.ts')
    servicesLoading.catch(() => {})
    const wallets = (await chain.rpc.call('eth_accounts')) as string[]
    const deployment = await deploymentOn(chain, wallets, parts)
    const { store, motion, indexing } = await goLive({ ...parts, chain, wallets, deployment })
    const of = { chain, deployment, store, indexing, log, startup }
    const { startServices } = await servicesLoading
    const services = await startServices({ ...config, ...of, rest: config })
    stack.push('services', services.stop)
    const { startKeeper } = await import('./keeper.ts')
    const keeper = await startKeeper({ ...config, ...of, randomWalk: motion.randomWalk })
    stack.push('keeper', keeper.stop)
    return { chain, deployment, wallets, indexing, services, keeper }
  } catch (error) {
    if (isRetry || !isBeyondRepair(error)) throw error
    log.warn({ err: error }, 'chain and database do not match: recreating both')
    await stack.unwind(depth)
    forgetChain(config.dataDir)
    return startVenue(parts, true)
  }
}

/** Thrown when the database is empty, and the chain no longer has the logs to fill it. */
class LogsGone extends Error {
  override name = 'LogsGone'
}

const isBeyondRepair = (error: unknown) =>
  error instanceof LogsGone || error instanceof ChainDiverged || error instanceof UndoGone

async function openChain({ config, log, stack }: DevnetContext): Promise<Chain> {
  const chain = await startChain({
    dataDir: config.dataDir,
    port: config.anvilPort,
    genesisSeconds: genesisTime(config),
    blockMs: config.blockMs,
    onError: (error) => log.error({ err: error }, 'the chain failed, trying again'),
    onWarning: (text) => log.warn(text),
  })
  stack.push('chain', () => chain.stop())
  log.info({ url: chain.url, isNew: chain.isNew }, 'the chain answers')
  return chain
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
const genesisTime = ({ historyHours }: DevnetConfig) => nowSeconds() - historyHours * HOUR_SECONDS

/** Returns the deployment on `chain`; deploys the venue first if the chain is new. */
async function deploymentOn(
  chain: Chain,
  wallets: readonly string[],
  { config, startup }: DevnetContext,
): Promise<WholeDeployment> {
  const { dataDir, domainName } = config
  if (chain.isNew) {
    startup.begin('deploying the contracts')
    const seconds = genesisTime(config)
    const venue = await deploy({ chain, wallets, domainName, seconds })
    const amm = await deployAmm({ chain, wallets, tokens: venue.tokens, seconds })
    const deployment = { ...venue, ...amm }
    writeDeployment(dataDir, deployment)
    await grantVisitors(chain, deployment, wallets)
    return deployment
  }
  const deployment = readDeployment(dataDir)
  if (deployment === undefined || !(await isDeployed(chain.rpc, deployment)))
    throw new Error(`the chain in ${dataDir} does not hold the venue: delete ${dataDir}`)
  return deployment
}

/** The grants wait in the pool for the next block. */
async function grantVisitors(
  chain: Chain,
  deployment: DevnetDeployment,
  wallets: readonly string[],
) {
  const faucet = wallets[ROLES.faucet] ?? ''
  const grants = ROLES.visitors.flatMap((index) =>
    grantTxs(deployment, faucet, wallets[index] ?? ''),
  )
  const sent = await new TxSender(chain.rpc).send(grants)
  for (const one of sent) if ('refused' in one) throw new Error(`a grant failed: ${one.refused}`)
}

/** Checks that the chain still has the logs that the database lacks. */
async function agree(chain: Chain, store: Store, deployment: DevnetDeployment): Promise<void> {
  const { head } = await store.writer.loadState()
  if (head !== undefined) return
  const logs = await chain.rpc.call('eth_getLogs', {
    address: deployment.spot,
    fromBlock: quantity(deployment.startBlock),
    toBlock: quantity(deployment.startBlock + LISTED_WITHIN_BLOCKS),
  })
  if (Array.isArray(logs) && logs.length > 0) return
  throw new LogsGone('the chain no longer holds its first logs')
}

/** Markets are listed in one of the first blocks. */
const LISTED_WITHIN_BLOCKS = 10

type BuiltVenue = DevnetContext &
  Readonly<{ chain: Chain; wallets: readonly string[]; deployment: WholeDeployment }>
type LiveVenue = Readonly<{ store: Store; motion: Motion; indexing: RunningIndexer }>

/** Starts mining and indexing; a new chain first gets its history, which is indexed meanwhile. */
async function goLive(built: BuiltVenue): Promise<LiveVenue> {
  const { chain, wallets, deployment, config, log, stack, startup, opening } = built
  const history = beginHistory(built)
  const store = await opening
  if (chain.isNew) await store.writer.wipeChain()
  else await agree(chain, store, deployment)
  const { startIndexing } = await import('./indexing.ts')
  const indexing = await startIndexing({ ...config, chain, deployment, store, log })
  stack.push('indexer', indexing.stop)
  await Promise.race([history?.made, indexing.failed])
  startup.begin('going live')
  const motion = await prepareMotion({ ...config, rpc: chain.rpc, wallets, deployment })
  await chain.live()
  log.info('the chain is live')
  if (config.pace !== undefined) {
    const swapping = keepSwapping(motion, config.pace.poolMs, log)
    stack.push('pools', () => swapping.stop())
  }
  return { store, motion, indexing }
}

/** Returns the history of a new chain, in production. */
function beginHistory({ chain, wallets, deployment, config, log, stack, startup }: BuiltVenue) {
  if (!chain.isNew || config.pace === undefined) {
    startup.begin('opening the database')
    return undefined
  }
  const { seed, historyHours } = config
  log.info({ hours: historyHours }, 'making the past')
  const fromSeconds = genesisTime(config) + 1
  const where = { rpcUrl: chain.url, deployment, wallets }
  const history = startHistory({ ...where, seed, historyHours, fromSeconds }, startup)
  stack.push('past', history.stop)
  return history
}

type TraderOptions = Readonly<{
  config: DevnetConfig
  pace: Pace
  chain: Chain
  apiUrl: string
  log: Logger
}>

/** They trade through the venue, so they are started when it is ready. */
function runTraders({ config, pace, chain, apiUrl, log }: TraderOptions): Traders {
  const { dataDir, seed } = config
  const where = { rpcUrl: chain.url, apiUrl, dataDir }
  return startTraders({ ...where, seed, pace }, (reason) =>
    log.warn({ reason }, 'the traders ended, starting them again'),
  )
}

/** Rejects when the chain or a service ends; need not be awaited. */
function firstFailure({ chain, indexing, services, keeper }: DevnetVenue): Promise<never> {
  const chainFailed = chain.ended.then(() => {
    throw new Error('anvil has ended')
  })
  const failed = Promise.race([indexing.failed, services.failed, keeper.failed, chainFailed])
  failed.catch(() => {})
  return failed
}

type StackLayer = Readonly<{ name: string; end: () => Promise<void> }>

/** Stops what was started, in reverse order. */
class Stack {
  readonly #log: Logger
  readonly #parts: StackLayer[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  get depth(): number {
    return this.#parts.length
  }

  push(name: string, end: () => Promise<void>): void {
    this.#parts.push({ name, end })
  }

  /** Stops everything above `depth`, newest first; a failure does not stop the others. */
  async unwind(depth = 0): Promise<void> {
    while (this.#parts.length > depth) {
      const part = this.#parts.pop()
      await part
        ?.end()
        .catch((error: unknown) => this.#log.error({ err: error }, `${part.name} did not end well`))
    }
  }
}
