// Seeded random scenarios: trading in several markets of both kinds, with all actions of accounts,
// price updates and the passage of time.
import type { TimeInForce, VenueBlock } from '../../src/events.ts'
import { Chance } from './chance.ts'
import { LISTINGS, MARKET_NAMES, type MarketName, TOKENS, type TokenSymbol } from './listing.ts'
import { forceSome } from './random-forces.ts'
import { actAtPools } from './random-pools.ts'
import { type OrderTerms, Scenario, type Side } from './scenario.ts'
import { isOver } from './scenario-market.ts'

const TRADERS = ['alice', 'bob', 'carol', 'dave', 'erin'] as const
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY']
/** Maximum resting orders of a random market; more are cancelled, to keep the naive venue fast. */
const RESTING_MAX = 120
/** Lots of an order. */
const LOTS_MAX = 50
/** Ticks around the middle in which orders are placed. */
const SPREAD_TICKS = 24
const DEPOSIT_WHOLE = 10n ** 9n
/** Percent of blocks in which something happens at a pool. */
const POOL_PERCENT = 25
/** A separate seed, so that pools do not change the rest of a scenario. */
const POOL_SEED = 0x9001
/** Percent of blocks with a forced close, if a perpetual has a position. */
const FORCE_PERCENT = 12
const FORCE_SEED = 0xf0ce
/** Ticks that cross every order. */
const FARTHEST_TICKS = { buy: 2 ** 24, sell: 0 }

type RandomOptions = Readonly<{
  markets?: readonly MarketName[]
  /** Maximum transactions per block. */
  actionsMax?: number
}>

/** Returns the first `blocks` blocks of the scenario of `seed`. */
export const randomScenario = (
  seed: number,
  blocks: number,
  options: RandomOptions = {},
): VenueBlock[] => randomTale(seed, blocks, options).blocks()

/** Returns the scenario itself, with its naive venue in the final state. */
export function randomTale(seed: number, blocks: number, options: RandomOptions = {}): Scenario {
  const { markets = MARKET_NAMES, actionsMax = 6 } = options
  const scenario = new Scenario()
  const chance = new Chance(seed)
  const forceChance = new Chance(seed ^ FORCE_SEED)
  const poolChance = new Chance(seed ^ POOL_SEED)
  const middles = new Map<MarketName, number>()
  openMarkets(scenario, markets)
  for (const name of markets) middles.set(name, LISTINGS[name].startTick)
  scenario.next()
  for (let block = 1; block < blocks; block++) {
    const actions = chance.below(actionsMax + 1)
    for (let i = 0; i < actions; i++) {
      const name = chance.pick(markets) as MarketName
      scenario.on(name)
      const middle = (middles.get(name) ?? 0) + chance.below(3) - 1
      middles.set(name, middle)
      act(scenario, chance, middle)
    }
    const forced = forceChance.happens(FORCE_PERCENT) ? forceChance.pick(markets) : undefined
    if (forced !== undefined && LISTINGS[forced].isPerp)
      forceSome(scenario.on(forced), forceChance, middles.get(forced) ?? 0)
    if (poolChance.happens(POOL_PERCENT)) actAtPools(scenario, poolChance)
    scenario.next(stepSeconds(chance))
  }
  return scenario
}

function openMarkets(scenario: Scenario, markets: readonly MarketName[]): void {
  for (const name of markets) {
    const { asset, isPerp, startTick, priceStep } = LISTINGS[name]
    if (isPerp) scenario.index(asset, BigInt(startTick) * priceStep)
    scenario.list(name)
    for (const who of TRADERS) {
      scenario.deposit(who, 'USDC', DEPOSIT_WHOLE)
      if (!isPerp) scenario.deposit(who, asset as TokenSymbol, DEPOSIT_WHOLE)
    }
  }
}

/** Mostly a second; at times the same second, a minute or so, or a jump across hours. */
function stepSeconds(chance: Chance): number {
  const roll = chance.below(100)
  if (roll < 20) return 0
  if (roll < 82) return 1
  if (roll < 96) return chance.below(90)
  return chance.below(8000)
}

function act(scenario: Scenario, chance: Chance, middle: number): void {
  const roll = chance.below(100)
  if (roll < 66) placeSome(scenario, chance, middle)
  else if (roll < 85) cancelSome(scenario, chance)
  else if (roll < 90) reduceSome(scenario, chance)
  else if (roll < 95) movePrices(scenario, chance, middle)
  else if (roll < 97) moveFunds(scenario, chance)
  else if (roll < 99 && scenario.market.listing.isPerp) changeTerms(scenario, chance)
  else changeAccounts(scenario, chance)
}

