// Starts and stops the keeper as a unit: it follows the venue, waits for its lease, and runs its
// tasks while it holds it. The standalone process (`main.ts`) and the devnet share this code.
import { logSwitch } from '@openvenue/runtime/failover'
import type { Lease } from '@openvenue/runtime/lease'
import { NodeFailed, nodeAt, type RpcNode } from '@openvenue/runtime/node'
import { Outage } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import { openTracer } from '@openvenue/runtime/tracing'
import type { Store } from '@openvenue/store/store'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Clock } from './clock.ts'
import type { KeeperSettings } from './config.ts'
import { deleveragingTask } from './deleveraging.ts'
import type { KeeperDeployment } from './deployment.ts'
import { watchFunds } from './funds.ts'
import { withoutGasQuestions } from './gas.ts'
import { createHost, type Readiness } from './host.ts'
import { keysTask } from './keys.ts'
import { lead, STANDBY_MS } from './leadership.ts'
import { type HandoverKeys, liquidationsTask } from './liquidations.ts'
import { createMetrics, createPeersGauge, type Metrics, showOracleAge } from './metrics.ts'
import { effectiveSettings, watchPeers } from './peers.ts'
import { pokesTask } from './pokes.ts'
import type { PriceSource } from './price-source.ts'
import { pricesTask } from './prices.ts'
import { untilReadAnew } from './relayer/reindex-guard.ts'
import { createRelayMetrics } from './relayer/relay-metrics.ts'
import { relay, relayerAddress } from './relayer/relayer.ts'
import { createRestoreWait } from './relayer/restore-wait.ts'
import type { RelayerSettings } from './relayer/settings.ts'
import { reportsTask } from './reports.ts'
import { RiskWatch } from './risk-watch.ts'
import { sweepsTask } from './sweeps.ts'
import { keepRunning, type Task, type TaskName, type TaskWatch } from './task.ts'
import { createTaskContext, type TaskContext } from './task-context.ts'
import { TxSender } from './tx-sender.ts'
import { txSenderWatch } from './tx-sender-watch.ts'
import { VenueView } from './venue-view.ts'

type KeeperOptions = Readonly<{
  store: Pick<
    Store,
    'reader' | 'lease' | 'announcements' | 'keyRelays' | 'intents' | 'safeguards' | 'broadcast'
  >
  deployment: KeeperDeployment
  chainId: number
  /** RPC endpoints of the chain, the preferred one first. */
  rpcUrls: readonly string[]
  /**
   * The private key that signs the transactions of tasks. Only signatures leave this process.
   * Absent: no tasks run, whatever their switches.
   */
  key: Hex | undefined
  settings: KeeperSettings & Readonly<{ intentsKeptMs?: number }>
  /** Absent: no prices are pushed, whatever the switch. */
  priceSource?: PriceSource | undefined
  clock: Clock
  log: Logger
}>

export type Keeper = Readonly<{
  /** `/health`, `/ready`, `/metrics`; the caller listens and closes. */
  host: FastifyInstance
  start(): void
  /** Resolves after `stop`; rejects with the error that ended the keeper. */
  ended: Promise<void>
  /** Stops the keeper and releases its lease; nothing is sent once this returns. */
  stop(): Promise<void>
  readiness(): Readiness
}>

/** Thrown when a chain other than the configured one answers. */
export class WrongChain extends Error {
  override name = 'WrongChain'
}

/** Lease of the task sender: of all keepers on a database, its holder sends. */
const KEEPER_LEASE = 'keeper'
/** Lease of the relayer: of all relayers on a database, its holder sends. */
const RELAYER_LEASE = 'relayer'
const CHAIN_RETRY_MS = 500

/** Returns a keeper that is idle until `start`. */
export function createKeeper(deps: KeeperOptions): Keeper {
  const { log } = deps
  const metrics = createMetrics()
  const view = new VenueView({
    ...deps,
    reader: deps.store.reader,
    isCarried: deps.store.broadcast !== undefined,
    onFeedBreak: metrics.feedBroke,
  })
  showOracleAge(metrics.registry, view, deps.deployment.perps)
  const account = deps.key === undefined ? undefined : privateKeyToAccount(deps.key)
  const stopped = new AbortController()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  // Callers that await it get the failure; otherwise it is logged here.
  ended.catch((error) => log.error({ err: error }, 'the keeper ended'))
  const turns: RunningKeeper['turns'] = { tasks: false, relayer: false, awaitedBlock: undefined }
  const { relayer } = deps.settings
  const readiness = (): Readiness => ({
    status: !view.isKnown ? 'starting' : turns.tasks || turns.relayer ? 'leading' : 'standby',
    address: account?.address ?? (relayer === undefined ? '' : relayerAddress(relayer)),
    block: view.state.head?.number,
    relays: turns.relayer,
    awaitedBlock: turns.awaitedBlock,
  })
  let isStarted = false
  return {
    host: createHost({ ...deps.store, registry: metrics.registry, readiness, log }),
    start() {
      isStarted = true
      run({ ...deps, account, metrics, view, turns }, stopped).then(resolve, reject)
    },
    ended,
    async stop() {
      stopped.abort()
      if (!isStarted) resolve()
      await ended.catch(() => undefined)
    },
    readiness,
  }
}

