// Translates errors of the contracts into refusals of orders: the code, the rule, the value and the
// nearest legal value that a check in memory would have given.
import type { Market } from '@openvenue/core/records'
import { amountText, fixedText, formatRaw, priceText } from '@openvenue/core/units'
import type { FieldError, RefusalCode } from '../../http/refusals.ts'
import type { ParsedOrder } from './order-body.ts'
import {
  crossRule,
  directionRule,
  fillRule,
  freeRule,
  MARKET_ENDED,
  MARKET_HALTED,
  marginRule,
  NO_POSITION,
  nearestAmount,
  notionalRule,
  orderValueRule,
  problem,
  quoteValue,
  SPOT_REDUCE_ONLY,
} from './order-rules.ts'
import { type SignedOrder, selectorOf, signedWord, wordsOf } from './signed-order.ts'

type Arguments = readonly bigint[]
type RefusalTemplate = Readonly<{
  code: RefusalCode
  field: string
  rule: string
  given?: Omit<FieldError, 'field' | 'code' | 'message'>
}>
/** The part of an order that its refusal depends on. */
export type RefusedOrder = Pick<ParsedOrder, 'market' | 'digest'> &
  Readonly<{ order: Pick<SignedOrder, 'isBuy' | 'amount' | 'replaces'> }>

/** Makes a refusal of an error; one that is known by its name only has no arguments. */
type ErrorMapping = (parsed: RefusedOrder, args: Arguments) => RefusalTemplate

const said = (
  code: RefusalCode,
  field: string,
  rule: string,
  given: RefusalTemplate['given'] = {},
): RefusalTemplate => ({
  code,
  field,
  rule,
  given,
})

const at = (args: Arguments, index: number) => args[index] ?? 0n
const address = (value: bigint) => `0x${value.toString(16).padStart(40, '0')}`
const raw = (value: bigint) => value.toString()
const badSignerRule = (signer: string) =>
  `signature is invalid: got one by ${signer}, expected the wallet or a live signing key of it`

const offStep =
  (code: RefusalCode, field: string): ErrorMapping =>
  (_parsed, args) => {
    const [value, step] = [at(args, 0), at(args, 1) || 1n]
    const lower = value - (value % step)
    const upper = lower + step
    const nearest = raw(lower === 0n ? upper : lower)
    const facts = { step: raw(step), lower: raw(lower), upper: raw(upper) }
    const rule = `${field} is not a multiple of ${step}: got ${value}, expected ${nearest}`
    return said(code, field, rule, { value: raw(value), nearest, facts })
  }

const margin: ErrorMapping = (_parsed, args) => {
  const [equity, required] = [signedWord(at(args, 0)), at(args, 1)]
  const facts = {
    equity: fixedText(equity),
    required: fixedText(required),
    shortfall: fixedText(required - equity),
  }
  return said('INSUFFICIENT_MARGIN', 'amount', marginRule(facts), { value: facts.equity, facts })
}

const balance: ErrorMapping = ({ market, order: { isBuy } }, args) => {
  const decimals = isBuy ? market.quoteDecimals : market.baseDecimals
  const [needed, free] = [at(args, 0), at(args, 1)]
  const facts = {
    free: formatRaw(free, decimals),
    needed: formatRaw(needed, decimals),
    shortfall: formatRaw(needed - free, decimals),
  }
  const rule = freeRule(isBuy ? market.quoteAsset : market.asset, facts)
  const code = isBuy ? 'SPOT_NO_QUOTE_BALANCE' : 'SPOT_NO_BASE_BALANCE'
  return said(code, 'amount', rule, { value: facts.needed, facts })
}

const orderValue =
  (code: RefusalCode, bound: 'minimum' | 'maximum'): ErrorMapping =>
  ({ market }, args) => {
    const limit = quoteValue(market, at(args, 1))
    const facts = bound === 'minimum' ? { minimum: limit } : { maximum: limit }
    const value = quoteValue(market, at(args, 0))
    return said(code, 'amount', orderValueRule(value, [bound, limit]), { value, facts })
  }

const postOnly: ErrorMapping = ({ market, order }, args) => {
  const best = Number(at(args, 1))
  const nearest = raw(BigInt(order.isBuy ? best - 1 : best + 1) * market.priceStep)
  const facts = { best_price: priceText(market, best) }
  const rule = crossRule(order.isBuy, facts.best_price)
  return said('POST_ONLY_CROSS', 'limit_price', rule, { nearest, facts })
}

