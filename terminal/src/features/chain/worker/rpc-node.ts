// Sends JSON-RPC requests to a chain node. The node may be slow, cut off or lying: each answer has
// limits on time and size, and is checked before use.
import { ChainError } from 'openvenue/chain'
import * as text from '../text.ts'

/** The node answered with an error: a reverted call, a rate limit, a range of blocks. */
export class NodeRefusal extends ChainError {}

/** Sends one request; throws a ChainError if there is no usable answer. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Time within which the whole answer must arrive. */
const ANSWER_MS_MAX = 6_000
/** A book side has 500 orders of 160 bytes; a page of logs is larger. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
/** Concurrent requests that public nodes tolerate. */
const AT_ONCE = 8

export class RpcNode {
  readonly #url: string
  readonly #answerMsMax: number
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #id = 0

  constructor(url: string, answerMsMax = ANSWER_MS_MAX) {
    this.#url = url
    this.#answerMsMax = answerMsMax
  }

  /** Sends one request, queued behind pending ones. */
  readonly ask: AskNode = async (method, params) => {
    if (this.#busy >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
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
    const answer = await this.ask('eth_chainId', [])
    if (typeof answer !== 'string' || Number(answer) !== chainId)
      throw new ChainError(text.otherChain(Number(answer), chainId))
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#id += 1
    const id = this.#id
    const body = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const answer = parseObject(body)
    if (answer?.error !== undefined && answer.error !== null)
      throw new NodeRefusal(text.nodeRefuses(method, errorText(answer.error)))
    if (answer === undefined || !('result' in answer)) throw new ChainError(text.notJsonRpc(method))
    return answer.result
  }

  async #post(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(this.#answerMsMax)
    try {
      const response = await fetch(this.#url, {
        ...{ method: 'POST', headers, body, signal },
        ...{ credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' },
      })
      return await readBounded(response)
    } catch (cause) {
      if (cause instanceof ChainError) throw cause
      throw new ChainError(text.nodeDown, { cause })
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
      throw new NodeRefusal(text.answerTooLarge)
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

const errorText = (error: unknown): string => {
  const { message } = error as Readonly<{ message?: unknown }>
  return typeof message === 'string' ? message.slice(0, 200) : text.noReason
}
