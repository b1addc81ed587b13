// Gives the answers of the routes the form that each client asks for: a coding, or nothing but the
// headers when it has the body already. Answers from memory do the same in `response-cache.ts`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from './accept-encoding.ts'
import type { Encoded, Encoder } from './encoder.ts'
import type { Host } from './host-type.ts'
import { isUnchanged, Representation } from './representation.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** What the body is sent as, where it is not made for this answer alone. */
    prepared: Prepared | undefined
  }
}

/** A representation, and the end of a body that moves with the clock. */
export type Prepared = Readonly<{ representation: Representation; tail?: Buffer | undefined }>

/** Nobody keeps it: of answers whose route says nothing, and of errors. */
export const NO_STORE = 'no-store'
/** Kept, and asked for again with its ETag each time. */
export const REVALIDATE = 'no-cache'
/** Documents change with the release alone. */
export const DOCUMENT_CACHE = 'public, max-age=900'
export const VARY_CODING = 'Accept-Encoding'

/** Returns the encoded body, or when it will be there; undefined when it is to go out raw. */
export function encodeFor(header: string | undefined, { representation, tail }: Prepared): Encoded {
  if (header === undefined) return undefined
  const accepted = acceptedCoding(header)
  return tail === undefined
    ? representation.encode(accepted)
    : representation.encodeWith(tail, accepted)
}

/** Makes each answer of `host` take its form just before it is sent. */
export function negotiateAnswers(host: Host, encoder: Encoder): void {
  const represent = representedOnce(encoder)
  host.decorateReply('prepared', undefined)
  host.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', NO_STORE)
    done()
  })
  host.addHook('onSend', (request, reply, payload, done) => {
    const { method } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || reply.statusCode !== 200 || !isBody(payload)) return done(null, payload)
    addVary(reply, VARY_CODING)
    const prepared = reply.prepared ?? { representation: represent(payload, isDocument(reply)) }
    if (isKnown(request, reply, prepared))
      // A HEAD has no body either way, and its length is that of the whole answer.
      return done(null, method === 'HEAD' ? payload : null)
    const header = request.headers['accept-encoding']
    const encoded = encodeFor(header, prepared)
    if (encoded === undefined) return done(null, payload)
    const send = (bytes: Buffer) => {
      reply.header('content-encoding', acceptedCoding(header).coding)
      done(null, bytes)
    }
    if (encoded instanceof Promise) encoded.then(send, () => done(null, payload))
    else send(encoded)
  })
}

/** A body that its route keeps has one representation, which goes with it. */
function representedOnce(encoder: Encoder) {
  const known = new WeakMap<Buffer, Representation>()
  return (payload: string | Buffer, isDocument: boolean): Representation => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const compression = isDocument ? 'document' : 'live'
    const representation = known.get(body) ?? new Representation(body, { encoder, compression })
    known.set(body, representation)
    return representation
  }
}

const isDocument = (reply: FastifyReply) =>
  String(reply.getHeader('cache-control')).startsWith('public')

const isBody = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

/** Adds the ETag of what may be kept. Whether the client has it, and is answered 304. */
function isKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { representation }: Prepared,
): boolean {
  if (reply.getHeader('cache-control') === NO_STORE) return false
  const { etag } = representation
  reply.header('etag', etag)
  if (!isUnchanged(headers['if-none-match'], etag)) return false
  reply.code(304).removeHeader('content-type')
  return true
}

/** Names a header of the request that the answer follows, beside those that are named. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}
