// Speaks JSON-RPC to the local chain where each call of a batch may fail by itself.
import { invariant } from '@openvenue/core/assert'

export type RpcCall = Readonly<{ method: string; params: readonly unknown[] }>

/** The answer to one call of a batch: its result, or why the node refused it. */
export type Answer = Readonly<{ result: unknown } | { refused: string }>

/** Calls in one request; more than this and anvil answers late for everyone else. */
export const BATCH_CALLS_MAX = 200
const TIMEOUT_MS = 30_000

/** A chain that is asked over HTTP. */
export type ChainRpc = Readonly<{
  url: string
  /** Sends `calls` in as few requests as may be; answers are in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<readonly Answer[]>
  /** Returns the result of one call; throws `CallRefused` when the node refuses it. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
}>

/** The node answered, and its answer is no. */
export class CallRefused extends Error {
  override name = 'CallRefused'
}

export function rpcAt(url: string): ChainRpc {
  const batch = async (calls: readonly RpcCall[]) => {
    const answers: Answer[] = []
    for (let start = 0; start < calls.length; start += BATCH_CALLS_MAX) {
      answers.push(...(await post(url, calls.slice(start, start + BATCH_CALLS_MAX))))
    }
    return answers
  }
  return {
    url,
    batch,
    call: async (method, ...params) => requireResult(await batch([{ method, params }]), method),
  }
}

function requireResult([answer]: readonly Answer[], method: string): unknown {
  invariant(answer !== undefined, 'the node answers every call', { method })
  if ('refused' in answer) throw new CallRefused(`${method}: ${answer.refused}`)
  return answer.result
}

type Reply = { id: number; result?: unknown; error?: { message?: string; data?: unknown } }

async function post(url: string, calls: readonly RpcCall[]): Promise<Answer[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const replies = (await response.json()) as Reply[]
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return calls.map(({ method }, id) => {
    const reply = byId.get(id)
    invariant(reply !== undefined, 'the node answers every call', { method })
    if (reply.error === undefined) return { result: reply.result }
    return { refused: [reply.error.message, reply.error.data].filter(Boolean).join(' ') }
  })
}

export const quantity = (value: number | bigint) => `0x${value.toString(16)}`
