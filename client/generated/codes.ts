// Lists the codes of refusals.
// Generated from the schemas of the server: npx node client/scripts/generate.ts
export type RefusalCode =
  /** The account is being liquidated. */
  | 'ACCOUNT_LIQUIDATION'
  /** The API key or its secret is wrong. */
  | 'AUTH_INVALID'
  /** The request was sent before: sign it anew. */
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
  /** The account has not allowed the venue to cancel for it. */
  | 'CANCEL_SIGNATURE_REQUIRED'
  /** The chain cannot be asked now. */
  | 'CHAIN_UNAVAILABLE'
  /** The data is too far behind the chain. */
  | 'DATA_STALE'
  /** An edit keeps the side of the order. */
  | 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'
  /** An edit keeps the market of the order. */
  | 'EDIT_ORDER_DIFFERENT_INSTRUMENT'
  /** An edit is a new order, signed anew. */
  | 'EDIT_ORDER_SAME_ID'
  /** There is not that much room for positions. */
  | 'EXCEEDS_MAX_NOTIONAL'
  /** The value of the order is above the maximum. */
  | 'EXCEED_MAX_ORDER_VALUE'
  /** The price is outside the band around the mark. */
  | 'EXCEED_TRADE_PRICE_BAND'
  /** The order cannot be filled whole. */
  | 'FOK_UNFILLABLE'
  /** History cannot be read now. */
  | 'HISTORY_UNAVAILABLE'
  /** Keys do not sign requests here. */
  | 'HMAC_NOT_OFFERED'
  /** The market is halted. */
  | 'INSTRUMENT_PAUSED'
  /** The margin does not suffice. */
  | 'INSUFFICIENT_MARGIN'
  /** The amount is no multiple of the amount step. */
  | 'INVALID_AMOUNT_STEP_SIZE'
  /** The cursor is not of this list. */
  | 'INVALID_CURSOR'
  /** A reduce-only order is opposite to the position. */
  | 'INVALID_DIRECTION_REDUCE_ONLY'
  /** A parameter is not valid. */
  | 'INVALID_PARAMETER'
  /** The price is no multiple of the price step. */
  | 'INVALID_PRICE_STEP_SIZE'
  /** The signature is not valid. */
  | 'INVALID_SIGNATURE'
  /** The time range is not valid. */
  | 'INVALID_TIME_RANGE'
  /** The invite code is already used. */
  | 'INVITE_USED'
  /** Nothing rests at that price. */
  | 'IOC_ORDER_REJECTED'
  /** The expiry is not in the future. */
  | 'KEY_EXPIRY_PASSED'
  /** The key was revoked on the chain. */
  | 'KEY_REVOKED'
  /** The key is of another account. */
  | 'KEY_TAKEN'
  /** Orders are only cancelled now. */
  | 'MAINTENANCE_MODE_ENABLED'
  /** The address is malformed. */
  | 'MALFORMED_ADDRESS'
  /** The body is not valid JSON. */
  | 'MALFORMED_JSON'
  /** The URL is not valid. */
  | 'MALFORMED_URL'
  /** A required parameter is missing. */
  | 'MISSING_PARAMETER'
  /** There is no position to reduce. */
  | 'NO_POSITION_REDUCE_ONLY'
  /** Keys are not registered on the chain here. */
  | 'ON_CHAIN_NOT_OFFERED'
  /** The contract refuses the key. */
  | 'ON_CHAIN_REFUSED'
  /** The signature is malformed. */
  | 'ORDER_BAD_SIGNATURE'
  /** Who signed may not trade for the account. */
  | 'ORDER_BAD_SIGNING_KEY'
  /** Other orders close the position already. */
  | 'ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY'
  /** The good-til time is too early. */
  | 'ORDER_EXPIRED'
  /** A transaction has the order, and its block is not there yet. */
  | 'ORDER_PENDING'
  /** The contract refuses the order. */
  | 'ORDER_REFUSED'
  /** The deadline has passed. */
  | 'ORDER_TIMED_OUT'
  /** A post-only order would trade. */
  | 'POST_ONLY_CROSS'
  /** The relayer has no funds for orders; cancels go on. */
  | 'RELAY_UNFUNDED'
  /** The contract does not take the signature. */
  | 'SIGNATURE_NOT_ON_CHAIN'
  /** Not enough to sell. */
  | 'SPOT_NO_BASE_BALANCE'
  /** Not enough to pay with. */
  | 'SPOT_NO_QUOTE_BALANCE'
  /** Trading is not live yet. */
  | 'TRADING_NOT_LIVE'
  /** Unsupported resolution. */
  | 'UNSUPPORTED_RESOLUTION'
