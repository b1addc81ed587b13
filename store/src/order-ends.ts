// Notifies accounts of orders that ended before the chain had them, in the commit that ends them.
import type { OrderEndType } from '@openvenue/core/notifications'
import { formatRaw } from '@openvenue/core/units'
import type { Sql, SqlRow } from './db.ts'
import type { IntentMove, IntentPayload, IntentState } from './intents.ts'
import { addNotifications } from './notification-rows.ts'
import type { AddedNotifications, OwnNotification } from './notifications.ts'
import { textArray } from './tables.ts'

const NS_PER_SECOND = 1_000_000_000n

/** By state: the type, and the reason where the relayer has given none. */
const ENDS: Readonly<
  Partial<Record<IntentState, Readonly<{ type: OrderEndType; reason: string }>>>
> = {
  refused: { type: 'order_rejected', reason: 'ORDER_REFUSED' },
  expired: { type: 'order_expired', reason: 'ORDER_TIMED_OUT' },
  withdrawn: { type: 'order_cancelled', reason: 'USER' },
}
const hasEnded = (state: IntentState) => ENDS[state] !== undefined

/** Of an order; owners know what they took back themselves. */
const ENDED = `SELECT i.id, i.wallet, i.state, i.reason, i.updated_ns, i.payload, i.client_order_id,
    m.id AS market, m.name, m.base_decimals, m.quote_decimals
  FROM intents i JOIN markets m ON m.id = i.market
  WHERE i.id = ANY ($1::text[]) AND i.kind = 'order'
    AND NOT (i.state = 'withdrawn' AND i.reason = 'USER')`

/** Not the end after all: a block brought it, or one that refused it was undone. */
const TAKE_BACK = `DELETE FROM notifications n USING intents i
  WHERE i.id = ANY ($1::text[]) AND n.wallet = i.wallet AND n.id = 'order-' || i.id`

/**
 * Adds the notifications of moves that were made, in the transaction that makes them, and takes
 * those back that no longer hold. Returns what was added.
 */
export async function notifyOrderEnds(
  tx: Sql,
  moves: readonly IntentMove[],
): Promise<readonly AddedNotifications[]> {
  const ids = (some: readonly IntentMove[]) => textArray(some.map(({ id }) => id))
  const revived = moves.filter(({ from, to }) => from.some(hasEnded) && !hasEnded(to))
  if (revived.length > 0) await tx.query(TAKE_BACK, [ids(revived)])
  const ended = moves.filter(({ to }) => hasEnded(to))
  if (ended.length === 0) return []
  const rows = await tx.query(ENDED, [ids(ended)])
  return addNotifications(tx, rows.flatMap(endOf))
}

/** The reason is as the intent has it: a code, or the name of the contract's error. */
function endOf(row: SqlRow): readonly OwnNotification[] {
  const [id, wallet, state, reason, updatedNs, payload, clientOrderId, ...market] = row
  const [instrumentId, instrumentName, baseDecimals, quoteDecimals] = market
  const end = ENDS[state as IntentState]
  const parsed = JSON.parse(String(payload)) as IntentPayload
  if (end === undefined || parsed.kind !== 'order') return []
  const { isBuy, limitPrice, amount, deadline } = parsed.order
  return [
    {
      wallet: String(wallet),
      id: `order-${id}`,
      type: end.type,
      seconds: Number(BigInt(String(updatedNs)) / NS_PER_SECOND),
      data: {
        ...{ instrumentId, instrumentName, orderId: id },
        ...(clientOrderId == null ? {} : { clientOrderId }),
        side: isBuy ? 'buy' : 'sell',
        price: formatRaw(BigInt(limitPrice), Number(quoteDecimals)),
        amount: formatRaw(BigInt(amount), Number(baseDecimals)),
        filled: '0',
        reason: reason ?? end.reason,
        validUntil: deadline,
      },
    },
  ]
}
