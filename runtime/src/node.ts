// Client of one or several nodes of the chain over JSON-RPC. Each call of a batch may be refused on
// its own. The URL of a node is never in a message: it may contain a key.
import type { Hex } from 'viem'
import { type OnSwitch, withFailover } from './failover.ts'
import { type AskNode, connectNode, type RpcCall } from './json-rpc.ts'

/** The answer to one call: its result, or the node's reason and the data of a revert. */
export type CallAnswer =
  | Readonly<{ result: unknown }>
  | Readonly<{ refused: string; data: Hex | undefined }>

/** A node that is asked over HTTP. */
export type RpcNode = Readonly<{
  /** Sends `calls` in order; the answers have the same order. Throws `NodeFailed`. */
  batch(calls: readonly RpcCall[]): Promise<readonly CallAnswer[]>
  /** Returns the result of one call. Throws `NodeFailed`, and `CallRefused` for a refusal. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
}>

/** The node is unreachable or late, or its answer is not one. */
export class NodeFailed extends Error {
  override name = 'NodeFailed'
}

/** The node answered with a refusal. */
export class CallRefused extends NodeFailed {
  override name = 'CallRefused'
}

type NodeOptions = Readonly<{
  onSwitch?: OnSwitch | undefined
  /** Milliseconds for one request. */
  timeoutMs?: number
  /** Bytes of one answer. */
  bytesMax?: number
  /** Calls in one request. */
  callsMax?: number
}>

/** Longest wait for a single node. */
const TIMEOUT_MS = 10_000
/** Among several nodes, the next is asked after this time. */
const PEER_TIMEOUT_MS = 4_000

/** Returns the nodes at `urls` as one: where one fails, the next is asked. */
export function nodeAt(urls: readonly string[], limits: NodeOptions = {}): RpcNode {
  const { callsMax = Number.POSITIVE_INFINITY, onSwitch, ...bounds } = limits
  const timeoutMs = urls.length === 1 ? TIMEOUT_MS : PEER_TIMEOUT_MS
  const options = { timeoutMs, ...bounds, isListAlways: true }
  const asks = urls.map((url) => connectNode({ url, ...options }).ask)
  const nodes = withFailover(asks, onSwitch)
  const batch = async (calls: readonly RpcCall[]) => {
    const answers: CallAnswer[] = []
    for (let start = 0; start < calls.length; start += callsMax) {
      const part = calls.slice(start, start + callsMax)
      answers.push(...(await nodes((ask) => readAnswers(ask, part))))
    }
    return answers
  }
  return {
    batch,
    call: async (method, ...params) => resultOf(method, (await batch([{ method, params }]))[0]),
  }
}

/** Returns the result of a call. Throws `CallRefused` with the reason and its data. */
export function resultOf(method: string, answer: CallAnswer | undefined): unknown {
  if (answer !== undefined && 'result' in answer) return answer.result
  const { refused = 'no answer', data } = answer ?? {}
  throw new CallRefused(`${method}: ${data === undefined ? refused : `${refused} ${data}`}`)
}

async function readAnswers(ask: AskNode, calls: readonly RpcCall[]): Promise<CallAnswer[]> {
  try {
    const { replies } = await ask(calls)
    return replies.map(({ error, result }) =>
      error === undefined
        ? { result }
        : { refused: error.message ?? 'refused without a reason', data: revertData(error.data) },
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
