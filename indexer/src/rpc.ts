// JSON-RPC client of the indexer: all calls of a request succeed or it fails, with bounded retries.
// All requests use one function, so that a test can replace a whole chain.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AskNode, connectNode, type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'

/** Sends `calls` in one request and returns their results in the same order. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>

type RpcOptions = Readonly<{
  url: string
  timeoutMs?: number
  /** Attempts of one request, including the first. */
  attempts?: number
}>

const TIMEOUT_MS = 10_000
const ATTEMPTS_MAX = 4
const RETRY_MS_MIN = 50
const SOCKETS_MAX = 8

/** Returns an `Rpc` that talks to the node at `url`. `close` ends its idle connections. */
export function connectRpc(options: RpcOptions): { rpc: Rpc; close(): void } {
  const { url, timeoutMs = TIMEOUT_MS, attempts = ATTEMPTS_MAX } = options
  const { ask, close } = connectNode({ url, timeoutMs, socketsMax: SOCKETS_MAX })
  return {
    rpc: async (calls) => (calls.length === 0 ? [] : withRetry(() => askAll(ask, calls), attempts)),
    close,
  }
}

async function askAll(ask: AskNode, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  const { status, replies } = await ask(calls)
  if (status >= 300)
    throw new RpcError('http', `the node answered with status ${status}`, { code: status })
  return replies.map(({ result, error }, index) => {
    if (error === undefined) return result
    const { code, message = 'no reason' } = error
    throw new RpcError('refused', `${calls[index]?.method} was refused: ${message}`, {
      ...(code === undefined ? {} : { code }),
    })
  })
}

/** A refusal and an oversized answer are permanent; other errors may pass. */
const isPassing = (error: unknown) =>
  error instanceof RpcError && error.kind !== 'refused' && error.kind !== 'tooLarge'

async function withRetry<T>(attempt: () => Promise<T>, attempts: number): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (tried >= attempts || !isPassing(error)) throw error
      // Full jitter: clients that failed together do not retry together.
      await sleep(RETRY_MS_MIN * 2 ** tried * Math.random())
    }
  }
}
