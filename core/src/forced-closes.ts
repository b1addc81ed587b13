// Positions closed by force by the contract: on the book, by insurance, or against a winning
// position. Formulas: the head of `Liquidation.sol`.

import { invariant } from './assert.ts'
import { moveCollateral } from './balances.ts'
import { chargeCycle } from './cycles.ts'
import type { Draft } from './draft.ts'
import type { EventOf, LogPosition } from './events.ts'
import { recordForced } from './fills.ts'
import { dropForced, takeForced } from './forced-orders.ts'
import { orderKey } from './ids.ts'
import { abs } from './integers.ts'
import { listedMarket } from './markets.ts'
import { INSURANCE_ACCOUNT, transferLots } from './positions.ts'
import type { MarketId, Quote } from './record-schema.ts'
import type { ForcedClose } from './records.ts'

/**
 * Charges the fee of a liquidation on the book. The keeper receives half of it, rounded down, if it
 * has an account; insurance receives the rest.
 */
export function liquidate(draft: Draft, event: EventOf<'Liquidated'>): void {
  const { market: id, account, lots, fee, keeper } = event
  const market = listedMarket(draft, id)
  const forced = takeForced(draft, event)
  const reward = keeper === 0 ? 0n : fee / 2n
  moveCollateral(draft, market.engine, account, -fee)
  moveCollateral(draft, market.engine, keeper, reward)
  moveCollateral(draft, market.engine, INSURANCE_ACCOUNT, fee - reward)
  const fill = draft.inserted('fill', forced.fillId)
  fill.after = { ...fill.after, liquidationFee: fee }
  chargeCycle(draft, event, { fillId: forced.fillId, fee })
  const isShort = draft.find('order', orderKey(id, forced.order))?.isBuy === true
  recordClose(draft, event, {
    kind: 'liquidation',
    account,
    counterparty: keeper === 0 ? null : keeper,
    lots: isShort ? -lots : lots,
    quote: forced.units * market.quotePerLotTick,
    fee,
    reward,
  })
}

/** Transfers lots of a position and their collateral to insurance. */
export function absorb(draft: Draft, event: EventOf<'Absorbed'>): void {
  const { account, lots, unit, collateral } = event
  dropForced(draft, event)
  closeOffBook(draft, event, { from: account, to: INSURANCE_ACCOUNT, fee: collateral })
  recordClose(draft, event, {
    kind: 'absorption',
    account,
    counterparty: INSURANCE_ACCOUNT,
    lots,
    quote: abs(lots) * unit,
    fee: collateral,
    reward: collateral,
  })
}

/** Closes lots of a position against a winning position. */
export function deleverage(draft: Draft, event: EventOf<'Deleveraged'>): void {
  const { loser, winner, lots, unit } = event
  closeOffBook(draft, event, { from: loser, to: winner, fee: 0n })
  recordClose(draft, event, {
    kind: 'deleverage',
    account: loser,
    counterparty: winner,
    lots,
    quote: abs(lots) * unit,
    fee: 0n,
    reward: 0n,
  })
}

function closeOffBook(
  draft: Draft,
  event: EventOf<'Absorbed'> | EventOf<'Deleveraged'>,
  { from, to, fee }: Readonly<{ from: number; to: number; fee: Quote }>,
): void {
  const { lots, unit } = event
  const market = listedMarket(draft, event.market)
  const [gave, got] = transferLots(draft, market, { from, to, lots, unit })
  invariant(gave.closedLots === abs(lots), 'a forced close is at most the position', event)
  const isAbsorbed = event.type === 'Absorbed'
  invariant(isAbsorbed || got.closedLots === gave.closedLots, 'a winner closes as much', event)
  moveCollateral(draft, market.engine, from, -fee)
  moveCollateral(draft, market.engine, to, fee)
  const kind = isAbsorbed ? 'absorption' : 'deleverage'
  const id = draft.placeId(event.logIndex)
  const fill = { kind, unit } as const
  const given = { ...fill, id: `${id}-f`, lots: -lots, liquidationFee: fee, filled: gave }
  recordForced(draft, market, event, given)
  recordForced(draft, market, event, {
    ...fill,
    id: `${id}-g`,
    lots,
    liquidationFee: fee === 0n ? 0n : -fee,
    filled: got,
  })
}

function recordClose(
  draft: Draft,
  event: LogPosition & Readonly<{ market: MarketId }>,
  close: Omit<ForcedClose, 'id' | 'market' | 'seconds' | 'blockNumber' | keyof LogPosition>,
): void {
  const id = draft.placeId(event.logIndex)
  draft.insert('forcedClose', id, {
    id,
    kind: close.kind,
    market: event.market,
    account: close.account,
    counterparty: close.counterparty,
    lots: close.lots,
    quote: close.quote,
    fee: close.fee,
    reward: close.reward,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
  })
}
