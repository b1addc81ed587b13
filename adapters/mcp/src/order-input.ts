// Describes an order as a model writes it, and converts it to an order of the client library.
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

export const ORDER_ID = orderId('order_id from build_order.')
const seconds = (description: string) => ({
  type: 'integer',
  // Excludes other units, like the library.
  minimum: 1_000_000_000,
  maximum: 99_999_999_999,
  description: `${description} Unix seconds.`,
})

export const ORDER_INPUT = {
  type: 'object',
  properties: {
    market: { type: 'string', description: 'Name of a market in get_markets, such as ETH-PERP.' },
    side: { type: 'string', enum: ['buy', 'sell'] },
    amount: decimal('In the base asset; rounded down to a whole number of steps.'),
    price: decimal('Worst price, in the quote asset; rounded to a step in favour of the user.'),
    time_in_force: {
      type: 'string',
      enum: ['GTC', 'IOC', 'FOK'],
      description: 'GTC (rests) by default; IOC is known elsewhere as a market order.',
    },
    post_only: {
      type: 'boolean',
      description: 'GTC only: refused if it would fill immediately.',
    },
    reduce_only: { type: 'boolean', description: 'Perpetuals only: never increases a position.' },
    stop: {
      type: 'string',
      enum: ['STOP_LOSS', 'TAKE_PROFIT'],
      description: 'Together with trigger: held until the mark reaches it.',
    },
    trigger: decimal('Mark price that triggers the order, together with stop.'),
    good_til: seconds('Last second in which the order can trade.'),
    max_fills: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'Maximum number of makers to fill against; 100 by default.',
    },
    deadline: seconds('Last second in which the order may be sent; in a day by default.'),
    replaces: orderId('chain_order_id of the resting order to replace.'),
    replaces_amount: decimal(
      'With replaces: the part of that order that amount accounts for; fills since are deducted. ' +
        'Pass its amount to make amount a total including fills, its remaining to exclude them.',
    ),
    parent_order_id: orderId('order_id of the order whose first fill activates this one.'),
    client_order_id: {
      type: 'string',
      minLength: 1,
      maxLength: 36,
      description: 'Name for the order, unique among the live orders of the account.',
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

/** Returns the order of `account` for an input, renaming members by the library's table. */
export function newOrder(input: Input, account: Address): NewOrder {
  const { stop, trigger, ...others } = input
  const renamed = orderNames().flatMap(({ library, mcp }) =>
    mcp !== undefined && Object.hasOwn(others, mcp) ? [[library, others[mcp]]] : [],
  )
  const triggerInput = stop === undefined ? {} : { trigger: { kind: stop, price: trigger } }
  return { ...Object.fromEntries(renamed), ...triggerInput, account } as NewOrder
}
