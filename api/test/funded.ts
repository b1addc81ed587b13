// Scenarios whose traders can afford what they do: for tests.
import { LISTINGS, type MarketName, type TokenSymbol } from '@openvenue/core/test/scenario/listing'
import { type Scenario, scenario } from '@openvenue/core/test/scenario/scenario'

const TRADERS = ['alice', 'bob', 'carol', 'dave']
const WHOLE = 1_000_000_000n

/** Begins a scenario that lists `names` in its first block, with rich traders at each. */
export function funded(...names: readonly MarketName[]): Scenario {
  const told = scenario()
  for (const name of names) list(told, name)
  return told.next()
}

/** Lists a market of a scenario and makes its traders rich there. */
export function list(told: Scenario, name: MarketName): Scenario {
  const { asset, isPerp, startTick, priceStep } = LISTINGS[name]
  if (isPerp) told.index(asset, BigInt(startTick) * priceStep)
  told.list(name)
  for (const who of TRADERS) {
    told.deposit(who, 'USDC', WHOLE)
    if (!isPerp) told.deposit(who, asset as TokenSymbol, WHOLE)
  }
  return told
}
