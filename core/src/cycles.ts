// Cycles of perpetual positions, from flat to flat, and the funding paid during them.

import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import type { EventOf, LogPosition } from './events.ts'
import { abs, max } from './integers.ts'
import { effectiveLeverage } from './margin.ts'
import type { FilledPosition } from './positions.ts'
import type { Lots, MarketId, PerLot, Quote, Seconds } from './record-schema.ts'
import type { Cycle, FundingPayment, Market, Position } from './records.ts'
import { minus, plus } from './units.ts'

/** One side of a match in a perpetual market, or of a position transferred off the book. */
export type CycleFill = Readonly<{
  /** Id of the fill. */
  id: string
  event: LogPosition & Readonly<{ market: MarketId }>
  /** Above zero. */
  lots: Lots
  /** Quote raw per lot. */
  unit: PerLot
  fee: Quote
  liquidationFee: bigint
  /** Reason for the end of the cycle, if the fill ends it without a flip. */
  reason: 'trade' | 'liquidation' | 'adl'
  filled: FilledPosition
}>

/**
 * Applies a fill to the cycle of its position. A fill from flat begins a cycle, a fill to flat ends
 * it, and a flip does both: the closing part bears its share of the fees by lots, truncated towards
 * zero, and the new cycle the rest.
 */
export function moveCycle(draft: Draft, market: Market, fill: CycleFill): void {
  const { before, after, closedLots } = fill.filled
  const { lots, fee, liquidationFee } = fill
  const slot = draft.slot('cycle', `${market.id}|${before.account}`)
  if (before.lots === 0n) {
    slot.after = begunCycle(draft, fill, { lots, fee, liquidationFee })
    return
  }
  const isFlip = closedLots > 0n && closedLots < lots
  const closing = isFlip ? takeShare(fill, closedLots) : fill
  const step = { ...pickFees(closing), isFlip, seconds: draft.header.seconds }
  const cycle = movedCycle(slot.after, fill, step)
  if (!isFlip && after.lots !== 0n) {
    slot.after = cycle
    return
  }
  endCycle(draft, market, { fill, cycle, isFlip })
  slot.after = isFlip
    ? begunCycle(draft, fill, {
        lots: lots - closedLots,
        fee: fee - closing.fee,
        liquidationFee: liquidationFee - closing.liquidationFee,
      })
    : undefined
}

/** Part of a fill: the opening part (all of it, or the remainder of a flip) or the closing part. */
type FillPart = Pick<CycleFill, 'lots' | 'fee' | 'liquidationFee'>

const takeShare = ({ lots, fee, liquidationFee }: FillPart, closedLots: bigint): FillPart => ({
  lots: closedLots,
  fee: (fee * closedLots) / lots,
  liquidationFee: (liquidationFee * closedLots) / lots,
})

const pickFees = ({ fee, liquidationFee }: FillPart) => ({
  fees: fee + liquidationFee,
  liquidationFees: liquidationFee,
})

function begunCycle(draft: Draft, fill: CycleFill, part: FillPart): Cycle {
  const { event, filled, unit } = fill
  const { lots } = part
  const { after } = filled
  return {
    market: after.market,
    account: after.account,
    openId: fill.id,
    isLong: after.lots > 0n,
    maxLots: lots,
    maxQuote: abs(after.quote),
    openedLots: lots,
    closedLots: 0n,
    openedQuote: unit * lots,
    closedQuote: 0n,
    realised: 0n,
    ...pickFees(part),
    funding: 0n,
    unsettledFunding: 0n,
    fundingIndex: filled.fundingIndex,
    fillCount: 1,
    openTxHash: event.txHash,
    openedSeconds: draft.header.seconds,
    updatedSeconds: draft.header.seconds,
  }
}

type CycleStep = Readonly<{
  fees: bigint
  liquidationFees: bigint
  isFlip: boolean
  seconds: Seconds
}>

