// JSON-RPC to a node where each call of a batch may fail by itself. The node's URL is in no
// message: it may hold a key.
import { inTurn } from '@openvenue/store/in-turn'
import { type AskNode, connectNode, type RpcCall } from '@openvenue/store/json-rpc'
import type { Hex } from 'viem'

/** The answer to one call: its result, or the node's words and the data of a revert. */
export type Answer =
  | Readonly<{ result: unknown }>
  | Readonly<{ refused: string; data: Hex | undefined }>

/** A node that is asked over HTTP. */
export type Node = Readonly<{
  /** Sends `calls` in one request; answers are in their order. Throws `NodeFailed`. */
  batch(calls: readonly RpcCall[]): Promise<readonly Answer[]>
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
  const timeoutMs = urls.length === 1 ? TIMEOUT_MS : PEER_TIMEOUT_MS
  const nodes = inTurn(urls.map((url) => connectNode({ url, timeoutMs, isListAlways: true }).ask))
  const batch = (calls: readonly RpcCall[]) =>
    calls.length === 0 ? none : nodes((ask) => readAnswers(ask, calls))
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

async function readAnswers(ask: AskNode, calls: readonly RpcCall[]): Promise<Answer[]> {
  try {
    const { replies } = await ask(calls)
    return replies.map(({ error, result }) =>
      error === undefined
        ? { result }
        : { refused: error.message ?? 'refused without a word', data: revertData(error.data) },
    )
  } catch (cause) {
    throw new NodeFailed('the node does not answer', { cause })
  }
}

/** Nodes give a revert's data as it is, or in an object of it. */
function revertData(data: unknown): Hex | undefined {
  const text = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  return typeof text === 'string' && /^0x[0-9a-f]*$/i.test(text) ? (text as Hex) : undefined
}

export const quantity = (value: number | bigint) => `0x${value.toString(16)}`
