// Relays intents while it holds its lease: lanes send them, and the feed reports the outcomes.
import { aloneGasLimitOf, CANCEL_LANE, gasLimitOf, orderLane } from '@openvenue/core/relay'
import type { Lease } from '@openvenue/runtime/lease'
import type { RpcNode } from '@openvenue/runtime/node'
import { Outage } from '@openvenue/runtime/outage'
import type { Tracer } from '@openvenue/runtime/tracing'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Safeguards } from '@openvenue/store/intents/safeguards'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../clock.ts'
import { TxSender } from '../tx-sender.ts'
import type { TxSenderWatch } from '../tx-sender-watch.ts'
import type { VenueView } from '../venue-view.ts'
import { watch } from '../watcher/watcher.ts'
import { BlockShare } from './block-share.ts'
import { BlockTime } from './block-time.ts'
import { type CancelItem, cancelRequest, placeRequest } from './calls.ts'
import { createFollowTx, type FollowedTx } from './follow-tx.ts'
import { IntentQueue, type TrackedIntent } from './intent-queue.ts'
import { IntentReconciler } from './intent-reconciler.ts'
import { Lane } from './lane.ts'
import { stepReporter } from './order-steps.ts'
import { Outcomes } from './outcomes.ts'
import type { RelayMetrics, RelayTxEnd } from './relay-metrics.ts'
import { RestingOrders } from './resting-orders.ts'
import type { RelayerSettings } from './settings.ts'
import { keepStatus } from './status.ts'
import { mayTake } from './windows.ts'

/** Adopts the transactions of a previous relayer and follows them like its own. */
type Adoption = Readonly<{
  queue: IntentQueue
  outcomes: Outcomes
  follow: (followed: FollowedTx) => Promise<void>
}>

/** Poll interval: a previous relayer may have recorded a transaction since. */
const LOOK_MS = 1_000

/** Follows every sent intent without a transaction of this process, until `signal` aborts. */
async function keepTakingUp(deps: Adoption, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    takeUp(deps, signal)
    await clock.delay(LOOK_MS, signal)
  }
}

function takeUp({ queue, outcomes, follow }: Adoption, signal: AbortSignal): void {
  const byHash = new Map<string, TrackedIntent[]>()
  for (const tracked of queue.all()) {
    const { state, txHash = '' } = tracked.intent
    if (state !== 'sent' || tracked.isCarried) continue
    tracked.isCarried = true
    const batch = byHash.get(txHash) ?? []
    byHash.set(txHash, batch)
    batch.push(tracked)
  }
  for (const [hash, batch] of byHash)
    void (hash === '' ? outcomes.requeue(batch) : follow({ batch, hash, signal }))
}

/**
 * Runs jobs sequentially and retries each until it succeeds, so that the writes of a block precede
 * those of the next block.
 */
const RETRY_MS = 250

type Job = () => Promise<void>

/** Returns the function that adds a job; it resolves once the job is done or `signal` aborts. */
function inOrder(
  { clock, outage }: Readonly<{ clock: Clock; outage: Outage }>,
  signal: AbortSignal,
): (job: Job) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  const untilDone = async (job: Job) => {
    while (!signal.aborted) {
      try {
        await job()
        return outage.recovered()
      } catch (error) {
        if (!signal.aborted) outage.failed(error)
        await clock.delay(RETRY_MS, signal)
      }
    }
  }
  return (job) => {
    last = last.then(() => untilDone(job))
    return last
  }
}

type RelayOptions = Readonly<{
  intents: Intents
  safeguards: Safeguards
  view: VenueView
  /**
   * The relayer's own node, so that its calls and those of prices and liquidations do not wait for
   * each other.
   */
  node: RpcNode
  chainId: number
  settings: RelayerSettings
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  metrics: RelayMetrics
  tracer: Tracer
  /** Returns the callbacks for the sender of a lane. */
  watch: (lane: string) => TxSenderWatch
}>

/** Extra tip of cancels, wei, on top of twice the node's tip. */
const CANCEL_TIP_WEI = 1_000_000_000n
const MIN_STUCK_MS = 1_000
/** Blocks of waiting after which a transaction gets a higher fee. */
const STUCK_BLOCKS = 3
const READ_TEXTS = {
  down: 'the relayer cannot read the log of intents, trying again',
  up: 'the relayer reads the log of intents again',
}
const WRITE_TEXTS = {
  down: 'the relayer cannot record outcomes, trying again',
  up: 'the relayer records outcomes again',
}
const NODE_TEXTS = {
  down: 'the node of the relayer does not answer, trying again',
  up: 'the node of the relayer answers again',
}

/** Relays until `signal` aborts. Once the lease is lost, nothing is sent or written. */
export async function relay(deps: RelayOptions, lease: Lease, signal: AbortSignal): Promise<void> {
  const { view, clock, log } = deps
  const { monotonicMs = clock.nowMs } = clock
  const parts = assemble(deps, lease, signal)
  const { queue, reconciler, resting, blockTime, lanes, follow, outcomes } = parts
  await queue.load(signal)
  const notify = () => {
    for (const lane of lanes) lane.notify()
  }
  const stops = [
    view.onFold((changes) => {
      if (view.state.head !== undefined) blockTime.see(view.state.head)
      resting.see(changes)
      reconciler.apply(changes)
      notify()
    }),
    queue.onChange(notify),
  ]
  const following = queue.follow(signal)
  const watching = { gasPerBlock: deps.settings.gasPerBlock }
  try {
    await reconciler.compare()
    log.info({ lanes: lanes.map(({ address }) => address) }, 'lanes of the relayer')
    await Promise.all([
      following,
      keepTakingUp({ queue, outcomes, follow }, clock, signal),
      keepStatus({ ...deps, ...parts }, signal),
      watch({ ...deps, ...watching, resting, monotonicMs, mayAct: lease.isHeld }, signal),
      ...lanes.map((lane) => lane.run(signal)),
    ])
  } finally {
    for (const stop of stops) stop()
  }
}

