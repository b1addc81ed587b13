// Fixes what those who accept orders and the one that sends them must agree on: which lane carries
// what, how much gas it counts, by which block it is promised, and what the relayer says of itself.
import type { MarketId } from './record-schema.ts'

/** Kinds of intents, by what is sent for them. */
export type RelayKind = 'order' | 'cancel' | 'signed_cancel' | 'signed_cancel_all'

/** The lane of all cancels. Its wallet is the canceller that accounts allow. */
export const CANCEL_LANE = 'cancels'
/** Wallets of one relayer: the lane of the cancels and those of the orders. */
export const LANES_MAX = 17

export const orderLane = (index: number): string => `orders-${index}`

/**
 * Returns the lane of an intent. A market keeps to one of the `orderLanes` lanes of orders, so that
 * orders of a market reach the chain in the order in which they arrived.
 */
export function laneOf(kind: RelayKind, market: MarketId, orderLanes: number): string {
  if (kind !== 'order') return CANCEL_LANE
  const number = Number.parseInt(market.slice(-8), 16)
  const engine = Number.parseInt(market.slice(2, 10), 16)
  return orderLane((number + engine) % Math.max(1, orderLanes))
}

/** What an intent may do, as far as its gas depends on it. */
export type GasFacts = Readonly<{
  kind: RelayKind
  isPerpetual: boolean
  /** Makers that an order is expected to meet, or may meet at most; none for a post-only one. */
  fills?: number
  /** Perpetual positions of the account in other markets: each is looked at. */
  positions?: number
  /** Orders that a signed cancel names. */
  orders?: number
}>

/** Measured by `contracts/snapshots`: an item of a batch of ten, and what each part adds. */
export const MEASURED_GAS = {
  spot: { place: 53_185, fill: 17_000, position: 0 },
  perpetual: { place: 65_368, fill: 21_500, position: 14_600 },
  /** One of ten that an account has cancelled for it. */
  cancel: 12_466,
  /** A signed cancel, and each order that it names. */
  signedCancel: 45_500,
  cancelledOrder: 9_000,
} as const
/** What a transaction takes besides its items, and its most: one order that meets every maker. */
const TX_GAS = 60_000
const TX_SPARE = 4_000_000
/** An item may take twice what it counts, and this: words never touched, a salt's first use. */
const ITEM_SPARE = 40_000
/** Returns what an intent counts in blocks, queues and budgets: what it will most likely take. */
export function gasOf({ kind, isPerpetual, fills = 0, positions = 0, orders = 1 }: GasFacts) {
  if (kind === 'cancel') return MEASURED_GAS.cancel
  if (kind !== 'order') return MEASURED_GAS.signedCancel + orders * MEASURED_GAS.cancelledOrder
  const { place, fill, position } = isPerpetual ? MEASURED_GAS.perpetual : MEASURED_GAS.spot
  return place + fills * fill + positions * position
}

/**
 * Returns the gas limit of a transaction whose items count so much. What is not used costs nothing,
 * but a block has to have room for all of it. `mayTake`: one of them may meet makers.
 */
export const gasLimitOf = (gases: readonly number[], mayTake: boolean): number =>
  gases.reduce((sum, gas) => sum + 2 * gas + ITEM_SPARE, TX_GAS) + (mayTake ? TX_SPARE : 0)

/** Returns the gas limit of an order that has run out of gas so often, and goes alone. */
export const aloneGasLimitOf = (gas: number, tries: number, gasPerBlock: number): number =>
  Math.max(gasLimitOf([gas], true), tries > 1 ? gasPerBlock : Math.floor(gasPerBlock / 2))

/** Blocks of gas that may wait; who comes later is to come again. */
export const QUEUE_BLOCKS_MAX = 2
/** An intent is in this many blocks after the newest one, and as many as wait before it. */
export const PROMISED_BLOCKS = 3

/**
 * Returns the block by which an intent is promised to be in or refused, when `waitingGas` is what
 * waits with it and before it.
 */
export const promiseBlock = (head: number, waitingGas: number, gasPerBlock: number): number =>
  head + PROMISED_BLOCKS + Math.floor(waitingGas / gasPerBlock)

export type RelayLane = Readonly<{
  name: string
  /** Its wallet, in lower case. */
  address: string
  /** Wei, as text. */
  balance: string
  /** Whether it can pay for what it is to send. Without it nothing new is accepted for it. */
  isFunded: boolean
  /** Intents that wait for a transaction, and those whose transaction waits for a block. */
  queued: number
  sent: number
  /** What both of them count. */
  gas: number
}>

/** What the relayer says of itself; it says so at least every `RELAY_STATUS_MS`. */
export type RelayStatus = Readonly<{
  /** Of the cancel lane first, then of the orders' lanes by their number. */
  lanes: readonly RelayLane[]
  /** The wallet that accounts allow to cancel: that of the cancel lane. */
  canceller: string
  /** The relayer's share of a block. */
  gasPerBlock: number
  /** Time between blocks of late. */
  blockMs: number
  /** Most orders, and most gas, of one transaction. */
  ordersPerTx: number
  gasPerTx: number
  /** The newest block that it knows of. */
  block: number
}>

export const RELAY_STATUS_MS = 1_000
/** A relayer that has said nothing for so long is away: what is accepted waits for the next one. */
export const RELAY_SILENCE_MS = 10_000

/** Returns how many lanes of orders there are: what `laneOf` asks for. */
export const orderLanesOf = ({ lanes }: RelayStatus): number =>
  lanes.filter(({ name }) => name !== CANCEL_LANE).length

export const encodeRelayStatus = (status: RelayStatus): string => JSON.stringify(status)

/** Returns what `encodeRelayStatus` made a text of. */
export const decodeRelayStatus = (text: string): RelayStatus => JSON.parse(text) as RelayStatus
