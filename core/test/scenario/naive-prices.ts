// Values pool tokens naively: round by round over all pools, with plain ratios that are never
// truncated. The reference for tests.
import type { Pool } from '../../src/records.ts'

type Ratio = readonly [numerator: bigint, denominator: bigint]

type Offer = Readonly<{ token: string; depth: bigint; pool: string; rate: Ratio }>

/** Returns the rate of each token that `pools` connect to one of `knownRates`, including those. */
export function naiveRates(
  pools: readonly Pool[],
  knownRates: readonly (readonly [token: string, rate: Ratio])[],
): Map<string, Ratio> {
  const rates = new Map<string, Ratio>(knownRates)
  for (let round = 0; round <= pools.length; round++) {
    const offers = pools.flatMap((pool) => listOffers(pool, rates)).sort(bestFirst)
    for (const { token, rate } of offers) if (!rates.has(token)) rates.set(token, rate)
  }
  return rates
}

function listOffers(pool: Pool, rates: ReadonlyMap<string, Ratio>): Offer[] {
  const root = pool.sqrtPriceX96
  const price: Ratio = root === null ? [pool.reserve1, pool.reserve0] : [root * root, 2n ** 192n]
  const [up, down] = price
  if (up === 0n || down === 0n) return []
  const sides = [
    { from: pool.token0, held: pool.reserve0, token: pool.token1, factor: [down, up] },
    { from: pool.token1, held: pool.reserve1, token: pool.token0, factor: [up, down] },
  ] as const
  return sides.flatMap(({ from, held, token, factor }) => {
    const rate = rates.get(from)
    if (rate === undefined || held === 0n) return []
    const depth = (held * rate[0]) / rate[1]
    return { token, depth, pool: pool.address, rate: [rate[0] * factor[0], rate[1] * factor[1]] }
  })
}

function bestFirst(a: Offer, b: Offer): number {
  if (a.depth !== b.depth) return a.depth > b.depth ? -1 : 1
  return a.pool < b.pool ? -1 : 1
}
