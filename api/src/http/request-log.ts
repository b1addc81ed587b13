// One log line per answered request (LOG_REQUESTS). URLs, headers and bodies may hold secrets, so
// a line has the declared route instead of the URL, and nothing that the client chose except the
// request id, whose form is checked.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'

/** An answered request. */
export type RequestLine = Readonly<{
  /** The name of the request in the framework's own lines. */
  reqId: string
  method: string
  /** The route as it is declared; `none` when there is none. */
  route: string
  status: number
  ms: number
  /** Length of the body; undefined for a stream. */
  bytes: number | undefined
}>

export type LogRequest = (line: RequestLine) => void

/** Returns the function that writes lines, or undefined when none are wanted. */
export const createLogRequest = ({
  logger,
  logsRequests,
}: Readonly<{ logger?: FastifyBaseLogger; logsRequests?: boolean }>): LogRequest | undefined =>
  logger === undefined || logsRequests !== true
    ? undefined
    : ({ ms, ...line }) => logger.info({ ...line, ms: roundMs(ms) }, 'request')

/** An answer from memory takes microseconds. */
const roundMs = (ms: number) => Math.round(ms * 1000) / 1000

/** Returns the line of a request that Fastify has answered. */
export const requestLine = (request: FastifyRequest, reply: FastifyReply): RequestLine => ({
  reqId: request.id,
  method: request.method,
  route: request.routeOptions?.url ?? 'none',
  status: reply.statusCode,
  ms: reply.elapsedTime,
  bytes: bodyLength(request, reply),
})

function bodyLength({ method }: FastifyRequest, reply: FastifyReply): number | undefined {
  if (method === 'HEAD' || reply.statusCode === 304) return 0
  const length = reply.getHeader('content-length')
  return length === undefined ? undefined : Number(length)
}
