// GET /errors: the catalogue of codes. It never changes while the process runs.
import { type ErrorCatalogue, errorCatalogue } from '@openvenue/wire/error-catalogue'
import { SOCKET_CODES, type SocketCode } from '@openvenue/wire/socket'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { Advice } from '../http/codes/code.ts'
import { SOCKET_ADVICE } from '../http/codes/socket-codes.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { REFUSALS } from '../http/refusals.ts'
import { type Routes, TAGS } from './route.ts'

type Entry = ErrorCatalogue['errors'][number]
type Meaning = Readonly<{ code: string; status: number | null; message: string }>

/** Returns every code with what is known of it, sorted. */
export function listErrors(): readonly Entry[] {
  const ofRest = Object.entries(REFUSALS).map(([code, facts]) => entry({ code, ...facts }, facts))
  const ofSockets = Object.entries(SOCKET_ADVICE).map(([code, advice]) =>
    entry({ code, status: null, message: sentence(SOCKET_CODES[code as SocketCode]) }, advice),
  )
  return [...ofRest, ...ofSockets].sort((a, b) => (a.code < b.code ? -1 : 1))
}

const entry = ({ code, status, message }: Meaning, { retry, details, action }: Advice): Entry => ({
  code,
  status,
  message,
  retry,
  details: details === undefined ? [] : ['field', ...details],
  action,
})

const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

export const errorRoutes: Routes = (host) => {
  const errors = listErrors()
  const messages = Object.fromEntries(errors.map(({ code, message }) => [code, message]))
  const body = jsonBytes({ errors })
  const schema = {
    tags: TAGS.service,
    summary: 'Every error code: what it means, whether to try again, what to do',
    response: answers(errorCatalogue(messages)),
  }
  host.get('/errors', { schema, config: { isOffChain: true } }, (_request, reply) =>
    answerOnce(reply.header('cache-control', DOCUMENT_CACHE), body),
  )
}
