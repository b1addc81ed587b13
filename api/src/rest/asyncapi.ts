// The description of the sockets: an AsyncAPI document, and the same as a page to read.
import {
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
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { HTML_TYPE } from '../http/host-type.ts'
import type { Routes } from './route.ts'
import { socketsPage } from './sockets-page.ts'

const HIDDEN = { schema: { hide: true } }
/** The page has no script and nothing from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export const asyncApiRoutes: Routes = (host) => {
  let document: Buffer | undefined
  host.get('/asyncapi.json', HIDDEN, (_request, reply) => {
    document ??= jsonBytes(asyncApiDocument())
    return answerOnce(reply, document)
  })
  host.get('/docs/sockets', HIDDEN, (_request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY)
    return reply.type(HTML_TYPE).send(socketsPage(ABOUT, Object.entries(OPERATION_WORDS)))
  })
}

const OPERATION_WORDS: Readonly<Record<SocketOperation, string>> = {
  auth: 'Makes the connection that of the owner of an API key.',
  subscribe: 'Listens to channels. The reply comes first, then a snapshot of each.',
  unsubscribe: 'Listens to channels no longer.',
  resync: 'Asks for a fresh snapshot of a subscribed channel.',
  channels: 'Lists channels, a page at a time.',
  status: 'Says who the connection is and what it listens to.',
  ping: 'Says the time. Not counted by any limit.',
  logout: 'Gives up the identity, and with it all private channels.',
}

const ABOUT = `Live data of openvenue. Socket.IO and plain WebSocket speak the same JSON.

- Socket.IO: emit an object, or its JSON text, on the event \`message\`; answers and messages arrive
  on \`message\` as JSON text. Plain WebSocket: JSON in text frames at \`/ws\`.
- An operation is \`{op, data, id}\`; its reply is \`{id, data}\`, and \`error\` has a code when it failed.
- A message of a channel is \`{channel, type, seq, prev_seq, data}\`: a snapshot first, then updates.
  When \`prev_seq\` is above the last \`seq\` you have, something is missing: send \`resync\`.
- After a reconnection, subscribe with \`{channel, from_seq}\` to get only what you missed.
- Private channels need \`auth\` first. AUTH_EXPIRED comes unasked when the key expires or is revoked,
  AUTH_UNAVAILABLE when the server cannot know for 10 s: then authenticate and subscribe again.
- Levels of books are in human units here, unlike the raw integers of GET /orderbook.
- A client that does not read has its books stopped; once it reads again they begin with a snapshot.
  When it stays behind it is closed with SLOW_CONSUMER (WebSocket code 1013).
`

export const ASYNCAPI_FILE = new URL('../../../docs/asyncapi.json', import.meta.url)

/** Returns the document as the file holds it. */
export const asyncApiText = () => `${JSON.stringify(asyncApiDocument(), null, 2)}\n`

/** Returns the document. It depends on nothing but the schemas. */
export function asyncApiDocument(): object {
  const operations = Object.keys(SOCKET_OPERATIONS) as SocketOperation[]
  return {
    asyncapi: '3.0.0',
    info: { title: 'openvenue sockets', version: '1', description: `${ABOUT}\n${codesText()}` },
    defaultContentType: 'application/json',
    servers: {
      'socket.io': {
        host: 'localhost:3000',
        pathname: '/socket.io',
        protocol: 'socket.io',
        description: 'Transports websocket and polling; namespace /; event `message`.',
      },
      websocket: {
        host: 'localhost:3000',
        pathname: '/ws',
        protocol: 'ws',
        description: 'Text frames. Closed after 15 minutes without an operation.',
      },
    },
    channels: {
      operations: {
        address: 'message',
        description: 'Operations and their replies.',
        messages: Object.fromEntries(operationMessages(operations)),
      },
      ...Object.fromEntries(
        SOCKET_CHANNELS.map((channel) => [channelKey(channel), describeChannel(channel)]),
      ),
    },
    operations: {
      ...Object.fromEntries(operations.map((op) => [op, describeOperation(op)])),
      pushed: {
        action: 'send',
        channel: { $ref: '#/channels/operations' },
        summary: 'AUTH_EXPIRED, AUTH_UNAVAILABLE and SLOW_CONSUMER come unasked.',
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

const operationMessages = (operations: readonly SocketOperation[]): [string, object][] => [
  ...operations.flatMap((op): [string, object][] => [
    [op, { summary: OPERATION_WORDS[op], payload: SOCKET_OPERATIONS[op] }],
    [`${op}Reply`, { payload: SOCKET_REPLIES[op] }],
  ]),
  ['failure', { summary: 'A refused operation.', payload: SocketFailure }],
]

const describeOperation = (op: SocketOperation) => ({
  action: 'receive',
  channel: { $ref: '#/channels/operations' },
  summary: OPERATION_WORDS[op],
  messages: [{ $ref: `#/channels/operations/messages/${op}` }],
  reply: {
    channel: { $ref: '#/channels/operations' },
    messages: [
      { $ref: `#/channels/operations/messages/${op}Reply` },
      { $ref: '#/channels/operations/messages/failure' },
    ],
  },
})

/** `orderbook:{name}` is `orderbook`. */
const channelKey = ({ name }: ChannelDescription) => name.split(':', 1)[0] ?? name

const parameterNames = ({ name }: ChannelDescription): (keyof typeof CHANNEL_PARAMETERS)[] =>
  [...name.matchAll(/\{(\w+)\}/g)].map(([, part]) => part as keyof typeof CHANNEL_PARAMETERS)

function describeChannel(channel: ChannelDescription): object {
  const parameters = parameterNames(channel).map((part) => [
    part,
    { description: CHANNEL_PARAMETERS[part] },
  ])
  return {
    address: channel.name,
    description: `${channel.description}${channel.isPrivate ? ' Private: needs auth.' : ''}`,
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
    messages: { frame: describeFrame(channel) },
  }
}

/** The message of a channel; that of several channels is written once. */
function describeFrame(channel: ChannelDescription): object {
  const first = SOCKET_CHANNELS.find(({ data }) => data === channel.data) ?? channel
  if (first !== channel) return { $ref: `#/channels/${channelKey(first)}/messages/frame` }
  return { name: channelKey(channel), payload: frameSchema(channel) }
}

const describePush = (channel: ChannelDescription) => ({
  action: 'send',
  channel: { $ref: `#/channels/${channelKey(channel)}` },
  summary: channel.description,
  ...(channel.isPrivate ? { security: [{ $ref: '#/components/securitySchemes/apiKey' }] } : {}),
  messages: [{ $ref: `#/channels/${channelKey(channel)}/messages/frame` }],
})
