// Finds out that the nodes which this one asks are of another chain than it is for: what the code
// of wallets says there, and how far the chain is, would be that chain's.
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigInvalid } from '@openvenue/store/environment'
import { connectNode } from '@openvenue/store/json-rpc'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 64 * 1024
const RETRY_MS = 2_000

type Nodes = Readonly<{ rpcUrls: readonly string[]; chainId: number }>

/**
 * Asks until a node has answered. Rejects with `ConfigInvalid` where none says `chainId` and one
 * says another: of several, one that lies ends nothing. Holds no process that is done.
 */
export async function refuseOtherChain(
  { rpcUrls, chainId }: Nodes,
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
        `RPC_URL is a node of chain ${other}, and the chain of NETWORK or CHAIN_ID is ${chainId}`,
      )
    await delay(retryMs, undefined, { ref: false })
  }
}

/** Returns the chain that the node says it is of; undefined where it says nothing. */
async function askChainId({ ask }: ReturnType<typeof connectNode>): Promise<number | undefined> {
  try {
    const { replies } = await ask([{ method: 'eth_chainId', params: [] }])
    const result = replies[0]?.result
    return typeof result === 'string' && /^0x[0-9a-f]+$/i.test(result) ? Number(result) : undefined
  } catch {
    // That it is away is what /ready says.
    return undefined
  }
}
