// Writes the settled hours of funding of a market.
import { fromRaw, type shapes, toRaw } from 'openvenue'
import { decimalsOf, showDecimal, showPercent } from '../../../text/decimal-text.ts'
import type { FundingHour, FundingView } from '../chart-protocol.ts'

const DECIMALS = 18
const NS_PER_MS = 1_000_000n
const HOURS_PER_YEAR = 24n * 365n
const RATE_DIGITS = 4
const YEARLY_DIGITS = 2

/** Returns the hours, newest first, and their average; a year is the rate times its hours. */
export function viewFunding(rows: readonly shapes.FundingRow[], priceStep: string): FundingView {
  const digits = decimalsOf(priceStep)
  const rates = rows.map(([, , rate]) => toRaw(rate, DECIMALS))
  const average =
    rates.length === 0 ? 0n : rates.reduce((all, rate) => all + rate, 0n) / BigInt(rates.length)
  return {
    hours: rows.map((row) => hourOf(row, digits)).toReversed(),
    average: rates.length === 0 ? '' : showRate(average, RATE_DIGITS),
    averageYearly: rates.length === 0 ? '' : showRate(average * HOURS_PER_YEAR, YEARLY_DIGITS),
  }
}

const showRate = (raw: bigint, digits: number): string =>
  showPercent(fromRaw(raw, DECIMALS), digits)

function hourOf([, ns, rate, mark]: shapes.FundingRow, digits: number): FundingHour {
  const raw = toRaw(rate, DECIMALS)
  const ended = new Date(Number(BigInt(ns) / NS_PER_MS))
  const day = ended.toLocaleDateString('en-GB', { day: '2-digit', month: 'short' })
  const hour = ended.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return {
    id: ns,
    time: `${day} ${hour}`,
    rate: showRate(raw, RATE_DIGITS),
    yearly: showRate(raw * HOURS_PER_YEAR, YEARLY_DIGITS),
    mark: showDecimal(mark, digits),
    rank: Number(rate),
  }
}
