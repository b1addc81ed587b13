// The description of the sockets as a page to read, made of the same tables as the document.
import { SOCKET_CODES } from '@openvenue/wire/socket'
import { CHANNEL_PARAMETERS, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'

type Rows = readonly (readonly [what: string, meaning: string])[]

const EXAMPLE = `{"op": "subscribe", "id": 1, "data": ["orderbook:ETH-PERP"]}
{"id": 1, "data": ["orderbook:ETH-PERP"]}
{"channel": "orderbook:ETH-PERP", "type": "snapshot", "seq": 812, "prev_seq": null, "data": {…}}
{"channel": "orderbook:ETH-PERP", "type": "update", "seq": 815, "prev_seq": 812, "data": {…}}`

/** Returns the page. `about` is text whose list items begin with a dash. */
export const socketsPage = (about: string, operations: Rows): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>openvenue sockets</title>
    <link rel="icon" href="data:,">
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 3rem auto; padding: 0 1rem; color: #222; }
      td { padding: 0.2rem 1.5rem 0.2rem 0; vertical-align: top; }
      pre { background: #f4f4f4; padding: 1rem; overflow-x: auto; }
    </style>
  </head>
  <body>
    <h1>openvenue sockets</h1>
    <p>For programs: <a href="../asyncapi.json">asyncapi.json</a>. REST: <a href="../docs">docs</a>.</p>
${paragraphs(about)}
    <pre>${escaped(EXAMPLE)}</pre>
${table('Operations', operations)}
${table('Public channels', channelRows(false))}
${table('Private channels', channelRows(true))}
${table('In the names', Object.entries(CHANNEL_PARAMETERS))}
${table('Codes', Object.entries(SOCKET_CODES))}
  </body>
</html>
`

const channelRows = (isPrivate: boolean): Rows =>
  SOCKET_CHANNELS.filter((channel) => channel.isPrivate === isPrivate).map(
    ({ name, description }) => [name, description],
  )

const table = (title: string, rows: Rows) => `    <h2>${title}</h2>
    <table>
${rows.map(([what, meaning]) => `      <tr><td><code>${escaped(what)}</code></td><td>${escaped(meaning)}</td></tr>`).join('\n')}
    </table>`

/** A list where lines begin with a dash, paragraphs elsewhere; backticks are code. */
function paragraphs(text: string): string {
  const [first = '', ...items] = text.trim().split(/\n+- /)
  const list = items.map((item) => `      <li>${inline(item)}</li>`).join('\n')
  return `    <p>${inline(first)}</p>\n    <ul>\n${list}\n    </ul>`
}

const inline = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
