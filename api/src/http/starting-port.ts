// Holds the port of a host during its start: it is alive but not ready, refuses everything else,
// and is handed over without an unanswered moment.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACCEPT_QUEUE } from '@openvenue/runtime/accept-queue'
import type { Health, Readiness } from '@openvenue/wire/service'
import type { Trading } from '@openvenue/wire/trading'
import { retryHeaders, writeRefusal } from './errors.ts'
import { type Host, HTML_TYPE, JSON_TYPE } from './host-type.ts'
import { Refusal } from './refusals.ts'
import { readRequestId } from './request-id.ts'

type StartingPortOptions = Readonly<{
  host: string
  /** 0 for any free port. */
  port: number
  /** Names of the network and of the build. */
  environment: string
  version: string
  trading: Trading
  corsOrigins: readonly string[]
  /** The current step of the start, in words. Called for every answer. */
  awaiting: () => string
}>

export type StartingPort = Readonly<{
  url: string
  /** Lets `host` answer on the port from now on. Returns the URL. */
  handOver: (host: Host) => Promise<string>
  /** Stops answering; does nothing once the port is handed over. */
  close: () => Promise<void>
}>

/** Where a host listens. */
export type ListenAddress = Readonly<{
  host: string
  /** 0 for any free port. */
  port: number
  /** The holder of the port during the start. */
  startingPort?: StartingPort | undefined
}>

/** Lets `host` listen, and returns the URL. */
export const listenAt = (host: Host, { startingPort, ...place }: ListenAddress): Promise<string> =>
  startingPort?.handOver(host) ?? host.listen(withQueue(place))

const withQueue = ({ host, port }: Readonly<{ host: string; port: number }>) => ({
  ...{ host, port },
  backlog: ACCEPT_QUEUE,
})

/** Retry-After, ms. */
const RETRY_MS = 1_000
/** A request that takes longer to arrive is refused. */
const REQUEST_TIMEOUT_MS = 10_000
const TIMEOUT_LOOK_MS = 1_000

/** Listens at once. Rejects when the port is in use. */
export async function openStartingPort(options: StartingPortOptions): Promise<StartingPort> {
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_LOOK_MS,
    requireHostHeader: false,
  }
  // Without a listener for upgrades, a WebSocket request is refused like any other.
  const server = createServer(timeouts, (request, response) => answer(request, response, options))
  await listening(server, options)
  const url = serverUrl(server.address() as AddressInfo)
  let isHeld = true
  return {
    url,
    handOver: async (host) => {
      await host.ready()
      isHeld = false
      adopt(host.server, server)
      await host.listen(withQueue(options))
      host.server.once('close', () => server.closeAllConnections())
      return url
    },
    close: async () => {
      if (!isHeld) return
      isHeld = false
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const listening = (server: Server, { host, port }: StartingPortOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(withQueue({ host, port }), () => {
      server.removeListener('error', reject)
      resolve()
    })
  })

/**
 * Makes `server` listen on the handle of `holder`, because the framework can only name a port. If
 * two servers share a handle, only the newer one receives connections.
 */
function adopt(server: Host['server'], holder: Server): void {
  const listen = server.listen.bind(server)
  // Listening again on a handle sets its queue again.
  server.listen = () => listen(holder, ACCEPT_QUEUE)
}

/** Returns a URL for `address` on this machine; it may mean all addresses. */
function serverUrl({ address, port, family }: AddressInfo): string {
  if (family !== 'IPv6') return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
  return `http://[${address === '::' ? '::1' : address}]:${port}`
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: StartingPortOptions,
): void {
  const id = readRequestId(request)
  // A retrying client must reach the host itself as soon as it is there.
  const headers = ['x-request-id', id, 'connection', 'close', ...originHeaders(options)]
  const [path] = (request.url ?? '').split('?', 1)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const refusal = starting(options.awaiting())
  if (isRead && path === '/health')
    writeJson(response, { status: 200, headers, body: healthBody(options) })
  else if (isRead && path === '/ready') {
    const retry = retryHeaders(refusal).flat()
    writeJson(response, {
      status: 503,
      headers: [...headers, ...retry],
      body: readinessBody(options),
    })
  } else if (request.method === 'GET' && path === '/' && wantsPage(request))
    writePage(response, refusal, headers)
  else writeRefusal(response, refusal, id, headers)
}

const wantsPage = ({ headers }: IncomingMessage) => headers.accept?.includes('text/html') === true

/** Sends browsers a page that names the current step and reloads until the venue is ready. */
function writePage(response: ServerResponse, refusal: Refusal, headers: readonly string[]): void {
  const page = Buffer.from(startingPage(refusal.message))
  response.writeHead(503, [
    ...[...headers, ...retryHeaders(refusal).flat()],
    ...['content-type', HTML_TYPE, 'content-length', String(page.length)],
    ...['cache-control', 'no-store', 'vary', 'Accept', 'x-content-type-options', 'nosniff'],
    ...['content-security-policy', "default-src 'none'; img-src data:; frame-ancestors 'none'"],
  ])
  response.end(page)
}

const startingPage = (message: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta http-equiv="refresh" content="${RETRY_MS / 1_000}">
    <title>openvenue is starting</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main>
      <h1>openvenue</h1>
      <p>${escapeHtml(message)} …</p>
      <p>This page reloads until the venue is ready.</p>
    </main>
  </body>
</html>
`

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const starting = (awaiting: string) =>
  new Refusal('STARTING', {
    message: `The venue is starting: ${awaiting}`,
    retryAfterMs: RETRY_MS,
  })

const originHeaders = ({ corsOrigins }: StartingPortOptions) =>
  corsOrigins.includes('*')
    ? [
        'access-control-allow-origin',
        '*',
        'access-control-expose-headers',
        'X-Request-Id, Retry-After',
      ]
    : []

/** The dependencies were not checked yet. */
const NOT_ASKED = { ok: false, error: 'starting' } as const

const healthBody = ({ environment, version, trading }: StartingPortOptions): Health => ({
  status: 'ok',
  degraded: true,
  degradedDependencies: ['redis', 'indexer'],
  dependencies: { redis: NOT_ASKED, indexer: NOT_ASKED },
  timestamp: Date.now(),
  environment,
  version,
  trading,
})

const readinessBody = ({ awaiting }: StartingPortOptions): Readiness => ({
  status: 'not_ready',
  checks: { redis: NOT_ASKED, rpc: NOT_ASKED, indexer: NOT_ASKED },
  awaiting: awaiting(),
  timestamp: Date.now(),
})

type Json = Readonly<{ status: number; headers: readonly string[]; body: Health | Readiness }>

function writeJson(response: ServerResponse, { status, headers, body }: Json): void {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  response.writeHead(status, [...headers, 'content-type', JSON_TYPE, 'content-length', length])
  response.end(text)
}
