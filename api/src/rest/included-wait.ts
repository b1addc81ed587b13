// Reads `?wait=included` of a request that places or cancels orders, and adds the outcome to its
// answer.
import type { FastifyReply, FastifyRequest } from 'fastify'
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

/**
 * Runs `place` with the request's id and a signal that aborts when the client disconnects;
 * undefined when the answer does not wait.
 */
export async function placeWaiting<T extends Readonly<{ waitEnd: WaitEnd | undefined }>>(
  request: Pick<FastifyRequest, 'query' | 'id'>,
  reply: FastifyReply,
  place: (options: Readonly<{ waiting: AbortSignal | undefined; requestId: string }>) => Promise<T>,
): Promise<T> {
  const requestId = request.id
  if (!queryWaits(request.query)) return place({ waiting: undefined, requestId })
  const gone = new AbortController()
  const leave = () => gone.abort()
  reply.raw.once('close', leave)
  try {
    const placed = await place({ waiting: gone.signal, requestId })
    if (placed.waitEnd !== undefined) reply.header('x-wait', placed.waitEnd)
    return placed
  } finally {
    reply.raw.off('close', leave)
  }
}
