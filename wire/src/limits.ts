// What an account may still do: rates of its requests, the orders that the venue pays for, room.
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { Address, decimal, named, nullable, strict } from './field.ts'

const count = (description: string) => Type.Integer({ description })

const Bucket = named(
  'LimitBucket',
  {
    limit: count('Points of a window.'),
    window_seconds: count('Length of a window.'),
    burst: count('Points more, now and then.'),
    remaining: count('Points left of this window, the burst not counted.'),
    reset_ms: count('Milliseconds until the window is over.'),
  },
  'How often something may be done, over all nodes; null where there is no limit.',
)
type Bucket = Static<typeof Bucket>

export const Limits = named(
  'Limits',
  {
    account: Address('The wallet.'),
    // Of requests that neither place nor cancel; of orders and edits, each of a batch; of cancels.
    requests: nullable(Bucket),
    orders: nullable(Bucket),
    cancels: nullable(Bucket),
    order_budget: nullable(
      strict(
        {
          initial: count('Orders of an account that has traded nothing.'),
          per_usdc: decimal('Orders more for each USDC traded.'),
          allowed: count('Orders that the account has earned by now.'),
          used: count(
            'Orders that the venue has taken from it. One that the chain refused counts twice, a refused cancel once.',
          ),
          remaining: count('At 0 it may place one order in 10 seconds; cancels always.'),
          next_order_ms: count(
            'Milliseconds until it may place an order; 0 while something remains.',
          ),
        },
        'Orders that the venue pays for; null: all of them.',
      ),
    ),
    live_orders: strict(
      { limit: count('How many there may be.'), used: count('How many there are.') },
      'Orders on their way to the chain, or held for a trigger or a parent.',
    ),
    queue: nullable(
      strict(
        {
          gas: count('What waits, of all accounts.'),
          blocks: Type.Number({ description: 'Blocks of the venue that it takes.' }),
          blocks_max: count('With more than that, orders are refused with 429.'),
          gas_per_block: count('The part of a block that the venue uses.'),
        },
        'What waits for the chain; null while nobody brings orders to it.',
      ),
    ),
  },
  'What the account may still do.',
)
export type Limits = Static<typeof Limits>

export type BucketState = Readonly<{
  rate: Readonly<{ points: number; seconds: number; burst?: number }>
  remaining: number
  resetMs: number
}>

/** Returns a bucket as it is shown; null where there is no limit. */
export const encodeBucket = (state: BucketState | undefined): Bucket | null =>
  state === undefined
    ? null
    : {
        limit: state.rate.points,
        window_seconds: state.rate.seconds,
        burst: state.rate.burst ?? 0,
        remaining: state.remaining,
        reset_ms: Math.ceil(state.resetMs),
      }

const MILLIONTHS = 6

/** Returns a number of orders in millionths as decimal text. */
export const encodePerUsdc = (perUsdc: bigint): string => formatRaw(perUsdc, MILLIONTHS)
