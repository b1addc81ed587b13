// Fails a test in which a route deviates from the description of the interface: every test that
// sends requests to a host checks it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Host } from '../src/http/host-type.ts'
import type { RefusalCode } from '../src/http/refusals.ts'
import { isKept, routeRefusals } from '../src/http/route-refusals.ts'

/** Status in place of an answer that the description does not list. */
const UNDESCRIBED = 599

/** Checks every answer of the routes of `host`. `hasBlock`: whether there is a block to show. */
export function witnessAnswers(host: Host, hasBlock: () => boolean): Host {
  host.addHook('onSend', async (request, reply, payload) => {
    const { schema } = request.routeOptions
    if (schema === undefined || 'hide' in schema || request.method === 'HEAD') return
    if (reply.statusCode === 304 && isKept(request.routeOptions)) return
    const isListed = String(reply.statusCode) in ((schema.response ?? {}) as object)
    const wrong = isListed ? wrongBlock(request, reply, hasBlock()) : wrongCode(request, payload)
    if (wrong === undefined) return
    // No test expects it.
    const answered = `${request.method} ${request.url}: ${reply.statusCode}`
    reply.code(UNDESCRIBED)
    return JSON.stringify({ error: `${answered} ${wrong}` })
  })
  return host
}

function wrongBlock(
  { routeOptions: { config } }: FastifyRequest,
  reply: FastifyReply,
  hasBlock: boolean,
): string | undefined {
  const { isOffChain = false, isChart = false } = config
  if (reply.hasHeader('x-block-number')) return isOffChain ? 'shows a block' : undefined
  // Refusals for charts belong to no block.
  return isOffChain || isChart || !hasBlock ? undefined : 'shows no block'
}

function wrongCode({ routeOptions }: FastifyRequest, payload: unknown): string | undefined {
  const { url = '', method, schema, config } = routeOptions
  const { error } = JSON.parse(String(payload)) as { error: RefusalCode }
  const codes = routeRefusals({ method, url, schema, config })
  return codes.includes(error) ? undefined : `${error}, and may be ${codes.join(', ')}`
}
