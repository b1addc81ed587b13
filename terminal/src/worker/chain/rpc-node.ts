// Asks a node of the chain by JSON-RPC. It may be slow, cut or lie: each answer has a time and a
// size that it may take, and is looked at before it is used.
import { ChainError } from 'openvenue/chain'

/** The node answers, and refuses: a call that reverts, a rate, a range of blocks. */
export class NodeRefusal extends ChainError {}

/** Asks one method; throws a ChainError where there is no usable answer. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The whole answer is there by then, or it is none. */
const ANSWER_MS_MAX = 6_000
/** A side of a book has 500 orders of 160 bytes; a page of logs has more. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
/** Requests at the same time: what public nodes put up with. */
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

  /** Sends one request, after those that are being answered. */
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

  /** Throws where the node is of another chain: what it says is of another venue. */
  async expectChain(chainId: number): Promise<void> {
    const found = await this.ask('eth_chainId', [])
    if (typeof found !== 'string' || Number(found) !== chainId)
      throw new ChainError(`the node is of chain ${Number(found)}, the venue of chain ${chainId}`)
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#id += 1
    const id = this.#id
    const text = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const answer = parsed(text)
    if (answer?.error !== undefined && answer.error !== null)
      throw new NodeRefusal(`the node refuses ${method}: ${errorText(answer.error)}`)
    if (answer === undefined || !('result' in answer))
      throw new ChainError(`the node's answer to ${method} is none of JSON-RPC`)
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
      throw new ChainError('the node of the chain does not answer', { cause })
    }
  }
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel()
      throw new NodeRefusal('the node answers with more than is read')
    }
    text += decoder.decode(value, { stream: true })
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

const errorText = (error: unknown): string => {
  const { message } = error as Readonly<{ message?: unknown }>
  return typeof message === 'string' ? message.slice(0, 200) : 'without a reason'
}
