// Refusals that the sockets alone have. Their words are in wire.
import type { SocketCode } from '@openvenue/wire/socket'
import type { RefusalCode } from '../refusals.ts'
import type { Advice } from './code.ts'

export const SOCKET_ADVICE: Readonly<Record<Exclude<SocketCode, RefusalCode>, Advice>> = {
  AUTH_RATE_LIMITED: { retry: 'wait', action: 'Wait as long as it says, then authenticate.' },
  AUTH_EXPIRED: {
    retry: 'change',
    action: 'Authenticate with a live key, and subscribe to private channels again.',
  },
  CHANNEL_NOT_FOUND: { retry: 'change', action: 'Take the name from the operation channels.' },
  CHANNEL_UNAVAILABLE: { retry: 'backoff', action: 'Subscribe again later.' },
  NOT_SUBSCRIBED: {
    retry: 'change',
    action: 'Nothing is left to do: nothing of the channel comes.',
  },
  TOO_MANY_SUBSCRIPTIONS: {
    retry: 'act',
    action: 'Unsubscribe from what is not read, or open another connection.',
  },
  INVALID_OP: { retry: 'change', action: 'Take the operation from GET /asyncapi.json.' },
  INVALID_MESSAGE: { retry: 'change', action: 'Send one JSON object with op and data.' },
  SLOW_CONSUMER: {
    retry: 'act',
    action: 'Read faster or subscribe to less, then connect again with from_seq.',
  },
}
