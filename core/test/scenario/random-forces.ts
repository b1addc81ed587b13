// Forced closes of a random scenario. It keeps no margins, so accounts and charges are random.
import { abs, min } from '../../src/integers.ts'
import type { Chance } from './chance.ts'
import type { Scenario } from './scenario.ts'

/** Ticks that cross every order. */
const FARTHEST_TICKS = { buy: 2 ** 24, sell: 0 }
const INSURANCE = 'insurance'
/** Up to a tenth of a dollar. */
const CHARGE_RAW = 10n ** 14n
const CHARGE_UNITS = 1000
/** Percent of deleverages with a negative unit price. */
const BELOW_ZERO_PERCENT = 10
/** Percent of liquidations that close the whole position. */
const ALL_PERCENT = 50

type Holder = Readonly<{ who: string; lots: bigint }>

/** Closes a position of the current perpetual around `middle`; does nothing without positions. */
export function forceSome(scenario: Scenario, chance: Chance, middle: number): void {
  const holders = listHolders(scenario)
  const holder = chance.pick(holders)
  if (holder === undefined) return
  const roll = chance.below(3)
  if (roll === 2) deleverageSome(scenario, chance, { holder, holders, middle })
  else if (holder.who === INSURANCE) return
  else if (roll === 1) absorbSome(scenario, chance, { holder, middle })
  else liquidateSome(scenario, chance, { holder, middle })
}

function listHolders(scenario: Scenario): Holder[] {
  const { market } = scenario
  return [...scenario.accounts]
    .map(([who, account]) => ({ who, lots: market.heldBy(account) }))
    .filter(({ lots }) => lots !== 0n)
}

type Close = Readonly<{ holder: Holder; middle: number }>

const drawCharge = (chance: Chance) => BigInt(chance.below(CHARGE_UNITS)) * CHARGE_RAW
/** Rarely on a tick. */
const drawUnit = (scenario: Scenario, chance: Chance, middle: number) =>
  BigInt(middle) * scenario.market.listing.quotePerLotTick + BigInt(chance.below(1_000_000))

function liquidateSome(scenario: Scenario, chance: Chance, { holder, middle }: Close): void {
  const { who, lots } = holder
  const size = abs(lots)
  const part = chance.happens(ALL_PERCENT) ? size : 1n + BigInt(chance.below(50))
  const keeper = chance.pick([...scenario.accounts.keys(), undefined])
  scenario.liquidate(who, {
    tick: FARTHEST_TICKS[lots < 0n ? 'buy' : 'sell'],
    lots: part,
    fee: drawCharge(chance),
    ...(keeper === undefined ? {} : { keeper }),
  })
  const account = scenario.accountOf(who)
  if (scenario.market.heldBy(account) === lots) absorbSome(scenario, chance, { holder, middle })
}

function absorbSome(scenario: Scenario, chance: Chance, { holder, middle }: Close): void {
  const collateral = chance.happens(50) ? drawCharge(chance) : -drawCharge(chance)
  scenario.absorb(holder.who, drawUnit(scenario, chance, middle), collateral)
}

function deleverageSome(
  scenario: Scenario,
  chance: Chance,
  { holder, holders, middle }: Close & Readonly<{ holders: readonly Holder[] }>,
): void {
  const isLong = holder.lots > 0n
  const winners = holders.filter(({ who, lots }) => who !== INSURANCE && lots > 0n !== isLong)
  const winner = chance.pick(winners)
  if (winner === undefined) return
  const most = min(abs(holder.lots), abs(winner.lots))
  const lots = chance.happens(ALL_PERCENT) ? most : 1n + (BigInt(chance.below(1000)) % most)
  const at = drawUnit(scenario, chance, middle)
  const unit = chance.happens(BELOW_ZERO_PERCENT) ? -at : at
  scenario.deleverage(holder.who, winner.who, { lots: isLong ? lots : -lots, unit })
}
