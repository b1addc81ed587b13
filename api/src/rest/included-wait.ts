// Reads `?wait=included` of a request that places or cancels orders, and writes into its answer
// how that ended.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldRefusal } from '../http/validation.ts'
import type { WaitEnd } from '../orders/included-waits.ts'

const NAME_LENGTH_MAX = 64

/** Returns whether the answer is to wait. Refuses any other parameter, and any other value. */
function wantsWait(query: unknown): boolean {
  const { wait, ...others } = (query ?? {}) as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(others)
  const refuse = (field: string, rule: string, nearest?: string) =>
    fieldRefusal([
      {
        ...{ field, code: 'INVALID_PARAMETER', message: `${field} ${rule}` },
        ...(nearest === undefined ? {} : { nearest }),
      },
    ])
  if (unknown !== undefined)
    throw refuse(unknown.slice(0, NAME_LENGTH_MAX), 'is no parameter of orders', 'wait')
  if (wait !== undefined && wait !== 'included') throw refuse('wait', 'is included', 'included')
  return wait === 'included'
}

/**
 * Runs `place` with what aborts when the client goes away; undefined where the answer is not to
 * wait.
 */
export async function placeWaiting<T extends Readonly<{ waitEnd: WaitEnd | undefined }>>(
  request: Pick<FastifyRequest, 'query'>,
  reply: FastifyReply,
  place: (options: Readonly<{ waiting: AbortSignal | undefined }>) => Promise<T>,
): Promise<T> {
  if (!wantsWait(request.query)) return place({ waiting: undefined })
  const gone = new AbortController()
  const leave = () => gone.abort()
  reply.raw.once('close', leave)
  try {
    const placed = await place({ waiting: gone.signal })
    if (placed.waitEnd !== undefined) reply.header('x-wait', placed.waitEnd)
    return placed
  } finally {
    reply.raw.off('close', leave)
  }
}
