// Serves the committed documents that programs import: a Postman collection of requests, and an
// Arazzo document of the steps from a wallet to a fill.
import { answerOnce } from '../http/answer.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { DOCS, once, readDocsFile } from './docs-files.ts'
import type { Routes } from './route.ts'

export const POSTMAN_FILE = new URL('postman.json', DOCS)
export const ARAZZO_FILE = new URL('arazzo.json', DOCS)

const FILES = {
  // The file has one request per line for readable diffs; the answer is indented for people.
  '/postman.json': () => Buffer.from(indented(readDocsFile('postman.json'))),
  '/arazzo.json': () => readDocsFile('arazzo.json'),
} as const

export const programDocumentRoutes: Routes = (host) => {
  for (const [path, make] of Object.entries(FILES)) {
    const body = once(make)
    host.get(path, { schema: { hide: true } }, (_request, reply) =>
      answerOnce(reply.header('cache-control', DOCUMENT_CACHE), body()),
    )
  }
}

const indented = (text: Buffer) => `${JSON.stringify(JSON.parse(String(text)), null, 1)}\n`
