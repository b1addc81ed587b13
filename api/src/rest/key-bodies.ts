// Body parsing of the registration and key routes: exact integers, and optional bodies.

import type { FastifyRequest } from 'fastify'
import type { Host } from '../http/host-type.ts'
import { Refusal } from '../http/refusals.ts'
import { parseExactJson } from '../identity/registration-body.ts'

/** Adds `routes` in a scope of the host whose bodies keep exact integers. */
export function withExactBodies(host: Host, routes: (scope: Host) => void): void {
  host.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>(
      'application/json',
      { parseAs: 'string' },
      async (_request: unknown, text: string) => parseExactJson(text),
    )
    // `*` also matches a missing type, which is parsed as JSON.
    scope.addContentTypeParser<string>(
      '*',
      { parseAs: 'string' },
      async (request: FastifyRequest, text: string) => {
        if (text !== '' && request.headers['content-type'] !== undefined)
          throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
        return parseExactJson(text)
      },
    )
    routes(scope as unknown as Host)
  })
}

/** For a route whose handler validates the body: its schema only describes it. */
export const describedOnly = () => (value: unknown) => ({ value })
