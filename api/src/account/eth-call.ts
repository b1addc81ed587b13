// eth_call over HTTP: reads of contracts that no log tells.
import type { EthCall } from './deps.ts'

/** A node that takes longer does not answer. */
const CALL_MS_MAX = 2000

/** Returns a caller of the node at `rpcUrl`. */
export const ethCallOf =
  (rpcUrl: string): EthCall =>
  async (call, blockNumber) => {
    const block = blockNumber === undefined ? 'latest' : `0x${blockNumber.toString(16)}`
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, block] }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    const answer = (await response.json()) as Readonly<{ result?: unknown; error?: unknown }>
    if (typeof answer.result === 'string') return answer.result
    throw new Error(`eth_call failed: ${JSON.stringify(answer.error ?? null)}`)
  }
