// Builds the AsyncAPI document of the sockets.
import { readFileSync } from 'node:fs'
import {
  OrderFailure,
  SOCKET_CODES,
  SOCKET_OPERATIONS,
  SOCKET_REPLIES,
  SocketFailure,
  type SocketOperation,
} from '@openvenue/wire/socket'
import {
  CHANNEL_PARAMETERS,
  type ChannelDescription,
  frameSchema,
  SOCKET_CHANNELS,
} from '@openvenue/wire/socket-channels'
import { SOCKET_SCOPES } from '@openvenue/wire/socket-orders'
import { DEFAULT_ORIGIN } from '../../src/http/request-origin.ts'
import { asyncApiServers } from '../../src/rest/asyncapi.ts'

export const OPERATION_WORDS: Readonly<Record<SocketOperation, string>> = {
  auth: 'Authenticates the connection with an API key.',
  subscribe: 'Subscribes to channels. The reply comes first, then the first messages of each.',
  unsubscribe: 'Unsubscribes from channels.',
  resync: 'Requests a fresh snapshot of a subscribed channel.',
  channels: 'Lists channels, a page at a time.',
  status: 'Returns the identity and the subscriptions of the connection.',
  ping: 'Returns the time. Not counted by any limit.',
  logout: 'Drops the identity, and with it all private channels.',
  create_order: 'Places a signed order, as POST /orders. Needs the scope trade.',
  edit_order: 'Replaces an order, as POST /orders/{order_id}. Needs the scope trade.',
  preview_order: 'Previews the effect of an order, as POST /orders/preview. Needs the scope read.',
  cancel_order: 'Cancels an order, as DELETE /orders/{order_id}. Needs the scope cancel.',
  cancel_orders: 'Cancels orders by ids or a filter, as DELETE /orders. Needs the scope cancel.',
  cancel_all_orders: 'Cancels all orders, as DELETE /orders-all. Needs the scope cancel.',
  cancel_after: 'Arms a timer, as POST /account/cancel-after. Needs the scope cancel.',
}

export const SOCKETS_ABOUT = `Live data of openvenue. Socket.IO and plain WebSocket speak the same JSON.

- Socket.IO: emit an object, or its JSON text, on the event \`message\`; answers and messages arrive
  on \`message\` as JSON text. The reply to \`emitWithAck\` is its acknowledgement, as an object, and
  does not come on \`message\`. Plain WebSocket: JSON in text frames, at \`/ws\` or at \`/\`.
- An operation is \`{op, data, id}\`; its reply is \`{id, data}\`, and \`error\` has a code when it failed.
- A message of a channel is \`{channel, type, seq, prev_seq, data}\`. Channels of what is (books,
  prices, positions) begin with a snapshot; those of what happens (trades, fills, notifications) with
  what happens next, unless \`from_seq\` or \`snapshot: true\` asks for more: \`seqs\` in the reply says where they stand.
  When \`prev_seq\` is above the last \`seq\` you have, something is missing: send \`resync\`.
- After a reconnection, subscribe with \`{channel, from_seq}\` to get only what you missed. Where that
  is not to be had, the reply has \`gap: true\` and \`gaps\` with the range: read it over REST.
- Operations on orders have the bodies and answers of REST, are performed side by side and answered
  as each is done, by its \`id\`; what refuses one has the members of the error body of REST too.
- Private channels and operations on orders need \`auth\` first. AUTH_EXPIRED comes unasked when the key expires or is revoked,
  AUTH_UNAVAILABLE when the server cannot know for 10 s: then authenticate and subscribe again.
- Levels of books are in human units here, unlike the raw integers of GET /orderbook.
- A client that does not read has its books stopped; once it reads again they begin with a snapshot.
  When it stays behind it is closed with SLOW_CONSUMER (WebSocket code 1013).
- A node that stops says so as the last message: \`{type: "server_shutdown", error: "SERVER_STOPPING", data}\`,
  over Socket.IO on the event \`server_shutdown\` as well. Connect again after \`data.retryAfterMs\`.
`

/** Returns the document, which depends only on schemas and examples. */
export function asyncApiDocument(): object {
  const operations = Object.keys(SOCKET_OPERATIONS) as SocketOperation[]
  const examples = socketExamples()
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'openvenue sockets',
      version: '1',
      description: `${SOCKETS_ABOUT}\n${codesText()}`,
    },
    defaultContentType: 'application/json',
    servers: asyncApiServers(DEFAULT_ORIGIN),
    channels: {
      operations: {
        address: 'message',
        description: 'Operations and their replies.',
        messages: Object.fromEntries(operationMessages(operations, examples)),
      },
      ...Object.fromEntries(
        SOCKET_CHANNELS.map((channel) => [channelKey(channel), describeChannel(channel, examples)]),
      ),
    },
    operations: {
      ...Object.fromEntries(operations.map((op) => [op, describeOperation(op)])),
      pushed: {
        action: 'send',
        channel: { $ref: '#/channels/operations' },
        summary:
          'AUTH_EXPIRED, AUTH_UNAVAILABLE, SLOW_CONSUMER and SERVER_STOPPING are sent unrequested.',
        messages: [{ $ref: '#/channels/operations/messages/failure' }],
      },
      ...Object.fromEntries(
        SOCKET_CHANNELS.map((channel) => [`on-${channelKey(channel)}`, describePush(channel)]),
      ),
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'userPassword',
          description: 'API key and secret, in the operation `auth`.',
        },
      },
    },
  }
}

