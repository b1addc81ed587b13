// Refusals by the state of the venue: nothing is wrong with the request.
import type { Codes } from './code.ts'

export const VENUE_CODES = {
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side',
    section: '7',
    retry: 'backoff',
    action: 'Try again; if it stays, give the operator the request_id.',
  },
  AUTH_UNAVAILABLE: {
    status: 503,
    message: 'The API key cannot be checked now',
    section: '5.4',
    retry: 'wait',
    action: 'Wait and send the same again: the key is neither accepted nor refused.',
  },
  RELAY_UNFUNDED: {
    status: 503,
    message: 'The relayer has no funds for orders; cancels go on',
    section: '4.6',
    retry: 'wait',
    action: 'Wait, or send the call of POST /orders/build by a wallet of your own.',
  },
  MAINTENANCE_MODE_ENABLED: {
    status: 503,
    message: 'Orders are only cancelled now',
    section: '4.6',
    retry: 'wait',
    details: [],
    action: 'Wait; cancels and everything else go on. GET /info says when trading is live.',
  },
  TRADING_NOT_LIVE: {
    status: 503,
    message: 'Trading is not live yet',
    section: '4.6',
    retry: 'wait',
    details: [],
    action: 'Wait, or send the call of POST /orders/build by a wallet of your own.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    message: 'The chain cannot be asked now',
    section: '4.5',
    retry: 'wait',
    action: 'Wait and send the same again: an order is the same order by its digest.',
  },
  SOCKETS_FULL: {
    status: 503,
    message: 'There is no room for more connections',
    section: '6',
    retry: 'wait',
    action: 'Wait and connect again, to whichever node.',
  },
  STARTING: {
    status: 503,
    message: 'The venue starts',
    section: '7',
    retry: 'wait',
    action: 'Wait until GET /ready is 200.',
  },
  SERVER_STOPPING: {
    status: 503,
    message: 'The server stops',
    section: '6',
    retry: 'wait',
    action: 'Connect again after the wait, to whichever node.',
  },
  DATA_STALE: {
    status: 503,
    message: 'The data is too far behind the chain',
    section: '7',
    retry: 'wait',
    action: 'Wait: what the node knows is too old to act on. History goes on.',
  },
  HISTORY_UNAVAILABLE: {
    status: 503,
    message: 'History cannot be read now',
    section: '7',
    retry: 'wait',
    action: 'Wait and send the same again. What was sent may be done all the same.',
  },
} as const satisfies Codes
