// The description of the interface: as JSON, and as a page that displays it. The page is Swagger
// UI, read from its package on the first request, under URLs that change with the content.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { type Host, HTML_TYPE } from '../http/host-type.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { Refusal } from '../http/refusals.ts'
import { type DocsLinks, docsPage } from './docs-page.ts'
import type { Routes } from './route.ts'

const STATIC = new URL('./static/', import.meta.resolve('@fastify/swagger-ui'))
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
/** The files of the page, in loading order. */
const FILES = [
  {
    name: 'swagger-ui.css',
    type: 'text/css; charset=utf-8',
    at: new URL('swagger-ui.css', STATIC),
  },
  { name: 'swagger-ui-bundle.js', type: SCRIPT_TYPE, at: new URL('swagger-ui-bundle.js', STATIC) },
  { name: 'start.js', type: SCRIPT_TYPE, at: new URL('./docs-start.js', import.meta.url) },
] as const
/** For URLs with the hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** For other URLs of the file, such as those of another version. */
const ASK_AGAIN = 'no-cache'
/** Digits of the hash in a URL. */
const HASH_DIGITS = 16
const HIDDEN = { schema: { hide: true } }
/** Only this origin; Swagger UI writes styles into its elements, and uses data images. */
const PAGE_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

const LINKS: DocsLinks = [
  ['sockets', 'Live data: sockets'],
  ['../openapi.json', 'openapi.json'],
  ['../asyncapi.json', 'asyncapi.json'],
  ['../llms.txt', 'llms.txt: all documents as Markdown'],
  ['../links', 'All pages'],
  ['..', 'Home'],
]

export const docsRoutes: Routes = (host) => serveDocs(host, LINKS)

/** Serves the document of a host and its page, which begins with `links`. */
export function serveDocs(host: Host, links: DocsLinks): void {
  const document = once(() => jsonBytes(host.swagger()))
  host.get('/openapi.json', HIDDEN, (_request, reply) =>
    answerOnce(reply.header('cache-control', DOCUMENT_CACHE), document()),
  )
  const files = FILES.map((file) => ({ ...file, read: once(() => readFile(file.at)) }))
  const page = (folder: string) =>
    docsPage({
      folder,
      links,
      document: host.swagger(),
      files: files.map(({ name, read }) => `${name}?v=${read().hash}`),
    })
  const [inFolder, besideFolder] = [
    once(() => Buffer.from(page('.'))),
    once(() => Buffer.from(page('./docs'))),
  ]
  host.get('/docs', HIDDEN, (request, reply) => {
    const isFolder = request.url.split('?', 1)[0]?.endsWith('/') === true
    reply.header('content-security-policy', PAGE_POLICY).header('cache-control', ASK_AGAIN)
    return reply.type(HTML_TYPE).send(isFolder ? inFolder() : besideFolder())
  })
  for (const { name, type, read } of files)
    host.get<{ Querystring: { v?: string } }>(`/docs/${name}`, HIDDEN, ({ query }, reply) => {
      const { bytes, hash } = read()
      reply.header('cache-control', query.v === hash ? FOR_EVER : ASK_AGAIN)
      return reply.type(type).send(bytes)
    })
}

/** Returns a function that calls `make` once, on its first call, and caches the result. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function readFile(at: URL): Readonly<{ bytes: Buffer; hash: string }> {
  try {
    const bytes = readFileSync(at)
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS) }
  } catch (cause) {
    throw new Refusal('INTERNAL_ERROR', { cause })
  }
}
