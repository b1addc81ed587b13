// Rules shared by the processes that accept orders and the relayer that submits them: the lane of
// an intent, its gas, the block it is promised for, and the status of the relayer.
import type { MarketId } from './record-schema.ts'

/** Kinds of intents, by the contract call submitted for them. */
type RelayKind = 'order' | 'cancel' | 'signed_cancel' | 'signed_cancel_all'

/** The lane of all cancels. Its wallet is the canceller that accounts allow. */
export const CANCEL_LANE = 'cancels'
/** Maximum number of wallets of one relayer: the cancel lane and the order lanes. */
export const LANES_MAX = 17

export const orderLane = (index: number): string => `orders-${index}`

/**
 * Returns the lane of an intent. All orders of a market use the same one of the `orderLanes` order
 * lanes, so that they reach the chain in the order of arrival.
 */
export function laneOf(kind: RelayKind, market: MarketId, orderLanes: number): string {
  if (kind !== 'order') return CANCEL_LANE
  const number = Number.parseInt(market.slice(-8), 16)
  const engine = Number.parseInt(market.slice(2, 10), 16)
  return orderLane((number + engine) % Math.max(1, orderLanes))
}

/** Properties of an intent that its gas depends on. */
type GasFacts = Readonly<{
  kind: RelayKind
  isPerpetual: boolean
  /** Expected number of makers an order meets, or the maximum; absent for a post-only order. */
  fills?: number
  /** Perpetual positions of the account in other markets: margin checks read each of them. */
  positions?: number
  /** Number of orders in a signed cancel. */
  orders?: number
}>

/** Measured by `contracts/snapshots`: cost per item in a batch of ten, and per additional part. */
export const MEASURED_GAS = {
  spot: { place: 53_185, fill: 17_000, position: 0 },
  perpetual: { place: 65_368, fill: 21_500, position: 14_600 },
  /** Per item in a batch of ten, for an account that allows the canceller. */
  cancel: 12_466,
  /** A signed cancel, and each order in it. */
  signedCancel: 45_500,
  cancelledOrder: 9_000,
} as const
/** Fixed cost of a transaction, and its largest excess: one order that meets every maker. */
const TX_GAS = 60_000
const TX_SPARE = 4_000_000
/** Allowance per item on top of twice its estimate: cold storage slots, first use of a salt. */
const ITEM_SPARE = 40_000
/** Returns the gas estimate of an intent, used for blocks, queues and budgets. */
export function gasOf({ kind, isPerpetual, fills = 0, positions = 0, orders = 1 }: GasFacts) {
  if (kind === 'cancel') return MEASURED_GAS.cancel
  if (kind !== 'order') return MEASURED_GAS.signedCancel + orders * MEASURED_GAS.cancelledOrder
  const gas = isPerpetual ? MEASURED_GAS.perpetual : MEASURED_GAS.spot
  return gas.place + fills * gas.fill + positions * gas.position
}

/**
 * Returns the gas limit of a transaction with items of these estimates. Unused gas costs nothing,
 * but a block must have room for the whole limit. `mayTake`: one of the items may meet makers.
 */
export const gasLimitOf = (gases: readonly number[], mayTake: boolean): number =>
  gases.reduce((sum, gas) => sum + 2 * gas + ITEM_SPARE, TX_GAS) + (mayTake ? TX_SPARE : 0)

/** Returns the gas limit of an order sent on its own after running out of gas `tries` times. */
export const aloneGasLimitOf = (gas: number, tries: number, gasPerBlock: number): number =>
  Math.max(gasLimitOf([gas], true), tries > 1 ? gasPerBlock : Math.floor(gasPerBlock / 2))

/** Maximum queue in blocks of gas; later intents are rejected and must be retried. */
export const QUEUE_BLOCKS_MAX = 2
/** Number of blocks after the newest one that include an intent, plus the blocks queued ahead. */
export const PROMISED_BLOCKS = 3

/**
 * Returns the block by which an intent is promised to be included or rejected. `waitingGas` is the
 * gas of the queue up to and including it.
 */
export const promiseBlock = (head: number, waitingGas: number, gasPerBlock: number): number =>
  head + PROMISED_BLOCKS + Math.floor(waitingGas / gasPerBlock)

export type RelayLane = Readonly<{
  name: string
  /** Address of its wallet, lower case. */
  address: string
  /** Wei, as text. */
  balance: string
  /** The wallet can pay for its transactions. Otherwise new intents for the lane are rejected. */
  isFunded: boolean
  /** Intents waiting for a transaction, and those whose transaction is waiting for a block. */
  queued: number
  sent: number
  /** Total gas estimate of both. */
  gas: number
}>

/** Status of the relayer, published at least every `RELAY_REPEAT_MS`. */
export type RelayStatus = Readonly<{
  /** The cancel lane first, then the order lanes by number. */
  lanes: readonly RelayLane[]
  /** Wallet of the cancel lane, which accounts allow to cancel. */
  canceller: string
  /** The relayer's share of a block's gas. */
  gasPerBlock: number
  /** Recent time between blocks. */
  blockMs: number
  /** Maximum number of orders, and maximum gas, per transaction. */
  ordersPerTx: number
  gasPerTx: number
  /** Newest block the relayer has seen. */
  block: number
}>

/** Interval at which the relayer looks whether its status has changed. */
export const RELAY_STATUS_MS = 1_000
/** An unchanged status is published again after this time. */
export const RELAY_REPEAT_MS = 3_000
/** A relayer silent for this long is considered offline: accepted intents wait for the next one. */
export const RELAY_SILENCE_MS = 10_000

/** Returns the number of order lanes, an argument of `laneOf`. */
export const orderLanesOf = ({ lanes }: RelayStatus): number =>
  lanes.filter(({ name }) => name !== CANCEL_LANE).length

export const encodeRelayStatus = (status: RelayStatus): string => JSON.stringify(status)

/** Parses the output of `encodeRelayStatus`. */
export const decodeRelayStatus = (text: string): RelayStatus => JSON.parse(text) as RelayStatus
