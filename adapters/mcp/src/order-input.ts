// Describes an order as a model writes it, and makes the client library's order of it.
import { type Address, type NewOrder, orderNames } from 'openvenue/signing'
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
  // Other units are beyond: the library refuses the same.
  minimum: 1_000_000_000,
  maximum: 99_999_999_999,
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
    max_fills: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'Makers that it meets at most: 100 unless given.',
    },
    deadline: seconds('The last second in which it may be sent: in a day unless given.'),
    replaces: orderId('chain_order_id of the resting order that it replaces.'),
    replaces_amount: decimal(
      'With replaces: how much of that order amount counts; what has left it is taken off amount. ' +
        'Its amount makes amount a total with its fills, its remaining what rests beside them.',
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
  dependentRequired: {
    stop: ['trigger'],
    trigger: ['stop'],
    replaces: ['replaces_amount'],
    replaces_amount: ['replaces'],
  },
  additionalProperties: false,
} as const

/** Returns the order of `account` that an input describes: members by the table of the library. */
export function newOrder(input: Input, account: Address): NewOrder {
  const { stop, trigger, ...others } = input
  const renamed = orderNames().flatMap(({ library, mcp }) =>
    mcp !== undefined && Object.hasOwn(others, mcp) ? [[library, others[mcp]]] : [],
  )
  const held = stop === undefined ? {} : { trigger: { kind: stop, price: trigger } }
  return { ...Object.fromEntries(renamed), ...held, account } as NewOrder
}
