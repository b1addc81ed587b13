// GET /errors: the catalogue of codes. It is constant while the process runs.
import {
  CATALOGUE,
  type CatalogueEntry,
  type ErrorCatalogue,
  errorCatalogue,
} from '@openvenue/wire/codes/catalogue'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { DOCUMENT_CACHE } from '../http/negotiation.ts'
import { type Routes, TAGS } from './route.ts'

type ErrorItem = ErrorCatalogue['errors'][number]

/** Returns every code with its description, sorted. */
export const listErrors = (): readonly ErrorItem[] => CATALOGUE.map(entry)

const entry = ({ code, status, message, retry, details, action }: CatalogueEntry): ErrorItem => ({
  code,
  status,
  message,
  retry,
  details: details === undefined ? [] : ['field', ...details],
  action,
})

export const errorRoutes: Routes = (host) => {
  const errors = listErrors()
  const messages = Object.fromEntries(errors.map(({ code, message }) => [code, message]))
  const body = jsonBytes({ errors })
  const schema = {
    tags: TAGS.service,
    summary: 'Every error code: its meaning, retry rule and action',
    response: answers(errorCatalogue(messages)),
  }
  host.get('/errors', { schema, config: { isOffChain: true } }, (_request, reply) =>
    answerOnce(reply.header('cache-control', DOCUMENT_CACHE), body),
  )
}
