// The terminal: its page and files, answered from memory.
import type { FastifyReply } from 'fastify'
import { type Host, HTML_TYPE } from '../http/host-type.ts'
import { REVALIDATE } from '../http/negotiation.ts'
import type { PublishedVenue } from './published.ts'
import type { Routes } from './route.ts'
import type { Terminal, TerminalFile } from './terminal-files.ts'

/** File names below this folder change with their content. */
const NAMED_BY_CONTENT = 'assets/'
const FOR_EVER = 'public, max-age=31536000, immutable'
const HIDDEN = { schema: { hide: true } }

/** Serves all files of the terminal except the page, which the home route sends. */
export const terminalRoutes: Routes<'terminal'> = (host, { terminal }) => {
  for (const file of terminal?.files ?? []) serveFile(host, file)
}

/** Adds a route for each file; any other path is unknown, as everywhere. */
const serveFile = (host: Host, { path, type, bytes }: TerminalFile) =>
  host.get(`/${path}`, HIDDEN, (_request, reply) => {
    const isKept = path.startsWith(NAMED_BY_CONTENT)
    reply.header('cache-control', isKept ? FOR_EVER : REVALIDATE)
    return reply.header('x-content-type-options', 'nosniff').type(type).send(bytes)
  })

/** Returns a function that sends the page, with the headers that restrict it. */
export function pageSender(
  { index, urls }: Terminal,
  { rpcUrls }: Pick<PublishedVenue, 'rpcUrls'>,
): (reply: FastifyReply) => FastifyReply {
  const policy = contentPolicy([...rpcUrls, ...urls])
  return (reply) =>
    reply
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', REVALIDATE)
      .type(HTML_TYPE)
      .send(index.bytes)
}

/**
 * Scripts, workers and styles come from the host that serves the page, none is inline, and text
 * becomes code or markup only through the page's one policy (decision 0069). Wallets show their
 * icons as data. `urls` are other origins that it may request, over sockets too.
 */
const contentPolicy = (urls: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(urls.flatMap(origins))].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types openvenue',
  ].join('; ')

const origins = (url: string) => {
  const { origin } = new URL(url)
  return [origin, origin.replace(/^http/, 'ws')]
}
