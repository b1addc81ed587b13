// The keeper as one thing to start and stop: it follows the venue, waits for its turn, and while it
// has it does its duties. A process of its own (`main.ts`) and the devnet run the same.
import type { Lease } from '@openvenue/store/lease'
import type { Store } from '@openvenue/store/store'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createApp, type Readiness } from './app.ts'
import { Bell, type Clock } from './clock.ts'
import type { KeeperSettings } from './config.ts'
import { deleveragingDuty } from './deleveraging.ts'
import type { Deployment } from './deployment.ts'
import { type Desk, deskOf } from './desk.ts'
import { type Duty, type DutyWatch, keepDoing } from './duty.ts'
import { keysDuty } from './keys.ts'
import { type HandedOver, liquidationsDuty } from './liquidations.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type Node, NodeFailed, nodeAt } from './node.ts'
import { pokesDuty } from './pokes.ts'
import type { PriceSource } from './price-source.ts'
import { pricesDuty } from './prices.ts'
import { reportsDuty } from './reports.ts'
import { RiskWatch } from './risk-watch.ts'
import { Sender, type SenderWatch } from './sender.ts'
import { sweepsDuty } from './sweeps.ts'
import { VenueView } from './venue-view.ts'

export type KeeperDeps = Readonly<{
  store: Pick<Store, 'reader' | 'lease' | 'keyRelays'>
  deployment: Deployment
  chainId: number
  /** Nodes of the chain, the preferred one first. */
  rpcUrls: readonly string[]
  /** The private key that signs. It leaves this process in signatures only. */
  key: Hex
  settings: KeeperSettings
  /** Absent: no prices are pushed, whatever the switch says. */
  priceSource?: PriceSource | undefined
  clock: Clock
  log: Logger
}>

export type Keeper = Readonly<{
  /** `/health`, `/ready`, `/metrics`; the caller listens and closes. */
  app: FastifyInstance
  start(): void
  /** Settles when it has ended: by `stop`, or rejects with what made going on impossible. */
  ended: Promise<void>
  /** Ends it and gives its turn back; nothing is sent once this returns. */
  stop(): Promise<void>
  readiness(): Readiness
}>

/** Another chain answers than the one that was configured. */
export class WrongChain extends Error {
  override name = 'WrongChain'
}

/** Of several keepers of one database, the holder of this lease sends. */
export const KEEPER_LEASE = 'keeper'
/** A standby asks this often whether the turn is free. */
export const STANDBY_MS = 500
const CHAIN_RETRY_MS = 500

