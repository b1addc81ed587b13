// Where the newest block is learnt from: newHeads over WebSocket, and polling, which is the fallback
// and notices what a subscription does not tell (a chain that was rolled back, a silent socket).
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type ChainHeader, parseHeader, readLatest } from './chain.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** Hands the newest head to the one that follows. Keeps only the newest: the rest can be read. */
export class HeadFeed {
  #newest: ChainHeader | undefined
  #wake: (() => void) | undefined

  /** Says that the head of the chain is now `header`. */
  offer(header: ChainHeader): void {
    this.#newest = header
    this.#wake?.()
  }

  /** Puts back a head that was taken and not reached, unless a newer one came meanwhile. */
  putBack(header: ChainHeader): void {
    if (this.#newest === undefined) this.offer(header)
  }

  /** Returns the next head offered that is not `knownHash`; one that already waits counts. */
  async next(knownHash: string | undefined, signal: AbortSignal): Promise<ChainHeader> {
    for (;;) {
      signal.throwIfAborted()
      const head = this.#newest
      this.#newest = undefined
      if (head !== undefined && head.hash !== knownHash) return head
      await this.#offered(signal)
    }
  }

  #offered(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done)
        this.#wake = undefined
        resolve()
      }
      this.#wake = done
      signal.addEventListener('abort', done)
    })
  }
}

export type HeadSource = Readonly<{
  rpc: Rpc
  /** WebSocket URL of the node; undefined: polling only. */
  wsUrl: string | undefined
  /** Pause between polls without a subscription. */
  pollMs: number
  onHead(header: ChainHeader): void
  onError(error: unknown): void
}>

/** Pause between polls beside a subscription. */
const HEARTBEAT_MS = 2000
const RECONNECT_MS = 1000

/** Watches the chain's head until `signal` aborts. Never throws for what a node does wrong. */
export async function watchHeads(source: HeadSource, signal: AbortSignal): Promise<void> {
  const subscription = { isLive: false }
  await Promise.all([poll(source, subscription, signal), subscribe(source, subscription, signal)])
}

type Subscription = { isLive: boolean }

async function poll(source: HeadSource, subscription: Subscription, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      source.onHead(await readLatest(source.rpc))
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      source.onError(error)
    }
    await pause(subscription.isLive ? HEARTBEAT_MS : source.pollMs, signal)
  }
}

async function subscribe(source: HeadSource, subscription: Subscription, signal: AbortSignal) {
  if (source.wsUrl === undefined) return
  while (!signal.aborted) {
    const socket = new WebSocket(source.wsUrl, { handshakeTimeout: RECONNECT_MS })
    const stop = () => socket.terminate()
    signal.addEventListener('abort', stop)
    socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('error', (cause) =>
      source.onError(new RpcError('unreachable', 'the subscription failed', { cause })),
    )
    socket.on('message', (text) => {
      subscription.isLive = true
      onMessage(source, String(text))
    })
    if (signal.aborted) stop()
    // `once` of node:events would throw the socket's error, which has been told already.
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

function onMessage(source: HeadSource, text: string) {
  try {
    const message = JSON.parse(text) as { params?: { result?: unknown } }
    if (message.params?.result !== undefined) source.onHead(parseHeader(message.params.result))
  } catch (cause) {
    source.onError(
      cause instanceof RpcError
        ? cause
        : new RpcError('malformed', 'a subscription speaks JSON', { cause }),
    )
  }
}

/** Waits `ms` or until `signal` aborts, whichever is first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
