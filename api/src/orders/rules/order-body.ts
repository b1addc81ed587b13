// Parses the body of an order, the same for REST, batches and sockets: members, aliases, integers
// of another scale, and members that are refused by name. Rules that depend on the state of the
// market are in order-checks.ts.
import { marketEngine } from '@openvenue/core/ids'
import { nearestName } from '@openvenue/core/nearest-name'
import type { Market } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import {
  CLIENT_ORDER_ID_LENGTH_MAX,
  MAX_FILLS_MAX,
  orderBodyMembers,
} from '@openvenue/wire/order-entry'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import { fieldRefusal, invalid, mismatchText, missing } from '../../http/validation.ts'
import type { Members } from '../../identity/registration-body.ts'
import { marketNames } from '../../model/market-list.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import { BodyReader, UINT256_MAX } from './body-reader.ts'
import {
  type DomainSettings,
  NOTHING_REPLACED,
  orderDigest,
  orderTypedData,
  type SignedOrder,
} from './signed-order.ts'
import { parseSignature } from './signing-keys.ts'

/** An order as it was sent, in form. Nothing is known of its signer or its chances yet. */
export type ParsedOrder = Readonly<{
  market: Market
  order: SignedOrder
  /** EIP-712 digest, which is the order's id. */
  digest: string
  /** 65 bytes with a low s, its last byte 1b or 1c; undefined where it was left out. */
  signature: string | undefined
  unsigned: Readonly<{
    clientOrderId: string | undefined
    isMmp: boolean
    /** True where order_type is market. */
    isMarket: boolean
    parentOrderId: string | undefined
  }>
  /** The digest of an order that is taken back for it: their salt may be one. */
  takesPlaceOf?: string | undefined
}>

export type OrderContext = Readonly<{
  model: Pick<VenueModel, 'market' | 'markets' | 'mark'>
  settings: DomainSettings
  /** Previews and builds take an order without its signature. */
  isSignatureOptional?: boolean
  /** Members of the request beside those of the order, which other code reads: `order_id`. */
  beside?: readonly string[]
}>

const KNOWN: ReadonlySet<string> = new Set(Object.keys(orderBodyMembers))
/** Members of the family without a meaning here, each with the alternative. */
const MEANINGLESS = {
  close_position: 'the amount is signed: sign that of the position with reduce_only',
  partial_position: 'the amount is signed',
  isolated_margin: 'margin is isolated by a sub-account',
  perps_plus: 'the venue has no such programme',
  builder_id: 'the venue has no builder fees',
  builder_fee_rate: 'the venue has no builder fees',
} as const

const TIMES_IN_FORCE = { GTC: 0, IOC: 1, FOK: 2, POST_ONLY: 3 } as const
const TRIGGER_KINDS = { none: 0, atOrAbove: 1, atOrBelow: 2 } as const

/** Returns what a body orders, or throws the refusal that names every wrong member. */
export function parseOrder(body: unknown, context: OrderContext): ParsedOrder {
  const reader = new BodyReader(requireObject(body))
  const { beside = [] } = context
  reader.refuseUnknown(beside.length === 0 ? KNOWN : new Set([...KNOWN, ...beside]))
  const market = readMarket(reader, context)
  const order = readOrder(reader, market?.number ?? 0)
  const unsigned = readUnsigned(reader)
  if (market !== undefined)
    reader.errors.push(...scaleErrors(market, order, context.model.mark(market.id)?.price))
  if (market === undefined || reader.errors.length > 0) throw fieldRefusal(reader.errors)
  const digest = orderDigest(context.settings, marketEngine(market.id), order)
  const parsed = { market, order, digest, unsigned }
  return { ...parsed, signature: readSignature(reader, parsed, context) }
}

function requireObject(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members
  throw fieldRefusal([invalid('body', 'a JSON object')])
}

const INSTRUMENT_RULE = 'the name, 0x id or decimal id of a market of GET /markets'
const INSTRUMENT_NAMES = ['instrument', 'instrument_id', 'instrument_name'] as const

function readMarket(reader: BodyReader, { model }: OrderContext): Market | undefined {
  const given = INSTRUMENT_NAMES.flatMap((field) => {
    const value = reader.value(field)
    return value === undefined ? [] : [[field, String(value)] as const]
  })
  const markets = given.map(([, text]) => model.market(text) ?? model.market(text.toLowerCase()))
  const [market] = markets
  if (given.length === 0) reader.errors.push(missing('instrument', 'body member instrument'))
  else if (markets.includes(undefined))
    throw unknownInstrument(model, given[markets.indexOf(undefined)])
  else if (markets.some((other) => other !== market))
    reader.errors.push(
      invalid(given[1]?.[0] ?? 'instrument', `the market of ${given[0]?.[0]}`, {
        given: given[1]?.[1],
        fault: 'names another market',
      }),
    )
  return market?.market
}

