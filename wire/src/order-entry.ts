// The body of an order in POST /orders and on the sockets. Interface 4.6.
import Type, { type Static, type TSchema } from 'typebox'
import { Address, choice, decimal, FieldProblem, named, ns, nullable } from './field.ts'

/** Maximum length of a client order id. */
export const CLIENT_ORDER_ID_LENGTH_MAX = 36
/** Maximum makers that an order may fill; 0 means this maximum. */
export const MAX_FILLS_MAX = 100

const signed = (description: string) =>
  Type.Union([Type.String({ pattern: '^[0-9]{1,78}$' }), Type.Integer({ minimum: 0 })], {
    description: `${description} Decimal digits; a number is accepted as well.`,
  })

const instrument = (description: string) =>
  Type.Union([Type.String(), Type.Integer({ minimum: 0 })], { description })

const hash = (description: string) =>
  Type.String({ pattern: '^0[xX][0-9a-fA-F]{64}$', description })

/** A member of the family's API without a meaning here. */
const meaningless = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description} Accepted when empty, false or zero.` }))

/** Members of an order's body, in the order shown in the documents. */
export const orderBodyMembers = {
  instrument: Type.Optional(
    instrument('The market: its name, its 0x id, or that id as a decimal number.'),
  ),
  instrument_id: Type.Optional(instrument('Alias of instrument.')),
  instrument_name: Type.Optional(instrument('Alias of instrument.')),
  maker: Type.String({
    pattern: '^0[xX][0-9a-fA-F]{40}$',
    description: 'The account: address of the wallet or sub-account, not of the signing key.',
  }),
  is_buy: Type.Boolean({ description: 'True buys.' }),
  limit_price: signed('Worst price, as signed: price * 10^quote_decimals of the market.'),
  amount: signed('Signed value: amount * 10^base_decimals of the market.'),
  salt: signed('Signed value. Only one order per salt is accepted.'),
  deadline: signed('Signed value: the last second for its submission. Unix seconds.'),
  signature: Type.Optional(
    Type.String({
      pattern: '^(0[xX])?[0-9a-fA-F]{130}$',
      description:
        'EIP-712 signature of the Order of GET /info by a signing key of the account, or by its ' +
        'wallet: 65 bytes with a low s. Optional only for a preview and a build.',
    }),
  ),
  // A default in the schema would make the member required in generated clients.
  time_in_force: Type.Optional(choice(['GTC', 'IOC', 'FOK'], { description: 'GTC by default.' })),
  post_only: Type.Optional(
    Type.Boolean({ description: 'With GTC only: signed as timeInForce 3, POST_ONLY.' }),
  ),
  reduce_only: Type.Optional(Type.Boolean({ description: 'Perpetuals only.' })),
  stop: Type.Optional(
    choice(['STOP_LOSS', 'TAKE_PROFIT'], {
      description:
        'With trigger. A selling STOP_LOSS and a buying TAKE_PROFIT trigger at or below it (signed ' +
        'as triggerKind 2), the other two at or above (1).',
    }),
  ),
  trigger: Type.Optional(signed('Mark that triggers the order, as signed; in price units.')),
  good_til: Type.Optional(
    signed('Signed value: the last second in which it trades, 0 for none. Unix seconds.'),
  ),
  max_fills: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FILLS_MAX,
      description: 'Signed value: maximum number of makers, 0 for 100.',
    }),
  ),
  replaces: Type.Optional(
    hash('Signed value: chain_order_id of the resting order to replace, in the same market.'),
  ),
  replaces_amount: Type.Optional(
    signed(
      'Signed value, with replaces: resting amount of that order when this one was signed. Later ' +
        'reductions of it, mostly fills, are deducted from amount, so that an edit never fills the ' +
        'same quote twice; if nothing is left, the order is cancelled. 0 deducts nothing.',
    ),
  ),
  client_order_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CLIENT_ORDER_ID_LENGTH_MAX,
      description: 'Client order id, unique among the live orders of an account.',
    }),
  ),
  mmp: Type.Optional(Type.Boolean({ description: 'True: covered by market-maker protection.' })),
  parent_order_id: Type.Optional(
    hash('order_id of the parent, whose first fill activates it and whose end cancels it.'),
  ),
  self_trade_prevention: Type.Optional(
    choice(['EXPIRE_MAKER'], { description: 'Rule of the contract; no other value is accepted.' }),
  ),
  order_type: Type.Optional(
    choice(['limit', 'market'], { description: 'market is an IOC order; no effect.' }),
  ),
  timestamp: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  close_position: meaningless('Not used: the amount is signed.'),
  partial_position: meaningless('Not used.'),
  isolated_margin: meaningless('Not used: margin is isolated with a sub-account.'),
  perps_plus: meaningless('Not used.'),
  builder_id: meaningless('Not used.'),
  builder_fee_rate: meaningless('Not used.'),
}

export const OrderRequest = Type.Object(orderBodyMembers, {
  title: 'OrderRequest',
  additionalProperties: false,
  description:
    'An order. Flags and integers are those of the signed Order: time_in_force and post_only give ' +
    'its timeInForce (0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY), stop and side its triggerKind.',
})

const PreviewFill = named('PreviewFill', {
  price: decimal('Price of the level.'),
  amount: decimal('Filled amount at the level.'),
  orders: Type.Integer({ minimum: 1, description: 'Resting orders matched at the level.' }),
  fees: decimal('Fees of the level, in the quote asset.'),
})

const PreviewMargin = named('PreviewMargin', {
  equity: decimal('Collateral plus profit or loss.'),
  initial_margin: decimal('Initial margin of positions and orders.'),
  maintenance_margin: decimal('Of positions.'),
  available_margin: decimal('Margin available to further orders.'),
})
const PreviewBalances = named('PreviewBalances', {
  base: decimal('Free balance of the base asset.'),
  quote: decimal('Free balance of the quote asset.'),
})
const beforeAfter = <T extends TSchema>(title: string, item: T, description: string) =>
  Type.Optional(named(title, { before: item, after: nullable(item) }, description))

/** The answer of POST /orders/preview. */
export const OrderPreview = named(
  'OrderPreview',
  {
    order_id: Type.String({ description: 'Digest of the order, which is its id.' }),
    recovered_signer: nullable(Address('The recovered signer; null without a signature.')),
    block_number: Type.Integer({ description: 'The newest block, which the preview is based on.' }),
    block_time: ns('Expected time of the block with the order: a second after the newest.'),
    is_accepted: Type.Boolean({ description: 'True if no rule rejects the order.' }),
    refusals: Type.Array(FieldProblem, { description: 'Every rule that would reject it.' }),
    fills: Type.Array(PreviewFill, { description: 'Fills by level, best first.' }),
    amount: decimal('Accepted amount: a reduce-only order is reduced to the lots it may close.'),
    filled: decimal('Amount that would be filled immediately.'),
    resting: decimal('Amount that would rest.'),
    cancelled: decimal('Amount that would be cancelled immediately.'),
    cancel_reason: nullable(Type.String({ description: 'Reason; null if nothing is cancelled.' })),
    avg_price: nullable(decimal('Average price of the fills, rounded down; null without any.')),
    worst_price: nullable(decimal('Price of the last fill; null without any.')),
    fees: decimal('Total of all fills, in the quote asset.'),
    margin: beforeAfter(
      'PreviewMarginChange',
      PreviewMargin,
      'Perpetuals only. `after` is null when the contract rejects the order.',
    ),
    balances: beforeAfter(
      'PreviewBalanceChange',
      PreviewBalances,
      'Spot only. `after` is null when the contract rejects the order.',
    ),
    position: Type.Optional(
      nullable(decimal('Afterwards, negative when short; perpetuals only, null when rejected.')),
    ),
    liquidation_price: Type.Optional(
      nullable(decimal('Liquidation price of that position; null without one.')),
    ),
  },
  'Effect of an order at the newest block. Nothing is submitted.',
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
    digest: Type.String({ description: 'Digest of the typed data: the order_id once submitted.' }),
    typed_data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Message for a signing key, for eth_signTypedData_v4.',
    }),
  },
  'A call for a wallet that submits its own transactions.',
)
export type OrderBuilt = Static<typeof OrderBuilt>
