// Builds the venue that the bench serves: every market with a full book, minutes of trades, and
// settled funding hours. Its last block is the time at which the server's clock starts.
import type { VenueBlock } from '@openvenue/core/events'
import { Chance } from '@openvenue/core/test/scenario/chance'
import {
  LISTINGS,
  MARKET_NAMES,
  type MarketName,
  TOKENS,
} from '@openvenue/core/test/scenario/listing'
import { Scenario } from '@openvenue/core/test/scenario/scenario'

const MINUTE_SECONDS = 60
const SEED = 7
/** Levels per side, with two orders each. */
const LEVELS = 100
const RICH = 10n ** 9n
const LOTS_MAX = 500

/** Returns the scenario with trades in each of `minutes`. */
export function benchScenario(minutes: number): VenueBlock[] {
  const scenario = new Scenario()
  const chance = new Chance(SEED)
  for (const name of MARKET_NAMES) open(scenario, name)
  scenario.next()
  for (let minute = 0; minute < minutes; minute++) {
    for (const name of MARKET_NAMES) trade(scenario, name, chance)
    scenario.next(MINUTE_SECONDS)
  }
  for (const name of MARKET_NAMES) fillBook(scenario, name, chance)
  return scenario.blocks()
}

const USDC = TOKENS.USDC
/** Raw amounts of the first deposit in a pool, different for each pool. */
const FOUNDING = 10n ** 9n

/** Returns the address of a pool of `poolScenario`, counted from 1. */
export const poolAddress = (number: number): string => `0x${hex(number, 'b')}`

const hex = (number: number, first: string) => first + number.toString(16).padStart(39, '0')

/**
 * Returns the scenario with `pools` AMM pools, each of a token of its own against USDC. Every other
 * pool is of version 3.
 */
export function poolScenario(pools: number): VenueBlock[] {
  const scenario = new Scenario()
  const chance = new Chance(SEED)
  for (const name of MARKET_NAMES) open(scenario, name)
  scenario.next()
  for (let number = 1; number <= pools; number++) {
    foundPool(scenario, number)
    scenario.next()
  }
  for (const name of MARKET_NAMES) {
    trade(scenario, name, chance)
    fillBook(scenario, name, chance)
  }
  return scenario.blocks()
}

function foundPool(scenario: Scenario, number: number): void {
  const pool = poolAddress(number)
  const isRanged = number % 2 === 0
  const token = { address: `0x${hex(number, 'c')}`, symbol: `T${number}`, name: `Token ${number}` }
  const totalSupply = 10n ** 27n
  const [reserve0, reserve1] = [BigInt(number) * FOUNDING, BigInt(number) * FOUNDING ** 2n]
  scenario.say({
    type: 'PoolCreated',
    factory: `0x${hex(isRanged ? 3 : 2, 'f')}`,
    version: isRanged ? 3 : 2,
    pool,
    token0: USDC.address,
    token1: token.address,
    fee: 3000,
    tickSpacing: isRanged ? 60 : null,
    tokens: [
      { ...USDC, totalSupply },
      { ...token, decimals: 18, totalSupply },
    ],
  })
  if (!isRanged) {
    scenario.say({ type: 'PoolSynced', pool, reserve0, reserve1 })
    return
  }
  const range = { liquidityDelta: reserve0, tickLower: -60, tickUpper: 60 }
  scenario.say({ type: 'PoolInitialized', pool, sqrtPriceX96: 2n ** 111n, tick: 0 })
  scenario.say({ type: 'PoolFunded', pool, amount0: reserve0, amount1: reserve1, ...range })
}

function open(scenario: Scenario, name: MarketName): void {
  const { asset, isPerp, startTick, priceStep } = LISTINGS[name]
  if (isPerp) scenario.index(asset, BigInt(startTick) * priceStep)
  scenario.list(name)
  for (const who of ['alice', 'bob']) {
    scenario.deposit(who, 'USDC', RICH)
    if (!isPerp) scenario.deposit(who, asset as 'ETH' | 'BTC' | 'EURC', RICH)
  }
}

/** Makes two to four trades near the start price; pokes perpetuals when allowed. */
function trade(scenario: Scenario, name: MarketName, chance: Chance): void {
  const { startTick } = LISTINGS[name]
  scenario.on(name)
  for (let left = 2 + chance.below(3); left > 0; left--) {
    const tick = startTick + chance.below(200) - 100
    const lots = BigInt(1 + chance.below(LOTS_MAX))
    const [maker, taker] = chance.happens(50)
      ? (['buy', 'sell'] as const)
      : (['sell', 'buy'] as const)
    scenario.place('alice', maker, tick, lots).place('bob', taker, tick, lots)
  }
  if (scenario.perps.get(name)?.canPoke(scenario.seconds)) scenario.poke()
}

function fillBook(scenario: Scenario, name: MarketName, chance: Chance): void {
  const { startTick } = LISTINGS[name]
  scenario.on(name)
  for (let level = 1; level <= LEVELS; level++)
    for (const who of ['alice', 'bob']) {
      scenario.place(who, 'buy', startTick - level, BigInt(1 + chance.below(LOTS_MAX)))
      scenario.place(who, 'sell', startTick + level, BigInt(1 + chance.below(LOTS_MAX)))
    }
}
