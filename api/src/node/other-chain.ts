// Detects chain nodes of another chain than the configured one: checks of wallet code and the
// chain's head would come from that chain.
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { connectNode } from '@openvenue/runtime/json-rpc'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 64 * 1024
const RETRY_MS = 2_000

/**
 * Asks until a node has answered. Rejects with `ConfigInvalid` when no node reports `chainId` and
 * one reports another; a wrong node among others ends nothing. Does not keep the process alive.
 */
export async function refuseOtherChain(
  { rpcUrls, chainId }: Readonly<{ rpcUrls: readonly string[]; chainId: number }>,
  retryMs = RETRY_MS,
): Promise<void> {
  const nodes = rpcUrls.map((url) =>
    connectNode({ url, timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }),
  )
  for (;;) {
    const answers = (await Promise.all(nodes.map(askChainId))).filter((id) => id !== undefined)
    if (answers.includes(chainId)) return
    const [other] = answers
    if (other !== undefined)
      throw new ConfigInvalid(
        `RPC_URL is a node of another chain: got chain ${other}, expected ${chainId} (NETWORK or CHAIN_ID)`,
      )
    await delay(retryMs, undefined, { ref: false })
  }
}

/** Returns the chain id that the node reports; undefined without a valid answer. */
async function askChainId({ ask }: ReturnType<typeof connectNode>): Promise<number | undefined> {
  try {
    const { replies } = await ask([{ method: 'eth_chainId', params: [] }])
    const result = replies[0]?.result
    return typeof result === 'string' && /^0x[0-9a-f]+$/i.test(result) ? Number(result) : undefined
  } catch {
    // Readiness reports an unavailable node.
    return undefined
  }
}
