// The venue as a function of its blocks.
import {
  allowCanceller,
  openAccount,
  openSubAccount,
  registerKey,
  revokeCanceller,
  revokeKey,
} from './accounts.ts'
import { invariant } from './assert.ts'
import { checkBalance } from './balances.ts'
import { writeCandles } from './candles.ts'
import type { BlockChanges } from './changes.ts'
import { capDeposits } from './custody.ts'
import { payFunding } from './cycles.ts'
import { Draft } from './draft.ts'
import type { EventOf, EventType, Header, LoggedEvent, VenueBlock } from './events.ts'
import { absorb, deleverage, liquidate } from './forced-closes.ts'
import { announce } from './forced-orders.ts'
import { settleFunding, startFunding } from './funding.ts'
import {
  changePerp,
  changeSpot,
  clearLoss,
  flagLoss,
  haltMarket,
  listPerp,
  listSpot,
  listToken,
} from './markets.ts'
import { cancel, expireOrders, fill, placeOrder, reduce } from './matching.ts'
import { createPool, fundPool, initializePool, swapPool, syncPool } from './pools.ts'
import { setLeverage } from './positions.ts'
import { endMarket, markSpotMarkets, rollMarks, startMark, takeIndex, takeMark } from './prices.ts'
import { fold, type VenueState } from './state.ts'
import { deposit, transfer, withdraw } from './transfers.ts'

/**
 * Applies `block` to `state` and returns its changes, at most one per slot. Blocks come in order;
 * of empty blocks, only the effect of time matters: order expiry and the mark in force.
 *
 * @throws InvariantError if the chain could not have emitted this; the state is then unchanged.
 */
export function applyBlock(state: VenueState, block: VenueBlock): BlockChanges {
  const { header, events } = block
  checkHeader(state.head, header)
  const draft = new Draft(state, header)
  expireOrders(draft)
  if (events.length > 0) rollMarks(draft)
  for (const event of events) applyEvent(draft, event)
  writeCandles(draft)
  const changes = draft.take()
  for (const change of changes) if (change.what === 'balance') checkBalance(change.after)
  fold(state, changes)
  markSpotMarkets(draft, changes)
  const marks = draft.take()
  fold(state, marks)
  state.head = header
  return { header, changes: marks.length === 0 ? changes : changes.concat(marks) }
}

function checkHeader(head: Header | undefined, header: Header): void {
  if (head === undefined) return
  const facts = { head: head.number, next: header.number, hash: header.hash }
  invariant(header.number > head.number, 'blocks come in order', facts)
  invariant(header.seconds >= head.seconds, 'the time of blocks does not go back', facts)
  invariant(
    header.number > head.number + 1 || header.parentHash === head.hash,
    'a block follows on the head',
    facts,
  )
}

const APPLY: { readonly [T in EventType]: (draft: Draft, event: EventOf<T>) => void } = {
  AccountOpened: openAccount,
  SubAccountOpened: openSubAccount,
  KeyRegistered: registerKey,
  KeyRevoked: revokeKey,
  CancellerAllowed: allowCanceller,
  CancellerRevoked: revokeCanceller,
  TokenListed: listToken,
  Deposited: deposit,
  Withdrawn: withdraw,
  DepositCapSet: capDeposits,
  Transferred: transfer,
  SpotListed: listSpot,
  PerpListed: (draft, event) => {
    listPerp(draft, event)
    startMark(draft, event.market, event.asset)
    startFunding(draft, event.market)
  },
  SpotChanged: changeSpot,
  PerpChanged: changePerp,
  Halted: haltMarket,
  Placed: placeOrder,
  Filled: fill,
  Cancelled: cancel,
  Reduced: reduce,
  LeverageSet: setLeverage,
  Indexed: takeIndex,
  Marked: takeMark,
  FundingSettled: (draft, event) => {
    settleFunding(draft, event)
    payFunding(draft, event)
  },
  Ended: endMarket,
  LossFlagged: flagLoss,
  LossCleared: clearLoss,
  Liquidating: announce,
  Liquidated: liquidate,
  Absorbed: absorb,
  Deleveraged: deleverage,
  PoolCreated: createPool,
  PoolSynced: syncPool,
  PoolSwapped: swapPool,
  PoolInitialized: initializePool,
  PoolFunded: fundPool,
}

function applyEvent(draft: Draft, event: LoggedEvent): void {
  const apply: (draft: Draft, event: never) => void = APPLY[event.type]
  apply(draft, event as never)
}
