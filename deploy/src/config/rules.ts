// Checks the bounds of the contracts before anything is sent: docs/PROTOCOL.md, section 11.
import { formatRaw, wholeRaw } from '@openvenue/core/units'
import type { ConfigFault } from './check-shape.ts'
import type {
  Cover,
  DepositCapTerms,
  OutflowTerms,
  PerpTerms,
  SpotTerms,
  VenueTerms,
} from './venue-terms.ts'

const DECIMALS = 18
const WHOLE = wholeRaw(DECIMALS)
const VALUE_MAX = 2n ** 96n - 1n
const STEP_MAX = { spot: 2n ** 96n - 1n, perp: 2n ** 64n - 1n } as const
const LOT_TICK_MAX = { spot: 2n ** 64n - 1n, perp: 10n ** 17n } as const
const OPEN_INTEREST_MAX = 2n ** 62n
const MANTISSA_MAX = 2n ** 32n - 1n
/** Maximum ratio of the largest to the smallest order value of a spot market. */
const VALUE_RATIO_MAX = 1_000_000n
const FEE_MAX = 10_000
/** Maximum taker fee in millionths times leverage: a quarter of the initial margin. */
const FEE_LEVERAGE_MAX = 250_000
/** Maximum leverage squared times the maximum age of an index, seconds. */
const LEVERAGE_AGE_MAX = 432_000
const IMPACT_LOWEST = 1_000n * WHOLE
const IMPACT_ORDERS = 100n
/** 400 orders of that value equal the minimum impact value. */
const PERP_ORDER_LOWEST = IMPACT_LOWEST / 400n
const SHARE = { least: 1_000, most: 10_000 } as const
const SMALL_MAX = 2n ** 112n - 1n
const DEPOSIT_CAP_MAX = 2n ** 96n - 1n
const MARKETS_MAX = 64
const LOSS_BPS_MAX = 10_000

/** Returns the violations of the rules by markets and limits. */
export const checkMarketRules = (terms: VenueTerms): readonly ConfigFault[] => [
  ...terms.spot.flatMap((market, index) => checkSpot(market, `spot[${index}]`)),
  ...terms.perps.flatMap((market, index) => checkPerp(market, `perpetuals[${index}]`)),
  ...terms.outflow.flatMap(checkOutflow),
  ...terms.depositCaps.flatMap(checkDepositCap),
  ...when(terms.perps.length > MARKETS_MAX, {
    path: 'perpetuals',
    rule: `at most ${MARKETS_MAX} markets`,
  }),
]

const when = (isWrong: boolean, fault: ConfigFault): readonly ConfigFault[] =>
  isWrong ? [fault] : []

/** One lot at one tick must be a whole number of raw quote. */
function checkSteps(
  steps: Readonly<{ priceStep: bigint; amountStep: bigint; baseDecimals: number }>,
  type: 'spot' | 'perp',
  path: string,
): readonly ConfigFault[] {
  const { priceStep, amountStep, baseDecimals } = steps
  const product = priceStep * amountStep
  const whole = wholeRaw(baseDecimals)
  const lotTick = product / whole
  const isWhole = product !== 0n && product % whole === 0n
  return [
    ...when(!isWhole, {
      path: `${path}.priceStep`,
      rule: 'a step for which priceStep times amountStep is a whole number of raw units of quote above zero',
    }),
    ...when(lotTick > LOT_TICK_MAX[type], {
      path: `${path}.priceStep`,
      rule: `a step for which a lot at one tick is worth at most ${LOT_TICK_MAX[type]} raw units of quote`,
    }),
    ...when(amountStep > STEP_MAX[type], {
      path: `${path}.amountStep`,
      rule: `at most ${STEP_MAX[type]} raw units`,
      nearest: `"${formatRaw(STEP_MAX[type], baseDecimals)}"`,
    }),
  ]
}

type Bounds = Readonly<{ minOrderValue: bigint; maxOrderValue: bigint }>

function checkBounds(bounds: Bounds, decimals: number, path: string): readonly ConfigFault[] {
  const { minOrderValue: least, maxOrderValue: most } = bounds
  const text = (raw: bigint) => `"${formatRaw(raw, decimals)}"`
  const digits = (member: keyof Bounds) =>
    when(fitted(bounds[member]) !== bounds[member], {
      path: `${path}.${member}`,
      rule: 'about nine significant digits',
      nearest: text(fitted(bounds[member])),
    })
  return [
    ...when(least > most, {
      path: `${path}.minOrderValue`,
      rule: 'at most maxOrderValue',
      nearest: text(most),
    }),
    ...when(most > VALUE_MAX, {
      path: `${path}.maxOrderValue`,
      rule: `at most ${VALUE_MAX} raw units`,
      nearest: text(fitted(VALUE_MAX)),
    }),
    ...digits('minOrderValue'),
    ...digits('maxOrderValue'),
  ]
}

/** Returns the largest value up to `raw` that the contracts can represent: `Decimals.sol`. */
function fitted(raw: bigint): bigint {
  let mantissa = raw
  let power = 1n
  for (; mantissa > MANTISSA_MAX; power *= 10n) mantissa /= 10n
  return mantissa * power
}

function checkSpot(market: SpotTerms, path: string): readonly ConfigFault[] {
  const { minOrderValue, maxOrderValue } = market
  const lowest = maxOrderValue <= VALUE_RATIO_MAX ? 1n : (maxOrderValue - 1n) / VALUE_RATIO_MAX + 1n
  return [
    ...checkSteps(market, 'spot', path),
    ...checkBounds(market, market.quoteDecimals, path),
    ...when(minOrderValue < lowest, {
      path: `${path}.minOrderValue`,
      rule: 'at least a millionth of maxOrderValue',
      nearest: `"${formatRaw(lowest, market.quoteDecimals)}"`,
    }),
  ]
}