function unknownInstrument(
  model: OrderContext['model'],
  [field, text]: readonly [string, string] = ['instrument', ''],
): Refusal {
  const code = 'INSTRUMENT_NOT_FOUND'
  const message = `${field} is unknown: ${mismatchText(INSTRUMENT_RULE, text)}`
  const near = nearestName(marketNames(model), text)
  const detail = { field, code, message, value: text.slice(0, 100) } as const
  const nearest = near === undefined ? {} : { nearest: near }
  return new Refusal(code, { details: [{ ...detail, ...nearest }] })
}

function readOrder(reader: BodyReader, market: number): SignedOrder {
  const isBuy = reader.requiredFlag('is_buy')
  return {
    account: reader.requiredAddress('maker'),
    market,
    isBuy,
    limitPrice: reader.requiredInteger('limit_price'),
    amount: reader.requiredInteger('amount'),
    timeInForce: readTimeInForce(reader),
    reduceOnly: reader.flag('reduce_only'),
    ...readTrigger(reader, isBuy),
    goodTil: reader.seconds('good_til'),
    maxFills: Number(reader.integer('max_fills', BigInt(MAX_FILLS_MAX))),
    replaces: reader.hex('replaces', HASH_BYTES) ?? NOTHING_REPLACED,
    replacesAmount: reader.integer('replaces_amount'),
    salt: reader.requiredInteger('salt'),
    deadline: reader.requiredSeconds('deadline'),
  }
}

const HASH_BYTES = 32

function readTimeInForce(reader: BodyReader): number {
  const timeInForce = reader.word('time_in_force', ['GTC', 'IOC', 'FOK']) ?? 'GTC'
  const isPostOnly = reader.flag('post_only')
  if (isPostOnly && timeInForce !== 'GTC')
    reader.errors.push(
      invalid('post_only', `false for a ${timeInForce} order`, { nearest: 'false' }),
    )
  const type = reader.word('order_type', ['limit', 'market'])
  if (type === 'market' && timeInForce !== 'IOC')
    reader.errors.push(invalid('order_type', 'limit, or time_in_force IOC', { nearest: 'limit' }))
  return TIMES_IN_FORCE[isPostOnly ? 'POST_ONLY' : timeInForce]
}

function readTrigger(reader: BodyReader, isBuy: boolean) {
  const stop = reader.word('stop', ['STOP_LOSS', 'TAKE_PROFIT'])
  const triggerPrice = reader.integer('trigger')
  if (stop === undefined && triggerPrice !== 0n)
    reader.errors.push(
      invalid('stop', 'STOP_LOSS or TAKE_PROFIT with a trigger', {
        fault: 'is missing',
        allowed: ['STOP_LOSS', 'TAKE_PROFIT'],
      }),
    )
  if (stop !== undefined && triggerPrice === 0n && isLeftOut(reader, 'trigger'))
    reader.errors.push(missing('trigger', `body member trigger of a ${stop}`))
  return { triggerKind: triggerKind(stop, isBuy), triggerPrice }
}

const isLeftOut = (reader: BodyReader, field: string) =>
  reader.value(field) === undefined || !reader.errors.some((error) => error.field === field)

function triggerKind(stop: 'STOP_LOSS' | 'TAKE_PROFIT' | undefined, isBuy: boolean): number {
  if (stop === undefined) return TRIGGER_KINDS.none
  const isBelow = (stop === 'STOP_LOSS') !== isBuy
  return isBelow ? TRIGGER_KINDS.atOrBelow : TRIGGER_KINDS.atOrAbove
}

function readUnsigned(reader: BodyReader): ParsedOrder['unsigned'] {
  for (const [field, why] of Object.entries(MEANINGLESS)) reader.meaningless(field, why)
  readSelfTradePrevention(reader)
  return {
    clientOrderId: readClientOrderId(reader),
    isMmp: reader.flag('mmp'),
    isMarket: reader.value('order_type') === 'market',
    parentOrderId: reader.hex('parent_order_id', HASH_BYTES),
  }
}

function readSelfTradePrevention(reader: BodyReader): void {
  const field = 'self_trade_prevention'
  const value = reader.value(field)
  if (value === undefined || value === 'EXPIRE_MAKER') return
  const expected = 'EXPIRE_MAKER, the mode of the contract, which cancels your resting order'
  const near = { nearest: 'EXPIRE_MAKER', allowed: ['EXPIRE_MAKER'] }
  reader.errors.push(invalid(field, expected, { ...near, fault: 'is not supported' }))
}

/** Segments that a path leaves out: no URL could name such an order. */
const DOTS: ReadonlySet<string> = new Set(['.', '..'])

/** The database holds no control characters, and paths no slash unless it is escaped. */
function readClientOrderId(reader: BodyReader): string | undefined {
  const field = 'client_order_id'
  const value = reader.value(field)
  if (value === undefined) return undefined
  const isName =
    typeof value === 'string' &&
    value.length <= CLIENT_ORDER_ID_LENGTH_MAX &&
    /^[^\p{C}]*$/u.test(value) &&
    !DOTS.has(value)
  if (isName) return value
  const rule =
    `text of 1 to ${CLIENT_ORDER_ID_LENGTH_MAX} characters without control characters, and not ` +
    '"." or ".."'
  reader.errors.push(invalid(field, rule))
  return undefined
}

