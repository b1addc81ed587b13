// Sends JSON-RPC requests to a node over HTTP. The node may be slow, cut off or lying: each answer
// has limits on time and size.
import { ChainError, NodeRefusal, NodeUnreachable } from './rpc.ts'

/** Time within which the whole answer must arrive. */
const ANSWER_MS_MAX = 6_000
/** A book side has 500 orders of 160 bytes; a page of logs is larger. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
/** Concurrent requests that public nodes tolerate. */
const AT_ONCE = 8
/** Requests that may wait for those; a display of the chain needs some hundreds. */
const WAITING_MAX = 10_000
const REASON_CHARACTERS_MAX = 200

/** Access to a node by its URL, without another library. */
export class HttpNode {
  readonly #url: string
  readonly #answerMsMax: number
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #id = 0

  /** The whole answer must arrive within `answerMsMax`, 6,000 milliseconds by default. */
  constructor(url: string, answerMsMax = ANSWER_MS_MAX) {
    this.#url = url
    this.#answerMsMax = answerMsMax
  }

  /**
   * Sends one request, at most 8 at a time, and returns its result. Throws a {@link NodeRefusal} if
   * the node refuses it, a {@link NodeUnreachable} if it does not answer, and a {@link ChainError}
   * if its answer is not JSON-RPC.
   */
  async request(args: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    const { method, params = [] } = args
    if (this.#waiting.length >= WAITING_MAX)
      throw new ChainError(`too many requests wait for the node: at most ${WAITING_MAX}`)
    while (this.#busy >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy += 1
    try {
      return await this.#send(method, params)
    } finally {
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }

  /** Throws if the node is on another chain, where its data would describe another venue. */
  async expectChain(chainId: number): Promise<void> {
    const answer = await this.request({ method: 'eth_chainId' })
    if (typeof answer !== 'string' || Number(answer) !== chainId)
      throw new ChainError(`the node is on chain ${Number(answer)}, the venue on chain ${chainId}`)
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#id += 1
    const request = { jsonrpc: '2.0', id: this.#id, method, params }
    const answer = parseObject(await this.#post(JSON.stringify(request)))
    if (answer?.error !== undefined && answer.error !== null)
      throw new NodeRefusal(`the node refuses ${method}: ${reasonOf(answer.error)}`)
    if (answer === undefined || !('result' in answer))
      throw new ChainError(`the node's answer to ${method} is not JSON-RPC`)
    return answer.result
  }

  async #post(body: string): Promise<string> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(this.#answerMsMax),
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      })
      return await readBounded(response)
    } catch (cause) {
      if (cause instanceof ChainError) throw cause
      throw new NodeUnreachable('the chain node does not respond', { cause })
    }
  }
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let [body, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return body + decoder.decode()
    bytes += value.byteLength
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel()
      throw new NodeRefusal('the answer of the node is too large')
    }
    body += decoder.decode(value, { stream: true })
  }
}

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown): string => {
  const { message } = error as Readonly<{ message?: unknown }>
  return typeof message === 'string' ? message.slice(0, REASON_CHARACTERS_MAX) : 'without a reason'
}
