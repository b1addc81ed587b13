// Texts of refused orders: a sentence for each code, and the nearest legal value. Loaded with the
// first refusal.
import { fromRaw, type RefusalCode, type RefusedError, type shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import { writeLocalTime } from '../../../text/time-text.ts'
import type { DraftField, OrderDraft, OrderProblem } from '../order-protocol.ts'

const INTEGER = /^\d+$/
/** Time that a signed order needs to reach the chain. */
const SIGNED_SECONDS = 30

/** Returns a rule of the venue, with its nearest legal value in the form's units. */
export function viewProblem(
  problem: shapes.FieldProblem,
  draft: OrderDraft,
  market: shapes.Market,
): OrderProblem {
  const field = fieldOf(problem.field, draft)
  const text = refusalText(problem, draft, market)
  if (field === undefined) return { field, text, nearest: [] }
  const nearest = nearestOf(problem, market)
  const isBase = field === 'amount' && nearest.length > 0 && draft.amountUnit === 'quote'
  return { field, text, nearest, ...(isBase && { amountUnit: 'base' as const }) }
}

/** Returns the broken rules of a refusal; its own message if it names no member. */
export function viewRefusal(
  error: RefusedError,
  draft: OrderDraft,
  market: shapes.Market,
): readonly OrderProblem[] {
  const { code, details } = error
  if (details.length === 0) {
    const message = error.message.slice(`${code}: `.length)
    return [{ field: undefined, text: refusalText({ code, message }, draft, market), nearest: [] }]
  }
  return details.map((detail) => viewProblem(detail, draft, market))
}

/** Returns the field of a signed member; a market order's price limit comes from its slippage. */
function fieldOf(member: string, draft: OrderDraft): DraftField | undefined {
  if (member === 'limit_price') return draft.type === 'limit' ? 'price' : undefined
  if (member === 'good_til' || member === 'deadline')
    return draft.timeInForce === 'GTD' ? 'goodTil' : undefined
  return FIELDS[member]
}

const FIELDS: Readonly<Record<string, DraftField>> = {
  amount: 'amount',
  trigger: 'trigger',
  reduce_only: 'isReduceOnly',
  post_only: 'isPostOnly',
  is_buy: 'side',
}

/** Returns legal values for the field, converted from the raw signed units. */
function nearestOf(
  { field, nearest }: shapes.FieldProblem,
  { base_decimals, quote_decimals }: shapes.Market,
): readonly string[] {
  if (field === 'is_buy') return [String(nearest) === 'true' ? 'buy' : 'sell']
  if (field === 'reduce_only' || field === 'post_only')
    return String(nearest) === 'false' ? ['off'] : []
  if (typeof nearest !== 'string' || !INTEGER.test(nearest) || nearest === '0') return []
  switch (field) {
    case 'amount':
      return [fromRaw(BigInt(nearest), base_decimals)]
    case 'limit_price':
    case 'trigger':
      return [fromRaw(BigInt(nearest), quote_decimals)]
    default:
      return [writeLocalTime(Number(nearest) + SIGNED_SECONDS, 'up')]
  }
}

/** Inputs of a text. Members of a refusal are absent if the venue did not send them. */
type RefusalContext = Readonly<{
  facts: shapes.ProblemFacts
  value: string | undefined
  draft: Pick<OrderDraft, 'side' | 'type'>
  market: shapes.Market
}>
type Write = (refused: RefusalContext) => string

const VALUE_DIGITS = 2

const money = (text: string | undefined, { market }: RefusalContext): string =>
  text === undefined ? '' : ` ${showDecimal(text, VALUE_DIGITS)} ${market.quote_asset}`
const price = (text: string | undefined, { market }: RefusalContext): string =>
  text === undefined ? '' : ` ${showDecimal(text, decimalsOf(market.price_step))}`
const amount = (text: string | undefined, { market }: RefusalContext): string =>
  text === undefined ? '' : ` ${showDecimal(text)} ${market.underlying_asset}`
/** Adds a sentence if its fact is known. */
const given = (text: string | undefined, sentence: string): string =>
  text === undefined ? '' : ` ${sentence}`
const held = ({ facts }: RefusalContext): string =>
  facts.position?.startsWith('-') ? 'short' : 'long'

const SIGNED_ANEW = 'Place it again with a new signature.'
const WAIT = 'Wait a moment and place it again.'

/** Texts of refused orders; other codes use the venue's message. */
const TEXTS: Readonly<Partial<Record<RefusalCode, Write>>> = {
  INVALID_PRICE_STEP_SIZE: ({ market }) => `The price must be a multiple of ${market.price_step}.`,
  INVALID_AMOUNT_STEP_SIZE: ({ market }) =>
    `The amount must be a multiple of ${market.amount_step} ${market.underlying_asset}.`,
  BELOW_MIN_ORDER_VALUE: (of) =>
    `Order value too small: at least${money(of.facts.minimum ?? of.market.min_order_value, of)}.`,
  EXCEED_MAX_ORDER_VALUE: (of) =>
    `Order value too large: at most${money(of.facts.maximum ?? of.market.max_order_value, of)} per order. Split the order.`,
  EXCEEDS_MAX_NOTIONAL: (of) =>
    `Position limit exceeded.${given(of.facts.room, `Remaining:${amount(of.facts.room, of)}.`)} Trade less, or reduce positions.`,
  EXCEED_TRADE_PRICE_BAND: (of) =>
    `The price is too far from the mark:${price(of.facts.minimum, of)} to${price(of.facts.maximum, of)} is accepted.`,
  INSTRUMENT_PAUSED: ({ market }) =>
    market.instrument_type === 'SPOT'
      ? 'The market is halted. Open orders can be cancelled.'
      : 'The market is halted. Reduce-only orders and cancels are accepted.',
  INSUFFICIENT_MARGIN: (of) =>
    `Insufficient margin${of.facts.shortfall === undefined ? '' : `:${money(of.facts.shortfall, of)} short`}. Deposit it, trade less, or reduce positions.`,
  SPOT_NO_QUOTE_BALANCE: (of) =>
    `Insufficient balance${of.facts.free === undefined ? '' : `:${money(of.facts.free, of)} available`}. Deposit, cancel bids, or buy less.`,
  SPOT_NO_BASE_BALANCE: (of) =>
    `Insufficient balance${of.facts.free === undefined ? '' : `:${amount(of.facts.free, of)} available`}. Deposit, cancel asks, or sell less.`,
  POST_ONLY_CROSS: (of) =>
    `A post-only order must not fill immediately${given(of.facts.best_price, `at the best opposite price,${price(of.facts.best_price, of)}`)}. Move the price behind it, or turn post-only off.`,
  FOK_UNFILLABLE: (of) =>
    `Fill or kill: not enough liquidity${of.facts.fillable === undefined ? '' : `,${amount(of.facts.fillable, of)} can fill`}. Trade less, accept a worse price, or use immediate or cancel.`,
  IOC_ORDER_REJECTED: (of) =>
    `No orders at this price${given(of.facts.best_price, `: the best is${price(of.facts.best_price, of)}`)}. Accept a worse price, or let the order rest.`,
  NO_POSITION_REDUCE_ONLY: ({ market }) =>
    market.is_active
      ? 'There is no position to reduce. Turn reduce-only off to open one.'
      : 'There is no position to reduce, and a halted market accepts nothing else.',
  INVALID_DIRECTION_REDUCE_ONLY: (of) =>
    `The position is ${held(of)}: a reducing order ${held(of) === 'long' ? 'sells' : 'buys'}. Change the side${of.market.is_active ? ', or turn reduce-only off' : ''}.`,
  ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY: () =>
    'Other reduce-only orders already cover the position. Cancel one of them, or trade less.',
  CANCEL_SIGNATURE_REQUIRED: () => 'The venue may not cancel for this account: sign the cancel.',
  ORDER_BAD_SIGNATURE: () => 'Invalid signature. Sign out and enable trading again.',
  ORDER_BAD_SIGNING_KEY: () =>
    'The signing key of this page has ended or was revoked. Enable trading again.',
  ORDER_TIMED_OUT: () => `The order reached the venue too late. ${SIGNED_ANEW}`,
  ORDER_EXPIRED: () => 'The good-til time is past or too near. Choose a later one.',
  TRIGGER_NOT_MET: (of) =>
    `The mark${price(of.facts.mark_price, of)} has not reached the trigger: the venue holds the order until then.`,
  ORDER_REFUSED: ({ facts }) =>
    `The contract rejected the order${given(facts.contract_error, `(${facts.contract_error})`)}. Change it, or look at the status page.`,
  RESTORED: () =>
    'The venue restored its database and cancelled pending orders. Place the order again if it is not open.',
  EDIT_ORDER_CANNOT_CHANGE_DIRECTION: () =>
    'The side cannot change. Cancel the order and place a new one.',
  EDIT_ORDER_DIFFERENT_INSTRUMENT: () =>
    'The market cannot change. Cancel the order and place a new one.',
  EDIT_ORDER_SAME_ID: () => 'The order is unchanged.',
  ACCOUNT_LIQUIDATION: (of) =>
    `The account is being liquidated${of.facts.shortfall === undefined ? '' : `:${money(of.facts.shortfall, of)} short`}. Deposit it, or reduce positions (reduce-only).`,
  ORDER_DOES_NOT_EXIST: () => 'The order has already been filled or cancelled.',
  MMP_NOT_SET: () => 'Market-maker protection is not set for this asset.',
  MMP_FROZEN: () =>
    'Market-maker protection has frozen new orders. Wait until it ends, or reset it.',
  ORDER_EXISTS: () => 'The venue already has this order. See the orders below.',
  ORDER_INVALID_SALT: () => `Another order was signed with the same number. ${SIGNED_ANEW}`,
  TOO_MANY_PENDING_ORDERS: () => 'Too many pending orders. Wait for them, or cancel some.',
  ORDER_PENDING: () => 'The order is in a transaction. Wait for its block.',
  INSTRUMENT_NOT_FOUND: () => 'The market is no longer listed.',
  MALFORMED_ADDRESS: () => 'The venue does not know the account. Connect the wallet again.',
  FORBIDDEN_ACCOUNT: () =>
    'The API key belongs to another account. Sign out and enable trading again.',
  AUTH_REQUIRED: () => 'A key is required. Enable trading first.',
  AUTH_INVALID: () => 'The API key has ended or was revoked. Sign out and enable trading again.',
  AUTH_TIMESTAMP_INVALID: () => 'The clock of this computer is wrong. Set it and retry.',
  AUTH_REPLAYED: () => `The venue already received this request. ${SIGNED_ANEW}`,
  AUTH_UNAVAILABLE: () => `The venue cannot check the API key. ${WAIT}`,
  SCOPE_MISSING: () => 'The API key may not trade. Use one that may.',
  IP_NOT_ALLOWED: () => 'The API key is not allowed from this IP address.',
  RATE_LIMIT_EXCEEDED: () => 'Too many requests. The button counts down until the next one.',
  MAINTENANCE_MODE_ENABLED: () => 'Maintenance: no new orders. Cancels and withdrawals work.',
  TRADING_NOT_LIVE: () => 'Trading is not live. Cancels, deposits and withdrawals work.',
  RELAY_UNFUNDED: () => 'The venue cannot submit orders to the chain. Cancels work.',
  CHAIN_UNAVAILABLE: () => `The venue cannot reach the chain. ${WAIT}`,
  HISTORY_UNAVAILABLE: () =>
    'The outcome of the order is unknown. Check the orders below before placing it again.',
  DATA_STALE: () => 'The venue is behind the chain and accepts no orders on old data. Wait.',
  BLOCK_NOT_REACHED: () => `The venue has not seen the newest block yet. ${WAIT}`,
  INTERNAL_ERROR: () => 'Internal error. Check the orders below before placing it again.',
  STARTING: () => 'The venue is starting. Wait until it is ready.',
  SERVER_STOPPING: () => `The venue is restarting. ${WAIT}`,
  REQUEST_TIMEOUT: () => `The request timed out. ${WAIT}`,
}

/** Codes with a text here. */
export const WRITTEN_CODES: readonly string[] = Object.keys(TEXTS)

/** Returns why an order is refused. A code without a text here has the venue's message. */
export function refusalText(
  { code, message, facts = {}, value }: Omit<shapes.FieldProblem, 'field'>,
  draft: Pick<OrderDraft, 'side' | 'type'>,
  market: shapes.Market,
): string {
  const write = TEXTS[code as RefusalCode]
  return write?.({ facts, value, draft, market }) ?? plain(message)
}

/** Returns the venue's message, with members of the body named as in the form. */
function plain(message: string): string {
  const text = message
    .replace(/\blimit_price\b/g, 'price')
    .replaceAll('_', ' ')
    .trim()
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
