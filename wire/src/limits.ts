// Limits of an account: request rates, the orders that the venue pays for, and queue capacity.
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { Address, decimal, named, nullable, strict } from './field.ts'

const count = (description: string) => Type.Integer({ description })

const Bucket = named(
  'LimitBucket',
  {
    limit: count('Points per window.'),
    window_seconds: count('Length of a window.'),
    burst: count('Additional points for occasional bursts.'),
    remaining: count('Points left in this window, without the burst.'),
    reset_ms: count('Milliseconds until the window ends.'),
  },
  'Rate limit across all nodes; null for no limit.',
)
type Bucket = Static<typeof Bucket>

export const Limits = named(
  'Limits',
  {
    account: Address('The wallet.'),
    // Requests that neither place nor cancel; orders and edits, each one in a batch; cancels.
    requests: nullable(Bucket),
    orders: nullable(Bucket),
    cancels: nullable(Bucket),
    order_budget: nullable(
      strict(
        {
          initial: count('Orders of an account without any trades.'),
          per_usdc: decimal('Additional orders for each USDC traded.'),
          allowed: count('Orders that the account has earned so far.'),
          used: count(
            'Orders that the venue has accepted from it. One that the chain rejected counts twice, a rejected cancel once.',
          ),
          remaining: count(
            'At 0 it may place one order in 10 seconds; cancels are always allowed.',
          ),
          next_order_ms: count('Milliseconds until it may place an order; 0 while any remain.'),
        },
        'Orders that the venue pays for; null for no limit.',
      ),
    ),
    live_orders: strict(
      { limit: count('Maximum number.'), used: count('Current number.') },
      'Orders on their way to the chain, or held for a trigger or a parent.',
    ),
    queue: nullable(
      strict(
        {
          gas: count('Total gas of the queue, all accounts.'),
          blocks: Type.Number({ description: 'Blocks of the venue that it fills.' }),
          blocks_max: count('Above this, orders are rejected with 429.'),
          gas_per_block: count("The venue's share of a block's gas."),
        },
        'Queue for the chain; null without a relayer.',
      ),
    ),
  },
  'Limits of the account and what is left of them.',
)
export type Limits = Static<typeof Limits>

type BucketState = Readonly<{
  rate: Readonly<{ points: number; seconds: number; burst?: number }>
  remaining: number
  resetMs: number
}>

/** Returns the public form of a bucket; null if there is no limit. */
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
