// Adapts the answers of routes to the client: a coding, or only the headers when it has the body
// already. Answers from memory do the same in `response-cache.ts`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from './accept-encoding.ts'
import type { EncodedBody, Encoder } from './encoder.ts'
import type { Host } from './host-type.ts'
import { isUnchanged, Representation } from './representation.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The prepared form of the body, unless it was made only for this answer. */
    prepared: PreparedBody | undefined
  }
}

/** A representation, and the end of a body that moves with the clock. */
export type PreparedBody = Readonly<{ representation: Representation; tail?: Buffer | undefined }>

/** Not cached: the default of routes, and errors. */
export const NO_STORE = 'no-store'
/** Cached, and revalidated with its ETag each time. */
export const REVALIDATE = 'no-cache'
/** Documents change only with a release. */
export const DOCUMENT_CACHE = 'public, max-age=900'
export const VARY_CODING = 'Accept-Encoding'

/** Returns the rule for public data that any cache may keep for some seconds; 0: revalidated. */
export const cacheFor = (maxAgeSeconds = 0): string =>
  maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : REVALIDATE

/** Returns the encoded body, or a promise of it; undefined when it is sent raw. */
export function encodeFor(
  header: string | undefined,
  { representation, tail }: PreparedBody,
): EncodedBody {
  if (header === undefined) return undefined
  const accepted = acceptedCoding(header)
  return tail === undefined
    ? representation.encode(accepted)
    : representation.encodeWith(tail, accepted)
}

/** Negotiates each answer of `host` just before it is sent. */
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

/** A body that its route caches has one representation, which is freed with it. */
function representedOnce(encoder: Encoder) {
  const cache = new WeakMap<Buffer, Representation>()
  return (payload: string | Buffer, isDocument: boolean): Representation => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const compression = isDocument ? 'document' : 'live'
    const representation = cache.get(body) ?? new Representation(body, { encoder, compression })
    cache.set(body, representation)
    return representation
  }
}

/** Returns whether the body lives as long as the release: what names a block does not. */
const isDocument = (reply: FastifyReply) =>
  String(reply.getHeader('cache-control')).startsWith('public') &&
  !reply.hasHeader('x-block-number')

const isBody = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

/** Adds the ETag of a cacheable answer. Returns whether the client has the body (304). */
function isKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { representation }: PreparedBody,
): boolean {
  if (reply.getHeader('cache-control') === NO_STORE) return false
  const { etag } = representation
  reply.header('etag', etag)
  if (!isUnchanged(headers['if-none-match'], etag)) return false
  reply.code(304).removeHeader('content-type')
  return true
}

/** Adds a request header to those that the answer varies by. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}
