// Says whether the relayer can take more, and what it said of itself last.
import {
  orderLanesOf,
  QUEUE_BLOCKS_MAX,
  RELAY_SILENCE_MS,
  type RelayStatus,
} from '@openvenue/core/relay'
import type { Trading } from '@openvenue/wire/trading'
import { type FieldError, Refusal } from '../http/refusals.ts'
import type { IntentBook } from './intent-book.ts'
import { problem } from './order-problem.ts'

/** When to come back while the relayer has nothing to pay with, or was never there. */
const ABSENT_RETRY_MS = 5000

/** Returns what the relayer said of itself; refuses while it never has. */
export function requireRelay(book: IntentBook): RelayStatus {
  const { relay } = book
  if (relay !== undefined && orderLanesOf(relay.status) > 0) return relay.status
  throw tradingNotLive()
}

/**
 * As `requireRelay`, for orders: refuses them also while the relayer is silent, since the block
 * that a receipt promises would pass without it. Cancels are promised all the same.
 */
export function requireLiveRelay(book: IntentBook, nowMs: number): RelayStatus {
  const status = requireRelay(book)
  const silentMs = nowMs - (book.relay?.updatedMs ?? 0)
  if (silentMs < RELAY_SILENCE_MS) return status
  throw tradingNotLive()
}

/** Returns the refusal of orders where nobody brings any to the chain. */
export const tradingNotLive = () =>
  new Refusal('TRADING_NOT_LIVE', { retryAfterMs: ABSENT_RETRY_MS })

/** Why the operator takes no new orders, and when to come back. */
const CLOSED = {
  coming_soon: {
    code: 'TRADING_NOT_LIVE',
    message: 'Trading on this network is coming soon; all but new orders works',
    retryAfterMs: 3_600_000,
  },
  cancel_only: {
    code: 'MAINTENANCE_MODE_ENABLED',
    message: 'The venue takes no new orders and no edits for now; cancels and all else go on',
    retryAfterMs: 60_000,
  },
} as const satisfies Record<Exclude<Trading, 'live'>, unknown>

/** Returns why no new orders are taken, in words; undefined: they are. */
export const closedWords = (trading: Trading): string | undefined =>
  trading === 'live' ? undefined : CLOSED[trading].message

/** Returns the refusal of new orders where the operator takes none; undefined: they are taken. */
export function closedRefusal(trading: Trading): Refusal | undefined {
  if (trading === 'live') return undefined
  const { code, ...words } = CLOSED[trading]
  return new Refusal(code, words)
}

/** The same as a rule that an order breaks. */
export function closedProblem(trading: Trading): FieldError | undefined {
  if (trading === 'live') return undefined
  const { code, message } = CLOSED[trading]
  return problem(code, ['order', message])
}

/** Returns the refusal of orders of a lane that has nothing to pay with; undefined: it has. */
export function unfunded(relay: RelayStatus, lane: string): Refusal | undefined {
  const found = relay.lanes.find(({ name }) => name === lane)
  if (found?.isFunded !== false) return undefined
  return new Refusal('RELAY_UNFUNDED', { retryAfterMs: ABSENT_RETRY_MS })
}

/** Orders of all accounts that are held for a trigger or a parent: 1.4 KB each, on every node. */
export const HELD_MAX = 100_000

/** Returns the refusal of one more held order when so many are held; undefined: there is room. */
export function overHeld(held: number): Refusal | undefined {
  if (held < HELD_MAX) return undefined
  const code = 'TOO_MANY_PENDING_ORDERS'
  const message = `the venue holds ${HELD_MAX} orders for a trigger or a parent, and no more`
  return new Refusal(code, { message, retryAfterMs: ABSENT_RETRY_MS })
}

/** Returns what waits: its gas, and the blocks that it takes, to the hundredth above. */
export const queueOf = ({ gasPerBlock }: Pick<RelayStatus, 'gasPerBlock'>, gas: number) => ({
  gas,
  blocks: Math.ceil((gas / gasPerBlock) * 100) / 100,
})

/** How much of the queue orders of a class may fill: what is worth more finds room for longer. */
export const QUEUE_SHARES = { reduceOnly: 1, postOnly: 0.9, rest: 0.8 } as const

/**
 * Returns the refusal of one more order of `gas` when `waiting` gas waits already, of which orders
 * of its class may fill `share`; undefined: there is room.
 */
export function overQueue(
  { gasPerBlock, blockMs }: RelayStatus,
  { waiting, gas, share }: Readonly<{ waiting: number; gas: number; share: number }>,
): Refusal | undefined {
  const room = gasPerBlock * QUEUE_BLOCKS_MAX * share
  if (waiting + gas <= room || waiting === 0) return undefined
  const over = waiting + gas - room
  const code = 'RATE_LIMIT_EXCEEDED'
  const message = `the venue takes orders of ${QUEUE_BLOCKS_MAX} blocks: send it again after that`
  const queue = queueOf({ gasPerBlock }, waiting)
  const retryAfterMs = Math.max(1, Math.ceil(over / gasPerBlock)) * blockMs
  return new Refusal(code, {
    message,
    retryAfterMs,
    details: [{ field: 'order', code, message, queue }],
  })
}
