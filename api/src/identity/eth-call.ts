// eth_call over HTTP: reads of contracts that no event covers.
import { withFailover } from '@openvenue/runtime/failover'
import { connectNode, type RpcReply } from '@openvenue/runtime/json-rpc'

/**
 * Runs `eth_call` of `data` on `to` (absent: code that is not deployed) at the block with that
 * hash, `latest` by default, with at most `gas` (hex; absent: the node's limit), and returns the
 * bytes as hex. Throws `CallReverted` when the contract reverts, another error when the node does
 * not answer.
 */
export type EthCall = (
  call: Readonly<{ to?: string; data: string; gas?: string }>,
  blockHash?: string,
) => Promise<string>

/** Timeout of a node, ms. */
const CALL_MS_MAX = 2000
/** A longer answer is discarded: code of strangers can return, or revert with, any length. */
const ANSWER_BYTES_MAX = 1024 * 1024

/** The call ran, and the contract reverted. */
export class CallReverted extends Error {
  override name = 'CallReverted'
  /** The data of the revert, hex; undefined if the node leaves it out. */
  readonly data: string | undefined

  constructor(message: string, data?: string) {
    super(message)
    this.data = data
  }
}

/**
 * Returns a caller of the nodes at `rpcUrls`, using the next one when one fails or does not know
 * the block. Each times out after `msMax`.
 */
export function createEthCall(rpcUrls: readonly string[], msMax = CALL_MS_MAX): EthCall {
  const nodes = withFailover(rpcUrls.map((url) => callerAt(url, msMax)))
  return (call, blockHash) =>
    nodes(
      (node) => node(call, blockHash),
      (error) => error instanceof CallReverted,
    )
}

function callerAt(url: string, timeoutMs: number): EthCall {
  const { ask } = connectNode({ url, timeoutMs, bytesMax: ANSWER_BYTES_MAX })
  return async (call, blockHash) => {
    // EIP-1898: after a reorg, another block has the same number.
    const block = blockHash === undefined ? 'latest' : { blockHash }
    const { replies } = await ask([{ method: 'eth_call', params: [call, block] }])
    const { result, error } = replies[0] ?? {}
    if (typeof result === 'string') return result
    const message = `eth_call failed: ${JSON.stringify(error ?? null)}`
    if (!isRevert(error)) throw new Error(message)
    throw new CallReverted(message, typeof error?.data === 'string' ? error.data : undefined)
  }
}

/** Nodes agree on the code of a revert with data; other failures are only described in words. */
const isRevert = (error: RpcReply['error']) =>
  error?.code === 3 ||
  /revert|out of gas|invalid (opcode|jump)|stack (under|over)flow/i.test(error?.message ?? '')
