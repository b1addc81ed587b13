// Says which exception of ccxt each refusal of the venue is.
import {
  AccountSuspended,
  ArgumentsRequired,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  type BaseError,
  CancelPending,
  DuplicateOrderId,
  ExchangeError,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidAddress,
  InvalidNonce,
  InvalidOrder,
  MarketClosed,
  NotSupported,
  OnMaintenance,
  OperationRejected,
  OrderImmediatelyFillable,
  OrderNotFillable,
  OrderNotFound,
  PermissionDenied,
  RateLimitExceeded,
} from 'ccxt'

type Exception = typeof BaseError

/** The chain holds the leverage: a transaction sets it. */
export class LeverageByWallet extends PermissionDenied {}

/** The account has not allowed the venue to cancel: each cancel needs a signature. */
export class CancelSignatureRequired extends AuthenticationError {}

/** By who is to do something about it. What ccxt retries is below `OperationFailed` there. */
const CODES_OF: readonly (readonly [Exception, readonly string[]])[] = [
  [
    InvalidOrder,
    [
      'BELOW_MIN_ORDER_VALUE',
      'EDIT_ORDER_CANNOT_CHANGE_DIRECTION',
      'EDIT_ORDER_DIFFERENT_INSTRUMENT',
      'EDIT_ORDER_SAME_ID',
      'EXCEED_MAX_ORDER_VALUE',
      'EXCEED_TRADE_PRICE_BAND',
      'INVALID_AMOUNT_STEP_SIZE',
      'INVALID_DIRECTION_REDUCE_ONLY',
      'INVALID_PRICE_STEP_SIZE',
      'NO_POSITION_REDUCE_ONLY',
      'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY',
      'ORDER_EXPIRED',
      'ORDER_INVALID_SALT',
      'ORDER_REFUSED',
      'ORDER_TIMED_OUT',
      'RESTORED',
      'TRIGGER_NOT_MET',
    ],
  ],
  // A transaction has the order: the same again, once its block is there, finds it.
  [CancelPending, ['ORDER_PENDING']],
  [OrderImmediatelyFillable, ['POST_ONLY_CROSS']],
  [OrderNotFillable, ['FOK_UNFILLABLE', 'IOC_ORDER_REJECTED']],
  [OrderNotFound, ['ORDER_DOES_NOT_EXIST']],
  [DuplicateOrderId, ['ORDER_EXISTS']],
  [
    InsufficientFunds,
    [
      'EXCEEDS_MAX_NOTIONAL',
      'INSUFFICIENT_MARGIN',
      'SPOT_NO_BASE_BALANCE',
      'SPOT_NO_QUOTE_BALANCE',
    ],
  ],
  [BadSymbol, ['INSTRUMENT_NOT_FOUND']],
  [MarketClosed, ['INSTRUMENT_PAUSED']],
  [
    AuthenticationError,
    [
      'AUTH_EXPIRED',
      'AUTH_INVALID',
      'AUTH_REPLAYED',
      'AUTH_REQUIRED',
      'INVALID_SIGNATURE',
      'KEY_EXPIRY_PASSED',
      'KEY_REVOKED',
      'KEY_TAKEN',
      'ORDER_BAD_SIGNATURE',
      'ORDER_BAD_SIGNING_KEY',
      'SIGNATURES_USED',
      'SIGNATURE_NOT_ON_CHAIN',
    ],
  ],
  [CancelSignatureRequired, ['CANCEL_SIGNATURE_REQUIRED']],
  [LeverageByWallet, ['LEVERAGE_BY_WALLET']],
  [InvalidNonce, ['AUTH_TIMESTAMP_INVALID']],
  [
    PermissionDenied,
    [
      'CANCELLER_BY_WALLET',
      'FORBIDDEN_ACCOUNT',
      'FORBIDDEN_ORIGIN',
      'INVITE_INVALID',
      'INVITE_REQUIRED',
      'INVITE_USED',
      'IP_NOT_ALLOWED',
      'ON_CHAIN_REVOKE_BY_WALLET',
      'SCOPE_MISSING',
    ],
  ],
  [AccountSuspended, ['ACCOUNT_LIQUIDATION']],
  [RateLimitExceeded, ['AUTH_RATE_LIMITED', 'RATE_LIMIT_EXCEEDED', 'TOO_MANY_PENDING_ORDERS']],
  [OnMaintenance, ['MAINTENANCE_MODE_ENABLED', 'SERVER_STOPPING', 'STARTING', 'TRADING_NOT_LIVE']],
  [
    ExchangeNotAvailable,
    [
      'AUTH_UNAVAILABLE',
      'BLOCK_NOT_REACHED',
      'CHAIN_UNAVAILABLE',
      'CHANNEL_UNAVAILABLE',
      'DATA_STALE',
      'HISTORY_UNAVAILABLE',
      'INTERNAL_ERROR',
      'REQUEST_TIMEOUT',
      'SOCKETS_FULL',
      'RELAY_UNFUNDED',
      'SLOW_CONSUMER',
    ],
  ],
  [ArgumentsRequired, ['MISSING_PARAMETER']],
  [InvalidAddress, ['MALFORMED_ADDRESS']],
  [
    BadRequest,
    [
      'ABI_NOT_FOUND',
      'API_KEY_NOT_FOUND',
      'BODY_TOO_LARGE',
      'CHANNEL_NOT_FOUND',
      'DOCUMENT_NOT_FOUND',
      'HEADERS_TOO_LARGE',
      'INVALID_CURSOR',
      'INVALID_MESSAGE',
      'INVALID_OP',
      'INVALID_PARAMETER',
      'INVALID_TIME_RANGE',
      'MALFORMED_JSON',
      'MALFORMED_REQUEST',
      'MALFORMED_URL',
      'METHOD_NOT_ALLOWED',
      'MMP_NOT_SET',
      'NOTIFICATION_NOT_FOUND',
      'NOT_SUBSCRIBED',
      'POOL_NOT_FOUND',
      'ROUTE_NOT_FOUND',
      'SESSION_NOT_FOUND',
      'TOO_MANY_SUBSCRIPTIONS',
      'UNSUPPORTED_MEDIA_TYPE',
      'UNSUPPORTED_RESOLUTION',
      'UPGRADE_REQUIRED',
      'URL_TOO_LONG',
    ],
  ],
  [NotSupported, ['HMAC_NOT_OFFERED', 'ISOLATED_BY_SUB_ACCOUNT', 'ON_CHAIN_NOT_OFFERED']],
  [OperationRejected, ['API_KEYS_FULL', 'MMP_FROZEN', 'ON_CHAIN_REFUSED']],
]

/** By code, as ccxt's `exceptions.exact` has it. */
export const EXACT: Readonly<Record<string, Exception>> = Object.fromEntries(
  CODES_OF.flatMap(([exception, codes]) => codes.map((code) => [code, exception])),
)

/** Returns the exception of a code; one that the venue has since got is an `ExchangeError`. */
export const exceptionOf = (code: string): Exception => EXACT[code] ?? ExchangeError
