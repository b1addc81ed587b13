// Asks a node of the chain, in batches.
import type { RpcCall } from '@openvenue/runtime/json-rpc'
import { nodeAt, resultOf } from '@openvenue/runtime/node'

const LIMITS = { timeoutMs: 30_000, callsMax: 100 }

/** Returns the results of calls in their order. Throws where the node refuses one. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>

export function createRpc(url: string): Rpc {
  const node = nodeAt([url], LIMITS)
  return async (calls) => {
    const answers = await node.batch(calls)
    return calls.map(({ method }, index) => resultOf(method, answers[index]))
  }
}
