// Writes the relayer's status, every second while it changes: lanes, wallets and waiting intents.
import {
  CANCEL_LANE,
  encodeRelayStatus,
  gasLimitOf,
  RELAY_REPEAT_MS,
  RELAY_STATUS_MS,
  type RelayLane,
  type RelayStatus,
} from '@openvenue/core/relay'
import { NodeFailed, type RpcNode } from '@openvenue/runtime/node'
import { Outage } from '@openvenue/runtime/outage'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Logger } from 'pino'
import { parseWei, readHead, readTip } from '../chain-snapshot.ts'
import type { Clock } from '../clock.ts'
import { offerFee } from '../fees.ts'
import type { BlockShare } from './block-share.ts'
import type { BlockTime } from './block-time.ts'
import type { IntentQueue } from './intent-queue.ts'
import type { Lane } from './lane.ts'
import type { RelayMetrics } from './relay-metrics.ts'
import type { RelayerSettings } from './settings.ts'
import { WINDOW_MAX } from './windows.ts'

type StatusSources = Readonly<{
  intents: Intents
  queue: IntentQueue
  lanes: readonly Lane[]
  node: RpcNode
  settings: RelayerSettings
  blockTime: BlockTime
  share: BlockShare
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  metrics: RelayMetrics
}>

/** A wallet that pays for fewer full transactions than this counts as empty. */
const FUNDED_TXS = 2n
/** Gas of one order in a full transaction: the unit of the balances shown to operators. */
const GAS_OF_ORDER = 65_000n
const GAS_OF_CANCEL = 12_500n
const NS_PER_MS = 1_000_000n

/** Keeps the status current until `signal` aborts. */
export async function keepStatus(deps: StatusSources, signal: AbortSignal): Promise<void> {
  const { intents, clock, log, metrics } = deps
  const outage = new Outage({
    log,
    down: 'cannot write the status of the relayer',
    up: 'the status of the relayer is written again',
    nowMs: clock.nowMs,
  })
  let written = { text: '', atMs: Number.NEGATIVE_INFINITY }
  while (!signal.aborted) {
    try {
      const status = await readStatus(deps)
      metrics.status(status, oldestMs(deps))
      const [text, atMs] = [decisiveText(status), clock.nowMs()]
      if (text !== written.text || Math.abs(atMs - written.atMs) >= RELAY_REPEAT_MS) {
        await intents.writeStatus(encodeRelayStatus(status), atMs)
        written = { text, atMs }
      }
      outage.recovered()
    } catch (error) {
      if (!signal.aborted) outage.failed(error)
    }
    await clock.delay(RELAY_STATUS_MS, signal)
  }
}

/** Returns what decides on orders: balances and blocks change all the time. */
const decisiveText = ({ block, blockMs, lanes, ...status }: RelayStatus) =>
  JSON.stringify([status, lanes.map(({ balance, ...lane }) => lane)])

async function readStatus(deps: StatusSources): Promise<RelayStatus> {
  const { lanes, node, settings, blockTime, share } = deps
  const [head, balances, tip] = await Promise.all([
    readHead(node),
    readBalances(deps),
    readTip(node),
  ])
  share.blockGas = head.gasLimit
  const { gasPerBlock, gasPerTx } = share
  const { max } = offerFee(head.baseFee, 0n, settings)
  for (const [at, lane] of lanes.entries()) {
    const balance = balances[at] ?? 0n
    lane.isFunded = balance >= max * FUNDED_TXS * fullGas(lane, gasPerTx)
    const gas = lane.name === CANCEL_LANE ? GAS_OF_CANCEL : GAS_OF_ORDER
    const price = offerFee(head.baseFee, tip, settings).max * gas
    deps.metrics.ordersLeft(lane.name, Number(balance / price))
  }
  return {
    lanes: lanes.map((lane, at) => describeLane(deps, lane, balances[at] ?? 0n)),
    canceller: lanes[0]?.address ?? '',
    gasPerBlock,
    blockMs: blockTime.ms,
    ordersPerTx: WINDOW_MAX,
    gasPerTx,
    block: head.number,
  }
}

/** Returns for how long the oldest intent that is not held has waited. */
function oldestMs({ queue, clock }: StatusSources): number {
  let oldestNs = BigInt(clock.nowMs()) * NS_PER_MS
  const nowNs = oldestNs
  for (const { intent } of queue.all())
    if (intent.state !== 'received' && intent.receivedNs < oldestNs) oldestNs = intent.receivedNs
  return Number((nowNs - oldestNs) / NS_PER_MS)
}

/** Returns the gas limit of a full transaction of the lane. */
const fullGas = ({ name }: Lane, gasPerTx: number): bigint => {
  const each = Math.floor(gasPerTx / WINDOW_MAX)
  return BigInt(gasLimitOf(Array(WINDOW_MAX).fill(each), name !== CANCEL_LANE))
}

async function readBalances({ lanes, node }: StatusSources): Promise<bigint[]> {
  const answers = await node.batch(
    lanes.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
  )
  return answers.map((answer) => {
    if (!('result' in answer)) throw new NodeFailed(`eth_getBalance: ${answer.refused}`)
    return parseWei(answer.result)
  })
}

function describeLane({ queue }: StatusSources, lane: Lane, balance: bigint): RelayLane {
  const ofLane = [...queue.all()].filter((tracked) => tracked.lane === lane.name)
  const among = ofLane.filter(({ intent }) => intent.state !== 'received')
  const sent = among.filter(({ intent }) => intent.state === 'sent')
  return {
    name: lane.name,
    address: lane.address,
    balance: balance.toString(),
    isFunded: lane.isFunded,
    queued: among.length - sent.length,
    sent: sent.length,
    gas: among.reduce((sum, { intent }) => sum + intent.gas, 0),
  }
}
