// JSON-RPC over HTTP: one connection pool, batches, and bounded retries. What the indexer asks of a
// node goes through one function, so a test can stand in for a whole chain.
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

export type RpcCall = Readonly<{ method: string; params: readonly unknown[] }>

/** Sends `calls` in one request and returns their results in the same order. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>

export type RpcErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'http'
  | 'malformed'
  | 'refused'
  | 'tooLarge'
  | 'moved'
  | 'behind'

/**
 * What a node or the way to it did wrong. `refused`: the node answered with an error (`code`);
 * `tooLarge`: the answer passed RESPONSE_BYTES_MAX; `behind`: the node has not got that block yet;
 * `moved`: two answers are of two chains. The URL is never in the message: it may hold a key.
 */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly kind: RpcErrorKind
  readonly code: number | undefined

  constructor(
    kind: RpcError['kind'],
    message: string,
    options: { code?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.code = options.code
  }
}

export type RpcOptions = Readonly<{
  url: string
  timeoutMs?: number
  /** Attempts of one request, the first included. */
  attempts?: number
}>

/** The measured best is 4 MB a response (docs/decisions); twice that means a range is too wide. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
const TIMEOUT_MS = 10_000
const ATTEMPTS_MAX = 4
const RETRY_MS_MIN = 50
const SOCKETS_MAX = 8

/** Returns an `Rpc` that talks to the node at `url`. `close` ends its idle connections. */
export function connectRpc(options: RpcOptions): { rpc: Rpc; close(): void } {
  const { url, timeoutMs = TIMEOUT_MS, attempts = ATTEMPTS_MAX } = options
  const isTls = url.startsWith('https:')
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: SOCKETS_MAX })
  const post: Post = (body) =>
    postJson(isTls ? requestHttps : requestHttp, { url, agent, timeoutMs }, body)
  return {
    rpc: async (calls) =>
      calls.length === 0 ? [] : withRetry(() => callOnce(post, calls), attempts),
    close: () => agent.destroy(),
  }
}

type Post = (body: string) => Promise<string>

async function callOnce(post: Post, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const text = await post(JSON.stringify(requests.length === 1 ? requests[0] : requests))
  const answers = parseAnswers(text)
  const results: unknown[] = new Array(calls.length)
  const missing = new Set(calls.keys())
  for (const answer of answers) {
    if (answer.error !== undefined) throw refusal(answer.error, calls[answer.id ?? 0])
    results[answer.id ?? 0] = answer.result
    missing.delete(answer.id ?? 0)
  }
  if (missing.size > 0) throw new RpcError('malformed', 'the node answers every call of a batch')
  return results
}

type Answer = { id?: number; result?: unknown; error?: { code?: number; message?: string } }

function parseAnswers(text: string): readonly Answer[] {
  try {
    const parsed = JSON.parse(text) as Answer | Answer[]
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch (cause) {
    throw new RpcError('malformed', 'the node answers in JSON', { cause })
  }
}

const refusal = (error: { code?: number; message?: string }, call: RpcCall | undefined) =>
  new RpcError(
    'refused',
    `${call?.method ?? 'a call'} was refused: ${error.message ?? 'no reason'}`,
    {
      ...(error.code === undefined ? {} : { code: error.code }),
    },
  )

/** A refusal and a size are the same next time; everything else may pass. */
const isPassing = (error: unknown) =>
  error instanceof RpcError && error.kind !== 'refused' && error.kind !== 'tooLarge'

async function withRetry<T>(attempt: () => Promise<T>, attempts: number): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (tried >= attempts || !isPassing(error)) throw error
      // Full jitter: nodes that failed together do not come back together.
      await sleep(RETRY_MS_MIN * 2 ** tried * Math.random())
    }
  }
}

type Target = Readonly<{ url: string; agent: Agent; timeoutMs: number }>

function postJson(send: typeof requestHttp, target: Target, body: string): Promise<string> {
  const { url, agent, timeoutMs } = target
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', agent, headers }, (response) => {
      readBody(response)
        .then(resolve, reject)
        .finally(() => clearTimeout(deadline))
    })
    const deadline = setTimeout(
      () => request.destroy(new RpcError('timeout', `no answer within ${timeoutMs} ms`)),
      timeoutMs,
    )
    request.on('error', (cause) => {
      clearTimeout(deadline)
      reject(
        cause instanceof RpcError
          ? cause
          : new RpcError('unreachable', 'the node is unreachable', { cause }),
      )
    })
    request.end(body)
  })
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > RESPONSE_BYTES_MAX) {
        response.destroy()
        throw new RpcError('tooLarge', `an answer has at most ${RESPONSE_BYTES_MAX} bytes`)
      }
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof RpcError) throw cause
    throw new RpcError('unreachable', 'the connection broke off', { cause })
  }
  const status = response.statusCode ?? 0
  if (status >= 300)
    throw new RpcError('http', `the node answered with status ${status}`, { code: status })
  return Buffer.concat(chunks).toString('utf8')
}
