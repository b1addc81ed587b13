// Serves the sockets of a node: routes their requests, and ends them with the node.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '../http/refusals.ts'
import type { KeyCheckDeps } from '../identity/key-checks.ts'
import { Admission, type AdmissionDeps, crowded, serverStopping } from './admission/admission.ts'
import {
  beginsConnection,
  isPath,
  isWebSocket,
  PLAIN_PATH,
  SOCKET_IO_PATH,
} from './admission/paths.ts'
import { handshakeRefusal, refuseRequest, refuseUpgrade } from './admission/upgrade.ts'
import { type SessionDeps, Sessions } from './session/sessions.ts'
import { HANDSHAKES_PER_TURN, HANDSHAKES_WAITING_MAX, TurnBudget } from './session/turn-budget.ts'
import { PlainTransport } from './transports/plain-websocket.ts'
import { SocketIoTransport } from './transports/socket-io.ts'

type SocketsDeps = SessionDeps &
  AdmissionDeps &
  /** Absent: closing does not wait for clients. */
  Readonly<{ clock: Readonly<{ delay?: KeyCheckDeps['delay'] }> }>

/** Interval of `sweep`, ms; short, so that an expired key ends at once. */
export const SWEEP_MS = 250
/** Time that clients have to read what was sent before the server stops, and the poll interval. */
const DRAIN_MS_MAX = 5_000
const DRAIN_LOOK_MS = 20

export class Sockets {
  readonly sessions: Sessions
  readonly #clock: SocketsDeps['clock']
  readonly #admission: Admission
  readonly #plain: PlainTransport
  readonly #socketIo: SocketIoTransport
  /** Connections that are no longer HTTP. */
  readonly #open = new Set<Duplex>()
  readonly #handshakes = new TurnBudget(HANDSHAKES_PER_TURN)
  #closing: Promise<void> | undefined

  constructor(deps: SocketsDeps) {
    this.#clock = deps.clock
    this.sessions = new Sessions(deps)
    this.#admission = new Admission(deps)
    this.#plain = new PlainTransport(this.sessions, this.#admission)
    this.#socketIo = new SocketIoTransport(this.sessions, this.#admission, deps.origins)
    this.sessions.meter.measure('handshakes_waiting', () => this.#handshakes.waiting)
  }

  /**
   * Serves a request of Socket.IO, or refuses one that should be a WebSocket, and returns true; or
   * ignores it and returns false.
   */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const isPlain = isPath(request, PLAIN_PATH)
    if (!isPlain && !isPath(request, SOCKET_IO_PATH)) return false
    const refusal = isPlain ? this.#noUpgrade(request) : this.#refusal(request)
    const refuse = (reason: Refusal) => refuseRequest(response, request, reason)
    if (refusal !== undefined) refuse(refusal)
    else if (!beginsConnection(request)) this.#socketIo.request(request, response)
    else
      this.#begin(request, refuse, () => {
        if (!response.destroyed) this.#socketIo.request(request, response)
      })
    return true
  }

  /** Returns whether an upgrade request is for the sockets. */
  isUpgrade(request: IncomingMessage): boolean {
    return isWebSocket(request)
  }

  /** Handles a request for which `isUpgrade` holds. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The client may disconnect at any time; the socket's owner sees that as a close.
    socket.on('error', () => {})
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    const refusal = this.#refusal(request) ?? handshakeRefusal(request)
    const refuse = (reason: Refusal) => refuseUpgrade(socket, request, reason)
    if (refusal !== undefined) refuse(refusal)
    else
      this.#begin(request, refuse, () => {
        if (socket.destroyed) return
        if (isPath(request, SOCKET_IO_PATH)) this.#socketIo.upgrade(request, socket, head)
        else this.#plain.accept({ request, socket, head })
      })
  }

  sweep(): void {
    this.sessions.sweep()
    this.#plain.sweep()
    this.#socketIo.sweep()
    this.#admission.sweep()
  }

  /** Wallets with an authenticated connection to this node. */
  openPrivateAccounts(): ReadonlySet<string> {
    return this.sessions.openPrivateAccounts()
  }

  metrics(): Promise<string> {
    return this.sessions.meter.metrics()
  }

  /**
   * Notifies every client that the server is stopping, waits until they have read what was sent
   * before, and cuts the rest after DRAIN_MS_MAX.
   */
  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  async #drain(): Promise<void> {
    this.sessions.close()
    // Frames written just now are on their way after this.
    await new Promise((resolve) => setImmediate(resolve))
    const { delay } = this.#clock
    const { signal } = new AbortController()
    const isOpen = () => this.sessions.isClosing || this.#open.size > 0
    for (let waitedMs = 0; isOpen() && waitedMs < DRAIN_MS_MAX; waitedMs += DRAIN_LOOK_MS)
      await delay?.(DRAIN_LOOK_MS, signal)
    await this.#socketIo.close()
    for (const socket of this.#open) socket.destroy()
  }

  #refusal(request: IncomingMessage): Refusal | undefined {
    const isStopping = this.#closing !== undefined
    return this.#admission.refusal(request, { isStopping, isFull: this.sessions.isFull })
  }

  /** Begins a connection in its turn, and refuses it when too many wait or none is free then. */
  #begin(request: IncomingMessage, refuse: (reason: Refusal) => void, begin: () => void): void {
    const { meter } = this.sessions
    if (this.#handshakes.waiting >= HANDSHAKES_WAITING_MAX) {
      meter.handshakesRefused += 1
      refuse(crowded(meter.handshakesRefused))
      return
    }
    this.#handshakes.run(() => {
      const refusal = beginsConnection(request) ? this.#refusalOfLate(request) : undefined
      if (refusal !== undefined) {
        refuse(refusal)
        return
      }
      meter.handshakes += 1
      begin()
    })
  }

  /** Returns the reason to refuse a connection that has waited. */
  #refusalOfLate(request: IncomingMessage): Refusal | undefined {
    if (this.#closing !== undefined) return serverStopping()
    return this.#admission.refusalOfNew(request, this.sessions.isFull)
  }

  /** Returns the refusal of a request to a WebSocket path without an upgrade. */
  #noUpgrade(request: IncomingMessage): Refusal {
    return this.#admission.overLimit(request) ?? new Refusal('UPGRADE_REQUIRED')
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    sockets: Sockets
  }
}
