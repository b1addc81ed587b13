// How the routes of registration and keys read their bodies: exact integers, and none where it is
// optional.

import type { FastifyRequest } from 'fastify'
import type { Host } from '../http/host-type.ts'
import { Refusal } from '../http/refusals.ts'
import { parseExactJson } from '../identity/registration-body.ts'

/** Adds `routes` to a part of the host of their own, where bodies are read exactly. */
export function withExactBodies(host: Host, routes: (scope: Host) => void): void {
  host.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>(
      'application/json',
      { parseAs: 'string' },
      async (_request: unknown, text: string) => parseExactJson(text),
    )
    // `*` also stands for no type at all, which is taken as JSON.
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

/** For a route whose handler parses the body: its schema only describes. */
export const describedOnly = () => (value: unknown) => ({ value })
