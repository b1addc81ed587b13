// Notifies accounts of orders that ended before they were on chain, and of met triggers, in the
// commit that moves them.
import { type OrderEndType, TRIGGER_NOTIFICATION } from '@openvenue/core/notifications'
import { formatRaw } from '@openvenue/core/units'
import type { Sql, SqlCall, SqlRow } from '../db/db.ts'
import { textArray } from '../db/tables.ts'
import { addNotifications } from '../history/notification-rows.ts'
import type { AddedNotifications, OwnNotification } from '../history/notifications.ts'
import type { IntentMove, IntentPayload, IntentState } from './intents.ts'

const NS_PER_SECOND = 1_000_000_000n

/** Type by state, and the reason when the relayer gave none. */
const ENDS: Readonly<
  Partial<Record<IntentState, Readonly<{ type: OrderEndType; reason: string }>>>
> = {
  refused: { type: 'order_rejected', reason: 'ORDER_REFUSED' },
  expired: { type: 'order_expired', reason: 'ORDER_TIMED_OUT' },
  withdrawn: { type: 'order_cancelled', reason: 'USER' },
}
const hasEnded = (state: IntentState) => ENDS[state] !== undefined

/** A held order is queued: its trigger was met, if it has one. */
const isRelease = ({ from, to }: IntentMove) =>
  to === 'queued' && from.length === 1 && from[0] === 'received'

/** Returns whether a move may notify the order's owner. */
export const isNotified = (move: IntentMove) => hasEnded(move.to) || isRelease(move)

/** Orders only; owners know of their own withdrawals. */
const NOTIFIED = `SELECT i.id, i.wallet, i.state, i.reason, i.updated_ns, i.payload, i.client_order_id,
    m.id AS market, m.name, m.base_decimals, m.quote_decimals
  FROM intents i JOIN markets m ON m.id = i.market
  WHERE i.id = ANY ($1::text[]) AND i.kind = 'order'
    AND NOT (i.state = 'withdrawn' AND (i.reason = 'USER' OR i.reason LIKE 'REPLACED %'))
    AND (i.state <> 'queued' OR (i.payload::jsonb #>> '{order,triggerKind}') <> '0')`

/**
 * Reverted ends: a block included the order, or the one that refused it was undone. If the move did
 * not apply, the end and its notification remain.
 */
const TAKE_BACK = `DELETE FROM notifications n USING intents i
  WHERE i.id = ANY ($1::text[]) AND n.wallet = i.wallet AND n.id = 'order-' || i.id
    AND i.state NOT IN (${Object.keys(ENDS)
      .map((state) => `'${state}'`)
      .join(', ')})`

/**
 * Adds the notifications of applied moves in their transaction, and deletes those that no longer
 * hold. Returns the added ones.
 */
export async function notifyOrderMoves(
  tx: Sql,
  moves: readonly IntentMove[],
): Promise<readonly AddedNotifications[]> {
  const back = takeBackCall(moves)
  if (back !== undefined) await tx.query(back.text, back.params)
  const notified = moves.filter(isNotified)
  if (notified.length === 0) return []
  const rows = await tx.query(NOTIFIED, [ids(notified)])
  return addNotifications(tx, rows.flatMap(notificationOf))
}

const ids = (moves: readonly IntentMove[]) => textArray(moves.map(({ id }) => id))

/** Returns the call that deletes the notifications of ends that `moves` undo. */
export function takeBackCall(moves: readonly IntentMove[]): SqlCall | undefined {
  const revived = moves.filter(({ from, to }) => from.some(hasEnded) && !hasEnded(to))
  return revived.length === 0 ? undefined : { text: TAKE_BACK, params: [ids(revived)] }
}

/** The reason is that of the intent: a code, or an error name of the contract. */
function notificationOf(row: SqlRow): readonly OwnNotification[] {
  const [id, wallet, state, reason, updatedNs, payload, clientOrderId, ...market] = row
  const [instrumentId, instrumentName, baseDecimals, quoteDecimals] = market
  const end = ENDS[state as IntentState]
  const parsed = JSON.parse(String(payload)) as IntentPayload
  if (parsed.kind !== 'order') return []
  const { isBuy, limitPrice, triggerPrice, amount, deadline } = parsed.order
  const priceText = (raw: string) => formatRaw(BigInt(raw), Number(quoteDecimals))
  return [
    {
      wallet: String(wallet),
      id: end === undefined ? `order-triggered-${id}` : `order-${id}`,
      type: end?.type ?? TRIGGER_NOTIFICATION,
      seconds: Number(BigInt(String(updatedNs)) / NS_PER_SECOND),
      data: {
        instrumentId,
        instrumentName,
        orderId: id,
        ...(clientOrderId == null ? {} : { clientOrderId }),
        side: isBuy ? 'buy' : 'sell',
        price: priceText(limitPrice),
        amount: formatRaw(BigInt(amount), Number(baseDecimals)),
        filled: '0',
        ...(end === undefined
          ? { trigger: priceText(triggerPrice) }
          : { reason: reason ?? end.reason, validUntil: deadline }),
      },
    },
  ]
}
