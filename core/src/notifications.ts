// Derives notifications from the changes of a block, like rows and deltas. The database stores
// those of registered accounts.

import { invariant } from './assert.ts'
import type { BlockChanges, Change } from './changes.ts'
import { blockId, orderId } from './ids.ts'
import type { AccountNumber, Address } from './record-schema.ts'
import type {
  Collateral,
  Fill,
  ForcedClose,
  FundingPayment,
  Market,
  Order,
  RecordKind,
  RecordOf,
  Transfer,
} from './records.ts'
import type { VenueState } from './state.ts'
import { amountText, fixedText, formatRaw, pricePaidDown, priceText } from './units.ts'

/** Notification types caused by blocks. */
const CHAIN_NOTIFICATIONS = [
  'order_filled',
  'order_partially_filled',
  'order_cancelled',
  'position_liquidated',
  'liquidation_warning',
  'funding_paid',
  'deposit_finalized',
  'withdraw_finalized',
  'transfer_received',
  'market_halted',
  'withdrawals_stopped',
  'withdrawals_resumed',
] as const
type ChainNotificationType = (typeof CHAIN_NOTIFICATIONS)[number]

/** Notification types caused off the chain. */
const KEY_NOTIFICATIONS = ['api_key_created', 'api_key_expiring', 'api_key_revoked'] as const
export type KeyNotificationType = (typeof KEY_NOTIFICATIONS)[number]

/** Notification types of orders that ended before they reached the chain. */
const ORDER_END_NOTIFICATIONS = ['order_rejected', 'order_expired'] as const
export type OrderEndType = (typeof ORDER_END_NOTIFICATIONS)[number] | 'order_cancelled'

/** Notification type of an order whose trigger was met. */
export const TRIGGER_NOTIFICATION = 'order_triggered'

