// Measures the longest time without prices on chain: the takeover time of the keepers.

import { quantity } from '@openvenue/runtime/node'
import type { Log } from 'viem'
import type { Span } from '../users/summary.ts'
import type { BlockTimes } from '../venue/block-times.ts'
import type { Venue } from '../venue/venue.ts'

/** Returns the longest time in `span` between two blocks with a log of the oracle. */
export async function longestWithoutPrices(
  { parts }: Venue,
  blocks: BlockTimes,
  { fromMs, toMs }: Span,
): Promise<number> {
  const { rpc, deployment } = parts.chain
  const from = blocks.blockAt(fromMs)
  const range = { fromBlock: quantity(from), toBlock: 'latest' }
  const logs = (await rpc.call('eth_getLogs', {
    address: deployment.oracles[0],
    ...range,
  })) as Log[]
  const cameMs = logs
    .map(({ blockNumber }) => blocks.cameMs(Number(blockNumber)) ?? fromMs)
    .filter((atMs) => atMs >= fromMs && atMs <= toMs)
  const momentsMs = [fromMs, ...cameMs.sort((a, b) => a - b), toMs]
  return Math.max(...momentsMs.map((atMs, index) => atMs - (momentsMs[index - 1] ?? atMs)))
}
