// Serves every page of the documentation as Markdown, for programs: the guides, the reference of
// REST and of the sockets, and llms.txt, which links to all of them.
import type { FastifyReply } from 'fastify'
import type { Host } from '../http/host-type.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { Refusal } from '../http/refusals.ts'
import { listErrors } from './error-catalogue.ts'
import { readGuides } from './guides.ts'
import { llmsFullText, servedLlms } from './llms.ts'
import { mdCode, mdPage, mdTable } from './markdown-text.ts'
import { type ReferencePage, referenceAbout, referencePages } from './reference-pages.ts'
import type { Parts, Routes } from './route.ts'
import { socketsReference } from './sockets-reference.ts'

const HIDDEN = { schema: { hide: true } }
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Bodies by file name: no other file is ever read. */
type Pages = ReadonlyMap<string, Buffer>
type Documents = Readonly<{ docs: Pages; reference: Pages; files: Pages }>

export const markdownRoutes: Routes<'settings'> = (host, { settings }) => {
  let made: Documents | undefined
  const documents = () => {
    made ??= makeDocuments(host, settings)
    return made
  }
  host.get('/docs.md', HIDDEN, (_request, reply) =>
    send(reply, MARKDOWN_TYPE, pageOf(documents().files, 'docs.md')),
  )
  for (const file of ['llms.txt', 'llms-full.txt'])
    host.get(`/${file}`, HIDDEN, (_request, reply) =>
      send(reply, TEXT_TYPE, pageOf(documents().files, file)),
    )
  host.get<{ Params: { file: string } }>('/docs/:file', HIDDEN, ({ params }, reply) =>
    send(reply, MARKDOWN_TYPE, pageOf(documents().docs, params.file)),
  )
  host.get<{ Params: { file: string } }>('/docs/reference/:file', HIDDEN, ({ params }, reply) =>
    send(reply, MARKDOWN_TYPE, pageOf(documents().reference, params.file)),
  )
}

function makeDocuments(host: Host, { trading }: Parts<'settings'>['settings']): Documents {
  try {
    const guides = readGuides()
    const document = host.swagger()
    const reference = referencePages(document)
    return {
      docs: pages([
        ...guides.map(({ file, text }) => [file, text] as const),
        ['sockets.md', socketsReference()],
        ['errors.md', errorsText()],
      ]),
      reference: pages(reference.map(({ file, text }) => [file, text] as const)),
      files: pages([
        ['docs.md', docsText(referenceAbout(document), reference)],
        ['llms.txt', servedLlms(trading)],
        ['llms-full.txt', llmsFullText(guides)],
      ]),
    }
  } catch (cause) {
    throw new Refusal('INTERNAL_ERROR', { cause })
  }
}

const pages = (texts: readonly (readonly [file: string, text: string])[]): Pages =>
  new Map(texts.map(([file, text]) => [file, Buffer.from(text)]))

function pageOf(known: Pages, file: string): Buffer {
  const page = known.get(file)
  if (page !== undefined) return page
  const code = 'DOCUMENT_NOT_FOUND'
  const allowed = [...known.keys()]
  const nearest = allowed.find((name) => name.toLowerCase() === file.toLowerCase())
  const message = `file is one of ${allowed.join(', ')}`
  const near = nearest === undefined ? {} : { nearest }
  throw new Refusal(code, { details: [{ field: 'file', code, message, allowed, ...near }] })
}

const send = (reply: FastifyReply, type: string, page: Buffer) =>
  reply.header('cache-control', DOCUMENT_CACHE).type(type).send(page)

/** Returns /docs.md: the rules of all endpoints, and one line about each endpoint. */
function docsText(about: string, reference: readonly ReferencePage[]): string {
  const sections = reference.flatMap(({ file, title, about: words, endpoints }) => [
    `## [${title}](docs/reference/${file})`,
    words,
    endpoints.map((named) => `- \`${named}\``).join('\n'),
  ])
  return mdPage('# openvenue API', about, ...sections)
}

/** Returns the catalogue of codes as a table. */
const errorsText = (): string =>
  mdPage(
    '# Errors',
    'The catalogue of `GET /errors`. `wait`: repeat the request after `retry_after`; `backoff`: repeat it after pauses of your own; `act`: repeat it after the action; `change`: only a different request can succeed.',
    mdTable(
      ['Code', 'Status', 'Meaning', 'Retry', 'Action', 'Details have'],
      listErrors().map(({ code, status, message, retry, action, details }) => [
        mdCode(code),
        status === null ? 'sockets' : String(status),
        message,
        retry,
        action,
        details.map(mdCode).join(', '),
      ]),
    ),
  )
