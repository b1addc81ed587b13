// Finds the host and the protocol that a client asked by, for documents that name them.
import type { IncomingMessage } from 'node:http'

export type Origin = Readonly<{
  /** Name or address, and the port where it is not that of the protocol. */
  host: string
  isSecure: boolean
}>

/** Where a node listens unless it is set otherwise. */
export const DEFAULT_ORIGIN: Origin = { host: 'localhost:3000', isSecure: false }

/** The longest name of a host, and a port. */
const HOST_LENGTH_MAX = 253 + ':65535'.length
/** A name, or an address of IPv6 in brackets, and a port; nothing else gets into a document. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Returns the host that the client asked by. Each of `proxyHops` trusted proxies appended to
 * X-Forwarded-Host and X-Forwarded-Proto, or set them, so that no entry is believed that stands
 * further left. What is no host is replaced by where the request arrived. Anyone can say any host:
 * an answer that holds it is for that client alone.
 */
export function askedOrigin(request: IncomingMessage, proxyHops: number): Origin {
  const { headers, socket } = request
  const asked = [forwarded(headers['x-forwarded-host'], proxyHops), headers.host].find(isHost)
  const arrived =
    socket.localPort === undefined ? DEFAULT_ORIGIN.host : `localhost:${socket.localPort}`
  const protocol = forwarded(headers['x-forwarded-proto'], proxyHops)
  return { host: asked ?? arrived, isSecure: protocol?.toLowerCase() === 'https' }
}

/** Returns the entry that the outermost of the trusted proxies wrote. */
function forwarded(header: string | string[] | undefined, proxyHops: number): string | undefined {
  if (header === undefined || proxyHops === 0) return undefined
  const entries = String(header).split(',')
  return entries.at(-Math.min(proxyHops, entries.length))?.trim()
}

const isHost = (text: string | undefined): text is string =>
  text !== undefined && text.length <= HOST_LENGTH_MAX && HOST.test(text)
