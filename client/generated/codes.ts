// Lists the codes of refusals.
// Generated from the schemas of the server: npx node client/scripts/generate.ts

/** Codes of refusals. */
export type RefusalCode =
  /** There is no ABI of that name. */
  | 'ABI_NOT_FOUND'
  /** The account is being liquidated. */
  | 'ACCOUNT_LIQUIDATION'
  /** The account has all the keys it may have. */
  | 'API_KEYS_FULL'
  /** API key not found. */
  | 'API_KEY_NOT_FOUND'
  /** The API key has expired or was revoked: authenticate and subscribe again. */
  | 'AUTH_EXPIRED'
  /** The API key or its secret is wrong. */
  | 'AUTH_INVALID'
  /** Too many attempts to authenticate: see retryAfterMs. */
  | 'AUTH_RATE_LIMITED'
  /** The request was already sent: sign it again. */
  | 'AUTH_REPLAYED'
  /** An API key and its secret are required. */
  | 'AUTH_REQUIRED'
  /** The timestamp is too far from the time of the server. */
  | 'AUTH_TIMESTAMP_INVALID'
  /** The API key cannot be checked now. */
  | 'AUTH_UNAVAILABLE'
  /** The value of the order is below the minimum. */
  | 'BELOW_MIN_ORDER_VALUE'
  /** This node has not reached the block yet. */
  | 'BLOCK_NOT_REACHED'
  /** The body is too large. */
  | 'BODY_TOO_LARGE'
  /** Only the wallet or a signing key of it can revoke a canceller. */
  | 'CANCELLER_BY_WALLET'
  /** The account has not allowed the venue to cancel for it. */
  | 'CANCEL_SIGNATURE_REQUIRED'
  /** The chain cannot be asked now. */
  | 'CHAIN_UNAVAILABLE'
  /** There is no such channel: see the operation channels. */
  | 'CHANNEL_NOT_FOUND'
  /** The channel cannot be read now: subscribe again later. */
  | 'CHANNEL_UNAVAILABLE'
  /** The data is too far behind the chain. */
  | 'DATA_STALE'
  /** There is no document of that name. */
  | 'DOCUMENT_NOT_FOUND'
  /** An edit keeps the side of the order. */
  | 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'
  /** An edit keeps the market of the order. */
  | 'EDIT_ORDER_DIFFERENT_INSTRUMENT'
  /** An edit is a new order with its own signature. */
  | 'EDIT_ORDER_SAME_ID'
  /** There is not that much room for positions. */
  | 'EXCEEDS_MAX_NOTIONAL'
  /** The value of the order is above the maximum. */
  | 'EXCEED_MAX_ORDER_VALUE'
  /** The price is outside the band around the mark. */
  | 'EXCEED_TRADE_PRICE_BAND'
  /** The order cannot be filled whole. */
  | 'FOK_UNFILLABLE'
  /** The address is not the key's account. */
  | 'FORBIDDEN_ACCOUNT'
  /** Pages of this origin may not connect. */
  | 'FORBIDDEN_ORIGIN'
  /** The headers are too large. */
  | 'HEADERS_TOO_LARGE'
  /** History cannot be read now. */
  | 'HISTORY_UNAVAILABLE'
  /** Keys do not sign requests here. */
  | 'HMAC_NOT_OFFERED'
  /** Instrument not found. */
  | 'INSTRUMENT_NOT_FOUND'
  /** The market is halted. */
  | 'INSTRUMENT_PAUSED'
  /** Insufficient margin. */
  | 'INSUFFICIENT_MARGIN'
  /** Something went wrong on our side. */
  | 'INTERNAL_ERROR'
  /** The amount is not a multiple of the amount step. */
  | 'INVALID_AMOUNT_STEP_SIZE'
  /** The cursor is not of this list. */
  | 'INVALID_CURSOR'
  /** A reduce-only order is opposite to the position. */
  | 'INVALID_DIRECTION_REDUCE_ONLY'
  /** The message is not an operation. */
  | 'INVALID_MESSAGE'
  /** There is no such operation. */
  | 'INVALID_OP'
  /** A parameter is not valid. */
  | 'INVALID_PARAMETER'
  /** The price is not a multiple of the price step. */
  | 'INVALID_PRICE_STEP_SIZE'
  /** The signature is not valid. */
  | 'INVALID_SIGNATURE'
  /** The time range is not valid. */
  | 'INVALID_TIME_RANGE'
  /** The invite code is not valid. */
  | 'INVITE_INVALID'
  /** An invite code is required. */
  | 'INVITE_REQUIRED'
  /** The invite code is already used. */
  | 'INVITE_USED'
  /** Nothing rests at that price. */
  | 'IOC_ORDER_REJECTED'
  /** The API key may not be used from this address. */
  | 'IP_NOT_ALLOWED'
  /** Margin is isolated by a sub-account. */
  | 'ISOLATED_BY_SUB_ACCOUNT'
  /** The expiry is not in the future. */
  | 'KEY_EXPIRY_PASSED'
  /** The key was revoked on the chain. */
  | 'KEY_REVOKED'
  /** The key is of another account. */
  | 'KEY_TAKEN'
  /** Only the wallet or a signing key of it can set the leverage. */
  | 'LEVERAGE_BY_WALLET'
  /** Orders are only cancelled now. */
  | 'MAINTENANCE_MODE_ENABLED'
  /** The address is malformed. */
  | 'MALFORMED_ADDRESS'
  /** The body is not valid JSON. */
  | 'MALFORMED_JSON'
  /** The request is not valid HTTP. */
  | 'MALFORMED_REQUEST'
  /** The URL is not valid. */
  | 'MALFORMED_URL'
  /** The endpoint has no such method. */
  | 'METHOD_NOT_ALLOWED'
  /** A required parameter is missing. */
  | 'MISSING_PARAMETER'
  /** Market-maker protection is frozen. */
  | 'MMP_FROZEN'
  /** There is no protection on the asset. */
  | 'MMP_NOT_SET'
  /** Notification not found. */
  | 'NOTIFICATION_NOT_FOUND'
  /** The connection is not subscribed to the channel. */
  | 'NOT_SUBSCRIBED'
  /** There is no position to reduce. */
  | 'NO_POSITION_REDUCE_ONLY'
  /** Keys are not registered on the chain here. */
  | 'ON_CHAIN_NOT_OFFERED'
  /** The contract refuses the key. */
  | 'ON_CHAIN_REFUSED'
  /** Only the wallet can revoke a signing key on the chain. */
  | 'ON_CHAIN_REVOKE_BY_WALLET'
  /** The signature is malformed. */
  | 'ORDER_BAD_SIGNATURE'
  /** The signer may not trade for the account. */
  | 'ORDER_BAD_SIGNING_KEY'
  /** Order not found. */
  | 'ORDER_DOES_NOT_EXIST'
  /** Other orders close the position already. */
  | 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY'
  /** The order is on the chain already. */
  | 'ORDER_EXISTS'
  /** The good-til time is too early. */
  | 'ORDER_EXPIRED'
  /** The salt is spent by another order. */
  | 'ORDER_INVALID_SALT'
  /** A transaction has the order, and its block is not there yet. */
  | 'ORDER_PENDING'
  /** The contract refuses the order. */
  | 'ORDER_REFUSED'
  /** The deadline has passed. */
  | 'ORDER_TIMED_OUT'
  /** Pool not found. */
  | 'POOL_NOT_FOUND'
  /** A post-only order would trade. */
  | 'POST_ONLY_CROSS'
  /** Too many requests. */
  | 'RATE_LIMIT_EXCEEDED'
  /** The relayer has no funds for orders; cancels go on. */
  | 'RELAY_UNFUNDED'
  /** The request took too long to arrive. */
  | 'REQUEST_TIMEOUT'
  /** The venue lost its database: what waited has ended. */
  | 'RESTORED'
  /** There is no such endpoint. */
  | 'ROUTE_NOT_FOUND'
  /** The API key is not for this. */
  | 'SCOPE_MISSING'
  /** The server stops. */
  | 'SERVER_STOPPING'
  /**
   * This node has no such session: it has ended, or is at another node. Polling over
   * several nodes needs sticky sessions; transports: ['websocket'] does not.
   */
  | 'SESSION_NOT_FOUND'
  /** The signatures have made an API key already. */
  | 'SIGNATURES_USED'
  /** The contract does not take the signature. */
  | 'SIGNATURE_NOT_ON_CHAIN'
  /** The client does not read what it subscribed to; the connection ends. */
  | 'SLOW_CONSUMER'
  /** There is no room for more connections. */
  | 'SOCKETS_FULL'
  /** Not enough to sell. */
  | 'SPOT_NO_BASE_BALANCE'
  /** Not enough to pay with. */
  | 'SPOT_NO_QUOTE_BALANCE'
  /** The venue starts. */
  | 'STARTING'
  /** Too many orders are on their way. */
  | 'TOO_MANY_PENDING_ORDERS'
  /** A connection has a limited number of subscriptions. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** Trading is not live yet. */
  | 'TRADING_NOT_LIVE'
  /** The mark has not met the trigger. */
  | 'TRIGGER_NOT_MET'
  /** The body must be JSON. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** Unsupported resolution. */
  | 'UNSUPPORTED_RESOLUTION'
  /** Only WebSockets connect here: the request must upgrade. */
  | 'UPGRADE_REQUIRED'
  /** The URL is too long. */
  | 'URL_TOO_LONG'

/** Kinds of the codes whose names suggest a different kind. */
export const KINDS = {
  API_KEYS_FULL: 'conflict',
  BLOCK_NOT_REACHED: 'unavailable',
  INVALID_SIGNATURE: 'auth',
  INVITE_USED: 'conflict',
  MAINTENANCE_MODE_ENABLED: 'unavailable',
  MMP_FROZEN: 'conflict',
  MMP_NOT_SET: 'absent',
  ON_CHAIN_REFUSED: 'conflict',
  ORDER_INVALID_SALT: 'conflict',
  SESSION_NOT_FOUND: 'invalid',
  SIGNATURES_USED: 'auth',
  SOCKETS_FULL: 'unavailable',
  TRADING_NOT_LIVE: 'unavailable',
} as const
