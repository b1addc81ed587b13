// Brings intents to the chain while it has its turn: lanes send them, the feed says what became of
// them.
import { aloneGasLimitOf, CANCEL_LANE, gasLimitOf, orderLane } from '@openvenue/core/relay'
import type { Intents } from '@openvenue/store/intents'
import type { Lease } from '@openvenue/store/lease'
import type { Safeguards } from '@openvenue/store/safeguards'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../clock.ts'
import type { Node } from '../node.ts'
import { TxSender } from '../tx-sender.ts'
import type { TxSenderWatch } from '../tx-sender-watch.ts'
import type { VenueView } from '../venue-view.ts'
import { watch } from '../watcher/watcher.ts'
import { BlockTime } from './block-time.ts'
import { type CancelItem, cancelRequest, placeRequest } from './calls.ts'
import { ChainNews } from './chain-news.ts'
import { createFollowTx } from './follow-tx.ts'
import { inOrder } from './in-order.ts'
import { IntentQueue, type Tracked } from './intent-queue.ts'
import { Lane } from './lane.ts'
import { keepTakingUp } from './orphans.ts'
import { Outcomes } from './outcomes.ts'
import type { RelayMetrics, RelayTxEnd } from './relay-metrics.ts'
import { RestingOrders } from './resting.ts'
import type { RelayerSettings } from './settings.ts'
import { BlockShare } from './share.ts'
import { keepStatus } from './status.ts'
import { mayTake } from './windows.ts'

export type RelayerDeps = Readonly<{
  intents: Intents
  safeguards: Safeguards
  view: VenueView
  /** Of the relayer alone: what it asks does not wait for prices and liquidations, nor they. */
  node: Node
  chainId: number
  settings: RelayerSettings
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  metrics: RelayMetrics
  /** What the sender of a lane reports to. */
  watch: (lane: string) => TxSenderWatch
}>

/** Cancels offer a higher tip: twice what the node says, and this. */
const CANCEL_TIP_WEI = 1_000_000_000n
const MIN_STUCK_MS = 1_000
/** What waits so many blocks gets a higher fee. */
const STUCK_BLOCKS = 3

/** Relays until `signal` aborts. Once the lease is lost nothing goes out, nothing is written. */
export async function relay(deps: RelayerDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  const { view, clock, log } = deps
  const { monotonicMs = clock.nowMs } = clock
  const parts = assemble(deps, lease, signal)
  const { queue, news, resting, blockTime, lanes, follow, outcomes } = parts
  await queue.load(signal)
  const notify = () => {
    for (const lane of lanes) lane.notify()
  }
  const stops = [
    view.onFold((changes) => {
      if (view.state.head !== undefined) blockTime.see(view.state.head)
      resting.see(changes)
      news.see(changes)
      notify()
    }),
    queue.onChange(notify),
  ]
  const following = queue.follow(signal)
  const watching = { gasPerBlock: deps.settings.gasPerBlock }
  try {
    await news.compare()
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

function assemble(deps: RelayerDeps, lease: Lease, signal: AbortSignal) {
  const { intents, view, clock, log, settings } = deps
  const onFailure = (error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'the relayer could not, trying again')
  }
  const ordered = inOrder({ clock, onFailure }, signal)
  const queue = new IntentQueue({
    intents,
    orderLanes: settings.keys.length - 1,
    clock,
    onFailure,
  })
  const resting = new RestingOrders(view)
  const blockTime = new BlockTime()
  const mayAct = lease.isHeld
  const onMoved = deps.metrics.moved
  const outcomes = new Outcomes({ ...deps, queue, resting, mayAct, onMoved, inOrder: ordered })
  const news = new ChainNews({ ...deps, queue, outcomes, inOrder: ordered })
  const follow = createFollowTx({ ...deps, outcomes, onFailure })
  const share = new BlockShare(settings.gasPerBlock)
  const chain = { head: () => view.state.head?.number ?? 0, blockMs: () => blockTime.ms }
  const common = { queue, outcomes, share, clock, chain, follow }
  const onEnd = (lane: string, end: RelayTxEnd, words?: string) => {
    deps.metrics.txEnded(lane, end)
    if (words !== undefined) log.warn({ lane, end, words }, 'a transaction did not work')
  }
  const places = placing(share)
  const cancels = cancelling({ queue, resting, outcomes, share })
  const lanes = settings.keys.map((key, at) => {
    const isShared = at > 0
    const name = isShared ? orderLane(at - 1) : CANCEL_LANE
    const sender = createSender(deps, { name, key, isShared, mayAct, blockTime })
    const own = isShared ? places : cancels
    return new Lane({ ...common, ...own, name, sender, isShared, onEnd })
  })
  return { queue, resting, blockTime, outcomes, news, follow, share, lanes }
}

/** The wallet that accounts allow to cancel, and the name of the relayer in the log. */
export const relayerAddress = ({ keys }: RelayerSettings): string =>
  keys[0] === undefined ? '' : privateKeyToAccount(keys[0]).address.toLowerCase()

const placing = (share: BlockShare) => ({
  ready: (waiting: readonly Tracked[]) => waiting,
  request: (window: readonly Tracked[]) => {
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

type CancellingDeps = Readonly<{
  queue: IntentQueue
  resting: RestingOrders
  outcomes: Outcomes
  share: BlockShare
}>

/** A cancel waits for its order's number, and ends where the order is gone. */
function cancelling({ queue, resting, outcomes, share }: CancellingDeps) {
  const numberOf = ({ intent }: Tracked) => resting.findOwn(intent)?.number
  const isOnItsWay = ({ intent: { payload } }: Tracked) =>
    payload.kind === 'cancel' && queue.get(payload.target) !== undefined
  return {
    ready: (waiting: readonly Tracked[]) => {
      const isReady = (one: Tracked) =>
        one.intent.payload.kind !== 'cancel' || numberOf(one) !== undefined
      const gone = waiting.filter((one) => !isReady(one) && !isOnItsWay(one))
      for (const one of gone) one.isCarried = true
      if (gone.length > 0) void outcomes.endGone(gone)
      return waiting.filter(isReady)
    },
    request: (window: readonly Tracked[]) =>
      cancelRequest(
        window.map((one): CancelItem => ({ intent: one.intent, number: numberOf(one) })),
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
  { node, chainId, clock, settings, watch }: RelayerDeps,
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
