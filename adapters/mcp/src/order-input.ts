// Describes an order as a model writes it, and makes the client library's order of it.
import type { Address, NewOrder } from 'openvenue/signing'
import type { Input } from './tool-input.ts'

const decimal = (description: string) => ({
  type: 'string',
  pattern: '^[0-9]{1,30}(\\.[0-9]{1,18})?$',
  description: `${description} Decimal text.`,
})
const orderId = (description: string) => ({
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{64}$',
  description,
})

export const ORDER_ID = orderId('order_id of build_order.')
const seconds = (description: string) => ({
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: `${description} Unix seconds.`,
})

export const ORDER_INPUT = {
  type: 'object',
  properties: {
    market: { type: 'string', description: 'Name of the market, such as ETH-PERP: get_markets.' },
    side: { type: 'string', enum: ['buy', 'sell'] },
    amount: decimal('In the base asset; rounded down to a whole number of steps.'),
    price: decimal('Worst price, in the quote asset; rounded to a step, never worse for the user.'),
    time_in_force: {
      type: 'string',
      enum: ['GTC', 'IOC', 'FOK'],
      description: 'GTC rests unless given; IOC is what others call a market order.',
    },
    post_only: {
      type: 'boolean',
      description: 'With GTC only: refused rather than filled at once.',
    },
    reduce_only: { type: 'boolean', description: 'Perpetuals only: never enlarges a position.' },
    stop: {
      type: 'string',
      enum: ['STOP_LOSS', 'TAKE_PROFIT'],
      description: 'With trigger: held until the mark reaches it.',
    },
    trigger: decimal('Mark price that fires the order, with stop.'),
    good_til: seconds('The last second in which it trades.'),
    deadline: seconds('The last second in which it may be sent: in a day unless given.'),
    replaces: orderId('chain_order_id of the resting order that it replaces.'),
    replaces_amount: decimal(
      'With replaces: what rested of that order; what has filled since is taken off amount.',
    ),
    parent_order_id: orderId('order_id of the order whose first fill arms this one.'),
    client_order_id: {
      type: 'string',
      minLength: 1,
      maxLength: 36,
      description: 'A name for the order. One of an account is live at a time.',
    },
  },
  required: ['market', 'side', 'amount', 'price'],
  dependentRequired: { stop: ['trigger'], trigger: ['stop'] },
  additionalProperties: false,
} as const

/** What the schema above lets through. */
type Given = Readonly<{
  market: string
  side: 'buy' | 'sell'
  amount: string
  price: string
  time_in_force?: 'GTC' | 'IOC' | 'FOK'
  post_only?: boolean
  reduce_only?: boolean
  stop?: 'STOP_LOSS' | 'TAKE_PROFIT'
  trigger?: string
  good_til?: number
  deadline?: number
  replaces?: string
  replaces_amount?: string
  parent_order_id?: string
  client_order_id?: string
}>

/** Returns the order of `account` that an input describes. */
export function newOrder(input: Input, account: Address): NewOrder {
  const given = input as Given
  const { market, side, amount, price, stop, trigger } = given
  const others: Partial<Record<keyof NewOrder, unknown>> = {
    timeInForce: given.time_in_force,
    postOnly: given.post_only,
    reduceOnly: given.reduce_only,
    trigger: stop && trigger ? { kind: stop, price: trigger } : undefined,
    goodTilSeconds: given.good_til,
    deadlineSeconds: given.deadline,
    replaces: given.replaces,
    replacesAmount: given.replaces_amount,
    parentOrderId: given.parent_order_id,
    clientOrderId: given.client_order_id,
  }
  const present = Object.entries(others).filter(([, value]) => value !== undefined)
  return { market, side, amount, price, account, ...Object.fromEntries(present) }
}
