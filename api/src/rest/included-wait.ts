// Reads `?wait=included` of a request that places or cancels orders, and adds the outcome to its
// answer.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { traceparentOf } from '../http/trace-requests.ts'
import { fieldRefusal, unknownName } from '../http/validation.ts'
import { type WaitEnd, wantsWait } from '../orders/relay/included-waits.ts'

const NAME_LENGTH_MAX = 64

/** Returns whether the answer must wait. Refuses any other parameter, and any other value. */
function queryWaits(query: unknown): boolean {
  const { wait, ...others } = (query ?? {}) as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw fieldRefusal([
      unknownName(unknown.slice(0, NAME_LENGTH_MAX), 'parameter of orders', { nearest: 'wait' }),
    ])
  return wantsWait(wait)
}

type WaitOptions = Readonly<{
  waiting: AbortSignal | undefined
  requestId: string
  traceparent: string | undefined
}>

/**
 * Runs `place` with the request's id and a signal that aborts when the client disconnects;
 * undefined when the answer does not wait.
 */
export async function placeWaiting<T extends Readonly<{ waitEnd: WaitEnd | undefined }>>(
  request: Pick<FastifyRequest, 'query' | 'id'> & Partial<Pick<FastifyRequest, 'headers'>>,
  reply: FastifyReply,
  place: (options: WaitOptions) => Promise<T>,
): Promise<T> {
  const { id: requestId } = request
  const traceparent = traceparentOf(request)
  if (!queryWaits(request.query)) return place({ waiting: undefined, requestId, traceparent })
  const gone = new AbortController()
  const leave = () => gone.abort()
  reply.raw.once('close', leave)
  try {
    const placed = await place({ waiting: gone.signal, requestId, traceparent })
    if (placed.waitEnd !== undefined) reply.header('x-wait', placed.waitEnd)
    return placed
  } finally {
    reply.raw.off('close', leave)
  }
}
