// A perpetual market for tests in which only its engine and number matter.
import { marketId } from '../../src/ids.ts'
import { E18 } from '../../src/integers.ts'
import type { Market } from '../../src/records.ts'

/** One lot is a thousandth; at a mark of 1,000 it is worth one dollar. */
export const PLAIN_AMOUNT_STEP = 10n ** 15n
export const PLAIN_LEVERAGE_MAX = 20

export const plainMarket = (engine: string, number: number): Market => ({
  id: marketId(engine, number),
  engine,
  number,
  name: `M${number}-PERP`,
  type: 'PERPETUAL',
  asset: `M${number}`,
  quoteAsset: 'USDC',
  baseToken: null,
  quoteToken: null,
  baseDecimals: 18,
  quoteDecimals: 18,
  priceStep: E18,
  amountStep: PLAIN_AMOUNT_STEP,
  quotePerLotTick: PLAIN_AMOUNT_STEP,
  minOrderValue: 0n,
  maxOrderValue: E18,
  maxNotionalValue: E18,
  maxOpenInterest: E18,
  maxLeverage: PLAIN_LEVERAGE_MAX,
  makerFee: 0,
  takerFee: 0,
  isHalted: false,
  isEnded: false,
  lossAccount: null,
  listedSeconds: 0,
})
