// Refuses orders under market-maker protection while that is frozen.
import { Refusal } from '../http/refusals.ts'
import type { AdmitOrders } from './admission.ts'
import type { ParsedOrder } from './order-body.ts'
import type { SafeguardBook } from './safeguard-book.ts'

/** When to come back while nobody knows when it thaws. */
const RETRY_MS = 1000

/** Returns `admit` with orders refused first whose protection is frozen. */
export const refuseFrozen =
  (book: SafeguardBook, admit: AdmitOrders): AdmitOrders =>
  async (owner, orders) => {
    const refusals = await admit(owner, orders)
    return orders.map((order, at) => frozenRefusal(book, owner.account ?? 0, order) ?? refusals[at])
  }

function frozenRefusal(
  book: SafeguardBook,
  account: number,
  { market, unsigned }: ParsedOrder,
): Refusal | undefined {
  const ms = unsigned.isMmp ? book.frozenMs(account, market.asset) : undefined
  if (ms === undefined) return undefined
  const code = 'MMP_FROZEN'
  const message = `protection on ${market.asset} is frozen: it thaws by itself, or by POST /reset-mmp`
  const retryAfterMs = Number.isFinite(ms) ? ms : RETRY_MS
  // Without the flag an order is not protected: that is no hint.
  const details = [{ field: 'mmp', code, message } as const]
  return new Refusal(code, { message, retryAfterMs, details })
}
