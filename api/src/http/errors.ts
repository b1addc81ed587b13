// The one place where refusals and errors become answers.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isAddress } from './address.ts'
import { Endpoints } from './endpoints.ts'
import { type Host, JSON_TYPE } from './host-type.ts'
import { msToNs, REFUSALS, Refusal, type RefusalCode } from './refusals.ts'
import { nextRequestId } from './request-id.ts'
import { requestLine } from './request-log.ts'

/** Our codes for the framework's refusals. */
const FRAMEWORK_CODES: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_BAD_URL: 'MALFORMED_URL',
  FST_ERR_MAX_PARAM_LENGTH: 'URL_TOO_LONG',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
  FST_ERR_ASYNC_CONSTRAINT: 'MALFORMED_URL',
}

/**
 * Makes `host` answer every error with the one body. Returns a function that adds the check for
 * unknown endpoints: a hook, so that they are refused before their bodies are read.
 */
export function answerErrors(host: Host): () => void {
  host.setErrorHandler((error, request, reply) => sendError(error as Error, request, reply))
  const endpoints = new Endpoints(host)
  host.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') allow(reply, endpoints.methodsAt(request.raw.url ?? '/'))
    done()
  })
  return () => {
    host.addHook('onRequest', (request, reply, done) => {
      if (!request.is404 && !isBelowNoAddress(request)) return done()
      const url = request.raw.url ?? '/'
      const methods = endpoints.methodsAt(url)
      allow(reply, methods)
      if (methods.length > 0) return done(methodNotAllowed(methods))
      done(request.is404 ? routeNotFound(endpoints.wantsAddress(url)) : undefined)
    })
  }
}

function allow(reply: FastifyReply, methods: readonly string[]): void {
  if (methods.length > 0) reply.header('allow', methods.join(', '))
}

/** True when a word takes the place of an address: the path may be another method's endpoint. */
function isBelowNoAddress({ params }: FastifyRequest): boolean {
  const { address } = (params ?? {}) as Readonly<Record<string, string | undefined>>
  return address !== undefined && !isAddress(address)
}

function methodNotAllowed(allowed: readonly string[]): Refusal {
  const code = 'METHOD_NOT_ALLOWED'
  const message = `method is not allowed: expected one of ${allowed.join(', ')}`
  return new Refusal(code, { details: [{ field: 'method', code, message, allowed }] })
}

function routeNotFound(wantsAddress: boolean): Refusal {
  const code = 'ROUTE_NOT_FOUND'
  if (!wantsAddress) return new Refusal(code)
  const message = 'address is malformed: expected 0x and 40 hex digits'
  return new Refusal(code, { details: [{ field: 'address', code, message }] })
}

/** Answers errors before routing. No hooks run then, so their work is done here. */
export const frameworkErrors = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const { limits, originHeaders, logRequest } = request.server
  if (logRequest !== undefined)
    reply.raw.once('finish', () => logRequest(requestLine(request, reply)))
  reply.header('x-request-id', request.id)
  const headers = originHeaders(request.headers.origin)
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
  limits.countRaw(request, reply).then(
    () => sendError(error, request, reply),
    (refusal: Error) => sendError(refusal, request, reply),
  )
}

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  if (refusal.status === 500) request.log.error({ err: error, path: pathOf(request) }, 'failed')
  for (const [name, value] of refusalHeaders(refusal)) reply.header(name, value)
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify(refusal.body(request.id)))
}

/** Queries may hold what a client meant for a body: they are not logged. */
const pathOf = ({ raw }: FastifyRequest) => raw.url?.split('?', 1)[0]

/** Returns the headers of a refusal: when to retry, and how to authenticate. */
const refusalHeaders = (refusal: Refusal): readonly [string, string][] =>
  refusal.status === 401
    ? [...retryHeaders(refusal), ['www-authenticate', challenge(refusal.code)]]
    : retryHeaders(refusal)

/** A 401 names the expected scheme: the headers of a key, or signatures in the body. */
const challenge = (code: RefusalCode) =>
  code.startsWith('AUTH_')
    ? 'ApiKey realm="openvenue", headers="API-KEY API-SECRET"'
    : 'EIP712 realm="openvenue"'

/** The time to retry: in whole seconds, and in nanoseconds for clients of the API family. */
export function retryHeaders({ options: { retryAfterMs } }: Refusal): readonly [string, string][] {
  if (retryAfterMs === undefined) return []
  return [
    ['retry-after', String(Math.ceil(retryAfterMs / 1000))],
    ['x-retry-after', msToNs(retryAfterMs)],
  ]
}

/**
 * Sends `refusal` outside of a route. `headers` are alternating names and values. Returns the
 * length of the body.
 */
export function writeRefusal(
  response: ServerResponse,
  refusal: Refusal,
  requestId: string,
  headers: readonly string[],
): number {
  const body = JSON.stringify(refusal.body(requestId))
  const length = Buffer.byteLength(body)
  response.writeHead(refusal.status, [
    ...headers,
    ...refusalHeaders(refusal).flat(),
    'cache-control',
    'no-store',
    'content-type',
    JSON_TYPE,
    'content-length',
    String(length),
  ])
  response.end(body)
  return length
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode } = error as Partial<FastifyError>
  const refusalCode = FRAMEWORK_CODES[code ?? '']
  if (refusalCode !== undefined) return new Refusal(refusalCode, { cause: error })
  if (statusCode === 400) return new Refusal('MALFORMED_JSON', { cause: error })
  return new Refusal('INTERNAL_ERROR', { cause: error })
}

const CLIENT_CODES: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Answers a connection whose bytes are not an HTTP request, and closes it. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const code = CLIENT_CODES[error.code ?? ''] ?? 'MALFORMED_REQUEST'
  const id = nextRequestId()
  const body = JSON.stringify(new Refusal(code).body(id))
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${REFUSALS[code].status} ${REASONS[code] ?? 'Bad Request'}\r\n` +
        `X-Request-Id: ${id}\r\nCache-Control: no-store\r\nContent-Type: ${JSON_TYPE}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}

const REASONS: Readonly<Partial<Record<RefusalCode, string>>> = {
  REQUEST_TIMEOUT: 'Request Timeout',
  HEADERS_TOO_LARGE: 'Request Header Fields Too Large',
}
