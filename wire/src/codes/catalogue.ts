// The catalogue of error codes, the source of everything published about a code.
import Type, { type Static } from 'typebox'
import { choice, named, nullable } from '../field.ts'
import { SOCKET_CODES, type SocketCode } from '../socket.ts'
import type { Advice } from './code.ts'
import { KEY_CODES } from './key-codes.ts'
import { ORDER_CODES } from './order-codes.ts'
import { REQUEST_CODES } from './request-codes.ts'
import { VENUE_CODES } from './venue-codes.ts'

/** Every error code of REST. */
export const REST_CODES = {
  ...REQUEST_CODES,
  ...KEY_CODES,
  ...ORDER_CODES,
  ...VENUE_CODES,
} as const

export type CatalogueEntry = Advice &
  Readonly<{
    code: string
    /** HTTP status; null for a code that only sockets use. */
    status: number | null
    message: string
    /** The client library has an error class for each kind. */
    kind: 'invalid' | 'auth' | 'absent' | 'conflict' | 'rate' | 'unavailable'
  }>

/** Codes used only by sockets. `SOCKET_CODES` has their messages. */
const SOCKET_ONLY: Readonly<
  Record<Exclude<SocketCode, keyof typeof REST_CODES>, Advice & Pick<CatalogueEntry, 'kind'>>
> = {
  AUTH_RATE_LIMITED: {
    kind: 'rate',
    ccxt: 'RateLimitExceeded',
    retry: 'wait',
    action: 'Wait as long as the answer states, then authenticate.',
  },
  AUTH_EXPIRED: {
    kind: 'auth',
    ccxt: 'AuthenticationError',
    retry: 'change',
    action: 'Authenticate with a live key, and subscribe to private channels again.',
  },
  CHANNEL_NOT_FOUND: {
    kind: 'absent',
    ccxt: 'BadRequest',
    retry: 'change',
    action: 'Take the name from the operation channels.',
  },
  CHANNEL_UNAVAILABLE: {
    kind: 'unavailable',
    ccxt: 'ExchangeNotAvailable',
    retry: 'backoff',
    action: 'Subscribe again later.',
  },
  NOT_SUBSCRIBED: {
    kind: 'invalid',
    ccxt: 'BadRequest',
    retry: 'change',
    action: 'No action needed: the channel sends nothing.',
  },
  TOO_MANY_SUBSCRIPTIONS: {
    kind: 'rate',
    ccxt: 'BadRequest',
    retry: 'act',
    action: 'Unsubscribe from unused channels, or open another connection.',
  },
  TOO_MANY_PER_BLOCK: {
    kind: 'rate',
    ccxt: 'BadRequest',
    retry: 'change',
    action: 'Subscribe to orderbook-100ms, orderbook-500ms or ticker-500ms instead.',
  },
  INVALID_OP: {
    kind: 'invalid',
    ccxt: 'BadRequest',
    retry: 'change',
    action: 'Take the operation from GET /asyncapi.json.',
  },
  INVALID_MESSAGE: {
    kind: 'invalid',
    ccxt: 'BadRequest',
    retry: 'change',
    action: 'Send one JSON object with op and data.',
  },
  SLOW_CONSUMER: {
    kind: 'unavailable',
    ccxt: 'ExchangeNotAvailable',
    retry: 'act',
    action: 'Read faster or subscribe to less, then connect again with from_seq.',
  },
}

const KINDS: Readonly<Record<number, CatalogueEntry['kind']>> = {
  401: 'auth',
  403: 'auth',
  404: 'absent',
  409: 'conflict',
  429: 'rate',
}

const kindOf = (status: number) => (status >= 500 ? 'unavailable' : (KINDS[status] ?? 'invalid'))

const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

/** Every code of REST and of the sockets, sorted. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...Object.entries(REST_CODES).map(([code, facts]) => ({
    code,
    ...facts,
    kind: kindOf(facts.status),
  })),
  ...Object.entries(SOCKET_ONLY).map(([code, facts]) => ({
    code,
    ...facts,
    status: null,
    message: sentence(SOCKET_CODES[code as SocketCode]),
  })),
].sort((a, b) => (a.code < b.code ? -1 : 1))

const RetrySchema = choice(['wait', 'backoff', 'act', 'change'], {
  title: 'Retry',
  description:
    'How to retry. wait: the same request, after retry_after of the answer (Retry-After); ' +
    'backoff: the same request, after growing pauses of your own; act: the same request, once ' +
    '`action` was taken; change: only with another request.',
})

/** Returns the schema of the catalogue of `codes`, each with its message. */
export const errorCatalogue = (codes: Readonly<Record<string, string>>) => {
  const Code = choice(Object.keys(codes), {
    title: 'RefusalCode',
    description: 'Error codes; a newer venue may have more.',
    'x-enum-descriptions': codes,
  })
  return named(
    'ErrorCatalogue',
    {
      errors: Type.Array(
        named('ErrorEntry', {
          code: Code,
          status: nullable(
            Type.Integer({ description: 'HTTP status; null for a code used only by sockets.' }),
          ),
          message: Type.String({
            description: 'Meaning. A rejection may be more specific in its own message.',
          }),
          retry: RetrySchema,
          details: Type.Array(Type.String(), {
            description:
              'Members of each item of `details`, all but field optional, beside code and ' +
              'message; a dot leads into facts. Empty: the rejection has no details.',
          }),
          action: Type.String({ description: 'Recommended action.' }),
        }),
        { description: 'Sorted by code.' },
      ),
    },
    'Every error code of REST and the sockets.',
  )
}
export type ErrorCatalogue = Static<ReturnType<typeof errorCatalogue>>
