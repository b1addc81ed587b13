// Current funding and the history of settled hours (interface 2.5).
import {
  estimatedRate,
  FUNDING_INTERVAL_SECONDS,
  FUNDING_UPDATE_SECONDS,
  nextFundingSeconds,
} from '@openvenue/core/funding'
import type { Funding, Market, Settlement } from '@openvenue/core/records'
import { fixedText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { nsText, quoteRawText } from './decimal.ts'
import { anyTime, decimal, limit, milliseconds, named, ns } from './field.ts'

/** Interface 8: clamped to 1 to 500. */
export const FUNDING_HISTORY_LIMIT_DEFAULT = 50
const FUNDING_HISTORY_LIMIT_MAX = 500

export const CurrentFunding = named(
  'Funding',
  {
    funding_rate: decimal('Rate of the current hour, per hour, as a fraction.'),
    estimated_rate: decimal(
      'Rate of the next hour if this one ended now: seconds without a sample count as a zero premium.',
    ),
    protocol_funding_rate: decimal('The rate that the contract applies.'),
    next_funding_time: milliseconds('End of the current hour.'),
    next_epoch: ns("next_funding_time in the family's format."),
    funding_interval_seconds: Type.Literal(FUNDING_INTERVAL_SECONDS),
    funding_accrual: Type.Literal('continuous'),
    funding_update_interval_seconds: Type.Literal(FUNDING_UPDATE_SECONDS),
  },
  'The rate is per hour; funding accrues continuously.',
)
export type CurrentFunding = Static<typeof CurrentFunding>

const FundingRow = Type.Tuple(
  [
    Type.String({ description: 'instrument_name' }),
    ns('End of the hour.'),
    decimal('Rate of the hour, as a fraction.'),
    decimal('Mark price that the hour accrued at.'),
  ],
  { title: 'FundingRow', description: 'A settled hour: market, end, rate and mark price.' },
)
export type FundingRow = Static<typeof FundingRow>

export const FundingHistory = named(
  'FundingHistory',
  {
    funding_history: Type.Array(FundingRow, {
      description: 'One row per settled hour, oldest first.',
    }),
  },
  'Settled funding hours.',
)

const name = Type.String({ description: 'Name of a perpetual; case-sensitive suffix -PERP.' })
export const FundingPath = Type.Object({ instrument_name: name })
export const FundingQuery = FundingPath

const range = {
  limit: limit(FUNDING_HISTORY_LIMIT_MAX, FUNDING_HISTORY_LIMIT_DEFAULT, 'both'),
  start_time: anyTime('Earliest settlement, inclusive.'),
  end_time: anyTime('Latest settlement, inclusive.'),
}
export const FundingHistoryRange = Type.Object(range)
export const FundingHistoryQuery = Type.Object({ instrument_name: name, ...range })

/**
 * Returns current funding at `nowSeconds`. Without `funding` (unknown perpetual) every rate is "0"
 * (interface 4.2).
 */
export function encodeFunding(funding: Funding | undefined, nowSeconds: number): CurrentFunding {
  const rate = fixedText(funding?.rate ?? 0n)
  const next = nextFundingSeconds(nowSeconds)
  return {
    funding_rate: rate,
    estimated_rate: fixedText(funding === undefined ? 0n : estimatedRate(funding)),
    protocol_funding_rate: rate,
    next_funding_time: next * 1000,
    next_epoch: nsText(next),
    funding_interval_seconds: FUNDING_INTERVAL_SECONDS,
    funding_accrual: 'continuous',
    funding_update_interval_seconds: FUNDING_UPDATE_SECONDS,
  }
}

/** Returns a row of the history. */
export const encodeSettlement = (market: Market, settlement: Settlement): FundingRow => [
  market.name,
  nsText(settlement.seconds),
  fixedText(settlement.rate),
  quoteRawText(market, settlement.mark),
]

const SECONDS_DIGITS_MAX = 10
const MILLISECONDS_DIGITS_MAX = 13

/** Returns a time in nanoseconds, given as digits in seconds, milliseconds or nanoseconds. */
export function parseTimeNs(digits: string): bigint {
  const time = BigInt(digits)
  const length = time.toString().length
  if (length <= SECONDS_DIGITS_MAX) return time * 1_000_000_000n
  return length <= MILLISECONDS_DIGITS_MAX ? time * 1_000_000n : time
}
