// Reads a book from the contracts, without code of the page or of the venue's services.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import type { TestVenue } from '@openvenue/e2e/venue'
import { createPublicClient, formatUnits, type Hex, http } from 'viem'
import type { PageBook } from './shown-market.ts'

/** Market number of ETH-PERP on the devnet, and decimals of a tick and of a lot. */
const ETH_PERP = { number: 1, tickDecimals: 2, lotDecimals: 4 }
const ROWS = 10
const ORDERS_MAX = 500n

/** Returns the book of ETH-PERP at a block, in the compared format. */
export async function askLens({ devnet }: TestVenue, block: number): Promise<PageBook> {
  const { lens, perps } = devnet.deployment
  const client = createPublicClient({ transport: http(devnet.rpcUrl) })
  const sides = await client.readContract({
    ...{ address: lens as Hex, abi: lensAbi, functionName: 'books' },
    args: [perps as Hex, ETH_PERP.number, ORDERS_MAX],
    blockNumber: BigInt(block),
  })
  const numbers = sides.flatMap((orders) => {
    const levels = new Map<number, bigint>()
    for (const { tick, lots } of orders) levels.set(tick, (levels.get(tick) ?? 0n) + lots)
    return [...levels]
      .slice(0, ROWS)
      .flatMap(([tick, lots]) => [
        formatUnits(BigInt(tick), ETH_PERP.tickDecimals),
        formatUnits(lots, ETH_PERP.lotDecimals),
      ])
  })
  return { market: 'ETH-PERP', block, numbers }
}
