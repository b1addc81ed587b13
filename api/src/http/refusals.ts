// Every way in which a request is refused. One table, one body.
import type { Problem, ProblemFacts } from '@openvenue/wire/field'

type Entry = Readonly<{ status: number; message: string; section: string }>

export const REFUSALS = {
  INVALID_PARAMETER: { status: 400, message: 'A parameter is not valid', section: '8' },
  MISSING_PARAMETER: { status: 400, message: 'A required parameter is missing', section: '4.2' },
  INVALID_CURSOR: { status: 400, message: 'The cursor is not of this list', section: '2.9' },
  MALFORMED_ADDRESS: { status: 400, message: 'The address is malformed', section: '4.4, 4.5' },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON', section: '2.0' },
  MALFORMED_REQUEST: { status: 400, message: 'The request is not valid HTTP', section: '7' },
  MALFORMED_URL: { status: 400, message: 'The URL is not valid', section: '7' },
  UNSUPPORTED_RESOLUTION: { status: 400, message: 'Unsupported resolution', section: '4.3, 7' },
  INVALID_TIME_RANGE: { status: 400, message: 'The time range is not valid', section: '7' },
  KEY_EXPIRY_PASSED: { status: 400, message: 'The expiry is not in the future', section: '4.5' },
  SIGNATURE_NOT_ON_CHAIN: {
    status: 400,
    message: 'The contract does not take the signature',
    section: '4.5',
  },
  HMAC_NOT_OFFERED: {
    status: 400,
    message: 'Keys do not sign requests here',
    section: '4.5',
  },
  ON_CHAIN_NOT_OFFERED: {
    status: 400,
    message: 'Keys are not registered on the chain here',
    section: '4.5',
  },
  INVALID_PRICE_STEP_SIZE: {
    status: 400,
    message: 'The price is no multiple of the price step',
    section: '4.6',
  },
  INVALID_AMOUNT_STEP_SIZE: {
    status: 400,
    message: 'The amount is no multiple of the amount step',
    section: '4.6',
  },
  BELOW_MIN_ORDER_VALUE: {
    status: 400,
    message: 'The value of the order is below the minimum',
    section: '4.6',
  },
  EXCEED_MAX_ORDER_VALUE: {
    status: 400,
    message: 'The value of the order is above the maximum',
    section: '4.6',
  },
  EXCEEDS_MAX_NOTIONAL: {
    status: 400,
    message: 'There is not that much room for positions',
    section: '4.6',
  },
  EXCEED_TRADE_PRICE_BAND: {
    status: 400,
    message: 'The price is outside the band around the mark',
    section: '4.6',
  },
  INSTRUMENT_PAUSED: { status: 400, message: 'The market is halted', section: '4.6' },
  INSUFFICIENT_MARGIN: { status: 400, message: 'The margin does not suffice', section: '4.6' },
  SPOT_NO_QUOTE_BALANCE: { status: 400, message: 'Not enough to pay with', section: '4.6' },
  SPOT_NO_BASE_BALANCE: { status: 400, message: 'Not enough to sell', section: '4.6' },
  POST_ONLY_CROSS: { status: 400, message: 'A post-only order would trade', section: '4.6' },
  FOK_UNFILLABLE: { status: 400, message: 'The order cannot be filled whole', section: '4.6' },
  IOC_ORDER_REJECTED: { status: 400, message: 'Nothing rests at that price', section: '4.6' },
  NO_POSITION_REDUCE_ONLY: {
    status: 400,
    message: 'There is no position to reduce',
    section: '4.6',
  },
  INVALID_DIRECTION_REDUCE_ONLY: {
    status: 400,
    message: 'A reduce-only order is opposite to the position',
    section: '4.6',
  },
  ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY: {
    status: 400,
    message: 'Other orders close the position already',
    section: '4.6',
  },
  CANCEL_SIGNATURE_REQUIRED: {
    status: 400,
    message: 'The account has not allowed the venue to cancel for it',
    section: '4.6',
  },
  ORDER_BAD_SIGNATURE: { status: 400, message: 'The signature is malformed', section: '4.6' },
  ORDER_BAD_SIGNING_KEY: {
    status: 400,
    message: 'Who signed may not trade for the account',
    section: '4.6',
  },
  ORDER_TIMED_OUT: { status: 400, message: 'The deadline has passed', section: '4.6' },
  ORDER_EXPIRED: { status: 400, message: 'The good-til time is too early', section: '4.6' },
  TRIGGER_NOT_MET: { status: 400, message: 'The mark has not met the trigger', section: '4.6' },
  ORDER_REFUSED: { status: 400, message: 'The contract refuses the order', section: '4.6' },
  EDIT_ORDER_CANNOT_CHANGE_DIRECTION: {
    status: 400,
    message: 'An edit keeps the side of the order',
    section: '4.6',
  },
  EDIT_ORDER_DIFFERENT_INSTRUMENT: {
    status: 400,
    message: 'An edit keeps the market of the order',
    section: '4.6',
  },
  EDIT_ORDER_SAME_ID: {
    status: 400,
    message: 'An edit is a new order, signed anew',
    section: '4.6',
  },
  ACCOUNT_LIQUIDATION: {
    status: 400,
    message: 'The account is being liquidated',
    section: '4.6',
  },
  AUTH_REQUIRED: { status: 401, message: 'An API key and its secret are required', section: '5' },
  AUTH_INVALID: { status: 401, message: 'The API key or its secret is wrong', section: '5' },
  AUTH_TIMESTAMP_INVALID: {
    status: 401,
    message: 'The timestamp is too far from the time of the server',
    section: '5',
  },
  AUTH_REPLAYED: {
    status: 401,
    message: 'The request was sent before: sign it anew',
    section: '5',
  },
  INVALID_SIGNATURE: { status: 401, message: 'The signature is not valid', section: '4.5' },
  SIGNATURES_USED: {
    status: 401,
    message: 'The signatures have made an API key already',
    section: '4.5, 5.2',
  },
  SCOPE_MISSING: { status: 403, message: 'The API key is not for this', section: '5' },
  IP_NOT_ALLOWED: {
    status: 403,
    message: 'The API key may not be used from this address',
    section: '5',
  },
  FORBIDDEN_ACCOUNT: {
    status: 403,
    message: "The address is not the key's account",
    section: '4.4, 7',
  },
  FORBIDDEN_ORIGIN: {
    status: 403,
    message: 'Pages of this origin may not connect',
    section: '6',
  },
  INVITE_REQUIRED: { status: 403, message: 'An invite code is required', section: '4.5' },
  INVITE_INVALID: { status: 403, message: 'The invite code is not valid', section: '4.5' },
  INSTRUMENT_NOT_FOUND: { status: 404, message: 'Instrument not found', section: '4.2, 7' },
  ORDER_DOES_NOT_EXIST: { status: 404, message: 'Order not found', section: '4.4, 7' },
  API_KEY_NOT_FOUND: { status: 404, message: 'API key not found', section: '4.5, 7' },
  MMP_NOT_SET: { status: 404, message: 'There is no protection on the asset', section: '4.6' },
  ABI_NOT_FOUND: { status: 404, message: 'There is no ABI of that name', section: '4' },
  POOL_NOT_FOUND: { status: 404, message: 'Pool not found', section: '4.7' },
  NOTIFICATION_NOT_FOUND: { status: 404, message: 'Notification not found', section: '4.6' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such endpoint', section: '4' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The endpoint has no such method', section: '4' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive', section: '7' },
  API_KEYS_FULL: { status: 409, message: 'The account has all the keys it may have', section: '5' },
  KEY_TAKEN: { status: 409, message: 'The key is of another account', section: '4.5' },
  KEY_REVOKED: { status: 409, message: 'The key was revoked on the chain', section: '4.5' },
  ON_CHAIN_REFUSED: { status: 409, message: 'The contract refuses the key', section: '4.5' },
  ON_CHAIN_REVOKE_BY_WALLET: {
    status: 409,
    message: 'Only the wallet can revoke a signing key on the chain',
    section: '4.5',
  },
  ORDER_EXISTS: { status: 409, message: 'The order is on the chain already', section: '4.6' },
  ORDER_INVALID_SALT: {
    status: 409,
    message: 'The salt is spent by another order',
    section: '4.6',
  },
  LEVERAGE_BY_WALLET: {
    status: 409,
    message: 'Only the wallet or a signing key of it can set the leverage',
    section: '4.6',
  },
  CANCELLER_BY_WALLET: {
    status: 409,
    message: 'Only the wallet or a signing key of it can revoke a canceller',
    section: '4.6',
  },
  ISOLATED_BY_SUB_ACCOUNT: {
    status: 409,
    message: 'Margin is isolated by a sub-account',
    section: '4.6',
  },
  INVITE_USED: { status: 409, message: 'The invite code is already used', section: '4.5, 7' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large', section: '7' },
  URL_TOO_LONG: { status: 414, message: 'The URL is too long', section: '7' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be JSON', section: '2.0' },
  UPGRADE_REQUIRED: {
    status: 426,
    message: 'Only WebSockets connect here: the request must upgrade',
    section: '6',
  },
  MMP_FROZEN: { status: 409, message: 'Market-maker protection is frozen', section: '4.6' },
  TOO_MANY_PENDING_ORDERS: {
    status: 429,
    message: 'Too many orders are on their way',
    section: '4.6',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests', section: '8' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large', section: '7' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side', section: '7' },
  AUTH_UNAVAILABLE: { status: 503, message: 'The API key cannot be checked now', section: '5.4' },
  RELAY_UNFUNDED: {
    status: 503,
    message: 'The relayer has no funds for orders; cancels go on',
    section: '4.6',
  },
  ORDER_PENDING: {
    status: 503,
    message: 'A transaction has the order, and its block is not there yet',
    section: '4.6',
  },
  MAINTENANCE_MODE_ENABLED: {
    status: 503,
    message: 'Orders are only cancelled now',
    section: '4.6',
  },
  TRADING_NOT_LIVE: { status: 503, message: 'Trading is not live yet', section: '4.6' },
  CHAIN_UNAVAILABLE: { status: 503, message: 'The chain cannot be asked now', section: '4.5' },
  SESSION_NOT_FOUND: {
    status: 400,
    message:
      'This node has no such session: it has ended, or is at another node. Polling over several ' +
      "nodes needs sticky sessions; transports: ['websocket'] does not",
    section: '6',
  },
  SOCKETS_FULL: { status: 503, message: 'There is no room for more connections', section: '6' },
  STARTING: { status: 503, message: 'The venue starts', section: '7' },
  SERVER_STOPPING: { status: 503, message: 'The server stops', section: '6' },
  DATA_STALE: { status: 503, message: 'The data is too far behind the chain', section: '7' },
  BLOCK_NOT_REACHED: {
    status: 503,
    message: 'This node has not reached the block yet',
    section: '7',
  },
  HISTORY_UNAVAILABLE: { status: 503, message: 'History cannot be read now', section: '7' },
} as const satisfies Record<string, Entry>

export type RefusalCode = keyof typeof REFUSALS

/** A field of the request, and the rule that it breaks. */
export type FieldError = Readonly<{
  field: string
  code: RefusalCode
  /** The rule that should hold. */
  message: string
  /** The legal value nearest to the one given, where there is one. */
  nearest?: string | number
  /** The value that breaks the rule, where the field itself does not say it. */
  value?: string
  /** What the value is held against, each by its name; see `ProblemFacts`. */
  facts?: ProblemFacts
  /** What waits for the chain, where there is no room for more. */
  queue?: Readonly<{ gas: number; blocks: number }>
  /** Every legal value, where they are few. */
  allowed?: readonly string[]
  /** Of a signature: who made it, what was hashed, and the hash. */
  recovered?: string
  typed_data?: Readonly<Record<string, unknown>>
  digest?: string
  /** The transaction that only the wallet itself can send. */
  call?: UnsignedTransaction
}>

/** A transaction to send. `value` is in the chain's own coin. */
export type UnsignedTransaction = Readonly<{
  to: string
  data: string
  value: '0'
  chain_id: number
}>

type RefusalOptions = Readonly<{
  message?: string
  details?: readonly FieldError[]
  /** How long the client should wait. */
  retryAfterMs?: number
  /** Further members of the body, for charting endpoints. */
  extra?: Pick<Problem, 's' | 'errmsg'>
  cause?: unknown
}>

/** A request refused with one of the codes above. Thrown by handlers, answered in one place. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly options: RefusalOptions

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.message ?? REFUSALS[code].message, { cause: options.cause })
    this.code = code
    this.options = options
  }

  get status(): number {
    return REFUSALS[this.code].status
  }

  /** Returns the error body. */
  body(requestId: string): Problem {
    const { details, retryAfterMs, extra } = this.options
    return {
      error: this.code,
      message: this.message,
      ...(details === undefined ? {} : { details: details.map(toProblem) }),
      request_id: requestId,
      ...(retryAfterMs === undefined ? {} : { retry_after: msToNs(retryAfterMs) }),
      ...extra,
    }
  }
}

/** When to ask again for what the database could not say. */
const RETRY_MS = 1000

/** Returns the refusal of what misleads when it is old, while this node knows that it is. */
export const dataStale = (): Refusal => new Refusal('DATA_STALE', { retryAfterMs: RETRY_MS })

/** Returns the refusal of what only the database knows, which does not answer. */
export const historyUnavailable = (cause?: unknown): Refusal =>
  new Refusal('HISTORY_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })

/** Refuses with 503 when the database does not answer now. */
export const orUnavailable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })

const toProblem = ({ allowed, ...error }: FieldError) => ({
  ...error,
  ...(allowed === undefined ? {} : { allowed: [...allowed] }),
})

/** Returns milliseconds as the text of nanoseconds. */
export const msToNs = (milliseconds: number) =>
  (BigInt(Math.ceil(milliseconds)) * 1_000_000n).toString()
