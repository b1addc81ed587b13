// Parses the parameters of /candles and of the charting history, section 4.3.
import type { Header } from '@openvenue/core/events'
import {
  nextPeriodOpen,
  periodOpen,
  RESOLUTION_NAMES,
  type Resolution,
} from '@openvenue/core/resolutions'
import { parseResolution } from '@openvenue/wire/candles'
import { parseTimeNs } from '@openvenue/wire/funding'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { Refusal } from '../http/refusals.ts'
import { mismatchText } from '../http/validation.ts'
import { type BarsQuery, SECONDS_MAX } from '../model/candle-series.ts'
import type { Clock } from '../model/clock.ts'
import type { LiveMarket } from '../model/live-market.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** A request for more bars is a heavy read. */
const LIGHT_BARS_MAX = 1_000

/** The legal resolutions, in words. */
const LEGAL_RESOLUTIONS = `one of ${RESOLUTION_NAMES.join(', ')}`

/** Returns the resolution that a query names, or refuses with 400 and the list of resolutions. */
export function resolutionOr400(text: string | undefined): Resolution {
  const resolution = parseResolution(text ?? '')
  if (resolution !== undefined) return resolution
  const isMissing = text === undefined || text === ''
  const mismatch = mismatchText(LEGAL_RESOLUTIONS, text)
  const code = isMissing ? 'MISSING_PARAMETER' : 'UNSUPPORTED_RESOLUTION'
  const detail = {
    field: 'resolution',
    code,
    message: isMissing
      ? `resolution is required: expected ${LEGAL_RESOLUTIONS}`
      : `resolution is not supported: ${mismatch}`,
    allowed: RESOLUTION_NAMES,
  } as const
  const message = isMissing
    ? `query parameter resolution is required: expected ${LEGAL_RESOLUTIONS}`
    : `Unsupported resolution: ${mismatch}`
  throw new Refusal(code, { message, details: [detail] })
}

/** Returns the first name that is not empty. */
export const firstNamed = (...names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined && name !== '')

/**
 * Returns the market of that name (any case) or id, else the perpetual of that asset, else its
 * market against USDC. The most recently listed of several with one name counts.
 */
export function findInstrument(model: VenueModel, text: string): LiveMarket | undefined {
  const name = text.toUpperCase()
  const names = [name, `${name}-PERP`, `${name}-USDC`]
  const markets = [...model.markets]
  for (const candidate of names) {
    const live = markets.findLast(({ market }) => market.name.toUpperCase() === candidate)
    if (live !== undefined) return live
  }
  return model.market(text.toLowerCase())
}

/** Seconds for which caches may keep candles that no block will change. */
const CLOSED_MAX_AGE_S = 60
/** Chain time after which no reorganisation is expected to reach a closed candle, seconds. */
const CLOSED_FOR_S = 60

/**
 * Returns the seconds for which caches may keep the bars of `range`, as of `head`: 0 while a block
 * may change them. The chain's clock counts, since a node may be behind it.
 */
export function candlesMaxAge(
  { resolution, range }: Readonly<{ resolution: Resolution; range: BarsQuery }>,
  head: Header | undefined,
): number {
  if (range.toSeconds === undefined || head === undefined) return 0
  const closedSeconds = nextPeriodOpen(resolution, range.toSeconds)
  return closedSeconds + CLOSED_FOR_S <= head.seconds ? CLOSED_MAX_AGE_S : 0
}

type RangeParameters = Readonly<{ from?: number; to?: number; countback?: number }>

/**
 * Returns the bars that the parameters select. `to` becomes the open time of its period, so that
 * clients that ask for "now" share an answer.
 */
export function rangeOr400(resolution: Resolution, given: RangeParameters): BarsQuery {
  const { countback } = given
  const [from, to] = [given.from, given.to].map((time) => time && inSeconds(time))
  const toSeconds = to === undefined ? undefined : openAtOrBefore(resolution, to)
  if (countback !== undefined) return { toSeconds, countback }
  if (from !== undefined && to !== undefined && from > to)
    throw new Refusal('INVALID_TIME_RANGE', {
      message: `from is after to: got ${from}, expected at most ${to}`,
      details: [
        {
          field: 'from',
          code: 'INVALID_TIME_RANGE',
          message: `from is after to: got ${from}, expected at most ${to}`,
          nearest: to,
        },
      ],
    })
  return { fromSeconds: Math.min(Math.max(from ?? 0, 0), SECONDS_MAX), toSeconds }
}

/** Charts send times in any unit, which is inferred from the size (`parseTimeNs`). */
const inSeconds = (time: number): number =>
  Number.isFinite(time) && time > 0
    ? Number(parseTimeNs(BigInt(Math.trunc(time)).toString()) / NS_PER_S)
    : time
const NS_PER_S = 1_000_000_000n

/** -1 is before every bar. */
const openAtOrBefore = (resolution: Resolution, seconds: number) =>
  seconds < 0 ? -1 : periodOpen(resolution, Math.min(seconds, SECONDS_MAX))

/** Returns the weight of a request: five when it may read more than 1,000 bars. */
export const rangeWeight =
  ({ nowMs }: Pick<Clock, 'nowMs'>) =>
  (query: Readonly<Record<string, unknown>>): number => {
    const { countback, from, to, fill } = query
    if (fill !== undefined) return HEAVY_WEIGHT
    if (countback !== undefined) return barsWeight(Number(countback))
    const resolution = parseResolution(String(query.resolution ?? '')) ?? '1'
    const [start, end] = [from ?? 0, to ?? nowMs() / 1000].map((time) => inSeconds(Number(time)))
    const seconds = (end ?? 0) - (start ?? 0)
    return barsWeight(seconds / nextPeriodOpen(resolution, 0))
  }

const barsWeight = (bars: number) => (bars > LIGHT_BARS_MAX ? HEAVY_WEIGHT : 1)