/** Returns `cycle` after a fill; only the closing part of a flip counts. */
function movedCycle(
  cycle: Cycle | undefined,
  { lots, unit, filled }: CycleFill,
  { fees, liquidationFees, isFlip, seconds }: CycleStep,
): Cycle {
  const { before, after, closedLots, realised, fundingIndex } = filled
  if (cycle === undefined) invariant(false, 'an open position has a cycle', before)
  const openedLots = isFlip ? 0n : minus(lots, closedLots)
  const received = fundingReceived(before, cycle, fundingIndex)
  return {
    ...cycle,
    maxLots: isFlip ? cycle.maxLots : max(cycle.maxLots, abs(after.lots)),
    maxQuote: isFlip ? cycle.maxQuote : max(cycle.maxQuote, abs(after.quote)),
    openedLots: plus(cycle.openedLots, openedLots),
    closedLots: plus(cycle.closedLots, closedLots),
    openedQuote: cycle.openedQuote + unit * openedLots,
    closedQuote: cycle.closedQuote + unit * closedLots,
    realised: plus(cycle.realised, realised),
    fees: plus(cycle.fees, fees),
    liquidationFees: plus(cycle.liquidationFees, liquidationFees),
    funding: plus(cycle.funding, received),
    unsettledFunding: plus(cycle.unsettledFunding, received),
    fundingIndex,
    fillCount: cycle.fillCount + 1,
    updatedSeconds: seconds,
  }
}

/** Returns the funding `position` received since the last update of `cycle`, exact. */
export const fundingReceived = (
  position: Pick<Position, 'lots'>,
  cycle: Pick<Cycle, 'fundingIndex'>,
  fundingIndex: bigint,
): bigint => -position.lots * (fundingIndex - cycle.fundingIndex)

type End = Readonly<{ fill: CycleFill; cycle: Cycle; isFlip: boolean }>

function endCycle(draft: Draft, market: Market, { fill, cycle, isFlip }: End): void {
  const { event, filled } = fill
  const { before } = filled
  const { updatedSeconds, unsettledFunding, fundingIndex: _, ...rest } = cycle
  draft.insert('closedCycle', fill.id, {
    ...rest,
    id: fill.id,
    leverage: effectiveLeverage(market, before),
    reason: isFlip ? 'flip' : fill.reason,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: updatedSeconds,
  })
  if (unsettledFunding === 0n) return
  const funding = draft.find('funding', market.id)
  if (funding === undefined) invariant(false, 'a listed perpetual has funding', event)
  const { mark, rate } = funding
  pay(draft, event, {
    account: cycle.account,
    lots: before.lots,
    mark,
    rate,
    amount: unsettledFunding,
  })
}

/**
 * Charges the cost of a forced close to the running cycle of a position, or to the cycle ended by
 * the fill `fillId` of this block.
 */
export function chargeCycle(
  draft: Draft,
  position: Pick<Position, 'market' | 'account'>,
  { fillId, fee }: Readonly<{ fillId: string; fee: Quote }>,
): void {
  const slot = draft.slot('cycle', `${position.market}|${position.account}`)
  if (slot.after !== undefined) {
    slot.after = charged(slot.after, fee)
    return
  }
  const closed = draft.inserted('closedCycle', fillId)
  closed.after = charged(closed.after, fee)
}

const charged = <C extends Pick<Cycle, 'fees' | 'liquidationFees'>>(cycle: C, fee: Quote): C => ({
  ...cycle,
  fees: plus(cycle.fees, fee),
  liquidationFees: plus(cycle.liquidationFees, fee),
})

/** Records the funding of the settled hour for each open position of the market, even if 0. */
export function payFunding(draft: Draft, event: EventOf<'FundingSettled'>): void {
  const { market, cumulative, mark, rate } = event
  // Collected first: writing to slots during the iteration would yield some of them twice.
  const open: Cycle[] = []
  for (const cycle of draft.all('cycle')) if (cycle.market === market) open.push(cycle)
  // Sorted, so that the order does not depend on how the state was built.
  open.sort((a, b) => a.account - b.account)
  for (const cycle of open) {
    const { account } = cycle
    const key = `${market}|${account}`
    const lots = draft.find('position', key)?.lots ?? 0n
    if (lots === 0n) invariant(false, 'a running cycle has a position', cycle)
    const received = fundingReceived({ lots }, cycle, cumulative)
    const amount = plus(cycle.unsettledFunding, received)
    pay(draft, event, { account, lots, mark, rate, amount })
    draft.slot('cycle', key).after = {
      ...cycle,
      funding: plus(cycle.funding, received),
      unsettledFunding: 0n,
      fundingIndex: cumulative,
    }
  }
}

type Payment = Pick<FundingPayment, 'account' | 'lots' | 'mark' | 'rate' | 'amount'>

function pay(
  draft: Draft,
  event: LogPosition & Readonly<{ market: MarketId }>,
  { account, lots, mark, rate, amount }: Payment,
): void {
  const id = `${draft.placeId(event.logIndex)}-${account}`
  draft.insert('fundingPayment', id, {
    id,
    account,
    market: event.market,
    lots,
    mark,
    rate,
    amount,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
  })
}
