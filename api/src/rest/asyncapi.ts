// Serves the description of the sockets: an AsyncAPI document, and a page with the same content.
import { answerOnce } from '../http/answer.ts'
import { askedOrigin, DEFAULT_ORIGIN } from '../http/asked-origin.ts'
import { bounded } from '../http/cached-body.ts'
import { HTML_TYPE } from '../http/host-type.ts'
import { REVALIDATE } from '../http/negotiation.ts'
import { asyncApiDocument, asyncApiServers } from './asyncapi-document.ts'
import type { Routes } from './route.ts'
import { socketsPage } from './sockets-page.ts'

const HIDDEN = { schema: { hide: true } }
/** The page has no scripts and loads nothing from other origins. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
/** Cached documents by host; clients can request any host. */
const DOCUMENTS_MAX = 8
/** The document contains the requested host, which is not part of a proxy's cache key. */
const OWN = 'private, no-cache'

export const asyncApiRoutes: Routes<'rates'> = (host, { rates }) => {
  const documentOf = bounded(DOCUMENTS_MAX, documentsByServers())
  let page: Buffer | undefined
  host.get('/asyncapi.json', HIDDEN, ({ raw }, reply) => {
    const servers = JSON.stringify(asyncApiServers(askedOrigin(raw, rates.proxyHops)))
    return answerOnce(reply.header('cache-control', OWN), documentOf(servers))
  })
  host.get('/docs/sockets', HIDDEN, (_request, reply) => {
    page ??= Buffer.from(socketsPage())
    reply.header('content-security-policy', PAGE_POLICY).header('cache-control', REVALIDATE)
    return reply.type(HTML_TYPE).send(page)
  })
}

const DEFAULT_SERVERS = JSON.stringify(asyncApiServers(DEFAULT_ORIGIN))

/** Returns a function that builds the document with other servers, given as JSON text. */
function documentsByServers(): (servers: string) => Buffer {
  let around: readonly [before: Buffer, after: Buffer] | undefined
  return (servers) => {
    around ??= splitAt(JSON.stringify(asyncApiDocument()), DEFAULT_SERVERS)
    return Buffer.concat([around[0], Buffer.from(servers), around[1]])
  }
}

function splitAt(text: string, part: string): [Buffer, Buffer] {
  const at = text.indexOf(part)
  return [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at + part.length))]
}
