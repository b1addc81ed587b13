// Notifies accounts of orders that ended before the chain had them, in the commit that ends them.
import type { OrderEndType } from '@openvenue/core/notifications'
import { formatRaw } from '@openvenue/core/units'
import type { Sql, SqlCall, SqlRow } from './db.ts'
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
export const hasEnded = (state: IntentState) => ENDS[state] !== undefined

/** Of an order; owners know what they took back themselves. */
const ENDED = `SELECT i.id, i.wallet, i.state, i.reason, i.updated_ns, i.payload, i.client_order_id,
    m.id AS market, m.name, m.base_decimals, m.quote_decimals
  FROM intents i JOIN markets m ON m.id = i.market
  WHERE i.id = ANY ($1::text[]) AND i.kind = 'order'
    AND NOT (i.state = 'withdrawn' AND (i.reason = 'USER' OR i.reason LIKE 'REPLACED %'))`

/**
 * Not the end after all: a block brought it, or one that refused it was undone. Where a move was
 * not made and the end stands, so does its notification.
 */
const TAKE_BACK = `DELETE FROM notifications n USING intents i
  WHERE i.id = ANY ($1::text[]) AND n.wallet = i.wallet AND n.id = 'order-' || i.id
    AND i.state NOT IN (${Object.keys(ENDS)
      .map((state) => `'${state}'`)
      .join(', ')})`

/**
 * Adds the notifications of moves that were made, in the transaction that makes them, and takes
 * those back that no longer hold. Returns what was added.
 */
export async function notifyOrderEnds(
  tx: Sql,
  moves: readonly IntentMove[],
): Promise<readonly AddedNotifications[]> {
  const back = takeBackCall(moves)
  if (back !== undefined) await tx.query(back.text, back.params)
  const ended = moves.filter(({ to }) => hasEnded(to))
  if (ended.length === 0) return []
  const rows = await tx.query(ENDED, [ids(ended)])
  return addNotifications(tx, rows.flatMap(endOf))
}

const ids = (moves: readonly IntentMove[]) => textArray(moves.map(({ id }) => id))

/** Returns what takes back the notifications of ends that `moves` undo, where they were made. */
export function takeBackCall(moves: readonly IntentMove[]): SqlCall | undefined {
  const revived = moves.filter(({ from, to }) => from.some(hasEnded) && !hasEnded(to))
  return revived.length === 0 ? undefined : { text: TAKE_BACK, params: [ids(revived)] }
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
