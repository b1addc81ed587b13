// Receives the newest block from newHeads over WebSocket and from polling, which is the fallback
// and detects what a subscription does not report (a rolled-back chain, a silent socket).
import { setTimeout as sleep } from 'node:timers/promises'
import { RpcError } from '@openvenue/runtime/json-rpc'
import { WebSocket } from 'ws'
import { type ChainHeader, parseHeader, readLatest } from './chain.ts'
import type { Rpc } from './rpc.ts'

/** Poll interval of heads whose endpoint is penalised. */
const IGNORED_MS = 200

/** Passes the newest head of each endpoint to the follower, the highest first. */
export class HeadFeed {
  readonly #newest = new Map<number, ChainHeader>()
  readonly #isIgnored: (endpoint: number) => boolean
  #resume: (() => void) | undefined

  /** Heads of endpoints for which `isIgnored` returns true are kept, not returned. */
  constructor(isIgnored: (endpoint: number) => boolean = () => false) {
    this.#isIgnored = isIgnored
  }

  /** Offers `header` as the head of its endpoint. */
  offer(header: ChainHeader): void {
    this.#newest.set(header.source.endpoint, header)
    this.#resume?.()
  }

  /** Puts back a head that was not reached, unless a newer one came meanwhile. */
  putBack(header: ChainHeader): void {
    if (!this.#newest.has(header.source.endpoint)) this.offer(header)
  }

  /** True while a head waits to be taken. */
  get isWaiting(): boolean {
    return this.#newest.size > 0
  }

  /** Returns the next head other than `knownHash`; one that already waits counts. */
  async next(knownHash: string | undefined, signal: AbortSignal): Promise<ChainHeader> {
    for (;;) {
      signal.throwIfAborted()
      for (const [endpoint, { hash }] of this.#newest)
        if (hash === knownHash) this.#newest.delete(endpoint)
      const head = this.#highest()
      if (head !== undefined) {
        this.#newest.delete(head.source.endpoint)
        return head
      }
      await this.#offered(signal)
    }
  }

  #highest(): ChainHeader | undefined {
    let highest: ChainHeader | undefined
    for (const head of this.#newest.values()) {
      const isHigher = highest === undefined || head.number > highest.number
      if (isHigher && !this.#isIgnored(head.source.endpoint)) highest = head
    }
    return highest
  }

  /** Resolves when a head is offered, or when a waiting one may no longer be ignored. */
  #offered(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const again = this.isWaiting ? setTimeout(() => done(), IGNORED_MS) : undefined
      const done = () => {
        clearTimeout(again)
        signal.removeEventListener('abort', done)
        this.#resume = undefined
        resolve()
      }
      this.#resume = done
      signal.addEventListener('abort', done)
    })
  }
}

/** `pushed`: by the subscription. */
export type HeadWay = 'polled' | 'pushed'

type HeadWatch = Readonly<{
  rpc: Rpc
  /** Index of the endpoint. */
  endpoint: number
  /** WebSocket URL of the node; undefined: polling only. */
  wsUrl: string | undefined
  /** Poll interval without a subscription. */
  pollMs: number
  onHead(header: ChainHeader): void
  onError(error: unknown, way: HeadWay): void
}>

/** Poll interval with a subscription. */
const HEARTBEAT_MS = 2000
const RECONNECT_MS = 1000

/** Watches the chain's head until `signal` aborts. Never throws for a failure of the node. */
export async function watchHeads(source: HeadWatch, signal: AbortSignal): Promise<void> {
  const subscription = { isLive: false }
  await Promise.all([poll(source, subscription, signal), subscribe(source, subscription, signal)])
}

type Subscription = { isLive: boolean }

async function poll(source: HeadWatch, subscription: Subscription, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      source.onHead(await readLatest(source.rpc, source.endpoint))
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      source.onError(error, 'polled')
    }
    await pause(subscription.isLive ? HEARTBEAT_MS : source.pollMs, signal)
  }
}

async function subscribe(source: HeadWatch, subscription: Subscription, signal: AbortSignal) {
  if (source.wsUrl === undefined) return
  while (!signal.aborted) {
    const socket = new WebSocket(source.wsUrl, { handshakeTimeout: RECONNECT_MS })
    const stop = () => socket.terminate()
    signal.addEventListener('abort', stop)
    socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('error', (cause) =>
      source.onError(new RpcError('unreachable', 'the subscription failed', { cause }), 'pushed'),
    )
    socket.on('message', (text) => {
      if (onMessage(source, String(text))) subscription.isLive = true
    })
    if (signal.aborted) stop()
    // `once` of node:events would throw the socket's error, which was already reported.
    await new Promise((resolve) => socket.once('close', resolve))
    subscription.isLive = false
    signal.removeEventListener('abort', stop)
    await pause(RECONNECT_MS, signal)
  }
}

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_subscribe',
  params: ['newHeads'],
})

/** Returns whether it was a head: if the node refuses to subscribe, polling keeps its rate. */
function onMessage(source: HeadWatch, text: string): boolean {
  try {
    const message = JSON.parse(text) as { params?: { result?: unknown }; error?: unknown }
    if (message.error !== undefined)
      throw new RpcError('refused', 'the node refuses the subscription')
    const header = message.params?.result
    const { endpoint } = source
    if (header !== undefined) source.onHead(parseHeader(header, { endpoint, way: 'pushed' }))
    return header !== undefined
  } catch (cause) {
    source.onError(
      cause instanceof RpcError
        ? cause
        : new RpcError('malformed', 'a subscription speaks JSON', { cause }),
      'pushed',
    )
    return false
  }
}

/** Waits `ms` or until `signal` aborts, whichever is first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
