// Builds the reference of the sockets as Markdown, from the tables of its page.
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
  SOCKET_CHANNELS,
} from '@openvenue/wire/socket-channels'
import {
  channelKey,
  firstLike,
  OPERATION_WORDS,
  SOCKETS_ABOUT,
  type SocketExamples,
  socketExamples,
} from './asyncapi-document.ts'
import { mdCode, mdFields, mdJson, mdPage, mdTable } from './markdown-text.ts'

export function socketsReference(): string {
  const examples = socketExamples()
  const operations = Object.keys(OPERATION_WORDS) as SocketOperation[]
  const channels = (isPrivate: boolean) =>
    SOCKET_CHANNELS.filter((channel) => channel.isPrivate === isPrivate).map((channel) =>
      channelSection(channel, examples),
    )
  return mdPage(
    '# Operations and channels of the sockets',
    SOCKETS_ABOUT.trim(),
    '## Operations',
    ...operations.map((op) => operationSection(op, examples)),
    '### A refused operation',
    mdFields(SocketFailure),
    mdJson(examples.failure),
    '## Public channels',
    ...channels(false),
    '## Private channels',
    'For the account of the key, after `auth`.',
    ...channels(true),
    '## Words in the names',
    wordTable(CHANNEL_PARAMETERS, (name) => `{${name}}`),
    '## Codes',
    wordTable(SOCKET_CODES, (code) => code),
  )
}

function operationSection(op: SocketOperation, examples: SocketExamples): string {
  const { sent, reply } = examples.operations[op]
  return [
    `### ${op}`,
    OPERATION_WORDS[op],
    'Sent:',
    mdFields(SOCKET_OPERATIONS[op]),
    'Reply:',
    mdFields(SOCKET_REPLIES[op]),
    mdJson(sent, reply),
  ].join('\n\n')
}

function channelSection(channel: ChannelDescription, examples: SocketExamples): string {
  const first = firstLike(channel)
  const head = [`### ${channel.name}`, channel.description]
  if (first !== channel) return [...head, `Fields as in ${mdCode(first.name)}.`].join('\n\n')
  const { snapshot, update, undo } = channel.data
  const example = examples.channels[channelKey(channel)]
  return [
    ...head,
    mdFields(update),
    ...(snapshot === update ? [] : ['Of a snapshot:', mdFields(snapshot)]),
    ...(undo === undefined || undo === update ? [] : ['Data of an undo:', mdFields(undo)]),
    ...(example === undefined ? [] : [mdJson(example)]),
  ].join('\n\n')
}

const wordTable = (words: Readonly<Record<string, string>>, nameOf: (key: string) => string) =>
  mdTable(
    ['Word', 'Meaning'],
    Object.entries(words).map(([key, meaning]) => [mdCode(nameOf(key)), meaning]),
  )
