// Funding of perpetual markets. Formulas: the head of `Perps.sol`, sections 3 and 6.

import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import type { MarketId, PerLot, Price, Rate, Seconds } from './record-schema.ts'
import type { Funding } from './records.ts'

export const FUNDING_INTERVAL_SECONDS = 3600
/** Minimum interval between pokes of a market. */
export const FUNDING_UPDATE_SECONDS = 60

const BASE_RATE = 12_500_000_000_000n
const BASE_DEVIATION_MAX = 62_500_000_000_000n
const RATE_MAX = 5_000_000_000_000_000n

/** Returns `x` clamped to [-limit, limit]. */
export function clamp(x: bigint, limit: bigint): bigint {
  if (x > limit) return limit
  return x < -limit ? -limit : x
}

/** Returns the current mark, 18 decimals, 0 for none. An hour that begins now accrues at it. */
const markNow = (draft: Draft, market: MarketId) => draft.find('mark', market)?.price ?? 0n

/**
 * Starts the funding clock of a market at its listing or at its asset's first price, whichever is
 * later: without a mark, an hour has no price to accrue at.
 */
export function startFunding(draft: Draft, market: MarketId): void {
  const { seconds } = draft.header
  const mark = draft.find('mark', market)
  if (mark === undefined || draft.find('funding', market) !== undefined) return
  draft.slot('funding', market).after = {
    market,
    settledSeconds: seconds - (seconds % FUNDING_INTERVAL_SECONDS),
    rate: 0n,
    perSecond: 0n,
    cumulative: 0n,
    mark: mark.price,
    premiumSum: 0n,
    sampledSeconds: 0,
  }
}

/**
 * Returns the funding index F at `seconds`, quote raw per lot, exact. After the end of its hour it
 * stays constant until the hour is settled. Source: `Perps.sol`, section 3.
 */
export function fundingIndexAt(funding: Funding, seconds: Seconds): PerLot {
  const elapsed = Math.min(seconds - funding.settledSeconds, FUNDING_INTERVAL_SECONDS)
  return funding.cumulative + funding.perSecond * BigInt(elapsed)
}

/** Returns the hourly rate (18 decimals) that follows an hour with mean premium `premium`. */
export function rateFromPremium(premium: Rate): Rate {
  const eighth = premium / 8n
  return clamp(eighth + clamp(BASE_RATE - eighth, BASE_DEVIATION_MAX), RATE_MAX)
}

/**
 * Returns the next hourly rate if the current hour ended with the samples taken so far: seconds
 * without a sample count as a premium of zero; an hour without samples yields a rate of zero.
 */
export const estimatedRate = ({ premiumSum, sampledSeconds }: Funding): bigint =>
  sampledSeconds === 0 ? 0n : rateFromPremium(premiumSum / BigInt(FUNDING_INTERVAL_SECONDS))

/** Returns the end of the hour containing `seconds`. */
export const nextFundingSeconds = (seconds: Seconds): number =>
  seconds - (seconds % FUNDING_INTERVAL_SECONDS) + FUNDING_INTERVAL_SECONDS

/** Ends a funding hour and starts the next. */
export function settleFunding(draft: Draft, event: EventOf<'FundingSettled'>): void {
  const slot = draft.slot('funding', event.market)
  slot.after = settledFunding(slot.after, event, markNow(draft, event.market))
  draft.insert('settlement', `${event.market}|${event.time}`, {
    market: event.market,
    seconds: event.time,
    rate: event.rate,
    mark: event.mark,
    cumulative: event.cumulative,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
  })
}

/** Returns the funding after an hour that directly follows `before`; the next begins at `mark`. */
export function settledFunding(
  before: Funding | undefined,
  event: EventOf<'FundingSettled'>,
  mark: Price,
): Funding {
  invariant(before !== undefined, 'a market has a price before its funding settles', event)
  const { time } = event
  invariant(
    time === before.settledSeconds + FUNDING_INTERVAL_SECONDS,
    'funding hours follow one another without a gap',
    { ...event, settledSeconds: before.settledSeconds },
  )
  invariant(event.rate === before.rate, 'an hour accrues at the rate it began with', {
    ...event,
    began: before.rate,
  })
  invariant(event.mark === before.mark, 'an hour accrues at the mark it began with', {
    ...event,
    began: before.mark,
  })
  invariant(
    event.cumulative === fundingIndexAt(before, time),
    'an hour adds what it accrued to the funding index',
    { ...event, cumulativeBefore: before.cumulative },
  )
  return {
    market: event.market,
    settledSeconds: time,
    rate: event.nextRate,
    perSecond: event.nextPerSecond,
    cumulative: event.cumulative,
    mark,
    premiumSum: 0n,
    sampledSeconds: 0,
  }
}

/** Adds a premium sample to the current hour, weighted by the seconds it covers. */
export function sampledFunding(before: Funding | undefined, event: EventOf<'Marked'>): Funding {
  invariant(before !== undefined, 'a market has a price before its premium is sampled', event)
  const { premium, seconds } = event
  const sampledSeconds = before.sampledSeconds + seconds
  invariant(
    seconds >= 0 && sampledSeconds <= FUNDING_INTERVAL_SECONDS,
    'samples count the seconds of their hour, each once',
    { ...event, sampledSeconds: before.sampledSeconds },
  )
  return {
    ...before,
    premiumSum: before.premiumSum + premium * BigInt(seconds),
    sampledSeconds,
  }
}
