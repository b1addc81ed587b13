// Accesses a devnet's anvil like a client of the library, with two workarounds for anvil.
import { until } from '@openvenue/core/test/until'
import { createPublicClient, http } from 'viem'

/** A node whose address may change: a restarted devnet has a new chain URL. */
export type SettledRpc = {
  url: string
  request(args: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/**
 * Returns a node to read from. While anvil mines a block, a call at the previous one may get the
 * new state: a call waits until the last used block is not the newest.
 */
export function settledRpc(url: string): SettledRpc {
  let needed = 0n
  const rpc: SettledRpc = {
    url,
    request: async (args) => {
      const { request } = createPublicClient({ transport: http(rpc.url) })
      const [block] = args.params ?? []
      if (args.method === 'eth_getBlockByNumber' && block !== 'latest')
        needed = BigInt(String(block))
      if (args.method === 'eth_call')
        await until(
          () => `block ${needed} is not the newest`,
          async () => BigInt(await request({ method: 'eth_blockNumber' })) > needed,
        )
      return request(args as never)
    },
  }
  return rpc
}
