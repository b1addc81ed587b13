// Builds the page of the sockets: every operation and channel with its fields and an example, from
// the same tables as the AsyncAPI document.
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
  carriesEvents,
  frameSchema,
  SOCKET_CHANNELS,
} from '@openvenue/wire/socket-channels'
import { escaped, PAGE_STYLE } from '../../src/rest/page-style.ts'
import {
  channelKey,
  firstLike,
  OPERATION_WORDS,
  SOCKETS_ABOUT,
  type SocketExamples,
  socketExamples,
} from './asyncapi-document.ts'
import { jsonLines } from './markdown-text.ts'
import { type Elsewhere, type FieldSchema, schemaFields } from './schema-fields.ts'

/** Objects with fewer members are shown at every occurrence. */
const SHOWN_ONCE_MEMBERS_MIN = 5

export function socketsPage(): string {
  const examples = socketExamples()
  const elsewhere = showOnce()
  const [open, own] = [false, true].map((isPrivate) =>
    SOCKET_CHANNELS.filter((channel) => channel.isPrivate === isPrivate),
  ) as [ChannelDescription[], ChannelDescription[]]
  const operations = Object.keys(OPERATION_WORDS) as SocketOperation[]
  const channels = (some: readonly ChannelDescription[]) =>
    some.map((channel) => channelSection(channel, examples, elsewhere)).join('\n')
  return page(`    <h1>openvenue sockets</h1>
${paragraphs(SOCKETS_ABOUT)}
${contents(
  'Operations',
  operations.map((op) => [`op-${op}`, op]),
)}
${contents('Public channels', open.map(link))}
${contents('Private channels', own.map(link))}
    <p>Also: <a href="#messages">messages of channels</a>, <a href="#names">words in the names</a>, <a href="#refusals">refusals</a>, <a href="#codes">codes</a>.</p>
    <h2 id="operations">Operations</h2>
${operations.map((op) => operationSection(op, examples, elsewhere)).join('\n')}
    <h3 id="refusals">A refused operation</h3>
    <p>Also what comes unasked: AUTH_EXPIRED, AUTH_UNAVAILABLE, SLOW_CONSUMER.</p>
${fieldTable(SocketFailure, elsewhere)}
${example(examples.failure)}
    <h3 id="order-refusals">A refused operation on orders</h3>
${fieldTable(OrderFailure, elsewhere)}
${example(examples.orderFailure)}
    <h2 id="messages">Messages of channels</h2>
    <p>All channels have these fields around <code>data</code>, which is below, channel by channel.</p>
${fieldTable(frameFields(), elsewhere)}
    <h2 id="public">Public channels</h2>
${channels(open)}
    <h2 id="private">Private channels</h2>
    <p>For the account of the key, after <a href="#op-auth"><code>auth</code></a>.</p>
${channels(own)}
    <h2 id="names">Words in the names</h2>
${wordTable(Object.entries(CHANNEL_PARAMETERS).map(([name, meaning]) => [`{${name}}`, meaning]))}
    <h2 id="codes">Codes</h2>
${wordTable(Object.entries(SOCKET_CODES))}`)
}

const anchor = (channel: ChannelDescription) => `channel-${channelKey(channel)}`
const link = (channel: ChannelDescription) => [anchor(channel), channel.name] as const

/** Links to the first occurrence of an object. Larger objects are shown only once. */
function showOnce(): Elsewhere & { at: (anchor: string) => void } {
  const shown = new Map<string, string>()
  let here = ''
  const elsewhere = (schema: FieldSchema) => {
    if (Object.keys(schema.properties ?? {}).length < SHOWN_ONCE_MEMBERS_MIN) return undefined
    const key = JSON.stringify(schema)
    const place = shown.get(key)
    if (place === undefined) shown.set(key, here)
    return place === undefined ? undefined : `Fields: see ${place}.`
  }
  return Object.assign(elsewhere, {
    at: (anchor: string) => {
      here = anchor
    },
  })
}

type ShowOnce = ReturnType<typeof showOnce>

function operationSection(
  op: SocketOperation,
  examples: SocketExamples,
  elsewhere: ShowOnce,
): string {
  const { sent, reply } = examples.operations[op]
  elsewhere.at(`#op-${op}`)
  return `    <h3 id="op-${op}"><code>${op}</code></h3>
    <p>${inline(OPERATION_WORDS[op])}</p>
    <h4>Sent</h4>
${fieldTable(SOCKET_OPERATIONS[op], elsewhere)}
    <h4>Reply</h4>
${fieldTable(SOCKET_REPLIES[op], elsewhere)}
${example(sent, reply)}`
}

const STATE = 'Begins with a snapshot.'
const EVENTS = 'Begins with the next event; with a snapshot if <code>snapshot: true</code> is set.'

