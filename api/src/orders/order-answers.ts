// Answers previews and builds: what an order would do, and the call that places it.
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
import type { FieldError } from '../http/refusals.ts'
import { encodeCancel, encodeMulticall, encodePlace, encodePlaceSigned } from './engine-calls.ts'
import type { ParsedOrder } from './order-body.ts'
import { replacedNumber } from './order-edits.ts'
import type { Balances, Health, Means, Preview } from './order-preview.ts'
import { type DomainSettings, NOTHING_REPLACED, orderTypedData } from './signed-order.ts'

const marginText = ({ equity, initial, maintenance }: Health) => ({
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

export type PreviewFacts = Readonly<{
  signer: string | undefined
  refusals: readonly FieldError[]
}>

/** Returns a preview as JSON. */
export function encodePreview(
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

/** Returns the call that places an order: of anybody where it is signed, else of the wallet. */
export function encodeBuild(settings: DomainSettings, parsed: ParsedOrder): OrderBuilt {
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

/** What is replaced goes first, in the same transaction: when it is gone, nothing is placed. */
function walletCall({ market, order }: ParsedOrder): string {
  const tick = order.limitPrice / market.priceStep
  const place = encodePlace(order, { tick, lots: order.amount / market.amountStep })
  if (order.replaces === NOTHING_REPLACED) return place
  return encodeMulticall([encodeCancel(order.market, replacedNumber(order.replaces)), place])
}
