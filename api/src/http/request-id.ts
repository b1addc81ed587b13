// The id that names one request in headers, error bodies and logs.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Ids that a client or a proxy may choose for its request. */
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/

const prefix = randomBytes(6).toString('hex')
let count = 0

/** Returns the id of the request if it has a plain one, else a new one. */
export function readRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : nextRequestId()
}

/** Returns an id that no other request on any node has. */
export const nextRequestId = (): string => `${prefix}-${(++count).toString(36)}`