function channelSection(
  channel: ChannelDescription,
  examples: SocketExamples,
  elsewhere: ShowOnce,
): string {
  const first = firstLike(channel)
  elsewhere.at(`#${anchor(channel)}`)
  const shape =
    first === channel
      ? `${dataTables(channel.data, elsewhere)}\n${example(examples.channels[channelKey(channel)] ?? {})}`
      : `    <p>Fields as in <a href="#${anchor(first)}"><code>${escaped(first.name)}</code></a>.</p>`
  return `    <h3 id="${anchor(channel)}"><code>${escaped(channel.name)}</code></h3>
    <p>${inline(channel.description)} ${carriesEvents(channel) ? EVENTS : STATE}</p>
${shape}`
}

/** One table when snapshot and update are alike, else one for each kind of message. */
function dataTables(data: ChannelDescription['data'], elsewhere: Elsewhere): string {
  const { snapshot, update, undo } = data
  const kinds: [string, object][] = [['data', update]]
  if (snapshot !== update) kinds.push(['data of a snapshot', snapshot])
  if (undo !== undefined && undo !== update) kinds.push(['data of an undo', undo])
  return kinds
    .map(([title, schema]) => `    <h4>${title}</h4>\n${fieldTable(schema, elsewhere)}`)
    .join('\n')
}

/** Returns the members of every message except \`data\`. */
function frameFields(): object {
  const [some] = SOCKET_CHANNELS
  if (some === undefined) return {}
  const { data: _data, ...properties } = (frameSchema(some) as FieldSchema).properties ?? {}
  return { ...frameSchema(some), properties }
}

const fieldTable = (schema: object, elsewhere: Elsewhere) =>
  table(
    schemaFields(JSON.parse(JSON.stringify(schema)), elsewhere).map(
      ({ path, type, description, isOptional }) => [
        path === '' ? '<i>data</i>' : `<code>${escaped(path)}</code>`,
        `${escaped(type)}${isOptional ? ', optional' : ''}`,
        linked(inline(description)),
      ],
    ),
    ['Field', 'Type', 'Meaning'],
  )

const wordTable = (rows: readonly (readonly [what: string, meaning: string])[]) =>
  table(
    rows.map(([what, meaning]) => [`<code>${escaped(what)}</code>`, inline(meaning)]),
    [],
  )

function table(rows: readonly (readonly string[])[], head: readonly string[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<td>${cell}</td>`).join('')
  const titles = head.map((title) => `<th>${title}</th>`).join('')
  const top = head.length === 0 ? '' : `\n      <thead><tr>${titles}</tr></thead>`
  return `    <table>${top}
      <tbody>
${rows.map((row) => `        <tr>${cells(row)}</tr>`).join('\n')}
      </tbody>
    </table>`
}

const contents = (title: string, links: readonly (readonly [anchor: string, name: string])[]) =>
  `    <h4>${title}</h4>
    <p class="contents">${links.map(([at, name]) => `<a href="#${at}"><code>${escaped(name)}</code></a>`).join('\n      ')}</p>`

const example = (...values: readonly object[]) =>
  `    <pre>${values.map((value) => escaped(jsonLines(value))).join('\n\n')}</pre>`

/** A list where lines begin with a dash, paragraphs elsewhere; backticks are code. */
function paragraphs(text: string): string {
  const [first = '', ...items] = text.trim().split(/\n+- /)
  const list = items.map((item) => `      <li>${inline(item)}</li>`).join('\n')
  return `    <p>${inline(first)}</p>\n    <ul>\n${list}\n    </ul>`
}

const inline = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
const linked = (text: string) =>
  text.replaceAll(/see (#[\w-]+)/g, (_all, at: string) => `see <a href="${at}">${at.slice(1)}</a>`)

const page = (content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>openvenue sockets</title>
    <link rel="icon" href="data:,">
    <style>${PAGE_STYLE}${SOCKETS_STYLE}</style>
  </head>
  <body>
    <nav>
      <a href="../docs">REST: every endpoint</a>
      <a href="../asyncapi.json">asyncapi.json</a>
      <a href="../openapi.json">openapi.json</a>
      <a href="..">Home</a>
    </nav>
    <main>
${content}
    </main>
  </body>
</html>
`

const SOCKETS_STYLE = `
      h3 { margin: 2.25rem 0 0; scroll-margin-top: 1rem; }
      h3 code { font-size: 1.05rem; }
      h4 { margin: 1rem 0 0.25rem; font-size: 0.875rem; color: var(--quiet); }
      .contents { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; }
      table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; margin-bottom: 0.75rem; }
      th { text-align: left; color: var(--quiet); font-weight: normal; font-size: 0.875rem; }
      th, td { padding: 0.3rem 1rem 0.3rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
      td:nth-child(1) { width: 30%; }
      td:nth-child(2):not(:last-child) { width: 22%; color: var(--quiet); }
      td { overflow-wrap: anywhere; }
      @media (max-width: 40rem) {
        thead { display: none; }
        tr { display: block; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
        td, td:nth-child(n) { display: inline; padding: 0 0.5rem 0 0; border: 0; width: auto; }
        td:last-child:not(:empty) { display: block; }
      }
`
