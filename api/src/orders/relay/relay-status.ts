// The last status of the relayer, and the refusals that follow from it: trading closed, no relayer,
// no funds, no room.
import {
  decodeRelayStatus,
  orderLanesOf,
  QUEUE_BLOCKS_MAX,
  RELAY_SILENCE_MS,
  type RelayStatus,
} from '@openvenue/core/relay'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Trading } from '@openvenue/wire/trading'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import type { Clock } from '../../model/clock.ts'
import { problem } from '../rules/order-rules.ts'
import type { IntentBook, RelayReport } from './intent-book.ts'
import type { Receipts } from './receipt.ts'

export type Relay = Readonly<{
  /** Undefined where there has been no relayer. Rejects when the database does not answer. */
  readStatus: () => Promise<RelayReport | undefined>
  /** Undefined: this node accepts no orders. */
  receipts: Receipts | undefined
}>

/** The relayer writes its status at most this often. */
const KEPT_MS = 1000

/** Returns a function that reads it, at most once in a second for all callers. */
export function createRelayStatus(
  intents: Pick<Intents, 'readStatus'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): Relay['readStatus'] {
  let pending: Promise<RelayReport | undefined> | undefined
  let askedMs = 0
  return () => {
    if (pending === undefined || monotonicMs() - askedMs >= KEPT_MS) {
      askedMs = monotonicMs()
      pending = intents
        .readStatus()
        .then((said) => said && { ...said, status: decodeRelayStatus(said.status) })
    }
    return pending
  }
}

/** When to come back while the relayer has nothing to pay with, or was never there. */
const ABSENT_RETRY_MS = 5000

/** Returns the last status of the relayer; refuses while there is none. */
export function requireRelay(book: IntentBook): RelayStatus {
  const { relay } = book
  if (relay !== undefined && orderLanesOf(relay.status) > 0) return relay.status
  throw tradingNotLive()
}

/**
 * Returns the status for orders: refuses them also while the relayer is silent, since the promised
 * block of a receipt would pass without it. Cancels are promised even then.
 */
export function requireLiveRelay(book: IntentBook, nowMs: number): RelayStatus {
  const status = requireRelay(book)
  const silentMs = nowMs - (book.relay?.updatedMs ?? 0)
  if (silentMs < RELAY_SILENCE_MS) return status
  throw tradingNotLive()
}

/** Returns the refusal of orders where no relayer brings them to the chain. */
export const tradingNotLive = () =>
  new Refusal('TRADING_NOT_LIVE', { retryAfterMs: ABSENT_RETRY_MS })

/** Why the operator takes no new orders, and when to come back. */
const CLOSED = {
  coming_soon: {
    code: 'TRADING_NOT_LIVE',
    message: 'Trading on this network is coming soon: new orders are disabled',
    retryAfterMs: 3_600_000,
  },
  cancel_only: {
    code: 'MAINTENANCE_MODE_ENABLED',
    message: 'Cancel-only mode: new orders and edits are disabled',
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
  const laneStatus = relay.lanes.find(({ name }) => name === lane)
  if (laneStatus?.isFunded !== false) return undefined
  return new Refusal('RELAY_UNFUNDED', { retryAfterMs: ABSENT_RETRY_MS })
}

/** Orders of all accounts that are held for a trigger or a parent: 1.4 KB each, on every node. */
export const HELD_MAX = 100_000

/** Returns the refusal of one more held order at the maximum; undefined: there is room. */
export function overHeld(held: number): Refusal | undefined {
  if (held < HELD_MAX) return undefined
  const code = 'TOO_MANY_PENDING_ORDERS'
  const message = `Too many held orders: the venue holds at most ${HELD_MAX}`
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
  const message = `Order queue is full: ${QUEUE_BLOCKS_MAX} blocks of orders are pending`
  const queue = queueOf({ gasPerBlock }, waiting)
  const retryAfterMs = Math.max(1, Math.ceil(over / gasPerBlock)) * blockMs
  return new Refusal(code, {
    message,
    retryAfterMs,
    details: [{ field: 'order', code, message, queue }],
  })
}
