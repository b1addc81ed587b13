// Recognizes the requests that are for the sockets.
import type { IncomingMessage } from 'node:http'

export const PLAIN_PATH = '/ws'
export const SOCKET_IO_PATH = '/socket.io'

/** Returns whether a request is for `path`, also with a trailing slash or a query. */
export function isPath({ url = '' }: IncomingMessage, path: string): boolean {
  if (!url.startsWith(path)) return false
  const end = url.charAt(path.length)
  return end === '' || end === '?' || (end === '/' && /^(\?|$)/.test(url.slice(path.length + 1)))
}

/**
 * Returns whether a request asks for a WebSocket on a path that serves one. The root is one too,
 * since clients are often configured with a host and no path.
 */
export const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  (isPath(request, SOCKET_IO_PATH) || isPath(request, PLAIN_PATH) || isRoot(request))

const isRoot = ({ url = '' }: IncomingMessage): boolean => url === '/' || url.startsWith('/?')

/**
 * Returns the Socket.IO session that a request continues; empty when it begins one. The last of
 * several `sid` counts, as in the library.
 */
export const sessionId = ({ url = '' }: IncomingMessage): string =>
  new URL(url, 'http://any').searchParams.getAll('sid').at(-1) ?? ''

/**
 * Returns whether a request begins a connection. A request with a session id continues that
 * session, and is refused when it does not exist.
 */
export const beginsConnection = (request: IncomingMessage): boolean =>
  !isPath(request, SOCKET_IO_PATH) || sessionId(request) === ''