const codesText = () =>
  Object.entries(SOCKET_CODES)
    .map(([code, meaning]) => `- ${code}: ${meaning}.`)
    .join('\n')

export type SocketExamples = Readonly<{
  operations: Readonly<Record<SocketOperation, Readonly<{ sent: object; reply: object }>>>
  failure: object
  orderFailure: object
  /** A message of each channel, by the first part of its name. */
  channels: Readonly<Record<string, object>>
}>

/** Returns an example of every message. */
export const socketExamples = (): SocketExamples => {
  const file = new URL('./asyncapi-examples.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as SocketExamples
}

const exampleOf = (payload: object | undefined) =>
  payload === undefined ? {} : { examples: [{ payload }] }

const operationMessages = (
  operations: readonly SocketOperation[],
  examples: SocketExamples,
): [string, object][] => [
  ...operations.flatMap((op): [string, object][] => {
    const { sent, reply } = examples.operations[op]
    return [
      [op, { summary: OPERATION_WORDS[op], payload: SOCKET_OPERATIONS[op], ...exampleOf(sent) }],
      [`${op}Reply`, { payload: SOCKET_REPLIES[op], ...exampleOf(reply) }],
    ]
  }),
  [
    'failure',
    { summary: 'A refused operation.', payload: SocketFailure, ...exampleOf(examples.failure) },
  ],
  ['orderFailure', describeOrderFailure(examples)],
]

const describeOrderFailure = ({ orderFailure }: SocketExamples) => ({
  summary: 'A refused operation on orders.',
  payload: OrderFailure,
  ...exampleOf(orderFailure),
})

const failureOf = (op: SocketOperation) =>
  Object.hasOwn(SOCKET_SCOPES, op) ? 'orderFailure' : 'failure'

const describeOperation = (op: SocketOperation) => ({
  action: 'receive',
  channel: { $ref: '#/channels/operations' },
  summary: OPERATION_WORDS[op],
  messages: [{ $ref: `#/channels/operations/messages/${op}` }],
  reply: {
    channel: { $ref: '#/channels/operations' },
    messages: [
      { $ref: `#/channels/operations/messages/${op}Reply` },
      { $ref: `#/channels/operations/messages/${failureOf(op)}` },
    ],
  },
})

/** Returns the first of the channels with the same messages. */
export const firstLike = (channel: ChannelDescription): ChannelDescription =>
  SOCKET_CHANNELS.find(({ data }) => data === channel.data) ?? channel

/** `orderbook:{name}` is `orderbook`. */
export const channelKey = ({ name }: ChannelDescription) => name.split(':', 1)[0] ?? name

const parameterNames = ({ name }: ChannelDescription): (keyof typeof CHANNEL_PARAMETERS)[] =>
  [...name.matchAll(/\{(\w+)\}/g)].map(([, part]) => part as keyof typeof CHANNEL_PARAMETERS)

function describeChannel(channel: ChannelDescription, examples: SocketExamples): object {
  const parameters = parameterNames(channel).map((part) => [
    part,
    { description: CHANNEL_PARAMETERS[part] },
  ])
  return {
    address: channel.name,
    description: `${channel.description}${channel.isPrivate ? ' Private: needs auth.' : ''}`,
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
    messages: { frame: describeFrame(channel, examples) },
  }
}

/** The message of a channel; channels with the same message share its description. */
function describeFrame(channel: ChannelDescription, examples: SocketExamples): object {
  const first = firstLike(channel)
  if (first !== channel) return { $ref: `#/channels/${channelKey(first)}/messages/frame` }
  const name = channelKey(channel)
  return { name, payload: frameSchema(channel), ...exampleOf(examples.channels[name]) }
}

const describePush = (channel: ChannelDescription) => ({
  action: 'send',
  channel: { $ref: `#/channels/${channelKey(channel)}` },
  summary: channel.description,
  ...(channel.isPrivate ? { security: [{ $ref: '#/components/securitySchemes/apiKey' }] } : {}),
  messages: [{ $ref: `#/channels/${channelKey(channel)}/messages/frame` }],
})