function placeSome(scenario: Scenario, chance: Chance, middle: number): void {
  const side: Side = chance.happens(50) ? 'buy' : 'sell'
  const away = chance.below(SPREAD_TICKS) - (chance.happens(40) ? (3 * SPREAD_TICKS) / 4 : 0)
  const terms: OrderTerms = {
    who: chance.pick(TRADERS) ?? 'alice',
    side,
    tick: side === 'buy' ? middle - away : middle + away + 1,
    lots: BigInt(chance.below(LOTS_MAX) + 1),
    timeInForce: chance.pick(TIMES_IN_FORCE) ?? 'GTC',
    isReduceOnly: scenario.market.listing.isPerp && chance.happens(25),
    goodTilSeconds: chance.happens(15) ? scenario.seconds + chance.below(120) : 0,
    ref: chance.happens(10)
      ? `0x${chance
          .below(2 ** 32)
          .toString(16)
          .padStart(64, 'd')}`
      : null,
  }
  if (scenario.market.refusal(scenario.makeWish(terms), scenario.seconds) === undefined)
    scenario.order(terms)
}

function cancelSome(scenario: Scenario, chance: Chance): void {
  const { orders } = scenario.market
  do {
    const order = chance.pick(orders)
    if (order === undefined) return
    scenario.cancel(order.number, isOver(order, scenario.seconds) ? 'EXPIRED' : 'USER')
  } while (orders.length > RESTING_MAX)
}

function reduceSome(scenario: Scenario, chance: Chance): void {
  const order = chance.pick(scenario.market.orders.filter(({ lots }) => lots > 1n))
  if (order === undefined) return
  scenario.reduce(order.number, (BigInt(chance.below(LOTS_MAX)) % (order.lots - 1n)) + 1n)
}

function movePrices(scenario: Scenario, chance: Chance, middle: number): void {
  const { listing } = scenario.market
  const drift = BigInt(chance.below(2001) - 1000)
  const price = (BigInt(middle) * listing.priceStep * (1_000_000n + drift)) / 1_000_000n
  scenario.index(listing.asset, listing.isPerp ? price : price * 10n ** 12n)
  if (!listing.isPerp) return
  if (scenario.perps.get(listing.name as MarketName)?.canPoke(scenario.seconds)) scenario.poke()
}

function moveFunds(scenario: Scenario, chance: Chance): void {
  const { isPerp, asset } = scenario.market.listing
  const symbol = isPerp || chance.happens(50) ? 'USDC' : (asset as TokenSymbol)
  const whole = BigInt(chance.below(1000) + 1)
  const [from = 'alice', to = 'bob'] = [chance.pick(TRADERS), chance.pick(TRADERS)]
  const roll = chance.below(3)
  if (roll === 0) scenario.deposit(from, symbol, whole)
  else if (roll === 1) scenario.withdraw(from, symbol, whole)
  else if (from !== to) scenario.transfer(from, to, { symbol, whole })
}

function changeAccounts(scenario: Scenario, chance: Chance): void {
  const account = scenario.accountOf(chance.pick(TRADERS) ?? 'alice')
  const { id: market } = scenario.market.listing
  const key = `0x${chance
    .below(2 ** 32)
    .toString(16)
    .padStart(40, 'e')}`
  const roll = chance.below(3)
  if (roll === 0) {
    scenario.say({ type: 'KeyRegistered', account, key, expiry: scenario.seconds + 86_400 })
    const allowed = { account, canceller: key }
    scenario.say({ type: 'CancellerAllowed', ...allowed, expiry: scenario.seconds + 3_600, key })
    if (chance.happens(50)) {
      scenario.say({ type: 'KeyRevoked', account, key })
      scenario.say({ type: 'CancellerRevoked', ...allowed })
    }
  } else if (roll === 1) {
    scenario.say({ type: 'Halted', market, halted: true })
    scenario.say({ type: 'Halted', market, halted: false })
  } else {
    const [token, name] = [TOKENS.USDC.address, `${TOKENS.USDC.name} ${chance.below(9)}`]
    scenario.say({ type: 'TokenListed', token, symbol: 'USDC', name, decimals: 6 })
  }
}

/** Changes a leverage or a fee, which may be a rebate, or leaves an account short of margin. */
function changeTerms(scenario: Scenario, chance: Chance): void {
  const { listing } = scenario.market
  const account = scenario.accountOf(chance.pick(TRADERS) ?? 'alice')
  const leverage = chance.below(21)
  const roll = chance.below(3)
  if (roll === 0) scenario.say({ type: 'LeverageSet', market: listing.id, account, leverage })
  else if (roll === 1) scenario.fees(chance.below(300) - 200, 350)
  else {
    const side: Side = chance.happens(50) ? 'buy' : 'sell'
    const [best] = scenario.market.opposing({ isBuy: side === 'buy', tick: FARTHEST_TICKS[side] })
    if (best === undefined) return
    const who = chance.pick(TRADERS) ?? 'alice'
    scenario.starve(best.number).order({ who, side, tick: best.tick, lots: 1n, timeInForce: 'IOC' })
  }
}