const lotsText = (market: Market, lots: bigint) => amountText(market, lots)

const reduceOnly: ErrorMapping = ({ market, order }, args) => {
  const lots = signedWord(at(args, 0))
  const facts = { position: lotsText(market, lots) }
  if (lots === 0n && args.length > 0) {
    return said('NO_POSITION_REDUCE_ONLY', 'reduce_only', NO_POSITION, { facts })
  }
  if (lots !== 0n && lots > 0n === order.isBuy) {
    const rule = directionRule(order.isBuy, facts.position)
    const nearest = String(!order.isBuy)
    return said('INVALID_DIRECTION_REDUCE_ONLY', 'is_buy', rule, { nearest, facts })
  }
  const rule = 'Position is already covered by resting reduce-only orders'
  return said('ORDER_EXCEEDS_CAPACITY_OF_REDUCE_ONLY', 'amount', rule, { facts })
}

const interest: ErrorMapping = ({ market, order }, args) => {
  const excess = (at(args, 0) - at(args, 1)) * market.amountStep
  const left = order.amount > excess ? order.amount - excess : 0n
  const facts = {
    maximum: lotsText(market, at(args, 1)),
    room: formatRaw(left, market.baseDecimals),
  }
  const value = lotsText(market, at(args, 0))
  const rule = `Open interest limit exceeded: it would be ${value}, the maximum is ${facts.maximum}`
  return said('EXCEEDS_MAX_NOTIONAL', 'amount', rule, { value, ...nearestAmount(left), facts })
}

const notional: ErrorMapping = (_parsed, args) => {
  const facts = { maximum: fixedText(at(args, 1)) }
  const value = fixedText(at(args, 0))
  const rule = notionalRule(value, facts.maximum)
  return said('EXCEEDS_MAX_NOTIONAL', 'amount', rule, { value, facts })
}

const trigger: ErrorMapping = ({ market }, args) => {
  const facts = { mark_price: formatRaw(at(args, 2), market.quoteDecimals) }
  const side = at(args, 0) === 1n ? 'below' : 'above'
  const rule = `Trigger is not met: the mark price of ${facts.mark_price} is ${side} it`
  return said('TRIGGER_NOT_MET', 'trigger', rule, { facts })
}

const fixed =
  (code: RefusalCode, field: string, rule: string): ErrorMapping =>
  () =>
    said(code, field, rule)

