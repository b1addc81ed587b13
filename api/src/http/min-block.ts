// Lets a GET wait until this node has reached a block that the client knows: `?min_block=`. It is a
// parameter of every answer that shows a block (`isOffChain` is not set), added here and not by the
// routes. Rate limits count a waiting request before it waits, like any other.
import type { Header } from '@openvenue/core/events'
import { type MinBlock, withMinBlock } from '@openvenue/wire/min-block'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Host } from './host-type.ts'
import { Refusal } from './refusals.ts'

/** Maximum wait of a request for its block, ms. */
export const MIN_BLOCK_WAIT_MS_MAX = 2000
/** Waiting requests of one node; more are refused at once. */
export const WAITERS_MAX = 1000
/** Share of one client address. */
export const WAITERS_PER_ADDRESS_MAX = 50
/** Retry-After of a refused client. */
const RETRY_MS = 1000

/** The chain as far as this node has applied it. */
export type ChainHead = Readonly<{
  number: () => number | undefined
  /** Calls `listener` whenever `number` may have changed. */
  onMove: (listener: () => void) => void
  /** Without it, requests do not wait. */
  delay?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
}>

/** The requests that wait for a block. */
export class BlockWaits {
  readonly #head: ChainHead
  readonly #waiting = new Set<Readonly<{ block: number; resolve: () => void }>>()
  readonly #byAddress = new Map<string, number>()

  constructor(head: ChainHead) {
    this.#head = head
    head.onMove(() => this.#release())
  }

  /** Number of waiting requests. */
  get size(): number {
    return this.#waiting.size
  }

  /** Resolves once the node has reached `block`; rejects with a refusal if it does not. */
  async reached(block: number, address: string): Promise<void> {
    if (this.#isReached(block)) return
    const { delay } = this.#head
    const addressWaits = this.#byAddress.get(address) ?? 0
    const isFull = this.#waiting.size >= WAITERS_MAX || addressWaits >= WAITERS_PER_ADDRESS_MAX
    if (delay !== undefined && !isFull) {
      this.#byAddress.set(address, addressWaits + 1)
      await this.#wait(block, delay).finally(() => this.#leave(address))
    }
    if (!this.#isReached(block)) throw blockNotReached(block, this.#head.number())
  }

  async #wait(block: number, delay: NonNullable<ChainHead['delay']>): Promise<void> {
    const over = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter = { block, resolve }
    this.#waiting.add(waiter)
    try {
      await Promise.race([promise, delay(MIN_BLOCK_WAIT_MS_MAX, over.signal)])
    } finally {
      this.#waiting.delete(waiter)
      over.abort()
    }
  }

  #leave(address: string): void {
    const left = (this.#byAddress.get(address) ?? 0) - 1
    if (left > 0) this.#byAddress.set(address, left)
    else this.#byAddress.delete(address)
  }

  #isReached(block: number): boolean {
    return (this.#head.number() ?? -1) >= block
  }

  #release(): void {
    for (const { block, resolve } of this.#waiting) if (this.#isReached(block)) resolve()
  }
}

/** Adds the parameter to each route whose answers show a block, and the wait for it. */
export function serveMinBlock(host: Host, head: ChainHead): void {
  const waits = new BlockWaits(head)
  const preHandler = async (request: FastifyRequest) => {
    const block = minBlock(request)
    if (block !== undefined)
      await waits.reached(block, request.server.limits.addressOf(request.raw))
  }
  host.addHook('onRoute', (route: RouteOptions) => {
    if (!showsBlock(route)) return
    const { schema = {} } = route
    route.schema = { ...schema, querystring: withMinBlock(schema.querystring) }
    route.preHandler = [preHandler, ...[route.preHandler ?? []].flat()]
  })
}

function showsBlock({ method, schema, config }: RouteOptions): boolean {
  const isRead = [method].flat().some((name) => name === 'GET' || name === 'HEAD')
  const isDescribed = schema?.response !== undefined && !('hide' in schema)
  return isRead && isDescribed && config?.isOffChain !== true && config?.isUnlimited !== true
}

/** Returns the minimum block of the answer, if the request has one. */
export const minBlock = ({ query }: FastifyRequest): number | undefined =>
  (query as MinBlock | undefined)?.min_block

/** Refuses to answer with data of an older block than the request allows. */
export function requireMinBlock(request: FastifyRequest, head: Header | undefined): void {
  const block = minBlock(request)
  if (block !== undefined && head !== undefined && head.number < block)
    throw blockNotReached(block, head.number)
}

/** Matches the parameter in a query, with the separator after it. */
const PARAMETER = /(?<=^|&)min_block=[^&]*(&|$)/g

/**
 * Returns the URL without the parameter, under which the answer is cached; undefined when it cannot
 * be derived.
 */
export function urlWithoutMinBlock(request: FastifyRequest): string | undefined {
  const { url = '' } = request.raw
  if (minBlock(request) === undefined) return url
  const start = url.indexOf('?')
  const query = url.slice(start + 1)
  const rest = query.replaceAll(PARAMETER, '').replace(/&$/, '')
  // The parameter was written in another way, such as with escapes.
  if (rest === query) return undefined
  return rest === '' ? url.slice(0, start) : `${url.slice(0, start)}?${rest}`
}

function blockNotReached(block: number, head: number | undefined): Refusal {
  const reached =
    head === undefined ? '' : `, expected at most ${head}, the newest block of this node`
  const message = `min_block is not reached: got ${block}${reached}`
  const nearest = head === undefined ? {} : { nearest: head }
  const detail = { field: 'min_block', code: 'BLOCK_NOT_REACHED', message, ...nearest } as const
  return new Refusal('BLOCK_NOT_REACHED', { details: [detail], retryAfterMs: RETRY_MS })
}
