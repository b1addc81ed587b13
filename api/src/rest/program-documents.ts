// Serves the committed documents that programs import: a Postman collection of requests, and an
// Arazzo document of the steps from a wallet to a fill.
import { readFileSync } from 'node:fs'
import { answerOnce } from '../http/answer.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { Refusal } from '../http/refusals.ts'
import type { Routes } from './route.ts'

const FOLDER = new URL('../../../docs/', import.meta.url)
export const POSTMAN_FILE = new URL('postman.json', FOLDER)

export const ARAZZO_FILE = new URL('arazzo.json', FOLDER)

const FILES = {
  // The file has one request per line for readable diffs; the answer is indented for people.
  '/postman.json': () => Buffer.from(indented(read(POSTMAN_FILE))),
  '/arazzo.json': () => read(ARAZZO_FILE),
} as const

export const programDocumentRoutes: Routes = (host) => {
  for (const [path, make] of Object.entries(FILES)) {
    let body: Buffer | undefined
    host.get(path, { schema: { hide: true } }, (_request, reply) => {
      body ??= make()
      return answerOnce(reply.header('cache-control', DOCUMENT_CACHE), body)
    })
  }
}

const indented = (text: Buffer) => `${JSON.stringify(JSON.parse(String(text)), null, 1)}\n`

function read(file: URL): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Refusal('INTERNAL_ERROR', { cause })
  }
}
