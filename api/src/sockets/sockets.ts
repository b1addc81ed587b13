// The sockets of a node: which requests are theirs, who may connect, and how they end.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress } from '../http/client-address.ts'
import { retryHeaders, writeRefusal } from '../http/errors.ts'
import { JSON_TYPE } from '../http/host-type.ts'
import { REFUSALS, Refusal } from '../http/refusals.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { KeyCheckDeps } from '../identity/key-checks.ts'
import { type CoreDeps, SocketCore } from './core.ts'
import type { Admission } from './socket.ts'
import { AddressCounts } from './socket-limits.ts'
import { InboundBudgets } from './transports/inbound-budget.ts'
import { PlainTransport } from './transports/plain-websocket.ts'
import { type Origins, SOCKET_IO_PATH, SocketIoTransport } from './transports/socket-io.ts'

export const PLAIN_PATH = '/ws'

export type SocketsDeps = CoreDeps &
  Readonly<{
    proxyHops: number
    origins: Origins
    /** Absent: nobody is waited for when the sockets close. */
    clock: Readonly<{ delay?: KeyCheckDeps['delay'] }>
  }>

/** How often `sweep` should be called, so that an expired key is told at once. */
export const SWEEP_MS = 250
/** What opening a connection counts for at its address, in messages. */
const OPENING_UNITS = 5
/** How long clients have to take what was sent before the server stops, and how often it looks. */
const DRAIN_MS_MAX = 5_000
const DRAIN_LOOK_MS = 20
/** When to try again after there was no room. */
const FULL_RETRY_MS = 5_000

export class Sockets {
  readonly core: SocketCore
  readonly #deps: SocketsDeps
  readonly #plain: PlainTransport
  readonly #socketIo: SocketIoTransport
  readonly #addresses: AddressCounts
  readonly #budgets: InboundBudgets
  /** What is no HTTP any more. */
  readonly #open = new Set<Duplex>()
  #closing: Promise<void> | undefined

  constructor(deps: SocketsDeps) {
    this.#deps = deps
    this.core = new SocketCore(deps)
    this.#addresses = new AddressCounts(deps.settings.connectionsPerAddressMax)
    const { monotonicMs } = deps.clock
    const { messagesPerConnection, messagesPerAddress } = deps.settings
    this.#budgets = new InboundBudgets({
      perConnection: messagesPerConnection,
      perAddress: messagesPerAddress,
      monotonicMs,
    })
    const admission: Admission = {
      budgetOf: (address) => this.#budgets.open(address),
      addressOf: (request) => clientAddress(request, deps.proxyHops),
      opened: (address) => {
        this.#addresses.add(address)
        return () => this.#addresses.remove(address)
      },
    }
    this.#plain = new PlainTransport(this.core, admission)
    this.#socketIo = new SocketIoTransport(this.core, admission, deps.origins)
  }

  /** Serves a request of Socket.IO and returns true, or leaves it alone and returns false. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isPath(request, SOCKET_IO_PATH)) return false
    const refusal = this.#refusalOf(request)
    if (refusal === undefined) this.#socketIo.request(request, response)
    else writeRefusal(response, refusal, requestIdOf(request), [])
    return true
  }

  /** Tells whether a request that asks for another protocol is for the sockets. */
  isUpgrade(request: IncomingMessage): boolean {
    return (
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      (isPath(request, SOCKET_IO_PATH) || isPath(request, PLAIN_PATH))
    )
  }

  /** Takes a request for which `isUpgrade` holds. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The client may go away at any time; whoever takes the socket hears of it as its end.
    socket.on('error', () => {})
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    const refusal = this.#refusalOf(request)
    if (refusal !== undefined) refuse(socket, refusal, requestIdOf(request))
    else if (isPath(request, SOCKET_IO_PATH)) this.#socketIo.upgrade(request, socket, head)
    else this.#plain.accept({ request, socket, head })
  }

  sweep(): void {
    this.core.sweep()
    this.#plain.sweep()
    this.#socketIo.sweep()
    this.#budgets.sweep()
  }

  /** Wallets with an authenticated connection to this node. */
  openPrivateAccounts(): ReadonlySet<string> {
    return this.core.openPrivateAccounts()
  }

  metrics(): Promise<string> {
    return this.core.meter.metrics()
  }

  /**
   * Tells every client that the server stops, waits until they have taken what was sent before, and
   * after DRAIN_MS_MAX cuts those who have not.
   */
  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  async #drain(): Promise<void> {
    this.core.close()
    // What was written just now is on its way after this.
    await new Promise((resolve) => setImmediate(resolve))
    const { delay } = this.#deps.clock
    const { signal } = new AbortController()
    const isOpen = () => this.core.isClosing || this.#open.size > 0
    for (let waitedMs = 0; isOpen() && waitedMs < DRAIN_MS_MAX; waitedMs += DRAIN_LOOK_MS)
      await delay?.(DRAIN_LOOK_MS, signal)
    await this.#socketIo.close()
    for (const socket of this.#open) socket.destroy()
  }

  #refusalOf(request: IncomingMessage): Refusal | undefined {
    // Who polls must poll once more to hear the end.
    if (this.#closing !== undefined && isNew(request)) return new Refusal('SERVER_STOPPING')
    const { origin } = request.headers
    const { isAny, list } = this.#deps.origins
    if (origin !== undefined && !isAny && !list.includes(origin))
      return new Refusal('FORBIDDEN_ORIGIN')
    const address = clientAddress(request, this.#deps.proxyHops)
    const waitMs = this.#budgets.takeRequest(address, isNew(request) ? OPENING_UNITS : 1)
    if (waitMs > 0) return new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: waitMs })
    return isNew(request) ? this.#refusalOfNew(address) : undefined
  }

  #refusalOfNew(address: string): Refusal | undefined {
    const retryAfterMs = this.#budgets.refusedMs(address)
    if (retryAfterMs > 0) return new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs })
    if (this.#addresses.isFull(address))
      return new Refusal('RATE_LIMIT_EXCEEDED', { message: 'Too many connections' })
    if (this.core.isFull || this.#addresses.total >= this.#deps.settings.connectionsMax)
      return new Refusal('SOCKETS_FULL', { retryAfterMs: FULL_RETRY_MS })
    return undefined
  }
}

/**
 * Whether a request begins a connection. One that names a session goes on with it, and is refused
 * when there is no such session; of several names the last counts, as for the library.
 */
function isNew(request: IncomingMessage): boolean {
  if (!isPath(request, SOCKET_IO_PATH)) return true
  const { searchParams } = new URL(request.url ?? '', 'http://any')
  return (searchParams.getAll('sid').at(-1) ?? '') === ''
}

/** The path itself, also with a slash at its end or a query. */
function isPath({ url = '' }: IncomingMessage, path: string): boolean {
  if (!url.startsWith(path)) return false
  const end = url.charAt(path.length)
  return end === '' || end === '?' || (end === '/' && /^(\?|$)/.test(url.slice(path.length + 1)))
}

/** Answers a request for another protocol as any other would be refused. */
function refuse(socket: Duplex, refusal: Refusal, requestId: string): void {
  const body = JSON.stringify(refusal.body(requestId))
  socket.end(
    `HTTP/1.1 ${refusal.status} ${REFUSALS[refusal.code].message}\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      retryHeaders(refusal)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

declare module 'fastify' {
  interface FastifyInstance {
    sockets: Sockets
  }
}
