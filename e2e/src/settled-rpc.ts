// Asks a devnet's anvil as a client of the library does, in two ways around what only anvil does.
import { until } from '@openvenue/core/test/until'
import { createPublicClient, http } from 'viem'

/** A node whose address may change: a devnet that starts again takes its chain along. */
export type SettledRpc = {
  url: string
  request(args: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/**
 * Returns a node to read from. While anvil makes a block, a question about the one before may get
 * the new state: a call waits until the block that was last asked about is not the newest.
 */
export function settledRpc(url: string): SettledRpc {
  let wanted = 0n
  const rpc: SettledRpc = {
    url,
    request: async (args) => {
      const { request } = createPublicClient({ transport: http(rpc.url) })
      const [block] = args.params ?? []
      if (args.method === 'eth_getBlockByNumber' && block !== 'latest')
        wanted = BigInt(String(block))
      if (args.method === 'eth_call')
        await until(
          () => `block ${wanted} is not the newest`,
          async () => BigInt(await request({ method: 'eth_blockNumber' })) > wanted,
        )
      return request(args as never)
    },
  }
  return rpc
}
