// Recognizes the requests that are for the sockets.
import type { IncomingMessage } from 'node:http'

export const PLAIN_PATH = '/ws'
export const SOCKET_IO_PATH = '/socket.io'

/** The path itself, also with a slash at its end or a query. */
export function isPath({ url = '' }: IncomingMessage, path: string): boolean {
  if (!url.startsWith(path)) return false
  const end = url.charAt(path.length)
  return end === '' || end === '?' || (end === '/' && /^(\?|$)/.test(url.slice(path.length + 1)))
}

/**
 * Returns whether a request asks to become a WebSocket where one is served. At the root as well:
 * clients are given the address of a host, without a path.
 */
export const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  (isPath(request, SOCKET_IO_PATH) || isPath(request, PLAIN_PATH) || isRoot(request))

const isRoot = ({ url = '' }: IncomingMessage): boolean => url === '/' || url.startsWith('/?')

/**
 * Returns the session of Socket.IO that a request goes on with; empty when it begins one. Of
 * several names the last counts, as for the library.
 */
export const sessionId = ({ url = '' }: IncomingMessage): string =>
  new URL(url, 'http://any').searchParams.getAll('sid').at(-1) ?? ''

/**
 * Returns whether a request begins a connection. One that names a session goes on with it, and is
 * refused when there is no such session.
 */
export const beginsConnection = (request: IncomingMessage): boolean =>
  !isPath(request, SOCKET_IO_PATH) || sessionId(request) === ''
