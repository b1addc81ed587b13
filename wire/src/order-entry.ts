// The body of an order, as POST /orders and the sockets take it. Interface 4.6.
import Type, { type Static, type TSchema } from 'typebox'
import { Address, choice, decimal, FieldProblem, named, ns, nullable } from './field.ts'

/** Longest name that a client gives to an order of its own. */
export const CLIENT_ORDER_ID_LENGTH_MAX = 36
/** Makers that an order meets at most; 0 stands for as many. */
export const MAX_FILLS_MAX = 100

const signed = (description: string) =>
  Type.Union([Type.String({ pattern: '^[0-9]{1,78}$' }), Type.Integer({ minimum: 0 })], {
    description: `${description} Decimal digits; a number is taken as well.`,
  })

const instrument = (description: string) =>
  Type.Union([Type.String(), Type.Integer({ minimum: 0 })], { description })

const hash = (description: string) =>
  Type.String({ pattern: '^0[xX][0-9a-fA-F]{64}$', description })

/** Of the family, without a meaning here. */
const meaningless = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description} Accepted when empty, false or zero.` }))

/** Members of an order's body, in the order in which the documents show them. */
export const orderBodyMembers = {
  instrument: Type.Optional(
    instrument('The market: its name, its 0x id, or that id as a decimal number.'),
  ),
  instrument_id: Type.Optional(instrument('The same under another name.')),
  instrument_name: Type.Optional(instrument('The same under another name.')),
  maker: Type.String({
    pattern: '^0[xX][0-9a-fA-F]{40}$',
    description: 'The account: address of the wallet or sub-account, not that of the signing key.',
  }),
  is_buy: Type.Boolean({ description: 'True buys.' }),
  limit_price: signed('Worst price, as signed: price * 10^quote_decimals of the market.'),
  amount: signed('As signed: amount * 10^base_decimals of the market.'),
  salt: signed('As signed. Two orders with one salt exclude each other.'),
  deadline: signed('As signed: the last second in which the order may be sent. Unix seconds.'),
  signature: Type.Optional(
    Type.String({
      pattern: '^(0[xX])?[0-9a-fA-F]{130}$',
      description:
        'EIP-712 signature of the Order of GET /info by a signing key of the account, or by its ' +
        'wallet: 65 bytes with a low s. Only a preview and a build do without.',
    }),
  ),
  // A default in the schema would have generated clients require it.
  time_in_force: Type.Optional(choice(['GTC', 'IOC', 'FOK'], { description: 'GTC unless given.' })),
  post_only: Type.Optional(
    Type.Boolean({ description: 'With GTC only: signed as timeInForce 3, POST_ONLY.' }),
  ),
  reduce_only: Type.Optional(Type.Boolean({ description: 'Perpetuals only.' })),
  stop: Type.Optional(
    choice(['STOP_LOSS', 'TAKE_PROFIT'], {
      description:
        'With trigger. A selling STOP_LOSS and a buying TAKE_PROFIT fire at or below it (signed ' +
        'as triggerKind 2), the other two at or above (1).',
    }),
  ),
  trigger: Type.Optional(signed('Mark that fires the order, as signed; in the units of a price.')),
  good_til: Type.Optional(
    signed('As signed: the last second in which it trades, 0 for none. Unix seconds.'),
  ),
  max_fills: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FILLS_MAX,
      description: 'As signed: makers that it meets at most, 0 for 100.',
    }),
  ),
  replaces: Type.Optional(
    hash('As signed: chain_order_id of the resting order that it replaces, in the same market.'),
  ),
  replaces_amount: Type.Optional(
    signed(
      'As signed, with replaces: what rested of that order when this one was signed. What has left ' +
        'it since, filled above all, is taken off amount, so that an edit never fills twice what ' +
        'was quoted; where nothing is left, the order is cancelled at once. 0 takes nothing off.',
    ),
  ),
  client_order_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CLIENT_ORDER_ID_LENGTH_MAX,
      description: 'Name of your own for the order. One of an account is live at a time.',
    }),
  ),
  mmp: Type.Optional(Type.Boolean({ description: 'True: market-maker protection covers it.' })),
  parent_order_id: Type.Optional(
    hash('order_id of the order whose first fill arms this one, and with which it is cancelled.'),
  ),
  self_trade_prevention: Type.Optional(
    choice(['EXPIRE_MAKER'], { description: 'What the contract does; nothing else is accepted.' }),
  ),
  order_type: Type.Optional(
    choice(['limit', 'market'], { description: 'market is an IOC order; it changes nothing.' }),
  ),
  timestamp: Type.Optional(Type.Unknown({ description: 'Of the family; ignored.' })),
  close_position: meaningless('Of the family: the amount is signed.'),
  partial_position: meaningless('Of the family.'),
  isolated_margin: meaningless('Of the family: margin is isolated by a sub-account.'),
  perps_plus: meaningless('Of the family.'),
  builder_id: meaningless('Of the family.'),
  builder_fee_rate: meaningless('Of the family.'),
}

export const OrderRequest = Type.Object(orderBodyMembers, {
  title: 'OrderRequest',
  additionalProperties: false,
  description:
    'An order. Flags and integers are those of the signed Order: time_in_force and post_only give ' +
    'its timeInForce (0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY), stop and side its triggerKind.',
})
/** The body of an order as it is sent. */
export type OrderBody = Static<typeof OrderRequest>

const PreviewFill = named('PreviewFill', {
  price: decimal('Price of the level.'),
  amount: decimal('How much of it is filled.'),
  orders: Type.Integer({ minimum: 1, description: 'Resting orders that it meets there.' }),
  fees: decimal('Fees of it, in the quote asset.'),
})

const PreviewMargin = named('PreviewMargin', {
  equity: decimal('Collateral and profit or loss.'),
  initial_margin: decimal('Of positions and orders.'),
  maintenance_margin: decimal('Of positions.'),
  available_margin: decimal('What further orders may use.'),
})
const PreviewBalances = named('PreviewBalances', {
  base: decimal('Free, in the base asset.'),
  quote: decimal('Free, in the quote asset.'),
})
const beforeAfter = <T extends TSchema>(title: string, item: T, description: string) =>
  Type.Optional(named(title, { before: item, after: nullable(item) }, description))

/** The answer of POST /orders/preview. */
export const OrderPreview = named(
  'OrderPreview',
  {
    order_id: Type.String({ description: 'Digest of the order, which is its id.' }),
    recovered_signer: nullable(Address('Who signed it; null without a signature.')),
    block_number: Type.Integer({ description: 'The newest block, on which all of it stands.' }),
    block_time: ns('Time of the block that would have the order: a second after the newest.'),
    is_accepted: Type.Boolean({ description: 'Whether nothing refuses it.' }),
    refusals: Type.Array(FieldProblem, { description: 'Every rule that would refuse it.' }),
    fills: Type.Array(PreviewFill, { description: 'By level, best first.' }),
    amount: decimal('As admitted: a reduce-only order is cut to what it may close.'),
    filled: decimal('How much would be filled at once.'),
    resting: decimal('How much would rest.'),
    cancelled: decimal('How much would be cancelled at once.'),
    cancel_reason: nullable(Type.String({ description: 'Why; null when nothing is.' })),
    avg_price: nullable(decimal('Average price of the fills, rounded down; null without any.')),
    worst_price: nullable(decimal('Price of the last fill; null without any.')),
    fees: decimal('Of all fills, in the quote asset.'),
    margin: beforeAfter(
      'PreviewMarginChange',
      PreviewMargin,
      'Perpetuals only. `after` is null when the contract refuses the order.',
    ),
    balances: beforeAfter(
      'PreviewBalanceChange',
      PreviewBalances,
      'Spot only. `after` is null when the contract refuses the order.',
    ),
    position: Type.Optional(
      nullable(decimal('Afterwards, negative when short; perpetuals only, null when refused.')),
    ),
    liquidation_price: Type.Optional(
      nullable(decimal('Of that position; null without one, or when no price would do.')),
    ),
  },
  'What an order would do at the newest block. Nothing happens.',
)
export type OrderPreview = Static<typeof OrderPreview>

/** The answer of POST /orders/build. */
export const OrderBuilt = named(
  'OrderBuilt',
  {
    to: Address('The engine.'),
    data: Type.String({
      description: 'placeSigned with the signature, or place, which the wallet sends itself.',
    }),
    value: Type.Literal('0'),
    chain_id: Type.Integer(),
    digest: Type.String({ description: 'Of the typed data: the order_id once it is sent signed.' }),
    typed_data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What a signing key signs, as eth_signTypedData_v4 takes it.',
    }),
  },
  'A call for a wallet that sends for itself.',
)
export type OrderBuilt = Static<typeof OrderBuilt>
