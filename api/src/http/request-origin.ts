// Finds the host and the protocol of a client's request, for documents that name them.
import type { IncomingMessage } from 'node:http'

export type Origin = Readonly<{
  /** Name or address, with the port if it is not the protocol's default. */
  host: string
  isSecure: boolean
}>

/** The default address of a node. */
export const DEFAULT_ORIGIN: Origin = { host: 'localhost:3000', isSecure: false }

/** The longest name of a host, and a port. */
const HOST_LENGTH_MAX = 253 + ':65535'.length
/** A name, or an IPv6 address in brackets, and a port; nothing else may get into a document. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Returns the host that the client requested. Each of `proxyHops` trusted proxies appends to
 * X-Forwarded-Host and X-Forwarded-Proto, or sets them, so entries further left are not trusted. An
 * invalid host is replaced by the local address of the connection. Clients can claim any host, so
 * an answer that contains it must not be shared.
 */
export function requestOrigin(request: IncomingMessage, proxyHops: number): Origin {
  const { headers, socket } = request
  const host = [forwarded(headers['x-forwarded-host'], proxyHops), headers.host].find(isHost)
  const arrived =
    socket.localPort === undefined ? DEFAULT_ORIGIN.host : `localhost:${socket.localPort}`
  const protocol = forwarded(headers['x-forwarded-proto'], proxyHops)
  return { host: host ?? arrived, isSecure: protocol?.toLowerCase() === 'https' }
}

/** Returns the entry that the outermost of the trusted proxies wrote. */
function forwarded(header: string | string[] | undefined, proxyHops: number): string | undefined {
  if (header === undefined || proxyHops === 0) return undefined
  const entries = String(header).split(',')
  return entries.at(-Math.min(proxyHops, entries.length))?.trim()
}

const isHost = (text: string | undefined): text is string =>
  text !== undefined && text.length <= HOST_LENGTH_MAX && HOST.test(text)