function assemble(deps: RelayOptions, lease: Lease, signal: AbortSignal) {
  const { intents, view, clock, log, settings } = deps
  const outageOf = (texts: Readonly<{ down: string; up: string }>) => new Outage({ log, ...texts })
  const ordered = inOrder({ clock, outage: outageOf(WRITE_TEXTS) }, signal)
  const queue = new IntentQueue({
    intents,
    orderLanes: settings.keys.length - 1,
    clock,
    outage: outageOf(READ_TEXTS),
  })
  const resting = new RestingOrders(view)
  const blockTime = new BlockTime()
  const mayAct = lease.isHeld
  const onMoved = stepReporter({ ...deps, logsOrders: settings.logsOrders ?? false })
  const outcomes = new Outcomes({ ...deps, queue, resting, mayAct, onMoved, inOrder: ordered })
  const reconciler = new IntentReconciler({ ...deps, queue, outcomes, inOrder: ordered })
  const follow = createFollowTx({ ...deps, outcomes, outage: outageOf(NODE_TEXTS) })
  const share = new BlockShare(settings.gasPerBlock)
  const chain = { head: () => view.state.head?.number ?? 0, blockMs: () => blockTime.ms }
  const common = { queue, outcomes, share, clock, chain, follow }
  const onEnd = (lane: string, end: RelayTxEnd, words?: string) => {
    deps.metrics.txEnded(lane, end)
    // The sender logs a rejection once, not every attempt.
    if (words !== undefined && end !== 'untaken')
      log.warn({ lane, end, words }, 'a transaction failed')
  }
  const places = placing(share)
  const cancels = cancelling({ queue, resting, outcomes, share })
  const lanes = settings.keys.map((key, at) => {
    const isShared = at > 0
    const name = isShared ? orderLane(at - 1) : CANCEL_LANE
    const sender = createSender(deps, { name, key, isShared, mayAct, blockTime })
    const requests = isShared ? places : cancels
    return new Lane({ ...common, ...requests, name, sender, isShared, onEnd })
  })
  return { queue, resting, blockTime, outcomes, reconciler, follow, share, lanes }
}

/** Returns the wallet that accounts allow to cancel, which also names the relayer in the log. */
export const relayerAddress = ({ keys }: RelayerSettings): string =>
  keys[0] === undefined ? '' : privateKeyToAccount(keys[0]).address.toLowerCase()

const placing = (share: BlockShare) => ({
  ready: (tracked: readonly TrackedIntent[]) => tracked,
  request: (window: readonly TrackedIntent[]) => {
    const intents = window.map(({ intent }) => intent)
    const gases = intents.map(({ gas }) => gas)
    const [{ tries }, [gas]] = [window[0] ?? { tries: 0 }, gases]
    const limit =
      tries > 0 && gas !== undefined
        ? aloneGasLimitOf(gas, tries, share.gasPerBlock)
        : gasLimitOf(gases, intents.some(mayTake))
    return placeRequest(intents, share.limit(limit))
  },
})

/** A cancel waits for its order's number, and ends if the order is gone. */
function cancelling({
  queue,
  resting,
  outcomes,
  share,
}: Readonly<{
  queue: IntentQueue
  resting: RestingOrders
  outcomes: Outcomes
  share: BlockShare
}>) {
  const numberOf = ({ intent }: TrackedIntent) => resting.findOwn(intent)?.number
  const isOnItsWay = ({ intent: { payload } }: TrackedIntent) =>
    payload.kind === 'cancel' && queue.get(payload.target) !== undefined
  return {
    ready: (candidates: readonly TrackedIntent[]) => {
      const isReady = (tracked: TrackedIntent) =>
        tracked.intent.payload.kind !== 'cancel' || numberOf(tracked) !== undefined
      const gone = candidates.filter((tracked) => !isReady(tracked) && !isOnItsWay(tracked))
      for (const tracked of gone) tracked.isCarried = true
      if (gone.length > 0) void outcomes.endGone(gone)
      return candidates.filter(isReady)
    },
    request: (window: readonly TrackedIntent[]) =>
      cancelRequest(
        window.map((item): CancelItem => ({ intent: item.intent, number: numberOf(item) })),
        share.limit(
          gasLimitOf(
            window.map(({ intent }) => intent.gas),
            false,
          ),
        ),
      ),
  }
}

type SenderOf = Readonly<{
  name: string
  key: Hex
  isShared: boolean
  mayAct: () => boolean
  blockTime: BlockTime
}>

function createSender(
  { node, chainId, clock, settings, watch }: RelayOptions,
  { name, key, isShared, mayAct, blockTime }: SenderOf,
): TxSender {
  return new TxSender({
    node,
    account: privateKeyToAccount(key),
    chainId,
    clock,
    feeCap: settings.feeCap,
    feeFloor: settings.feeFloor,
    mayAct,
    watch: watch(name),
    stuckMs: () => Math.max(MIN_STUCK_MS, STUCK_BLOCKS * blockTime.ms),
    tipOf: (tip) => (isShared ? tip : 2n * tip + CANCEL_TIP_WEI),
  })
}