type RunningKeeper = KeeperOptions &
  Readonly<{
    account: PrivateKeyAccount | undefined
    metrics: Metrics
    view: VenueView
    turns: { tasks: boolean; relayer: boolean; awaitedBlock: number | undefined }
  }>

/** Returns the nodes, asked for gas and tip only where their answers are usable. */
function senderNode({ rpcUrls, settings, log }: KeeperOptions): RpcNode {
  const node = nodeAt(rpcUrls, { onSwitch: logSwitch(log) })
  return settings.gasTip === undefined ? node : withoutGasQuestions(node, settings.gasTip)
}

/** Runs until stopped. When stopped, or when one part fails, ends every part. */
async function run(running: RunningKeeper, stopped: AbortController): Promise<void> {
  const { signal } = stopped
  const node = senderNode(running)
  await expectChain(running, node, signal)
  const { account, settings } = running
  const works = [running.view.follow(signal), comparePeers(running, signal)]
  if (account !== undefined) works.push(leadTasks({ ...running, account }, node, signal))
  if (settings.relayer !== undefined) works.push(leadRelayer(running, settings.relayer, signal))
  const ends = await Promise.allSettled(works.map((work) => work.finally(() => stopped.abort())))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Compares the settings with those of other keepers of the database. */
function comparePeers(running: RunningKeeper, signal: AbortSignal): Promise<void> {
  const { store, settings, account, priceSource, metrics } = running
  const facts = { address: account?.address, hasPrices: priceSource !== undefined }
  const own = effectiveSettings({ ...running, ...facts, keptMs: settings.intentsKeptMs })
  return watchPeers(
    {
      ...running,
      announcements: store.announcements,
      settings: own,
      onDiffering: createPeersGauge(metrics.registry),
    },
    signal,
  )
}

/** Returns once the node reports the expected chain, or `signal` aborts. */
async function expectChain(
  { chainId, clock, log }: RunningKeeper,
  node: RpcNode,
  signal: AbortSignal,
) {
  const outage = new Outage({
    log,
    down: 'the node does not answer, trying again',
    up: 'the node answers again',
    nowMs: clock.nowMs,
  })
  while (!signal.aborted) {
    try {
      const answer = Number(await node.call('eth_chainId'))
      outage.recovered()
      if (answer === chainId) return
      throw new WrongChain(`CHAIN_ID is wrong: got ${chainId}, expected ${answer} of the node`)
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error
      outage.failed(error)
      await clock.delay(CHAIN_RETRY_MS, signal)
    }
  }
}

/** A keeper with the wallet that tasks need. */
type TaskKeeper = RunningKeeper & Readonly<{ account: PrivateKeyAccount }>

/** Runs the tasks whenever this process holds the lease. */
function leadTasks(running: TaskKeeper, node: RpcNode, signal: AbortSignal): Promise<void> {
  const { turns, metrics } = running
  return lead(
    {
      ...running,
      name: KEEPER_LEASE,
      role: 'keeper',
      address: running.account.address,
      onLead: (isOn) => {
        turns.tasks = isOn
        metrics.leads(isOn)
      },
      work: (lease, ends) => runTasks(running, { node, lease }, ends),
    },
    signal,
  )
}

/** Relays whenever this process holds the relayer lease, through nodes of its own. */
async function leadRelayer(
  running: RunningKeeper,
  settings: RelayerSettings,
  signal: AbortSignal,
): Promise<void> {
  const { store, view, log, metrics, turns } = running
  const relayMetrics = createRelayMetrics(metrics.registry)
  const { tracesUrl: url } = running.settings
  const tracer = await openTracer({ url, service: 'openvenue-relayer', log })
  const deps = {
    ...running,
    tracer,
    intents: store.intents,
    safeguards: store.safeguards,
    node: senderNode(running),
    settings,
    log: log.child({ part: 'relayer' }),
    metrics: relayMetrics,
    watch: (lane: string) => ({ ...txSenderWatch(log, metrics), ...relayMetrics.watch(lane) }),
  }
  await untilLoaded(view, running.clock, signal)
  await lead(
    {
      ...running,
      name: RELAYER_LEASE,
      role: 'relayer',
      address: relayerAddress(settings),
      onLead: (isOn) => {
        turns.relayer = isOn
        relayMetrics.leads(isOn)
      },
      mayTry: createRestoreWait({
        ...deps,
        onAwaited: (block) => {
          turns.awaitedBlock = block
          relayMetrics.awaits(block)
        },
      }),
      work: async (lease, ends) => {
        const relayTerm = untilReadAnew(view, lease, ends)
        await relay(deps, relayTerm.lease, relayTerm.signal).finally(relayTerm.stop)
      },
    },
    signal,
  ).finally(tracer.close)
}

/** Returns once the database was read, even if it is empty. */
async function untilLoaded(view: VenueView, clock: Clock, signal: AbortSignal): Promise<void> {
  while (view.seq < 0 && !signal.aborted) await clock.delay(STANDBY_MS, signal)
}

type LeaseHolder = Readonly<{ node: RpcNode; lease: Lease }>

async function runTasks(running: TaskKeeper, { node, lease }: LeaseHolder, signal: AbortSignal) {
  const { account, chainId, clock, settings, metrics, deployment, log } = running
  const sender = new TxSender({
    node,
    account,
    chainId,
    clock,
    feeCap: settings.feeCap,
    feeFloor: settings.feeFloor,
    mayAct: lease.isHeld,
    watch: txSenderWatch(log, metrics),
  })
  const context = createTaskContext({ node, deployment, clock, log, sender, metrics })
  const watch = taskWatch(log, metrics)
  const { tasks, end } = createTasks(running, context)
  const enabled = tasks.filter(({ name }) => settings.switches[name])
  try {
    await Promise.all([
      sender.run(signal),
      watchFunds({ node, address: account.address, bounds: settings, clock, metrics }, signal),
      ...enabled.map((task) => keepRunning(task, { clock, watch }, signal)),
    ])
  } finally {
    end()
  }
}

/** Each task has its own trigger, so that waiting for one does not reset another. */
function createTasks(
  { view, deployment, priceSource, store }: RunningKeeper,
  context: TaskContext,
): StartedTasks {
  const perpetuals = () =>
    [...view.state.records.market.values()].filter(
      ({ engine, isEnded }) => engine === deployment.perps && !isEnded,
    )
  const [liquidations, deleveraging, sweeps, keys] = [
    new Signal(),
    new Signal(),
    new Signal(),
    new Signal(),
  ]
  const handedOver: HandoverKeys = new Set()
  const risks = new RiskWatch(view, deployment.perps)
  const stops = [
    () => risks.stop(),
    view.onChange(() => {
      for (const trigger of [liquidations, deleveraging, sweeps]) trigger.set()
    }),
    store.keyRelays.onQueued(() => keys.set()),
  ]
  return {
    tasks: [
      ...(priceSource === undefined ? [] : [pricesTask(context, priceSource)]),
      reportsTask(context, () => perpetuals().map(({ asset }) => asset)),
      pokesTask(context, () => perpetuals().map(({ number }) => number)),
      liquidationsTask(context, risks, {
        trigger: liquidations,
        handedOver,
        handOver: deleveraging,
      }),
      deleveragingTask(context, view, { trigger: deleveraging, handedOver }),
      sweepsTask(context, view, sweeps),
      keysTask(context, store.keyRelays, keys),
    ],
    end: () => {
      for (const stop of stops) stop()
    },
  }
}

type StartedTasks = Readonly<{ tasks: readonly Task[]; end: () => void }>

function taskWatch(log: Logger, metrics: Metrics): TaskWatch {
  const outages = new Map<TaskName, Outage>()
  const texts = { down: 'a task failed, trying again', up: 'a task succeeds again' }
  return {
    done: (name, nowMs) => {
      metrics.done(name, nowMs)
      outages.get(name)?.recovered({ task: name })
    },
    failed: (name, error, backoffMs) => {
      metrics.failed(name, backoffMs)
      const outage = outages.get(name) ?? new Outage({ log, ...texts })
      outages.set(name, outage)
      outage.failed(error, { task: name, backoffMs })
    },
  }
}
