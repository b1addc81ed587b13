// Who asks, for rate limits.
import type { IncomingMessage } from 'node:http'

/** Longer than any address; what a client forges must not fill the memory. */
const ADDRESS_LENGTH_MAX = 64

/**
 * Returns the address of the client behind `proxyHops` trusted proxies. Each of them appended to
 * X-Forwarded-For whom it heard from, so that many entries from the right are believed, no more.
 */
export function clientAddress(request: IncomingMessage, proxyHops: number): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = proxyHops > 0 ? request.headers['x-forwarded-for'] : undefined
  if (forwarded === undefined) return peer
  const chain = [forwarded].flat().join(',').split(',')
  const address = chain[Math.max(0, chain.length - proxyHops)] ?? peer
  return address.trim().slice(0, ADDRESS_LENGTH_MAX)
}
