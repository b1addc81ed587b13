// Reads the body of a signed request before it is parsed, since its bytes are signed, and replays
// them to the parser.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { Refusal } from '../http/refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of a signed request, once read. */
    signedBody?: Buffer
  }
}

/** Returns the bytes of the body, empty without one; refuses too many. */
export async function readSignedBody(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  if (request.signedBody !== undefined) return request.signedBody
  const { headers, raw, routeOptions, server } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return EMPTY
  const max = routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0
  const tooLarge = () => {
    // The rest of the body is not read.
    reply.header('connection', 'close')
    return new Refusal('BODY_TOO_LARGE')
  }
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  // Kept open, because the refusal is sent on it.
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > max) throw tooLarge()
    chunks.push(chunk)
  }
  request.signedBody = Buffer.concat(chunks)
  return request.signedBody
}

const EMPTY = Buffer.alloc(0)

/** Passes the bytes that were read to the parser. */
export const replaySignedBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { signedBody } = request
  done(null, signedBody === undefined ? payload : Readable.from([signedBody]))
}
