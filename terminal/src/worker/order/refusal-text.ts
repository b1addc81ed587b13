// Says in a trader's words why an order is refused, and what to do: one text for every code of the
// venue that an order can meet.
import type { RefusalCode, shapes } from 'openvenue'
import { decimalsOf, showDecimal } from '../text/decimal-text.ts'
import type { OrderDraft } from './order-protocol.ts'

/** What a text is made of: members of a refusal are absent where the venue did not say them. */
type Refused = Readonly<{
  facts: shapes.ProblemFacts
  value: string | undefined
  draft: Pick<OrderDraft, 'side' | 'type'>
  market: shapes.Market
}>
type Write = (refused: Refused) => string

const VALUE_DIGITS = 2

const money = (text: string | undefined, { market }: Refused): string =>
  text === undefined ? '' : ` ${showDecimal(text, VALUE_DIGITS)} ${market.quote_asset}`
const price = (text: string | undefined, { market }: Refused): string =>
  text === undefined ? '' : ` ${showDecimal(text, decimalsOf(market.price_step))}`
const amount = (text: string | undefined, { market }: Refused): string =>
  text === undefined ? '' : ` ${showDecimal(text)} ${market.underlying_asset}`
/** A sentence for where the facts are there. */
const given = (text: string | undefined, sentence: string): string =>
  text === undefined ? '' : ` ${sentence}`
const held = ({ facts }: Refused): string => (facts.position?.startsWith('-') ? 'short' : 'long')

const SIGNED_ANEW = 'Place it once more: it is signed anew.'
const WAIT = 'Wait a moment and place it again.'

