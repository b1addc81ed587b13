// Answers POST /orders/preview and POST /orders/build: the effect of an order, and the call that
// places it. Interface 4.6.

import { liquidationPrice } from '@openvenue/core/liquidation'
import { emptyPosition } from '@openvenue/core/positions'
import type { Market } from '@openvenue/core/records'
import {
  amountText,
  averagePriceDown,
  fixedText,
  formatRaw,
  priceText,
} from '@openvenue/core/units'
import { nsText } from '@openvenue/wire/decimal'
import type { OrderBuilt, OrderPreview } from '@openvenue/wire/order-entry'
import { type Owner, ownerOf } from '../../account/owner.ts'
import { type FieldError, historyUnavailable } from '../../http/refusals.ts'
import { fieldRefusal } from '../../http/validation.ts'
import type { OrderParts } from '../order-parts.ts'
import { authorise, check, isOrder } from '../place/admission.ts'
import { foreignAccount } from '../place/place-orders.ts'
import { closedProblem, closedRefusal } from '../relay/relay-status.ts'
import { type ParsedOrder, parseOrder } from '../rules/order-body.ts'
import { checkOrder, isHeldBack } from '../rules/order-checks.ts'
import { orderRefusal, replacedNumber, replacedOrder, stepProblems } from '../rules/order-rules.ts'
import {
  type DomainSettings,
  encodeCancel,
  encodeMulticall,
  encodePlace,
  encodePlaceSigned,
  NOTHING_REPLACED,
  orderTypedData,
} from '../rules/signed-order.ts'
import { recoverSigner } from '../rules/signing-keys.ts'
import {
  type Balances,
  type Means,
  type Preview,
  previewOrder,
  type SimulatedHealth,
} from './block-simulation.ts'

/** Weight of a preview in the rate limits: a node of the chain runs a block for it. */
export const PREVIEW_WEIGHT = 5

type PreviewRequest = Readonly<{
  /** Wallet of the caller, lower case. */
  account: string
  body: unknown
}>

/** Returns the order of a body; refuses another account's, and one that is not in whole steps. */
function parse(parts: OrderParts, { account, body }: PreviewRequest): ParsedOrder {
  const parsed = parseOrder(body, { ...parts, isSignatureOptional: true })
  if (parsed.order.account !== account) throw foreignAccount(account)
  const off = stepProblems(parsed)
  if (off.length > 0) throw orderRefusal(off)
  return parsed
}

/** Returns the effect of an order at the newest block, and all that refuses it. */
export async function answerPreview(
  parts: OrderParts,
  request: PreviewRequest,
): Promise<OrderPreview> {
  const parsed = parse(parts, request)
  const owner = await ownerOf(parts.wallets, request.account)
  const replaced = await parts.owned.look(owner, () => replacedOrder(parts.model, parsed))
  const { account = 0 } = owner
  const [preview, known, verdict] = await Promise.all([
    previewOrder(parts.simulateBlock, parsed, { account, replaced }),
    findProblems(parts, owner, parsed),
    signedVerdict(parts, parsed),
  ])
  const { digest, signature } = parsed
  const signer = signature === undefined ? undefined : recoverSigner(digest, signature)
  const closed = closedProblem(parts.settings.trading)
  const refusals = refusalsOf(preview, known, verdict)
  const all = closed === undefined ? refusals : [closed, ...refusals]
  return encodePreview(parsed, preview, { signer, refusals: all })
}

/** Runs the stages of placing that change nothing and need no node of the chain. */
async function findProblems(
  parts: OrderParts,
  owner: Owner,
  order: ParsedOrder,
): Promise<readonly FieldError[]> {
  const authorised = await authorise(parts, owner, [{ order, problems: [] }])
  return (await check(parts, owner, authorised)).filter(isOrder).flatMap(({ problems }) => problems)
}

/** Returns why the contract refuses the order as it is signed: for its salt, among others. */
async function signedVerdict(
  { simulate }: OrderParts,
  parsed: ParsedOrder,
): Promise<FieldError | undefined> {
  if (parsed.signature === undefined || isHeldBack(parsed)) return undefined
  return (await simulate([parsed]))[0]
}

/** Rules that the contract does not apply to a wallet's own order. */
const BESIDE_THE_CONTRACT: ReadonlySet<string> = new Set([
  'ORDER_BAD_SIGNATURE',
  'ORDER_BAD_SIGNING_KEY',
  'ORDER_TIMED_OUT',
  'ORDER_DOES_NOT_EXIST',
  'EDIT_ORDER_CANNOT_CHANGE_DIRECTION',
  'EDIT_ORDER_DIFFERENT_INSTRUMENT',
  'EDIT_ORDER_SAME_ID',
])

/** The contract, at the newest block, wins over the memory of this node; each code appears once. */
function refusalsOf(
  { refusal, outcome }: Preview,
  problems: readonly FieldError[],
  verdict: FieldError | undefined,
): readonly FieldError[] {
  const isIdle = outcome !== undefined && outcome.filled === 0n && outcome.rested === 0n
  const counts = ({ code }: FieldError) =>
    outcome === undefined || BESIDE_THE_CONTRACT.has(code) || (isIdle && IDLE.has(code))
  const all = [refusal, ...problems.filter(counts), verdict].filter((error) => error !== undefined)
  return all.filter(({ code }, index) => all.findIndex((error) => error.code === code) === index)
}

/** Refusals of orders that the contract takes without any effect. */
const IDLE: ReadonlySet<string> = new Set(['IOC_ORDER_REJECTED', 'EXCEED_TRADE_PRICE_BAND'])

