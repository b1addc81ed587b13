// Serves the description of the sockets: an AsyncAPI document, and a page with the same content.
// Both are built by api/scripts/write-openapi.ts.
import { answerOnce } from '../http/answer.ts'
import { bounded } from '../http/cached-body.ts'
import { HTML_TYPE } from '../http/host-type.ts'
import { REVALIDATE } from '../http/negotiation.ts'
import { DEFAULT_ORIGIN, type Origin, requestOrigin } from '../http/request-origin.ts'
import { once, readDocsFile } from './docs-files.ts'
import type { Routes } from './route.ts'

const HIDDEN = { schema: { hide: true } }
/** The page has no scripts and loads nothing from other origins. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
/** Cached documents by host; clients can request any host. */
const DOCUMENTS_MAX = 8
/** The document contains the requested host, which is not part of a proxy's cache key. */
const OWN = 'private, no-cache'

export const asyncApiRoutes: Routes<'rates'> = (host, { rates }) => {
  const documentOf = bounded(DOCUMENTS_MAX, documentsByServers())
  const page = once(() => readDocsFile('site/sockets.html'))
  host.get('/asyncapi.json', HIDDEN, ({ raw }, reply) => {
    const servers = JSON.stringify(asyncApiServers(requestOrigin(raw, rates.proxyHops)))
    return answerOnce(reply.header('cache-control', OWN), documentOf(servers))
  })
  host.get('/docs/sockets', HIDDEN, (_request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY).header('cache-control', REVALIDATE)
    return reply.type(HTML_TYPE).send(page())
  })
}

/** Returns the servers of the sockets for a client that connected to `origin`. */
export const asyncApiServers = ({ host, isSecure }: Origin) => ({
  socketio: {
    host,
    pathname: '/socket.io',
    protocol: 'socket.io',
    description: `Base URL ${isSecure ? 'https' : 'http'}://${host}. Transports websocket and polling; namespace /; event \`message\`.`,
  },
  websocket: {
    host,
    pathname: '/ws',
    protocol: isSecure ? 'wss' : 'ws',
    description: 'Text frames. Closed when the client answers no ping for 15 minutes.',
  },
  'websocket-root': {
    host,
    pathname: '/',
    protocol: isSecure ? 'wss' : 'ws',
    description: 'The same as at /ws, for clients whose URLs have no path.',
  },
})

const DEFAULT_SERVERS = JSON.stringify(asyncApiServers(DEFAULT_ORIGIN))

/** Returns a function that builds the document with other servers, given as JSON text. */
function documentsByServers(): (servers: string) => Buffer {
  let around: readonly [before: Buffer, after: Buffer] | undefined
  return (servers) => {
    around ??= splitAt(
      JSON.stringify(JSON.parse(String(readDocsFile('asyncapi.json')))),
      DEFAULT_SERVERS,
    )
    return Buffer.concat([around[0], Buffer.from(servers), around[1]])
  }
}

function splitAt(text: string, part: string): [Buffer, Buffer] {
  const at = text.indexOf(part)
  return [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at + part.length))]
}
