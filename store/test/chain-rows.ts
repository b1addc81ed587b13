// Rows of the chain's records, of which a test says what matters to it.
import { placeId } from '@openvenue/core/ids'
import type { ClosedCycle, Fill, FundingPayment, Trade } from '@openvenue/core/records'

/** Random numbers from 0 to below 1, the same for the same seed. */
export function createRandom(from: number): () => number {
  let state = from
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Where in the chain something is, and when. */
export type Place = Readonly<{ number: number; index: number; seconds: number }>
/** Of whom, and where. */
export type Who = Readonly<{ account: number; market: string }>

export const placed = ({ number, index, seconds }: Place) => ({
  id: placeId(number, index),
  blockNumber: number,
  logIndex: index,
  txHash: '0xt',
  seconds,
})

export const makeFill = (at: Place, who: Who, kind: Fill['kind']): Fill => ({
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

export const makeTrade = (at: Place, { market, account }: Who): Trade => ({
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

export const makeCycle = (at: Place, who: Who): ClosedCycle => ({
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

export const makePayment = (at: Place, who: Who): FundingPayment => ({
  ...placed(at),
  ...who,
  lots: 1n,
  mark: 1n,
  rate: 1n,
  amount: 1n,
})
