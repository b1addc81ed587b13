// Scenarios whose traders can afford what they do: for tests.
import { LISTINGS, type MarketName, type TokenSymbol } from '@openvenue/core/test/scenario/listing'
import { type Scenario, scenario } from '@openvenue/core/test/scenario/scenario'

const TRADERS = ['alice', 'bob', 'carol', 'dave']
const WHOLE = 1_000_000_000n

/** Begins a scenario that lists `names` in its first block, with rich traders at each. */
export function funded(...names: readonly MarketName[]): Scenario {
  const chain = scenario()
  for (const name of names) list(chain, name)
  return chain.next()
}

/** Lists a market of a scenario and makes its traders rich there. */
export function list(chain: Scenario, name: MarketName): Scenario {
  const { asset, isPerp, startTick, priceStep } = LISTINGS[name]
  if (isPerp) chain.index(asset, BigInt(startTick) * priceStep)
  chain.list(name)
  for (const who of TRADERS) {
    chain.deposit(who, 'USDC', WHOLE)
    if (!isPerp) chain.deposit(who, asset as TokenSymbol, WHOLE)
  }
  return chain
}
