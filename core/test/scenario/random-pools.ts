// Draws the AMM pool events of a scenario from a seed.
import type { Chance } from './chance.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIO_POOL_NAMES, SCENARIO_POOLS, type ScenarioPool } from './scenario-pool.ts'

/** Maximum whole tokens of each side that a pool is founded with. */
const FOUNDING_MAX = 1000

/** Occasionally founds, funds or empties a pool, or swaps in it. */
export function actAtPools(scenario: Scenario, chance: Chance): void {
  const name = chance.pick(SCENARIO_POOL_NAMES)
  if (name === undefined) return
  const roll = chance.below(100)
  const size = BigInt(chance.below(FOUNDING_MAX) + 1)
  const isOfFirst = chance.happens(50)
  scenario.atPool(name, (pool) => {
    const [token0, token1] = SCENARIO_POOLS[name].tokens
    const [unit0, unit1] = [wholeUnit(token0.decimals), wholeUnit(token1.decimals)]
    if (roll < 25) pool.add(size * unit0, size * unit1)
    else if (roll < 35) pool.remove()
    else pool.swap(isOfFirst, tenth(pool, isOfFirst) * (size % 5n))
  })
}

const wholeUnit = (decimals: number | null) => 10n ** BigInt(decimals ?? 0)

const tenth = (pool: ScenarioPool, isOfFirst: boolean) =>
  (isOfFirst ? pool.reserve0 : pool.reserve1) / 10n