function readSignature(
  reader: BodyReader,
  parsed: Omit<ParsedOrder, 'signature'>,
  { isSignatureOptional = false, settings }: OrderContext,
): string | undefined {
  const value = reader.value('signature')
  if (value === undefined && isSignatureOptional) return undefined
  if (value === undefined) throw fieldRefusal([missing('signature', 'body member signature')])
  const read = parseSignature(value)
  if ('signature' in read) return read.signature
  throw badSignature(parsed, settings, read.fault)
}

function badSignature(
  { market, order, digest }: Omit<ParsedOrder, 'signature'>,
  settings: DomainSettings,
  fault: string,
): Refusal {
  const code = 'ORDER_BAD_SIGNATURE'
  const message = `signature ${fault}: expected an EIP-712 signature of Order by a key of the maker`
  const detail: FieldError = {
    field: 'signature',
    code,
    message,
    digest,
    typed_data: orderTypedData(settings, market, order),
  }
  return new Refusal(code, { message, details: [detail] })
}

/** Clients of the family write every integer with six decimals. */
const FAMILY_DECIMALS = 6
/** How far from the mark the price is that a market order is to sign: 5 %, in hundredths. */
const PROTECTION_PERCENT = 5n
const WHOLE_PERCENT = 100n

type AmountScale = Readonly<{ decimals: number; step: bigint; whole: string }>

/**
 * Returns what is wrong with the integers of `order` as a whole, before any rule of the market:
 * six decimals in place of the market's, and the extremes of a market order. `mark` is the price in
 * force, quote raw per whole base; undefined where there is none.
 */
function scaleErrors(
  market: Market,
  order: Pick<SignedOrder, 'isBuy' | 'limitPrice' | 'amount' | 'triggerPrice'>,
  mark: bigint | undefined,
): readonly FieldError[] {
  const price = { decimals: market.quoteDecimals, step: market.priceStep, whole: 'price' }
  const amount = { decimals: market.baseDecimals, step: market.amountStep, whole: 'amount' }
  const extreme = marketExtreme(market, order, mark)
  const errors = [
    extreme ?? sixDecimals('limit_price', order.limitPrice, price),
    sixDecimals('amount', order.amount, amount),
    sixDecimals('trigger', order.triggerPrice, price),
  ]
  return errors.filter((error) => error !== undefined)
}

/**
 * A value below one step is never legal. One that is a whole number of steps when its six decimals
 * are made the market's was meant so.
 */
function sixDecimals(field: string, value: bigint, { decimals, step, whole }: AmountScale) {
  if (decimals <= FAMILY_DECIMALS || value === 0n || value >= step) return undefined
  const scaled = value * 10n ** BigInt(decimals - FAMILY_DECIMALS)
  if (scaled % step !== 0n) return undefined
  const human = formatRaw(value, FAMILY_DECIMALS)
  const error: FieldError = {
    field,
    code: field === 'amount' ? 'INVALID_AMOUNT_STEP_SIZE' : 'INVALID_PRICE_STEP_SIZE',
    message:
      `${field} has the wrong scale: got ${value}, expected ${whole} * 10^${decimals}; it looks like ` +
      `six decimals: ${human} is ${scaled}`,
    nearest: scaled.toString(),
    facts: { step: step.toString() },
  }
  return error
}

function marketExtreme(
  { priceStep, quoteDecimals }: Market,
  { isBuy, limitPrice }: Pick<SignedOrder, 'isBuy' | 'limitPrice'>,
  mark: bigint | undefined,
): FieldError | undefined {
  if (limitPrice !== (isBuy ? UINT256_MAX : 0n)) return undefined
  const message =
    'limit_price is out of range: expected the worst price that you sign, such as the mark price ' +
    `${isBuy ? 'plus' : 'minus'} ${PROTECTION_PERCENT} % with time_in_force IOC`
  const error = { field: 'limit_price', code: 'INVALID_PARAMETER', message } as const
  if (mark === undefined || mark === 0n) return error
  const nearest = protectedPrice(mark, priceStep, isBuy).toString()
  return { ...error, nearest, facts: { mark_price: formatRaw(mark, quoteDecimals) } }
}

/** Returns the price that protects a market order, rounded towards the mark. */
function protectedPrice(mark: bigint, step: bigint, isBuy: boolean): bigint {
  const percent = isBuy ? WHOLE_PERCENT + PROTECTION_PERCENT : WHOLE_PERCENT - PROTECTION_PERCENT
  const price = mark * percent
  const unit = step * WHOLE_PERCENT
  return (isBuy ? price / unit : (price + unit - 1n) / unit) * step
}
