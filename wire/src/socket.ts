// Socket operations and their replies (interface 3.4, 5.4, 6).
import Type, { type Static } from 'typebox'
import { Address, ns, nullable, strict } from './field.ts'
import { ORDER_ANSWERS, ORDER_BODIES, orderFailureMembers, waitEnd } from './socket-orders.ts'
import { TradingField } from './trading.ts'

/** Reasons for rejecting an operation, or for ending a subscription or a connection. */
export const SOCKET_CODES = {
  AUTH_REQUIRED: 'the channel is private: authenticate first',
  AUTH_INVALID: 'invalid API key, secret or signature',
  AUTH_TIMESTAMP_INVALID:
    'timestamp out of range: expected nanoseconds within 30 s of the server time',
  AUTH_REPLAYED: 'signature already used: sign again with a new timestamp',
  IP_NOT_ALLOWED: 'the API key does not allow this IP address',
  SCOPE_MISSING: 'the API key lacks the required scope',
  AUTH_UNAVAILABLE: 'API key check temporarily unavailable: try again',
  AUTH_RATE_LIMITED: 'too many authentication attempts: see retryAfterMs',
  AUTH_EXPIRED: 'the API key has expired or was revoked: authenticate and subscribe again',
  CHANNEL_NOT_FOUND: 'channel not found: see the operation channels',
  CHANNEL_UNAVAILABLE: 'channel temporarily unavailable: subscribe again later',
  NOT_SUBSCRIBED: 'not subscribed to the channel',
  TOO_MANY_SUBSCRIPTIONS: 'subscription limit of the connection reached',
  TOO_MANY_PER_BLOCK:
    'limit of per-block channels of the connection reached: use orderbook-100ms, orderbook-500ms or ticker-500ms',
  INVALID_OP: 'unknown operation',
  INVALID_MESSAGE: 'invalid message',
  RATE_LIMIT_EXCEEDED: 'too many operations: see retryAfterMs',
  INTERNAL_ERROR: 'internal error',
  SERVER_STOPPING: 'the server is shutting down: reconnect after retryAfterMs to any node',
  SLOW_CONSUMER: 'client too slow: connection closed',
} as const
export type SocketCode = keyof typeof SOCKET_CODES

/**
 * Default maximum of subscriptions per connection. Every name is answered, so without a bound a
 * short message could cause an answer ten times its size.
 */
export const CHANNELS_PER_MESSAGE_MAX = 1000

const Code = Type.Enum(Object.keys(SOCKET_CODES) as SocketCode[])
const id = Type.Optional(
  Type.Union([Type.Integer(), Type.String({ maxLength: 64 })], {
    description: 'Echoed in the reply unchanged.',
  }),
)
const Channel = Type.String({ description: 'Exact name of a channel.', maxLength: 128 })
const Success = Type.Literal(true)

const Timestamp = ns('Time of signing, at most 30 s from the server time.')
/** Alongside the data of any operation: authenticates the connection before the operation runs. */
const auth = Type.Optional(
  Type.Object(
    {
      key: Type.String({ description: 'API key.' }),
      timestamp: Timestamp,
      signature: Type.String({
        description:
          'Hex HMAC-SHA256 of `key,timestamp,ws,op,data` with the secret; data as JSON.stringify writes it, empty if absent.',
      }),
    },
    { description: 'Replaces a separate `auth` operation before this one.' },
  ),
)
const operation = <T extends Type.TSchema>(op: string, data: T) =>
  Type.Object({ op: Type.Literal(op), id, data, auth })
const plain = (op: string) => Type.Object({ op: Type.Literal(op), id, auth })

/** A client message. */
export const SOCKET_OPERATIONS = {
  auth: Type.Object({
    op: Type.Literal('auth'),
    id,
    data: Type.Object({
      key: Type.String({ description: 'API key.' }),
      secret: Type.Optional(Type.String({ description: 'Its secret; or the two members below.' })),
      timestamp: Type.Optional(Timestamp),
      signature: Type.Optional(
        Type.String({ description: 'Hex HMAC-SHA256 of `key,timestamp,ws,auth,` by the secret.' }),
      ),
    }),
  }),
  subscribe: operation(
    'subscribe',
    Type.Array(
      Type.Union([
        Channel,
        Type.Object({
          channel: Channel,
          from_seq: Type.Optional(
            Type.Integer({
              minimum: 0,
              description:
                'The last `seq` received on the channel. Later messages are sent; if they are unavailable, the reply has `gap: true`.',
            }),
          ),
          snapshot: Type.Optional(
            Type.Boolean({
              description:
                'Send a snapshot first, unless the messages after `from_seq` are sent. Default: true for channels that carry state, false for those that carry events.',
            }),
          ),
        }),
      ]),
      { maxItems: CHANNELS_PER_MESSAGE_MAX },
    ),
  ),
  unsubscribe: operation(
    'unsubscribe',
    Type.Array(Channel, { maxItems: CHANNELS_PER_MESSAGE_MAX }),
  ),
  resync: operation('resync', Type.Object({ channel: Channel })),
  channels: Type.Object({
    op: Type.Literal('channels'),
    id,
    data: Type.Optional(
      Type.Object({
        prefix: Type.Optional(
          Type.String({ maxLength: 128, description: 'Only names with this prefix.' }),
        ),
        after: Type.Optional(
          Type.String({
            maxLength: 128,
            description: 'Only names after this one: `next` of a page.',
          }),
        ),
      }),
    ),
  }),
  status: plain('status'),
  ping: plain('ping'),
  logout: plain('logout'),
  create_order: operation('create_order', ORDER_BODIES.create_order),
  edit_order: operation('edit_order', ORDER_BODIES.edit_order),
  preview_order: operation('preview_order', ORDER_BODIES.preview_order),
  cancel_order: operation('cancel_order', ORDER_BODIES.cancel_order),
  cancel_orders: operation('cancel_orders', ORDER_BODIES.cancel_orders),
  cancel_all_orders: operation('cancel_all_orders', ORDER_BODIES.cancel_all_orders),
  cancel_after: operation('cancel_after', ORDER_BODIES.cancel_after),
} as const
export type SocketOperation = keyof typeof SOCKET_OPERATIONS

