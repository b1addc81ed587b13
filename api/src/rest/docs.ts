// The description of the interface: as JSON, and as a page that displays it. The page is built by
// api/scripts/write-openapi.ts. It loads Swagger UI under URLs that change with the content.
import { createHash } from 'node:crypto'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { type Host, HTML_TYPE } from '../http/host-type.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { once, readDocsFile } from './docs-files.ts'
import type { Routes } from './route.ts'

const STATIC = new URL('./static/', import.meta.resolve('@fastify/swagger-ui'))
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
/** The files of the page, in loading order. */
export const PAGE_FILES = [
  {
    name: 'swagger-ui.css',
    type: 'text/css; charset=utf-8',
    at: new URL('swagger-ui.css', STATIC),
  },
  { name: 'swagger-ui-bundle.js', type: SCRIPT_TYPE, at: new URL('swagger-ui-bundle.js', STATIC) },
  { name: 'start.js', type: SCRIPT_TYPE, at: new URL('./docs-start.js', import.meta.url) },
] as const
/** Stands in a built page for the folder of its files, relative to the requested URL. */
export const FOLDER_MARK = '%folder%'
/** For URLs with the hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** For other URLs of the file, such as those of another version. */
const ASK_AGAIN = 'no-cache'
/** Digits of the hash in a URL. */
const HASH_DIGITS = 16
const HIDDEN = { schema: { hide: true } }
/** Only this origin; Swagger UI writes styles into its elements, and uses data images. */
const PAGE_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

export const docsRoutes: Routes = (host) => serveDocs(host, 'docs.html')

/** Serves the document of a host, and `page` of docs/site, which displays it. */
export function serveDocs(host: Host, page: string): void {
  const document = once(() => jsonBytes(host.swagger()))
  host.get('/openapi.json', HIDDEN, (_request, reply) =>
    answerOnce(reply.header('cache-control', DOCUMENT_CACHE), document()),
  )
  const pageIn = (folder: string) =>
    once(() =>
      Buffer.from(String(readDocsFile(`site/${page}`)).replaceAll(FOLDER_MARK, () => folder)),
    )
  const [inFolder, besideFolder] = [pageIn('.'), pageIn('./docs')]
  host.get('/docs', HIDDEN, (request, reply) => {
    const isFolder = request.url.split('?', 1)[0]?.endsWith('/') === true
    reply.header('content-security-policy', PAGE_POLICY).header('cache-control', ASK_AGAIN)
    return reply.type(HTML_TYPE).send(isFolder ? inFolder() : besideFolder())
  })
  for (const { name, type, at } of PAGE_FILES) {
    const read = once(() => readPageFile(at))
    host.get<{ Querystring: { v?: string } }>(`/docs/${name}`, HIDDEN, ({ query }, reply) => {
      const { bytes, hash } = read()
      reply.header('cache-control', query.v === hash ? FOR_EVER : ASK_AGAIN)
      return reply.type(type).send(bytes)
    })
  }
}

/** Returns a file of the page, with the hash that its URL carries. */
export function readPageFile(at: URL): Readonly<{ bytes: Buffer; hash: string }> {
  const bytes = readDocsFile(at)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS) }
}