/** Every error by which a placement ends, by its signature. */
const MEANINGS: Readonly<Record<string, ErrorMapping>> = {
  'PriceOffStep(uint256,uint256)': offStep('INVALID_PRICE_STEP_SIZE', 'limit_price'),
  'AmountOffStep(uint256,uint256)': offStep('INVALID_AMOUNT_STEP_SIZE', 'amount'),
  'TickOutOfRange(uint256)': fixed(
    'INVALID_PARAMETER',
    'limit_price',
    'limit_price is out of the tick range of the market',
  ),
  'AmountTooLarge(uint256,uint256)': (_parsed, args) =>
    said('INVALID_PARAMETER', 'amount', `amount is out of range: expected at most ${at(args, 1)}`, {
      nearest: raw(at(args, 1)),
    }),
  'LotsZero()': fixed(
    'INVALID_PARAMETER',
    'amount',
    'amount is zero: expected at least one amount step',
  ),
  'OrderValueBelowMinimum(uint256,uint256)': orderValue('BELOW_MIN_ORDER_VALUE', 'minimum'),
  'OrderValueAboveMaximum(uint256,uint256)': orderValue('EXCEED_MAX_ORDER_VALUE', 'maximum'),
  'OpenInterestAboveMaximum(uint256,uint256)': interest,
  'NotionalAboveMaximum(uint256,uint256)': notional,
  'MarketUnknown(uint32)': fixed(
    'INSTRUMENT_NOT_FOUND',
    'instrument',
    'instrument is unknown: expected a listed market',
  ),
  'MarketHalted(uint32)': fixed('INSTRUMENT_PAUSED', 'instrument', MARKET_HALTED),
  'MarketEnded(uint32)': fixed('INSTRUMENT_PAUSED', 'instrument', MARKET_ENDED),
  'IndexStale(bytes32,uint256)': fixed(
    'INSTRUMENT_PAUSED',
    'instrument',
    'Price is stale in a market of the account: only reduce-only orders are accepted',
  ),
  'MarginTooLow(int256,uint256)': margin,
  'BalanceTooLow(uint256,uint256)': balance,
  'PostOnlyWouldCross(uint24,uint24)': postOnly,
  'FillOrKillUnfillable(uint64,uint64)': ({ market }, args) =>
    said('FOK_UNFILLABLE', 'amount', fillRule(lotsText(market, at(args, 1))), {
      ...nearestAmount(at(args, 1) * market.amountStep),
      facts: { fillable: lotsText(market, at(args, 1)) },
    }),
  'ReduceOnlyWouldGrow(int64)': reduceOnly,
  'ReduceOnlyAtSpot()': fixed('INVALID_PARAMETER', 'reduce_only', SPOT_REDUCE_ONLY),
  'SignerUnfit(address,address)': (parsed, args) =>
    said('ORDER_BAD_SIGNING_KEY', 'signature', badSignerRule(address(at(args, 1))), {
      recovered: address(at(args, 1)),
      digest: parsed.digest,
    }),
  'SignatureMalformed()': (parsed) =>
    said(
      'ORDER_BAD_SIGNATURE',
      'signature',
      'signature is malformed: expected 65 bytes with a low s',
      {
        digest: parsed.digest,
      },
    ),
  'SaltSpent(uint256)': fixed(
    'ORDER_INVALID_SALT',
    'salt',
    'salt is already used by another order or cancel',
  ),
  'DeadlinePassed(uint256,uint256)': (_parsed, args) =>
    said('ORDER_TIMED_OUT', 'deadline', `deadline has passed: expected at least ${at(args, 1)}`, {
      nearest: raw(at(args, 1)),
      facts: { block_time: raw(at(args, 1)) },
    }),
  'GoodTilTooEarly(uint40,uint256)': (_parsed, args) =>
    said('ORDER_EXPIRED', 'good_til', `good_til is too early: expected at least ${at(args, 1)}`, {
      nearest: raw(at(args, 1)),
    }),
  'GoodTilTooLarge(uint256)': fixed(
    'INVALID_PARAMETER',
    'good_til',
    'good_til is out of range: expected below 2^40',
  ),
  'TriggerNotMet(uint8,uint256,uint256)': trigger,
  'OrderUnknown(uint32,uint40)': ({ order }) =>
    said(
      'ORDER_DOES_NOT_EXIST',
      'replaces',
      'replaces is unknown: expected a resting order of the account',
      {
        value: order.replaces,
        facts: { order_id: order.replaces },
      },
    ),
  'NoAccount(address)': fixed(
    'INSUFFICIENT_MARGIN',
    'maker',
    'maker has no account: its first deposit opens one',
  ),
  'TooManyMarkets()': fixed(
    'EXCEEDS_MAX_NOTIONAL',
    'instrument',
    'Market limit reached: the account has positions or orders in too many markets',
  ),
}

/** The errors known, by their signatures: for the test that the contracts have them. */
export const KNOWN_ERRORS: readonly string[] = Object.keys(MEANINGS)

const nameOf = (signature: string) => signature.slice(0, signature.indexOf('('))
const BY_SELECTOR = new Map(KNOWN_ERRORS.map((signature) => [selectorOf(signature), signature]))

const BY_NAME = new Map(KNOWN_ERRORS.map((signature) => [nameOf(signature), signature]))

/**
 * Returns the code of an error by its name, which a block has of an order that was not placed;
 * undefined: no placement ends with it.
 */
export function errorCode(order: RefusedOrder, name: string): RefusalCode | undefined {
  return MEANINGS[BY_NAME.get(name) ?? '']?.(order, []).code
}

/**
 * Returns the refusal in the data of a revert. An error that no placement has, or none, is
 * ORDER_REFUSED.
 */
export function contractProblem(parsed: ParsedOrder, data: string | undefined): FieldError {
  const signature = BY_SELECTOR.get(data?.slice(0, 10).toLowerCase() ?? '')
  const args = wordsOf(`0x${data?.slice(10) ?? ''}`)
  const meaning = MEANINGS[signature ?? '']
  if (signature === undefined || meaning === undefined || args === undefined) {
    const contract_error = data?.slice(0, 10) ?? 'none'
    const rule = `Order rejected by the contract: error ${contract_error}`
    return problem('ORDER_REFUSED', ['order', rule], { facts: { contract_error } })
  }
  const { code, field, rule, given = {} } = meaning(parsed, args)
  const contract_error = nameOf(signature)
  return problem(code, [field, rule], { ...given, facts: { ...given.facts, contract_error } })
}