function checkPerp(market: PerpTerms, path: string): readonly ConfigFault[] {
  const { parameters, impactValue, indexAgeMaxSeconds } = market
  const { maxLeverage } = parameters
  const ageMax = Math.floor(LEVERAGE_AGE_MAX / maxLeverage ** 2)
  return [
    ...checkSteps({ ...market, baseDecimals: DECIMALS }, 'perp', path),
    ...checkBounds(parameters, DECIMALS, path),
    ...checkFees(parameters, path),
    ...when(parameters.takerFee * maxLeverage > FEE_LEVERAGE_MAX, {
      path: `${path}.takerFee`,
      rule: 'at most 0.25 divided by maxLeverage',
      nearest: `"${formatRaw(BigInt(Math.floor(FEE_LEVERAGE_MAX / maxLeverage)), 6)}"`,
    }),
    ...checkImpact(impactValue, parameters.minOrderValue, path),
    ...when(indexAgeMaxSeconds > ageMax, {
      path: `${path}.indexAgeMaxSeconds`,
      rule: `at most ${LEVERAGE_AGE_MAX} divided by the square of maxLeverage`,
      nearest: String(ageMax),
    }),
    ...checkCover(market.cover, path),
    ...when(parameters.maxNotionalValue > VALUE_MAX, {
      path: `${path}.maxPositionValue`,
      rule: `at most ${VALUE_MAX} raw units`,
      nearest: `"${formatRaw(VALUE_MAX, DECIMALS)}"`,
    }),
    ...when(parameters.maxOpenInterest > OPEN_INTEREST_MAX, {
      path: `${path}.maxOpenInterest`,
      rule: `at most ${OPEN_INTEREST_MAX} lots`,
      nearest: `"${formatRaw(OPEN_INTEREST_MAX * market.amountStep, DECIMALS)}"`,
    }),
  ]
}

function checkCover({ maxNotional, lossBps }: Cover, path: string): readonly ConfigFault[] {
  return [
    ...when(maxNotional > VALUE_MAX, {
      path: `${path}.insurance.maxPositionValue`,
      rule: `at most ${VALUE_MAX} raw units`,
      nearest: `"${formatRaw(VALUE_MAX, DECIMALS)}"`,
    }),
    ...when(lossBps > LOSS_BPS_MAX, {
      path: `${path}.insurance.lossShare`,
      rule: 'from 0 to 1',
      nearest: '"1"',
    }),
  ]
}

type Fees = Readonly<{ makerFee: number; takerFee: number }>

function checkFees({ makerFee, takerFee }: Fees, path: string): readonly ConfigFault[] {
  const share = (millionths: number) => `"${formatRaw(BigInt(millionths), 6)}"`
  const clamp = (value: number, least: number) => Math.min(FEE_MAX, Math.max(least, value))
  const [taker, maker] = [clamp(takerFee, 0), clamp(makerFee, -clamp(takerFee, 0))]
  return [
    ...when(taker !== takerFee, {
      path: `${path}.takerFee`,
      rule: 'from 0 to 0.01',
      nearest: share(taker),
    }),
    ...when(maker !== makerFee, {
      path: `${path}.makerFee`,
      rule: 'from minus takerFee to 0.01',
      nearest: share(maker),
    }),
  ]
}

/** The impact value must be far above dust, and caps what a poke counts. */
function checkImpact(value: bigint, minOrderValue: bigint, path: string): readonly ConfigFault[] {
  const byOrders = IMPACT_ORDERS * minOrderValue
  const least = byOrders > IMPACT_LOWEST ? byOrders : IMPACT_LOWEST
  return [
    ...when(minOrderValue < PERP_ORDER_LOWEST, {
      path: `${path}.minOrderValue`,
      rule: 'at least 2.5',
      nearest: `"${formatRaw(PERP_ORDER_LOWEST, DECIMALS)}"`,
    }),
    ...when(value < least, {
      path: `${path}.impactValue`,
      rule: 'at least 1000 and 100 times minOrderValue',
      nearest: `"${formatRaw(least, DECIMALS)}"`,
    }),
  ]
}

function checkOutflow({ engine, symbol, shareBps, small }: OutflowTerms): readonly ConfigFault[] {
  const path = engine === 'spot' ? `outflow.spot.${symbol}` : 'outflow.perpetuals'
  const nearest = shareBps < SHARE.least ? SHARE.least : SHARE.most
  return [
    ...when(shareBps < SHARE.least || shareBps > SHARE.most, {
      path: `${path}.share`,
      rule: 'from 0.1 to 1',
      nearest: `"${formatRaw(BigInt(nearest), 4)}"`,
    }),
    ...when(small > SMALL_MAX, { path: `${path}.small`, rule: `at most ${SMALL_MAX} raw units` }),
  ]
}

function checkDepositCap({ engine, symbol, ...caps }: DepositCapTerms): readonly ConfigFault[] {
  const path = engine === 'spot' ? `depositCap.spot.${symbol}` : 'depositCap.perpetuals'
  const fault = (member: 'total' | 'perAccount') =>
    when(caps[member] > DEPOSIT_CAP_MAX, {
      path: `${path}.${member}`,
      rule: `at most ${DEPOSIT_CAP_MAX} raw units`,
    })
  return [...fault('total'), ...fault('perAccount')]
}
