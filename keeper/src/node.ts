// JSON-RPC to a node where each call of a batch may fail by itself. The node's URL is in no
// message: it may hold a key.
import { inTurn } from '@openvenue/store/in-turn'
import type { Hex } from 'viem'

export type NodeCall = Readonly<{ method: string; params: readonly unknown[] }>

/** The answer to one call: its result, or the node's words and the data of a revert. */
export type Answer =
  | Readonly<{ result: unknown }>
  | Readonly<{ refused: string; data: Hex | undefined }>

/** A node that is asked over HTTP. */
export type Node = Readonly<{
  /** Sends `calls` in one request; answers are in their order. Throws `NodeFailed`. */
  batch(calls: readonly NodeCall[]): Promise<readonly Answer[]>
  /** Returns the result of one call. Throws `NodeFailed`, also when the node refuses it. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
}>

/** The node is away, late, or says what no node says. */
export class NodeFailed extends Error {
  override name = 'NodeFailed'
}

/** A node that takes longer does not count as one. */
const TIMEOUT_MS = 10_000
/** Of several, one that takes longer is passed over. */
const PEER_TIMEOUT_MS = 4_000

/** Returns the nodes at `urls` as one: where one fails, the next is asked. */
export function nodeAt(urls: readonly string[]): Node {
  const nodes = inTurn(urls)
  const timeoutMs = urls.length === 1 ? TIMEOUT_MS : PEER_TIMEOUT_MS
  const batch = (calls: readonly NodeCall[]) =>
    calls.length === 0 ? none : nodes((url) => post({ url, timeoutMs }, calls))
  return {
    batch,
    call: async (method, ...params) => {
      const [answer] = await batch([{ method, params }])
      if (answer === undefined || !('result' in answer))
        throw new NodeFailed(`${method}: ${answer?.refused ?? 'no answer'}`)
      return answer.result
    },
  }
}

const none: Promise<readonly Answer[]> = Promise.resolve([])

type Reply = { id?: number; result?: unknown; error?: { message?: string; data?: unknown } }

type At = Readonly<{ url: string; timeoutMs: number }>

async function post(at: At, calls: readonly NodeCall[]): Promise<Answer[]> {
  const replies = await replyTo(at, calls)
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return calls.map(({ method }, id) => {
    const reply = byId.get(id)
    if (reply === undefined) throw new NodeFailed(`${method}: the node answers every call`)
    const { error, result } = reply
    if (error === undefined) return { result }
    return { refused: error.message ?? 'refused without a word', data: dataOf(error.data) }
  })
}

async function replyTo(
  { url, timeoutMs }: At,
  calls: readonly NodeCall[],
): Promise<readonly Reply[]> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await response.json()
    if (Array.isArray(body)) return body
  } catch (cause) {
    throw new NodeFailed('the node does not answer', { cause })
  }
  throw new NodeFailed('the node answers a batch with a list')
}

/** Nodes give a revert's data as it is, or in an object of it. */
function dataOf(data: unknown): Hex | undefined {
  const text = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  return typeof text === 'string' && /^0x[0-9a-f]*$/i.test(text) ? (text as Hex) : undefined
}

export const quantity = (value: number | bigint) => `0x${value.toString(16)}`
