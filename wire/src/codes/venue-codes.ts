// Rejections caused by the state of the venue: the request itself is valid.
import type { Codes } from './code.ts'

export const VENUE_CODES = {
  INTERNAL_ERROR: {
    status: 500,
    message: 'Internal error',
    ...{ section: '7', ccxt: 'ExchangeNotAvailable', retry: 'backoff' },
    action: 'Try again; if it stays, give the operator the request_id.',
  },
  AUTH_UNAVAILABLE: {
    status: 503,
    message: 'API key check temporarily unavailable',
    ...{ section: '5.4', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait and send the same again: the key is neither accepted nor refused.',
  },
  RELAY_UNFUNDED: {
    status: 503,
    message: 'New orders are suspended: the relayer has insufficient funds',
    ...{ section: '4.6', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait, or send the call of POST /orders/build by a wallet of your own.',
  },
  MAINTENANCE_MODE_ENABLED: {
    status: 503,
    message: 'Cancel-only mode: new orders and edits are disabled',
    ...{ section: '4.6', ccxt: 'OnMaintenance', retry: 'wait' },
    details: [],
    action: 'Wait; cancels and everything else continue. GET /info shows when trading is live.',
  },
  TRADING_NOT_LIVE: {
    status: 503,
    message: 'Trading is not live',
    ...{ section: '4.6', ccxt: 'OnMaintenance', retry: 'wait' },
    details: [],
    action: 'Wait, or send the call of POST /orders/build by a wallet of your own.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    message: 'Chain temporarily unavailable',
    ...{ section: '4.5', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait and send the same again: an order is the same order by its digest.',
  },
  SOCKETS_FULL: {
    status: 503,
    message: 'Connection limit of the node reached',
    ...{ section: '6', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait and connect again, to whichever node.',
  },
  STARTING: {
    status: 503,
    message: 'The venue is starting',
    ...{ section: '7', ccxt: 'OnMaintenance', retry: 'wait' },
    action: 'Wait until GET /ready is 200.',
  },
  SERVER_STOPPING: {
    status: 503,
    message: 'The server is shutting down',
    ...{ section: '6', ccxt: 'OnMaintenance', retry: 'wait' },
    action: 'Connect again after the wait, to whichever node.',
  },
  DATA_STALE: {
    status: 503,
    message: 'Market data is stale: the node is behind the chain',
    ...{ section: '7', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait: what the node knows is too old to act on. History goes on.',
  },
  HISTORY_UNAVAILABLE: {
    status: 503,
    message: 'History temporarily unavailable',
    ...{ section: '7', ccxt: 'ExchangeNotAvailable', retry: 'wait' },
    action: 'Wait and send the same again. The request may still have taken effect.',
  },
} as const satisfies Codes
