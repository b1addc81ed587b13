// Lists the codes of refusals.
// Generated from the schemas of the server: npx node client/scripts/generate.ts

/** Codes of refusals. */
export type RefusalCode =
  /** ABI not found. */
  | 'ABI_NOT_FOUND'
  /** Account in liquidation. */
  | 'ACCOUNT_LIQUIDATION'
  /** API key limit reached. */
  | 'API_KEYS_FULL'
  /** API key not found. */
  | 'API_KEY_NOT_FOUND'
  /** The API key has expired or was revoked: authenticate and subscribe again. */
  | 'AUTH_EXPIRED'
  /** Invalid API key, secret or signature. */
  | 'AUTH_INVALID'
  /** Too many authentication attempts: see retryAfterMs. */
  | 'AUTH_RATE_LIMITED'
  /** The signature was already used. */
  | 'AUTH_REPLAYED'
  /** Authentication required. */
  | 'AUTH_REQUIRED'
  /** Timestamp outside of the allowed window. */
  | 'AUTH_TIMESTAMP_INVALID'
  /** API key check temporarily unavailable. */
  | 'AUTH_UNAVAILABLE'
  /** Order value below the minimum. */
  | 'BELOW_MIN_ORDER_VALUE'
  /** The node has not reached the block. */
  | 'BLOCK_NOT_REACHED'
  /** Request body too large. */
  | 'BODY_TOO_LARGE'
  /** Only the wallet or its signing key can revoke a canceller. */
  | 'CANCELLER_BY_WALLET'
  /** The cancel needs a signature or a cancel permission. */
  | 'CANCEL_SIGNATURE_REQUIRED'
  /** Chain temporarily unavailable. */
  | 'CHAIN_UNAVAILABLE'
  /** Channel not found: see the operation channels. */
  | 'CHANNEL_NOT_FOUND'
  /** Channel temporarily unavailable: subscribe again later. */
  | 'CHANNEL_UNAVAILABLE'
  /** Market data is stale: the node is behind the chain. */
  | 'DATA_STALE'
  /** Document not found. */
  | 'DOCUMENT_NOT_FOUND'
  /** This node is an edge: it serves reads and sockets, and accepts no orders or changes. */
  | 'EDGE_NODE'
  /** An edit cannot change the side of an order. */
  | 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'
  /** An edit cannot change the market of an order. */
  | 'EDIT_ORDER_DIFFERENT_INSTRUMENT'
  /** An edit needs a new order with its own signature. */
  | 'EDIT_ORDER_SAME_ID'
  /** Position or open interest limit exceeded. */
  | 'EXCEEDS_MAX_NOTIONAL'
  /** Order value above the maximum. */
  | 'EXCEED_MAX_ORDER_VALUE'
  /** Price outside of the price band. */
  | 'EXCEED_TRADE_PRICE_BAND'
  /** Fill-or-kill order cannot be filled in full. */
  | 'FOK_UNFILLABLE'
  /** The address is not the account of the API key. */
  | 'FORBIDDEN_ACCOUNT'
  /** Origin not allowed. */
  | 'FORBIDDEN_ORIGIN'
  /** Request headers too large. */
  | 'HEADERS_TOO_LARGE'
  /** History temporarily unavailable. */
  | 'HISTORY_UNAVAILABLE'
  /** Signed requests (HMAC) are not supported. */
  | 'HMAC_NOT_OFFERED'
  /** Instrument not found. */
  | 'INSTRUMENT_NOT_FOUND'
  /** The market is halted. */
  | 'INSTRUMENT_PAUSED'
  /** Insufficient margin. */
  | 'INSUFFICIENT_MARGIN'
  /** Internal error. */
  | 'INTERNAL_ERROR'
  /** The amount is not a multiple of the amount step. */
  | 'INVALID_AMOUNT_STEP_SIZE'
  /** Invalid cursor. */
  | 'INVALID_CURSOR'
  /** Reduce-only order on the side of the position. */
  | 'INVALID_DIRECTION_REDUCE_ONLY'
  /** Invalid message. */
  | 'INVALID_MESSAGE'
  /** Unknown operation. */
  | 'INVALID_OP'
  /** Invalid parameter. */
  | 'INVALID_PARAMETER'
  /** The price is not a multiple of the price step. */
  | 'INVALID_PRICE_STEP_SIZE'
  /** Invalid signature. */
  | 'INVALID_SIGNATURE'
  /** Invalid time range. */
  | 'INVALID_TIME_RANGE'
  /** Invalid invite code. */
  | 'INVITE_INVALID'
  /** An invite code is required. */
  | 'INVITE_REQUIRED'
  /** The invite code is already used. */
  | 'INVITE_USED'
  /** Immediate-or-cancel order cannot be filled. */
  | 'IOC_ORDER_REJECTED'
  /** The API key does not allow this IP address. */
  | 'IP_NOT_ALLOWED'
  /** Isolated margin requires a sub-account. */
  | 'ISOLATED_BY_SUB_ACCOUNT'
  /** The expiry has passed. */
  | 'KEY_EXPIRY_PASSED'
  /** The key was revoked on chain. */
  | 'KEY_REVOKED'
  /** The key belongs to another account. */
  | 'KEY_TAKEN'
  /** Only the wallet or its signing key can set the leverage. */
  | 'LEVERAGE_BY_WALLET'
  /** Cancel-only mode: new orders and edits are disabled. */
  | 'MAINTENANCE_MODE_ENABLED'
  /** Malformed address. */
  | 'MALFORMED_ADDRESS'
  /** Malformed JSON in the request body. */
  | 'MALFORMED_JSON'
  /** Malformed HTTP request. */
  | 'MALFORMED_REQUEST'
  /** Malformed URL. */
  | 'MALFORMED_URL'
  /** Method not allowed. */
  | 'METHOD_NOT_ALLOWED'
  /** Missing parameter. */
  | 'MISSING_PARAMETER'
  /** Market-maker protection is frozen. */
  | 'MMP_FROZEN'
  /** Market-maker protection not found. */
  | 'MMP_NOT_SET'
  /** Notification not found. */
  | 'NOTIFICATION_NOT_FOUND'
  /** Not subscribed to the channel. */
  | 'NOT_SUBSCRIBED'
  /** Reduce-only order without a position. */
  | 'NO_POSITION_REDUCE_ONLY'
  /** On-chain key registration is not supported. */
  | 'ON_CHAIN_NOT_OFFERED'
  /** The accounts contract rejected the request. */
  | 'ON_CHAIN_REFUSED'
  /** Only the wallet can revoke a signing key on chain. */
  | 'ON_CHAIN_REVOKE_BY_WALLET'
  /** Malformed order signature. */
  | 'ORDER_BAD_SIGNATURE'
  /** The signer is not authorized for the account. */
  | 'ORDER_BAD_SIGNING_KEY'
  /** Order not found. */
  | 'ORDER_DOES_NOT_EXIST'
  /** Reduce-only orders already cover the position. */
  | 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY'
  /** The order already exists. */
  | 'ORDER_EXISTS'
  /** The good-til time is too early. */
  | 'ORDER_EXPIRED'
  /** The salt was already used. */
  | 'ORDER_INVALID_SALT'
  /** The transaction of the order is pending. */
  | 'ORDER_PENDING'
  /** Order rejected by the contract. */
  | 'ORDER_REFUSED'
  /** The order deadline has passed. */
  | 'ORDER_TIMED_OUT'
  /** Pool not found. */
  | 'POOL_NOT_FOUND'
  /** Post-only order would trade immediately. */
  | 'POST_ONLY_CROSS'
  /** Too many requests. */
  | 'RATE_LIMIT_EXCEEDED'
  /** New orders are suspended: the relayer has insufficient funds. */
  | 'RELAY_UNFUNDED'
  /** Request timed out. */
  | 'REQUEST_TIMEOUT'
  /** Pending orders ended when the venue restored its database. */
  | 'RESTORED'
  /** Endpoint not found. */
  | 'ROUTE_NOT_FOUND'
  /** The API key lacks the required scope. */
  | 'SCOPE_MISSING'
  /** The server is shutting down. */
  | 'SERVER_STOPPING'
  /**
   * Session not found: it has ended, or belongs to another node. Polling requires sticky
   * sessions; transports: ['websocket'] does not.
   */
  | 'SESSION_NOT_FOUND'
  /** The signatures were already used to create an API key. */
  | 'SIGNATURES_USED'
  /** The accounts contract rejects the signature. */
  | 'SIGNATURE_NOT_ON_CHAIN'
  /** Client too slow: connection closed. */
  | 'SLOW_CONSUMER'
  /** Connection limit of the node reached. */
  | 'SOCKETS_FULL'
  /** Insufficient base balance. */
  | 'SPOT_NO_BASE_BALANCE'
  /** Insufficient quote balance. */
  | 'SPOT_NO_QUOTE_BALANCE'
  /** The venue is starting. */
  | 'STARTING'
  /** Too many pending orders. */
  | 'TOO_MANY_PENDING_ORDERS'
  /**
   * Limit of per-block channels of the connection reached: use orderbook-100ms,
   * orderbook-500ms or ticker-500ms.
   */
  | 'TOO_MANY_PER_BLOCK'
  /** Subscription limit of the connection reached. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** Trading is not live. */
  | 'TRADING_NOT_LIVE'
  /** The trigger is not met. */
  | 'TRIGGER_NOT_MET'
  /** Unsupported media type: the body must be JSON. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** Unsupported resolution. */
  | 'UNSUPPORTED_RESOLUTION'
  /** Upgrade required: this path accepts only WebSocket connections. */
  | 'UPGRADE_REQUIRED'
  /** URL too long. */
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
