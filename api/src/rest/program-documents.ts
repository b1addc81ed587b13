// Serves the committed documents that programs import: a collection of requests for Postman, and
// the way from a wallet to a fill as an Arazzo document.
import { readFileSync } from 'node:fs'
import { answerOnce } from '../http/answer.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { Refusal } from '../http/refusals.ts'
import type { Routes } from './route.ts'

const FOLDER = new URL('../../../docs/', import.meta.url)
export const POSTMAN_FILE = new URL('postman.json', FOLDER)

export const ARAZZO_FILE = new URL('arazzo.json', FOLDER)

const FILES = { '/postman.json': POSTMAN_FILE, '/arazzo.json': ARAZZO_FILE } as const

export const programDocumentRoutes: Routes = (host) => {
  for (const [path, file] of Object.entries(FILES)) {
    let body: Buffer | undefined
    host.get(path, { schema: { hide: true } }, (_request, reply) => {
      body ??= read(file)
      return answerOnce(reply.header('cache-control', DOCUMENT_CACHE), body)
    })
  }
}

function read(file: URL): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Refusal('INTERNAL_ERROR', { cause })
  }
}
