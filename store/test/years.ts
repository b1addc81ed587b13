// A venue of years with few rows: blocks at random times, weeks without any among them.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import { placeId } from '@openvenue/core/ids'
import type { ClosedCycle, Fill, FundingPayment, Trade } from '@openvenue/core/records'

export const YEAR_MARKETS = ['0xm1', '0xm2', '0xm3'] as const
export const YEAR_ACCOUNTS = [7, 8, 9] as const

/** Random numbers from 0 to below 1, the same for the same seed. */
export function createRandom(from: number): () => number {
  let state = from
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

type Place = Readonly<{ number: number; index: number; seconds: number }>
type Who = Readonly<{ account: number; market: string }>

const placed = ({ number, index, seconds }: Place) => ({
  id: placeId(number, index),
  blockNumber: number,
  logIndex: index,
  txHash: '0xt',
  seconds,
})

const makeFill = (at: Place, who: Who, kind: Fill['kind']): Fill => ({
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
})

const makeTrade = (at: Place, { market, account }: Who): Trade => ({
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

const makeCycle = (at: Place, who: Who): ClosedCycle => ({
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

const makePayment = (at: Place, who: Who): FundingPayment => ({
  ...placed(at),
  ...who,
  lots: 1n,
  mark: 1n,
  rate: 1n,
  amount: 1n,
})

/** Returns what a block of trades did, with rows of each table that is partitioned. */
export function yearBlock(number: number, seconds: number, random: () => number): BlockChanges {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const changes: Change[] = []
  for (let index = 0; index < 3; index++) {
    const at = { number, index, seconds }
    const who = { account: pick(YEAR_ACCOUNTS), market: pick(YEAR_MARKETS) }
    const { id: key } = placed(at)
    const fill = makeFill(at, who, pick(['trade', 'trade', 'trade', 'absorption'] as const))
    changes.push(
      { what: 'fill', key, before: undefined, after: fill },
      { what: 'trade', key, before: undefined, after: makeTrade(at, who) },
      { what: 'closedCycle', key, before: undefined, after: makeCycle(at, who) },
      { what: 'fundingPayment', key, before: undefined, after: makePayment(at, who) },
    )
  }
  const header = { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, seconds }
  return { header, changes }
}

/** Returns blocks at random times between `from` and `to`. */
export function yearBlocks(
  { from, to, count }: Readonly<{ from: number; to: number; count: number }>,
  random: () => number,
): BlockChanges[] {
  const times = Array.from({ length: count }, () => from + Math.floor(random() * (to - from)))
  return times
    .sort((one, other) => one - other)
    .map((seconds, index) => yearBlock(index + 1, seconds, random))
}