/** Returns the call that places an order, for a wallet that sends for itself. */
export async function answerBuild(parts: OrderParts, request: PreviewRequest): Promise<OrderBuilt> {
  const { trading } = parts.settings
  // During maintenance a wallet may still send for itself; before the start it may not.
  const early = trading === 'coming_soon' ? closedRefusal(trading) : undefined
  if (early !== undefined) throw early
  const parsed = parse(parts, request)
  const owner = await ownerOf(parts.wallets, request.account)
  if (parsed.signature === undefined) await requireWalletsOwn(parts, owner, parsed)
  const nowSeconds = Math.floor(parts.clock.nowMs() / 1000)
  const { model } = parts
  const broken = checkOrder({ model, account: owner.account, nowSeconds }, parsed, true)
  if (broken.length > 0) throw orderRefusal(broken)
  return encodeBuild(parts.settings, parsed)
}

const signedKind = ({ triggerKind }: ParsedOrder['order']) =>
  triggerKind === 0 ? 'an order with replaces_amount' : 'an order with a trigger'

/**
 * The contract holds only signed orders against a trigger or what a replaced order has lost, and a
 * sub-account has no wallet.
 */
async function requireWalletsOwn(
  { history }: OrderParts,
  { wallet }: Owner,
  { order }: ParsedOrder,
): Promise<void> {
  const { rows: isSubOf } = await history.ownerOf(wallet).catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })
  const isPlain = order.triggerKind === 0 && order.replacesAmount === 0n
  if (isPlain && isSubOf === undefined) return
  const orderKind = isSubOf === undefined ? signedKind(order) : 'an order of a sub-account'
  const message = `signature is required for ${orderKind}`
  throw fieldRefusal([{ field: 'signature', code: 'MISSING_PARAMETER', message }])
}

const marginText = ({ equity, initial, maintenance }: SimulatedHealth) => ({
  equity: fixedText(equity),
  initial_margin: fixedText(initial),
  maintenance_margin: fixedText(maintenance),
  available_margin: fixedText(equity > initial ? equity - initial : 0n),
})

const balancesText = (market: Market, { base, quote }: Balances) => ({
  base: formatRaw(base, market.baseDecimals),
  quote: formatRaw(quote, market.quoteDecimals),
})

function meansText(market: Market, before: Means, after: Means | undefined) {
  if ('health' in before)
    return {
      margin: {
        before: marginText(before.health),
        after: after !== undefined && 'health' in after ? marginText(after.health) : null,
      },
    }
  const last = after !== undefined && 'balances' in after ? after.balances : undefined
  return {
    balances: {
      before: balancesText(market, before.balances),
      after: last === undefined ? null : balancesText(market, last),
    },
  }
}

type PreviewFacts = Readonly<{
  signer: string | undefined
  refusals: readonly FieldError[]
}>

/** Returns a preview as JSON. */
function encodePreview(
  { market, digest }: ParsedOrder,
  { blockNumber, seconds, before, outcome }: Preview,
  { signer, refusals }: PreviewFacts,
): OrderPreview {
  const { fills = [], lots = 0n, filled = 0n, rested = 0n, cancelled = 0n, reason } = outcome ?? {}
  const units = fills.reduce((sum, fill) => sum + BigInt(fill.tick) * fill.lots, 0n)
  const fees = fills.reduce((sum, fill) => sum + fill.fees, 0n)
  const last = fills.at(-1)
  const quoteText = (raw: bigint) => formatRaw(raw, market.quoteDecimals)
  return {
    order_id: digest,
    recovered_signer: signer ?? null,
    block_number: blockNumber,
    block_time: nsText(seconds),
    is_accepted: refusals.length === 0,
    refusals: refusals as OrderPreview['refusals'],
    fills: fills.map((fill) => ({
      price: priceText(market, fill.tick),
      amount: amountText(market, fill.lots),
      orders: fill.count,
      fees: quoteText(fill.fees),
    })),
    amount: amountText(market, lots),
    filled: amountText(market, filled),
    resting: amountText(market, rested),
    cancelled: amountText(market, cancelled),
    cancel_reason: reason ?? null,
    avg_price: filled === 0n ? null : quoteText(averagePriceDown(market, units, filled)),
    worst_price: last === undefined ? null : priceText(market, last.tick),
    fees: quoteText(fees),
    ...meansText(market, before, outcome?.after),
    ...positionText(market, outcome),
  }
}

function positionText(market: Market, outcome: Preview['outcome']) {
  if (market.type === 'SPOT') return {}
  if (outcome?.position === undefined || !('health' in outcome.after))
    return { position: null, liquidation_price: null }
  const { lots, mark } = outcome.position
  const { health } = outcome.after
  const position = { ...emptyPosition(market.id, 0), lots }
  const price = liquidationPrice({ market, position, mark, margin: health })
  return {
    position: amountText(market, lots),
    liquidation_price: price === undefined ? null : fixedText(price),
  }
}

/** Returns the call that places an order: by any sender where it is signed, else by the wallet. */
function encodeBuild(settings: DomainSettings, parsed: ParsedOrder): OrderBuilt {
  const { market, order, digest, signature } = parsed
  return {
    to: market.engine,
    data: signature === undefined ? walletCall(parsed) : encodePlaceSigned(order, signature),
    value: '0',
    chain_id: settings.chainId,
    digest,
    typed_data: { ...orderTypedData(settings, market, order) },
  }
}

/** The replaced order goes first, in the same transaction: when it is gone, nothing is placed. */
function walletCall({ market, order }: ParsedOrder): string {
  const tick = order.limitPrice / market.priceStep
  const place = encodePlace(order, { tick, lots: order.amount / market.amountStep })
  if (order.replaces === NOTHING_REPLACED) return place
  return encodeMulticall([encodeCancel(order.market, replacedNumber(order.replaces)), place])
}