/** What is said of an order of this page; others fall back on the venue's own words. */
const TEXTS: Readonly<Partial<Record<RefusalCode, Write>>> = {
  INVALID_PRICE_STEP_SIZE: ({ market }) => `A price is a whole multiple of ${market.price_step}.`,
  INVALID_AMOUNT_STEP_SIZE: ({ market }) =>
    `An amount is a whole multiple of ${market.amount_step} ${market.underlying_asset}.`,
  BELOW_MIN_ORDER_VALUE: (of) =>
    `The order is worth too little: at least${money(of.facts.minimum ?? of.market.min_order_value, of)}.`,
  EXCEED_MAX_ORDER_VALUE: (of) =>
    `The order is worth too much: at most${money(of.facts.maximum ?? of.market.max_order_value, of)} at once. Place the rest as another one.`,
  EXCEEDS_MAX_NOTIONAL: (of) =>
    `There is no room for so large a position.${given(of.facts.room, `Room is left for${amount(of.facts.room, of)}.`)} Trade less, or close something first.`,
  EXCEED_TRADE_PRICE_BAND: (of) =>
    `The price is too far from the mark: from${price(of.facts.minimum, of)} to${price(of.facts.maximum, of)} is taken.`,
  INSTRUMENT_PAUSED: ({ market }) =>
    market.instrument_type === 'SPOT'
      ? 'The market is halted. Orders that rest can be cancelled.'
      : 'The market is halted. Reduce-only orders are taken, and cancels.',
  INSUFFICIENT_MARGIN: (of) =>
    `The margin does not suffice${of.facts.shortfall === undefined ? '' : `:${money(of.facts.shortfall, of)} is missing`}. Deposit it, trade less, or reduce positions.`,
  SPOT_NO_QUOTE_BALANCE: (of) =>
    `There is not enough to pay with${of.facts.free === undefined ? '' : `:${money(of.facts.free, of)} is free`}. Deposit, cancel bids, or buy less.`,
  SPOT_NO_BASE_BALANCE: (of) =>
    `There is not enough to sell${of.facts.free === undefined ? '' : `:${amount(of.facts.free, of)} is free`}. Deposit, cancel asks, or sell less.`,
  POST_ONLY_CROSS: (of) =>
    `A post-only order may not trade at once${given(of.facts.best_price, `with the best price on the other side,${price(of.facts.best_price, of)}`)}. Move the price behind it, or turn post-only off.`,
  FOK_UNFILLABLE: (of) =>
    `It cannot be filled whole at once${of.facts.fillable === undefined ? '' : `:${amount(of.facts.fillable, of)} can`}. Trade less, take a worse price, or let the rest be cancelled (IOC).`,
  IOC_ORDER_REJECTED: (of) =>
    `Nobody is there at that price${given(of.facts.best_price, `: the best is${price(of.facts.best_price, of)}`)}. Take a worse price, or let the order rest.`,
  NO_POSITION_REDUCE_ONLY: ({ market }) =>
    market.is_active
      ? 'There is no position to reduce. Turn reduce-only off to open one.'
      : 'There is no position to reduce, and a halted market takes nothing else.',
  INVALID_DIRECTION_REDUCE_ONLY: (of) =>
    `The position is ${held(of)}: an order that reduces it ${held(of) === 'long' ? 'sells' : 'buys'}. Change the side${of.market.is_active ? ', or turn reduce-only off' : ''}.`,
  ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY: () =>
    'Other reduce-only orders close the whole position already. Cancel one of them, or trade less.',
  CANCEL_SIGNATURE_REQUIRED: () =>
    'The venue may not cancel for this account: the cancel has to be signed.',
  ORDER_BAD_SIGNATURE: () =>
    'The venue could not read the signature. Sign out and enable trading anew.',
  ORDER_BAD_SIGNING_KEY: () =>
    'The key of this page may not trade for the account: it has ended, or was revoked. Enable trading anew.',
  ORDER_TIMED_OUT: () => `It reached the venue too late. ${SIGNED_ANEW}`,
  ORDER_EXPIRED: () => 'The good-til time is over, or too near. Choose a later one.',
  TRIGGER_NOT_MET: (of) =>
    `The mark${price(of.facts.mark_price, of)} has not reached the trigger: the venue has to hold the order until then.`,
  ORDER_REFUSED: ({ facts }) =>
    `The contract refuses the order${given(facts.contract_error, `(${facts.contract_error})`)}. Change it, or look at the status page.`,
  RESTORED: () =>
    'The venue lost its database and ended what waited. Place the order anew if it is not open.',
  EDIT_ORDER_CANNOT_CHANGE_DIRECTION: () =>
    'An order keeps its side. Cancel it, and place another one.',
  EDIT_ORDER_DIFFERENT_INSTRUMENT: () =>
    'An order keeps its market. Cancel it, and place another one.',
  EDIT_ORDER_SAME_ID: () => 'Nothing of the order was changed.',
  ACCOUNT_LIQUIDATION: (of) =>
    `The account is being liquidated${of.facts.shortfall === undefined ? '' : `:${money(of.facts.shortfall, of)} is missing`}. Deposit it, or reduce positions (reduce-only).`,
  ORDER_DOES_NOT_EXIST: () => 'That order has ended: it was filled or cancelled meanwhile.',
  MMP_NOT_SET: () => 'There is no market-maker protection for this asset. Set it first.',
  MMP_FROZEN: () =>
    'Market-maker protection has frozen new orders. Wait until it thaws, or reset it.',
  ORDER_EXISTS: () => 'The venue has this order already. Look at the orders below.',
  ORDER_INVALID_SALT: () => `Another order was signed with the same number. ${SIGNED_ANEW}`,
  TOO_MANY_PENDING_ORDERS: () =>
    'Too many orders are on their way to the chain. Wait for them, or cancel some.',
  ORDER_PENDING: () => 'The order is in a transaction now. Wait for its block.',
  INSTRUMENT_NOT_FOUND: () => 'The venue does not list this market any more.',
  MALFORMED_ADDRESS: () => 'The venue does not know the account. Connect the wallet again.',
  FORBIDDEN_ACCOUNT: () => 'The API key is of another account. Sign out and enable trading anew.',
  AUTH_REQUIRED: () => 'The venue asks for a key. Enable trading first.',
  AUTH_INVALID: () => 'The API key has ended, or was revoked. Sign out and enable trading anew.',
  AUTH_TIMESTAMP_INVALID: () => 'The clock of this computer is wrong. Set it, and place it again.',
  AUTH_REPLAYED: () => `The venue has seen this request. ${SIGNED_ANEW}`,
  AUTH_UNAVAILABLE: () => `The venue cannot check the API key now. ${WAIT}`,
  SCOPE_MISSING: () => 'The API key may not trade. Enable trading with one that may.',
  IP_NOT_ALLOWED: () => 'The API key may not be used from this network address.',
  RATE_LIMIT_EXCEEDED: () => 'Too many requests. The button counts down until the next one.',
  MAINTENANCE_MODE_ENABLED: () =>
    'Maintenance: no new orders are taken. Cancels and withdrawals go on.',
  TRADING_NOT_LIVE: () =>
    'The venue takes no orders now: trading is not live. Cancels, deposits and withdrawals go on.',
  RELAY_UNFUNDED: () => 'The venue cannot bring orders to the chain now. Cancels go on.',
  CHAIN_UNAVAILABLE: () => `The venue cannot ask the chain now. ${WAIT}`,
  HISTORY_UNAVAILABLE: () =>
    'The venue cannot say what became of the order. Look at the orders below before placing it again.',
  DATA_STALE: () => 'The venue is behind the chain, and takes no orders on old data. Wait.',
  BLOCK_NOT_REACHED: () => `The venue has not seen the newest block yet. ${WAIT}`,
  INTERNAL_ERROR: () =>
    'Something went wrong at the venue. Look at the orders below before placing it again.',
  STARTING: () => 'The venue starts. Wait until it is ready.',
  SERVER_STOPPING: () => `The venue restarts. ${WAIT}`,
  REQUEST_TIMEOUT: () => `The request did not arrive whole. ${WAIT}`,
}

/** Codes that have a text of their own here. */
export const WRITTEN_CODES: readonly string[] = Object.keys(TEXTS)

/** Returns why an order is refused. A code without a text of its own has the venue's words. */
export function refusalText(
  { code, message, facts = {}, value }: Omit<shapes.FieldProblem, 'field'>,
  draft: Pick<OrderDraft, 'side' | 'type'>,
  market: shapes.Market,
): string {
  const write = TEXTS[code as RefusalCode]
  return write?.({ facts, value, draft, market }) ?? plain(message)
}

/** The venue's words, with the members of a body as the form has them. */
function plain(message: string): string {
  const text = message
    .replace(/\blimit_price\b/g, 'price')
    .replaceAll('_', ' ')
    .trim()
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
