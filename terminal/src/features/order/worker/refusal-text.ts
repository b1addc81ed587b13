// Texts of refused orders, one for each code. Loaded with the first refusal, and therefore apart
// from text.ts.
import type { RefusalCode } from 'openvenue'

/** Facts of a refusal, with their units. A fact that the venue did not send is undefined. */
export type RefusalFacts = Readonly<{
  priceStep: string
  amountStep: string
  minValue: string
  maxValue: string
  minPrice: string | undefined
  maxPrice: string | undefined
  /** How much more the position may grow. */
  room: string | undefined
  /** Missing margin. */
  shortfall: string | undefined
  freeQuote: string | undefined
  freeBase: string | undefined
  bestPrice: string | undefined
  /** Amount that can fill immediately. */
  fillable: string | undefined
  markPrice: string | undefined
  contractError: string | undefined
  isSpot: boolean
  /** False while the market is halted. */
  isActive: boolean
  isShort: boolean
}>

/** Returns a part of a sentence if its fact is known; otherwise an empty text. */
const given = (fact: string | undefined, write: (fact: string) => string): string =>
  fact === undefined ? '' : write(fact)

const signAgain = 'Place it again with a new signature.'
const wait = 'Wait a moment and place it again.'

/** Other codes use the venue's message. */
export const refusals: Readonly<Partial<Record<RefusalCode, (facts: RefusalFacts) => string>>> = {
  INVALID_PRICE_STEP_SIZE: ({ priceStep }) => `The price must be a multiple of ${priceStep}.`,
  INVALID_AMOUNT_STEP_SIZE: ({ amountStep }) => `The amount must be a multiple of ${amountStep}.`,
  BELOW_MIN_ORDER_VALUE: ({ minValue }) => `Order value too small: at least ${minValue}.`,
  EXCEED_MAX_ORDER_VALUE: ({ maxValue }) =>
    `Order value too large: at most ${maxValue} per order. Split the order.`,
  EXCEEDS_MAX_NOTIONAL: ({ room }) =>
    `Position limit exceeded.${given(room, (amount) => ` Remaining: ${amount}.`)} Trade less, or reduce positions.`,
  EXCEED_TRADE_PRICE_BAND: ({ minPrice, maxPrice }) =>
    minPrice === undefined || maxPrice === undefined
      ? 'The price is too far from the mark.'
      : `The price is too far from the mark: ${minPrice} to ${maxPrice} is accepted.`,
  INSTRUMENT_PAUSED: ({ isSpot }) =>
    isSpot
      ? 'The market is halted. Open orders can be cancelled.'
      : 'The market is halted. Reduce-only orders and cancels are accepted.',
  INSUFFICIENT_MARGIN: ({ shortfall }) =>
    `Insufficient margin${given(shortfall, (value) => `: ${value} short`)}. Deposit it, trade less, or reduce positions.`,
  SPOT_NO_QUOTE_BALANCE: ({ freeQuote }) =>
    `Insufficient balance${given(freeQuote, (value) => `: ${value} available`)}. Deposit, cancel bids, or buy less.`,
  SPOT_NO_BASE_BALANCE: ({ freeBase }) =>
    `Insufficient balance${given(freeBase, (amount) => `: ${amount} available`)}. Deposit, cancel asks, or sell less.`,
  POST_ONLY_CROSS: ({ bestPrice }) =>
    `A post-only order must not fill immediately${given(bestPrice, (price) => ` at the best opposite price, ${price}`)}. Move the price behind it, or turn post-only off.`,
  FOK_UNFILLABLE: ({ fillable }) =>
    `Fill or kill: not enough liquidity${given(fillable, (amount) => `, ${amount} can fill`)}. Trade less, accept a worse price, or use immediate or cancel.`,
  IOC_ORDER_REJECTED: ({ bestPrice }) =>
    `No orders at this price${given(bestPrice, (price) => `: the best is ${price}`)}. Accept a worse price, or let the order rest.`,
  NO_POSITION_REDUCE_ONLY: ({ isActive }) =>
    isActive
      ? 'There is no position to reduce. Turn reduce-only off to open one.'
      : 'There is no position to reduce, and a halted market accepts nothing else.',
  INVALID_DIRECTION_REDUCE_ONLY: ({ isShort, isActive }) =>
    `The position is ${isShort ? 'short: a reducing order buys' : 'long: a reducing order sells'}. Change the side${isActive ? ', or turn reduce-only off' : ''}.`,
  ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY: () =>
    'Other reduce-only orders already cover the position. Cancel one of them, or trade less.',
  CANCEL_SIGNATURE_REQUIRED: () => 'The venue may not cancel for this account: sign the cancel.',
  ORDER_BAD_SIGNATURE: () => 'Invalid signature. Sign out and enable trading again.',
  ORDER_BAD_SIGNING_KEY: () =>
    'The signing key of this page has expired or was revoked. Enable trading again.',
  ORDER_TIMED_OUT: () => `The order reached the venue too late. ${signAgain}`,
  ORDER_EXPIRED: () => 'The good-til time is past or too near. Choose a later one.',
  TRIGGER_NOT_MET: ({ markPrice }) =>
    `The mark${given(markPrice, (price) => ` ${price}`)} has not reached the trigger: the venue holds the order until then.`,
  ORDER_REFUSED: ({ contractError }) =>
    `The contract rejected the order${given(contractError, (error) => ` (${error})`)}. Change it, or see the status page.`,
  RESTORED: () =>
    'The venue restored its database and cancelled pending orders. Place the order again if it is not open.',
  EDIT_ORDER_CANNOT_CHANGE_DIRECTION: () =>
    'The side cannot change. Cancel the order and place a new one.',
  EDIT_ORDER_DIFFERENT_INSTRUMENT: () =>
    'The market cannot change. Cancel the order and place a new one.',
  EDIT_ORDER_SAME_ID: () => 'The order is unchanged.',
  ACCOUNT_LIQUIDATION: ({ shortfall }) =>
    `The account is being liquidated${given(shortfall, (value) => `: ${value} short`)}. Deposit it, or reduce positions (reduce-only).`,
  ORDER_DOES_NOT_EXIST: () => 'The order has already been filled or cancelled.',
  MMP_NOT_SET: () => 'Market-maker protection is not set for this asset.',
  MMP_FROZEN: () =>
    'Market-maker protection has frozen new orders. Wait until it ends, or reset it.',
  ORDER_EXISTS: () => 'The venue already has this order. See the orders below.',
  ORDER_INVALID_SALT: () => `Another order was signed with the same number. ${signAgain}`,
  TOO_MANY_PENDING_ORDERS: () => 'Too many pending orders. Wait for them, or cancel some.',
  ORDER_PENDING: () => 'The order is in a transaction. Wait for its block.',
  INSTRUMENT_NOT_FOUND: () => 'The market is no longer listed.',
  MALFORMED_ADDRESS: () => 'The venue does not know the account. Connect the wallet again.',
  FORBIDDEN_ACCOUNT: () =>
    'The API key belongs to another account. Sign out and enable trading again.',
  AUTH_REQUIRED: () => 'An API key is required. Enable trading first.',
  AUTH_INVALID: () => 'The API key has expired or was revoked. Sign out and enable trading again.',
  AUTH_TIMESTAMP_INVALID: () => 'The clock of this computer is wrong. Set it and retry.',
  AUTH_REPLAYED: () => `The venue already received this request. ${signAgain}`,
  AUTH_UNAVAILABLE: () => `The venue cannot check the API key. ${wait}`,
  SCOPE_MISSING: () => 'The API key has no permission to trade. Use another one.',
  IP_NOT_ALLOWED: () => 'The API key is not allowed from this IP address.',
  RATE_LIMIT_EXCEEDED: () => 'Too many requests. The button counts down until the next one.',
  MAINTENANCE_MODE_ENABLED: () => 'Maintenance: no new orders. Cancels and withdrawals work.',
  TRADING_NOT_LIVE: () => 'Trading is not live. Cancels, deposits and withdrawals work.',
  RELAY_UNFUNDED: () => 'The venue cannot submit orders to the chain. Cancels work.',
  CHAIN_UNAVAILABLE: () => `The venue cannot reach the chain. ${wait}`,
  HISTORY_UNAVAILABLE: () =>
    'The outcome of the order is unknown. Check the orders below before placing it again.',
  DATA_STALE: () => 'The venue is behind the chain and accepts no orders on old data. Wait.',
  BLOCK_NOT_REACHED: () => `The venue has not seen the newest block yet. ${wait}`,
  INTERNAL_ERROR: () => 'Internal error. Check the orders below before placing it again.',
  STARTING: () => 'The venue is starting. Wait until it is ready.',
  SERVER_STOPPING: () => `The venue is restarting. ${wait}`,
  REQUEST_TIMEOUT: () => `The request timed out. ${wait}`,
}