export const NOTIFICATION_TYPES = [
  ...CHAIN_NOTIFICATIONS,
  ...ORDER_END_NOTIFICATIONS,
  TRIGGER_NOTIFICATION,
  ...KEY_NOTIFICATIONS,
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Published only to subscribers that request them. */
export const OPT_IN_NOTIFICATIONS: readonly NotificationType[] = ['funding_paid']

/**
 * Maximum number of accounts that one block notifies of a stop or resumption of withdrawals: those
 * with the most collateral. Anyone can flag an existing loss, so the rows of a block must not grow
 * with the number of accounts.
 */
export const WITHDRAWAL_NOTIFICATIONS_MAX = 10_000

/** Fields of a notification other than its type. Amounts and prices are decimal text. */
type NotificationData = Readonly<Record<string, string | number | boolean | null>>

/**
 * One notification of one account. `id` begins with the block, padded as in trade ids, and is the
 * same each time the block is applied.
 */
export type Notification = Readonly<{
  id: string
  account: AccountNumber
  type: ChainNotificationType
  data: NotificationData
}>

/** Returns the notifications of a block; `state` is the state after it. Warnings: warnings.ts. */
export function deriveNotifications(
  state: VenueState,
  { header, changes }: BlockChanges,
): Notification[] {
  const notifications: Notification[] = []
  const context: Context = { state, block: blockId(header.number), notifications }
  for (const change of changes) {
    const { before, after } = change
    if (after === undefined) continue
    const notify: (context: Context, after: never, before: never) => void = NOTIFY[change.what]
    notify(context, after as never, before as never)
  }
  notifyWithdrawals(context, header.number, changes)
  return notifications
}

type Context = Readonly<{ state: VenueState; block: string; notifications: Notification[] }>

type Notify<K extends RecordKind> = (
  context: Context,
  after: RecordOf<K>,
  before: RecordOf<K> | undefined,
) => void

/** Records that cause no notification. */
const nothing = () => {}

const NOTIFY = {
  token: nothing,
  account: nothing,
  subAccount: nothing,
  canceller: nothing,
  key: nothing,
  market: notifyHalt,
  order: notifyCancel,
  unswept: nothing,
  trade: nothing,
  candle: nothing,
  ticker: nothing,
  balance: nothing,
  collateral: nothing,
  custody: nothing,
  position: nothing,
  indexPrice: nothing,
  mark: nothing,
  priceMinute: nothing,
  funding: nothing,
  settlement: nothing,
  transfer: notifyTransfer,
  fill: notifyFill,
  cycle: nothing,
  closedCycle: nothing,
  forcedClose: notifyForcedClose,
  fundingPayment: notifyFunding,
  holding: nothing,
  poolToken: nothing,
  pool: nothing,
  poolHour: nothing,
} satisfies { [K in RecordKind]: Notify<K> }

/** Fields that identify the market in the data. */
const named = ({ id, name }: Market) => ({ instrumentId: id, instrumentName: name })

const findMarket = ({ state }: Context, id: string) => state.records.market.get(id) as Market

/** Notifies of fills of the account's own orders; `notifyForcedClose` covers forced closes. */
function notifyFill(context: Context, fill: Fill): void {
  const { orderNumber, tick, orderFilledLots } = fill
  if (fill.kind !== 'trade') return
  if (orderNumber === null || tick === null || orderFilledLots === null)
    invariant(false, 'a trade has an order', fill)
  const market = findMarket(context, fill.market)
  const { id, account, ref, isBuy, isMaker, lots, fee } = fill
  context.notifications.push({
    id,
    account,
    type: fill.orderStatus === 'filled' ? 'order_filled' : 'order_partially_filled',
    data: {
      ...named(market),
      orderId: orderId({ market: market.id, number: orderNumber, ref }),
      tradeId: id,
      side: isBuy ? 'buy' : 'sell',
      price: priceText(market, tick),
      amount: amountText(market, lots),
      filled: amountText(market, orderFilledLots),
      fee: formatRaw(fee, market.quoteDecimals),
      liquidity: isMaker ? 'maker' : 'taker',
    },
  })
}

/** Owners are not notified of their own cancels, nor of orders placed by a forced close. */
function notifyCancel(context: Context, after: Order, before: Order | undefined): void {
  if (after.status !== 'cancelled' || before?.status === 'cancelled') return
  if (after.reason === 'USER' || after.isForced) return
  const market = findMarket(context, after.market)
  context.notifications.push({
    id: `${context.block}-c-${orderId(after)}`,
    account: after.account,
    type: 'order_cancelled',
    data: {
      ...named(market),
      orderId: orderId(after),
      side: after.isBuy ? 'buy' : 'sell',
      price: priceText(market, after.tick),
      amount: amountText(market, after.lots),
      filled: amountText(market, after.filledLots),
      reason: after.reason,
    },
  })
}

/** Notifies the holder of the position and, for a deleverage, the winner. */
function notifyForcedClose(context: Context, close: ForcedClose): void {
  const market = findMarket(context, close.market)
  const { id, kind, account, counterparty, lots, quote, fee } = close
  const isLong = lots > 0n
  const count = isLong ? lots : -lots
  const notify = (account: AccountNumber, hasLong: boolean) =>
    context.notifications.push({
      id: `${id}-l`,
      account,
      type: 'position_liquidated',
      data: {
        ...named(market),
        engine: market.engine,
        kind,
        side: hasLong ? 'sell' : 'buy',
        amount: amountText(market, count),
        price: formatRaw(pricePaidDown(market, quote, count), market.quoteDecimals),
        fee: formatRaw(fee, market.quoteDecimals),
      },
    })
  notify(account, isLong)
  if (kind === 'deleverage' && counterparty !== null) notify(counterparty, !isLong)
}

const TRANSFER_NOTIFICATIONS: Readonly<Record<string, ChainNotificationType>> = {
  deposit: 'deposit_finalized',
  withdraw: 'withdraw_finalized',
  receive: 'transfer_received',
}

function notifyTransfer(context: Context, transfer: Transfer): void {
  const type = TRANSFER_NOTIFICATIONS[transfer.type]
  const token = context.state.records.token.get(transfer.token)
  if (type === undefined || token === undefined) return
  const { id, account, engine, recipient, txHash } = transfer
  context.notifications.push({
    id,
    account,
    type,
    data: {
      asset: token.symbol,
      token: token.address,
      amount: formatRaw(transfer.amount, token.decimals),
      engine,
      txHash,
      ...(recipient === null ? {} : { recipient }),
    },
  })
}

function notifyFunding(context: Context, payment: FundingPayment): void {
  const market = findMarket(context, payment.market)
  context.notifications.push({
    id: payment.id,
    account: payment.account,
    type: 'funding_paid',
    data: {
      ...named(market),
      amount: formatRaw(payment.amount, market.quoteDecimals),
      rate: fixedText(payment.rate),
    },
  })
}

/** Notifies accounts with a position or a resting order in the market. */
function notifyHalt(context: Context, after: Market, before: Market | undefined): void {
  const isActive = (market: Market) => !market.isHalted && !market.isEnded
  if (before === undefined || !isActive(before) || isActive(after)) return
  const accounts = new Set<number>()
  for (const { market, account, lots } of context.state.records.position.values())
    if (market === after.id && lots !== 0n) accounts.add(account)
  for (const { market, account } of context.state.records.order.values())
    if (market === after.id) accounts.add(account)
  // Sorted, so that the order does not depend on how the state was built.
  for (const account of [...accounts].sort((a, b) => a - b))
    context.notifications.push({
      id: `${context.block}-h-${after.id}`,
      account,
      type: 'market_halted',
      data: named(after),
    })
}

/** A market whose loss a block flagged or cleared. */
type LossChange = Readonly<{ market: Market; isStopped: boolean }>

function lossChange({ what, before, after }: Change): readonly LossChange[] {
  if (what !== 'market' || before === undefined || after === undefined) return []
  const isStopped = after.lossAccount !== null
  return isStopped === (before.lossAccount !== null) ? [] : [{ market: after, isStopped }]
}

/**
 * Notifies accounts with collateral when withdrawals of their engine stop or resume. The contract
 * has at most one flagged loss: if a block clears one and flags another, withdrawals remain
 * stopped.
 */
function notifyWithdrawals(context: Context, number: number, changes: readonly Change[]): void {
  const losses = changes.flatMap(lossChange)
  for (const { market, isStopped } of losses) {
    const { engine } = market
    if (losses.some((other) => other.market.engine === engine && other.isStopped !== isStopped))
      continue
    for (const account of largestAccounts(context.state, engine, WITHDRAWAL_NOTIFICATIONS_MAX))
      context.notifications.push({
        id: `${context.block}-w-${market.id}`,
        account,
        type: isStopped ? 'withdrawals_stopped' : 'withdrawals_resumed',
        data: { ...named(market), engine, blockNumber: number },
      })
  }
}

/**
 * Most collateral first. Ties are broken by account, so that the order does not depend on how the
 * state was built.
 */
const byAmount = (a: Collateral, b: Collateral) =>
  a.amount === b.amount ? a.account - b.account : a.amount > b.amount ? -1 : 1

/** Returns the `max` accounts with the most collateral at `engine`, ordered by number. */
export function largestAccounts(
  { records }: VenueState,
  engine: Address,
  max: number,
): readonly AccountNumber[] {
  let largest: Collateral[] = []
  let last: Collateral | undefined
  for (const collateral of records.collateral.values()) {
    if (collateral.engine !== engine || collateral.amount <= 0n) continue
    if (last !== undefined && byAmount(collateral, last) > 0) continue
    largest.push(collateral)
    if (largest.length < 2 * max) continue
    largest = largest.sort(byAmount).slice(0, max)
    last = largest.at(-1)
  }
  const accounts = largest.sort(byAmount).slice(0, max)
  return accounts.map(({ account }) => account).sort((a, b) => a - b)
}
