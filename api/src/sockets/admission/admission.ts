// Admits connections to the sockets and limits how much each may send.
import type { IncomingMessage } from 'node:http'
import { clientAddress, exactClientAddress } from '../../http/client-address.ts'
import { Refusal } from '../../http/refusals.ts'
import type { SocketSettings } from '../session/socket-settings.ts'
import { type InboundBudget, InboundBudgets } from './inbound-budget.ts'
import { beginsConnection } from './paths.ts'

// Counts open connections by client address.
class AddressCounts {
  readonly #max: number
  readonly #counts = new Map<string, number>()
  /** Open connections of all addresses. */
  total = 0

  constructor(max: number) {
    this.#max = max
  }

  isFull(address: string): boolean {
    return (this.#counts.get(address) ?? 0) >= this.#max
  }

  add(address: string): void {
    this.total += 1
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
  }

  remove(address: string): void {
    this.total -= 1
    const left = (this.#counts.get(address) ?? 0) - 1
    if (left > 0) this.#counts.set(address, left)
    else this.#counts.delete(address)
  }
}

/** Messages that an opening connection counts as, at its address. */
const OPENING_UNITS = 5
/** Retry-After of a full node. */
const FULL_RETRY_MS = 5_000
/** Retry-After of a stopping node: another one takes its place. */
const STOPPING_RETRY_MS = 1_000
/** Retry-After of a node where too many connections wait to begin, and how far it is spread. */
const CROWDED_RETRY_MS = 1_000
const CROWDED_SPREAD = 5

/** Returns the refusal of a node that is stopping. */
export const serverStopping = () =>
  new Refusal('SERVER_STOPPING', { retryAfterMs: STOPPING_RETRY_MS })

/** Returns the refusal while too many connections wait; `refused` counts the refusals. */
export const crowded = (refused: number) =>
  new Refusal('SOCKETS_FULL', {
    message: 'Too many connections are waiting to begin',
    retryAfterMs: CROWDED_RETRY_MS * (1 + (refused % CROWDED_SPREAD)),
  })

export type AdmissionDeps = Readonly<{
  settings: SocketSettings
  proxyHops: number
  /** Origins whose pages may connect. */
  origins: Readonly<{ isAny: boolean; list: readonly string[] }>
  clock: Readonly<{ monotonicMs: () => number }>
}>

export class Admission {
  readonly #deps: AdmissionDeps
  readonly #addresses: AddressCounts
  readonly #budgets: InboundBudgets

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
    const { settings, clock } = deps
    this.#addresses = new AddressCounts(settings.connectionsPerAddressMax)
    this.#budgets = new InboundBudgets({
      perConnection: settings.messagesPerConnection,
      perAddress: settings.messagesPerAddress,
      monotonicMs: clock.monotonicMs,
    })
  }

  /** Returns the address of the client. */
  address(request: IncomingMessage): string {
    return clientAddress(request, this.#deps.proxyHops)
  }

  /** Returns the address unshortened, for the address lists of keys. */
  exactAddress(request: IncomingMessage): string {
    return exactClientAddress(request, this.#deps.proxyHops)
  }

  /** Returns what a new connection of the address may send. */
  openBudget(address: string): InboundBudget {
    return this.#budgets.open(address)
  }

  /** Counts a connection; returns a function that counts its end. */
  opened(address: string): () => void {
    this.#addresses.add(address)
    return () => this.#addresses.remove(address)
  }

  /**
   * Returns the reason to refuse a request, if there is one. `isStopping`: the node is stopping;
   * `isFull`: clients hold too much of its memory.
   */
  refusal(
    request: IncomingMessage,
    { isStopping, isFull }: Readonly<{ isStopping: boolean; isFull: boolean }>,
  ): Refusal | undefined {
    const isNew = beginsConnection(request)
    // Sessions that exist may go on polling, to receive their disconnect.
    if (isStopping && isNew) return serverStopping()
    const { origin } = request.headers
    const { isAny, list } = this.#deps.origins
    if (origin !== undefined && !isAny && !list.includes(origin))
      return new Refusal('FORBIDDEN_ORIGIN')
    const over = this.overLimit(request, isNew ? OPENING_UNITS : 1)
    return over ?? (isNew ? this.refusalOfNew(request, isFull) : undefined)
  }

  /** Counts a request at its address; returns the refusal when there are too many. */
  overLimit(request: IncomingMessage, units = 1): Refusal | undefined {
    const retryAfterMs = this.#budgets.takeRequest(this.address(request), units)
    return retryAfterMs > 0 ? new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs }) : undefined
  }

  /** Drops the state of addresses whose budgets are full again. */
  sweep(): void {
    this.#budgets.sweep()
  }

  /** Returns the refusal of a new connection, without counting the request. */
  refusalOfNew(request: IncomingMessage, isFull: boolean): Refusal | undefined {
    const address = this.address(request)
    const retryAfterMs = this.#budgets.refusedMs(address)
    if (retryAfterMs > 0) return new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs })
    if (this.#addresses.isFull(address))
      return new Refusal('RATE_LIMIT_EXCEEDED', {
        message: 'Too many connections',
        retryAfterMs: FULL_RETRY_MS,
      })
    if (isFull || this.#addresses.total >= this.#deps.settings.connectionsMax)
      return new Refusal('SOCKETS_FULL', { retryAfterMs: FULL_RETRY_MS })
    return undefined
  }
}