/** Returns a keeper that does nothing before `start`. */
export function createKeeper(deps: KeeperDeps): Keeper {
  const { log } = deps
  const metrics = createMetrics()
  const view = new VenueView({
    ...deps,
    reader: deps.store.reader,
    onFeedBreak: metrics.feedBroke,
  })
  const account = privateKeyToAccount(deps.key)
  const stopped = new AbortController()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  // Whoever waits for it hears of a failure; if nobody does, it is in the log.
  ended.catch((error) => log.error({ err: error }, 'the keeper ended'))
  const turn = { isOn: false }
  const readiness = (): Readiness => ({
    status: view.seq < 0 ? 'starting' : turn.isOn ? 'leading' : 'standby',
    address: account.address,
    block: view.state.head?.number,
  })
  let isStarted = false
  return {
    app: createApp({ registry: metrics.registry, readiness, log }),
    start() {
      isStarted = true
      run({ ...deps, account, metrics, view, turn }, stopped).then(resolve, reject)
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

type Running = KeeperDeps &
  Readonly<{
    account: ReturnType<typeof privateKeyToAccount>
    metrics: Metrics
    view: VenueView
    turn: { isOn: boolean }
  }>

/** Runs until stopped; then, or when one of its parts fails, ends them all. */
async function run(running: Running, stopped: AbortController): Promise<void> {
  const { signal } = stopped
  const node = nodeAt(running.rpcUrls)
  await expectChain(running, node, signal)
  const works = [running.view.follow(signal), takeTurns(running, node, signal)]
  const ends = await Promise.allSettled(works.map((work) => work.finally(() => stopped.abort())))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Returns once the node tells that it serves our chain, or `signal` aborts. */
async function expectChain({ chainId, clock, log }: Running, node: Node, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const answer = Number(await node.call('eth_chainId'))
      if (answer === chainId) return
      throw new WrongChain(`CHAIN_ID is that of the node, ${answer} (it is ${chainId})`)
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error
      log.warn({ err: error }, 'the node does not answer, trying again')
      await clock.delay(CHAIN_RETRY_MS, signal)
    }
  }
}

/** Waits for the lease, does the duties until it is lost, and waits again. */
async function takeTurns(running: Running, node: Node, signal: AbortSignal): Promise<void> {
  const { store, clock, log, account } = running
  let isTold = false
  while (!signal.aborted) {
    const lease = await store.lease(KEEPER_LEASE).catch((error: unknown) => {
      log.warn({ err: error }, 'the database does not answer, trying again')
      return undefined
    })
    if (lease === undefined) {
      if (!isTold) log.info({ address: account.address }, 'another keeper leads, standing by')
      isTold = true
      await clock.delay(STANDBY_MS, signal)
      continue
    }
    isTold = false
    await takeTurn(running, { node, lease }, signal)
  }
}

type Turn = Readonly<{ node: Node; lease: Lease }>

async function takeTurn(running: Running, { node, lease }: Turn, signal: AbortSignal) {
  const { log, metrics, turn, account } = running
  const over = new AbortController()
  const { signal: ends } = over
  const end = () => over.abort()
  signal.addEventListener('abort', end, { once: true })
  void lease.lost.then(end)
  if (signal.aborted) end()
  turn.isOn = true
  metrics.leads(true)
  log.info({ address: account.address }, 'this keeper leads')
  try {
    await doDuties(running, { node, lease }, ends)
  } finally {
    turn.isOn = false
    metrics.leads(false)
    signal.removeEventListener('abort', end)
    await lease.release()
    log.info({ address: account.address }, 'this keeper no longer leads')
  }
}

async function doDuties(running: Running, { node, lease }: Turn, signal: AbortSignal) {
  const { account, chainId, clock, settings, metrics, deployment, log } = running
  const sender = new Sender({
    node,
    account,
    chainId,
    clock,
    feeCap: settings.feeCap,
    mayAct: lease.isHeld,
    watch: senderWatch(log, metrics),
  })
  const desk = deskOf({ node, deployment, clock, log, sender, metrics })
  const watch = dutyWatch(log, metrics)
  const { duties, end } = dutiesOf(running, desk)
  const wanted = duties.filter(({ name }) => settings.switches[name])
  try {
    await Promise.all([
      sender.run(signal),
      ...wanted.map((duty) => keepDoing(duty, { clock, watch }, signal)),
    ])
  } finally {
    end()
  }
}

/** Each duty has a bell of its own: what one has heard another may still hear. */
function dutiesOf({ view, deployment, priceSource, store }: Running, desk: Desk): Begun {
  const perpetuals = () =>
    [...view.state.records.market.values()].filter(({ engine }) => engine === deployment.perps)
  const [liquidations, deleveraging, sweeps, keys] = [
    new Bell(),
    new Bell(),
    new Bell(),
    new Bell(),
  ]
  const handedOver: HandedOver = new Set()
  const risks = new RiskWatch(view, deployment.perps)
  const stops = [
    () => risks.stop(),
    view.onChange(() => {
      for (const bell of [liquidations, deleveraging, sweeps]) bell.ring()
    }),
    store.keyRelays.onQueued(() => keys.ring()),
  ]
  return {
    duties: [
      ...(priceSource === undefined ? [] : [pricesDuty(desk, priceSource)]),
      reportsDuty(desk, () => perpetuals().map(({ asset }) => asset)),
      pokesDuty(desk, () => perpetuals().map(({ number }) => number)),
      liquidationsDuty(desk, risks, { bell: liquidations, handedOver, handOver: deleveraging }),
      deleveragingDuty(desk, view, { bell: deleveraging, handedOver }),
      sweepsDuty(desk, view, sweeps),
      keysDuty(desk, store.keyRelays, keys),
    ],
    end: () => {
      for (const stop of stops) stop()
    },
  }
}

type Begun = Readonly<{ duties: readonly Duty[]; end: () => void }>

const dutyWatch = (log: Logger, metrics: Metrics): DutyWatch => ({
  done: (name, nowMs) => metrics.done(name, nowMs),
  failed: (name, error, backoffMs) => {
    metrics.failed(name, backoffMs)
    log.warn({ err: error, loop: name, backoffMs }, 'a loop failed, trying again')
  },
})

const senderWatch = (log: Logger, metrics: Metrics): SenderWatch => ({
  sent: (what, nonce) => log.debug({ what, nonce }, 'sent'),
  replaced: (what, nonce, fee) => {
    metrics.replaced()
    const wei = { max: fee.max.toString(), tip: fee.tip.toString() }
    log.warn({ what, nonce, ...wei }, 'stuck: sent again at a higher fee')
  },
  resent: (what, nonce) => {
    metrics.resent()
    log.warn({ what, nonce }, 'dropped or undone: sent again')
  },
  foreign: (nonce) => log.info({ nonce }, "another process's transaction of this key"),
  capped: (what, nonce) =>
    log.warn({ what, nonce }, 'stuck at the highest fee (KEEPER_FEE_CAP_GWEI)'),
  untaken: (what, words) => log.warn({ what, words }, 'the node does not take a transaction'),
  inFlight: metrics.inFlight,
  failed: (error) => log.warn({ err: error }, 'the node failed, trying again'),
})