const Rejected = Type.Array(strict({ channel: Type.String(), code: Code }))

const placed = <T extends Type.TSchema>(data: T) =>
  strict({
    id,
    data,
    idempotent_replayed: Type.Optional(
      Type.Literal(true, { description: 'Already known: this is its current state.' }),
    ),
  })

/** The answer to a successful operation. */
export const SOCKET_REPLIES = {
  auth: strict({
    id,
    data: strict({
      success: Success,
      account: Address('Wallet that the key belongs to.'),
      expires_timestamp: ns('Expiry time of the key.'),
    }),
  }),
  subscribe: strict({
    id,
    data: Type.Array(Channel, { description: 'Channels subscribed to now.' }),
    rejected: Type.Optional(Rejected),
    seqs: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          'Current `seq` by name, for each channel that starts without a message. The next message continues from it, as after a message with that `seq`.',
      }),
    ),
    gap: Type.Optional(
      Type.Literal(true, { description: 'Messages after a `from_seq` are missing: see `gaps`.' }),
    ),
    gaps: Type.Optional(
      Type.Array(
        strict({
          channel: Type.String(),
          from_seq: Type.Integer({ description: 'Value sent by the client.' }),
          to_seq: Type.Integer({ description: 'Where the channel continues.' }),
        }),
        {
          description:
            'Channels whose messages after `from_seq`, up to `to_seq`, are not sent: read them over REST. A snapshot follows if the channel carries a state.',
        },
      ),
    ),
  }),
  unsubscribe: strict({
    id,
    data: Type.Array(Channel, { description: 'Channels no longer subscribed to.' }),
    rejected: Type.Optional(Rejected),
  }),
  resync: strict({ id, data: strict({ success: Success, channel: Channel }) }),
  channels: strict({
    id,
    data: Type.Array(Channel, {
      description: 'Names that can be subscribed to, sorted.',
      maxItems: CHANNELS_PER_MESSAGE_MAX,
    }),
    next: Type.Optional(Type.String({ description: 'More names exist: pass it as `after`.' })),
  }),
  status: strict({
    id,
    data: strict({
      account: nullable(Address('Account of the connection; null before authentication.')),
      subscriptions: Type.Array(Channel),
      trading: TradingField,
    }),
  }),
  ping: strict({ id, data: strict({ success: Success, timestamp: ns('Server time.') }) }),
  logout: strict({ id, data: strict({ success: Success }) }),
  create_order: placed(ORDER_ANSWERS.create_order),
  edit_order: placed(ORDER_ANSWERS.edit_order),
  preview_order: strict({ id, data: ORDER_ANSWERS.preview_order }),
  cancel_order: strict({ id, wait: waitEnd, data: ORDER_ANSWERS.cancel_order }),
  cancel_orders: strict({ id, wait: waitEnd, data: ORDER_ANSWERS.cancel_orders }),
  cancel_all_orders: strict({ id, wait: waitEnd, data: ORDER_ANSWERS.cancel_all_orders }),
  cancel_after: strict({ id, data: ORDER_ANSWERS.cancel_after }),
} as const satisfies Record<SocketOperation, Type.TSchema>

/** Type of the message, and name of the Socket.IO event, that announces the node's shutdown. */
export const SERVER_SHUTDOWN = 'server_shutdown'

/**
 * A rejected operation, or (without a preceding operation) AUTH_EXPIRED, AUTH_UNAVAILABLE,
 * SLOW_CONSUMER and SERVER_STOPPING.
 */
export const SocketFailure = strict({
  type: Type.Optional(
    Type.Literal(SERVER_SHUTDOWN, { description: 'Always and only with SERVER_STOPPING.' }),
  ),
  id,
  data: strict({
    success: Type.Literal(false),
    code: Code,
    message: Type.Optional(Type.String({ description: 'The violated rule.' })),
    retryAfterMs: Type.Optional(
      Type.Integer({
        description: 'Time to wait in milliseconds. With *_RATE_LIMIT* and SERVER_STOPPING.',
      }),
    ),
  }),
  error: Code,
  channel: Type.Optional(Type.String({ description: 'With CHANNEL_UNAVAILABLE.' })),
  rejected: Type.Optional(Rejected),
})
export type SocketFailure = Static<typeof SocketFailure>

/** A rejected order operation: the error body of REST, in the form of a rejected operation. */
export const OrderFailure = strict({
  id,
  data: strict({
    success: Type.Literal(false),
    code: Type.String({ description: 'The same as error.' }),
    message: Type.String({ description: 'The same as message.' }),
    retryAfterMs: Type.Optional(Type.Integer({ description: 'retry_after in milliseconds.' })),
  }),
  ...orderFailureMembers,
})
