// Serves every page of the documentation as Markdown, for programs: the guides, the reference of
// REST and of the sockets, and llms.txt, which links to all of them. The reference is built by
// api/scripts/write-openapi.ts.
import type { Trading } from '@openvenue/wire/trading'
import type { FastifyReply } from 'fastify'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { Refusal } from '../http/refusals.ts'
import { mismatchText } from '../http/validation.ts'
import { closedWords } from '../orders/relay/relay-status.ts'
import { listDocsFiles, once, readDocsFile } from './docs-files.ts'
import { isForTraders, readGuides } from './guides.ts'
import type { Routes } from './route.ts'

const HIDDEN = { schema: { hide: true } }
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** Heading of the first section of llms.txt. */
export const FIRST_SECTION = '## Guides'
const ABOUT_FULL = `<!-- The guides of openvenue in one file. llms.txt lists the other documents. -->`

/** Start of a link from one guide to another. */
const GUIDE_LINK = /\]\((?=[A-Z-]+\.md)/g

/** Bodies by file name: no other file is ever read. */
type Pages = ReadonlyMap<string, Buffer>

export const markdownRoutes: Routes<'settings'> = (host, { settings }) => {
  const docs = once(readDocs)
  const reference = once(() => readFolder('site/reference'))
  host.get<{ Params: { file: string } }>('/docs/:file', HIDDEN, ({ params }, reply) =>
    send(reply, MARKDOWN_TYPE, pageOf(docs(), params.file)),
  )
  host.get<{ Params: { file: string } }>('/docs/reference/:file', HIDDEN, ({ params }, reply) =>
    send(reply, MARKDOWN_TYPE, pageOf(reference(), params.file)),
  )
  const files = [
    ['/docs.md', MARKDOWN_TYPE, () => readDocsFile('site/docs.md')],
    ['/llms.txt', TEXT_TYPE, () => llmsText(settings.trading)],
    ['/llms-full.txt', TEXT_TYPE, fullText],
  ] as const
  for (const [path, type, make] of files) {
    const body = once(make)
    host.get(path, HIDDEN, (_request, reply) => send(reply, type, body()))
  }
}

/** Returns the guides, then the pages built beside the reference of REST. */
function readDocs(): Pages {
  const guides = readGuides().map(({ file, text }) => [file, Buffer.from(text)] as const)
  const built = [...readFolder('site')].filter(([file]) => /^(sockets|errors)\.md$/.test(file))
  return new Map([...guides, ...built])
}

const readFolder = (folder: string): Pages =>
  new Map(listDocsFiles(folder).map((file) => [file, readDocsFile(`${folder}/${file}`)]))

/** Returns llms.txt; it begins with a warning when no orders are taken. */
function llmsText(trading: Trading): Buffer {
  const closed = closedWords(trading)
  const text = readDocsFile('llms.txt')
  if (closed === undefined) return text
  return Buffer.from(String(text).replace(FIRST_SECTION, `**${closed}.**\n\n${FIRST_SECTION}`))
}

/** Returns llms-full.txt: the guides for traders, one after the other. */
function fullText(): Buffer {
  const guides = readGuides().filter(isForTraders)
  // Links of the guides are relative to /docs/.
  const texts = guides.map(({ text }) => text.trim().replaceAll(GUIDE_LINK, '](docs/'))
  return Buffer.from(`${[ABOUT_FULL, ...texts].join('\n\n')}\n`)
}

function pageOf(pages: Pages, file: string): Buffer {
  const page = pages.get(file)
  if (page !== undefined) return page
  const code = 'DOCUMENT_NOT_FOUND'
  const allowed = [...pages.keys()]
  const nearest = allowed.find((name) => name.toLowerCase() === file.toLowerCase())
  const message = `file is unknown: ${mismatchText(`one of ${allowed.join(', ')}`, file)}`
  const near = nearest === undefined ? {} : { nearest }
  throw new Refusal(code, { details: [{ field: 'file', code, message, allowed, ...near }] })
}

const send = (reply: FastifyReply, type: string, page: Buffer) =>
  reply.header('cache-control', DOCUMENT_CACHE).type(type).send(page)
