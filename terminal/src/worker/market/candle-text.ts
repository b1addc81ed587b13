// Writes a candle as it is read.
import { fromRaw, toRaw } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../text/decimal-text.ts'
import type { CandleText } from './chart-protocol.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

type Candle = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', string>>
type Steps = Readonly<{ price_step: string }>

/** Returns its prices in the digits of the market, and from open to close in percent, cut. */
export function viewCandle(candle: Candle, { price_step }: Steps): CandleText {
  const price = (text: string) => showDecimal(text, decimalsOf(price_step))
  const [open, close] = [toRaw(candle.open, DECIMALS), toRaw(candle.close, DECIMALS)]
  const change = open === 0n ? 0n : ((close - open) * ONE) / open
  return {
    ...{ open: price(candle.open), high: price(candle.high), low: price(candle.low) },
    ...{ close: price(candle.close), volume: showDecimal(candle.volume) },
    change: showPercent(fromRaw(change, DECIMALS), 2),
    isUp: close >= open,
  }
}
