// Rows of the chain's records, with defaults for the fields that a test does not set.
import { placeId } from '@openvenue/core/ids'
import type { ClosedCycle, Fill, FundingPayment, Order, Trade } from '@openvenue/core/records'

/** Returns a generator of random numbers in [0, 1) from a seed. */
export function createRandom(from: number): () => number {
  let state = from
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Position and time in the chain. */
type ChainPosition = Readonly<{ number: number; index: number; seconds: number }>
/** Account and market. */
type Holder = Readonly<{ account: number; market: string }>

export const placed = ({ number, index, seconds }: ChainPosition) => ({
  id: placeId(number, index),
  blockNumber: number,
  logIndex: index,
  txHash: '0xt',
  seconds,
})

export const makeFill = (at: ChainPosition, who: Holder, kind: Fill['kind']): Fill => ({
  ...placed(at),
  ...who,
  kind,
  orderNumber: null,
  ref: null,
  timeInForce: null,
  isBuy: true,
  isMaker: false,
  tick: null,
  unit: null,
  lots: 1n,
  fee: 0n,
  liquidationFee: 0n,
  orderFilledLots: null,
  orderStatus: null,
  heldLots: null,
  heldQuote: null,
  closedLots: null,
  realised: null,
  mark: null,
  index: null,
  isMarket: false,
  clientOrderId: null,
})

export const makeTrade = (at: ChainPosition, { market, account }: Holder): Trade => ({
  ...placed(at),
  market,
  tick: 5,
  lots: 1n,
  isTakerBuy: true,
  maker: account,
  makerOrder: 1,
  makerFee: 0n,
  taker: account,
  takerOrder: 2,
  takerFee: 0n,
})

export const makeCycle = (at: ChainPosition, who: Holder): ClosedCycle => ({
  ...placed(at),
  ...who,
  openId: placed(at).id,
  isLong: true,
  maxLots: 1n,
  maxQuote: 1n,
  openedLots: 1n,
  closedLots: 1n,
  openedQuote: 1n,
  closedQuote: 1n,
  realised: 0n,
  fees: 0n,
  liquidationFees: 0n,
  funding: 0n,
  fillCount: 1,
  leverage: 1,
  reason: 'trade',
  openTxHash: '0xt',
  openedSeconds: at.seconds,
})

export const makePayment = (at: ChainPosition, who: Holder): FundingPayment => ({
  ...placed(at),
  ...who,
  lots: 1n,
  mark: 1n,
  rate: 1n,
  amount: 1n,
})

/** An order that ended unfilled at `at`, unless `given` has other fields. */
export const makeOrder = (at: ChainPosition, who: Holder, given: Partial<Order> = {}): Order => ({
  ...who,
  number: at.number * 100 + at.index,
  ref: null,
  isBuy: true,
  tick: 5,
  lots: 2n,
  restingLots: 0n,
  filledLots: 0n,
  filledUnits: 0n,
  fees: 0n,
  timeInForce: 'GTC',
  isReduceOnly: false,
  isForced: false,
  goodTilSeconds: 0,
  status: 'cancelled',
  reason: 'USER',
  blockNumber: at.number,
  logIndex: at.index,
  txHash: '0xt',
  createdSeconds: at.seconds,
  updatedSeconds: at.seconds,
  isMarket: false,
  clientOrderId: null,
  parentRef: null,
  triggerKind: null,
  triggerPrice: null,
  replaces: null,
  replacedBy: null,
  ...given,
})
