// Query parameters shared by the lists of an account. Interface 4.4.
import Type, { type Static } from 'typebox'
import { anyTime, choice, INSTRUMENT_TYPES } from './field.ts'
import { parseTimeNs } from './funding.ts'

/** Market filter of a list. A filter that matches no market is rejected with the nearest name. */
export const marketFilter = {
  instrument_type: Type.Optional(
    choice(INSTRUMENT_TYPES, {
      'x-any-case': 'upper',
      description: 'SPOT or PERPETUAL, case-insensitive.',
    }),
  ),
  instrument_name: Type.Optional(
    Type.String({
      description: 'Exact name, 0x id or decimal id of a market; any other value is rejected.',
    }),
  ),
  asset: Type.Optional(Type.String({ description: 'Underlying asset, case-insensitive.' })),
}

/** Time range of a list; both bounds are inclusive. */
export const timeRange = {
  start_time: anyTime('Earliest row, inclusive.'),
  end_time: anyTime('Latest row, inclusive.'),
}

export const sortOrder = {
  sort_order: Type.Optional(
    choice(['asc', 'desc'], {
      default: 'desc',
      'x-any-case': 'lower',
      description: 'asc for oldest first, desc for newest first.',
    }),
  ),
}

const MarketFilter = Type.Object(marketFilter)
export type MarketFilter = Static<typeof MarketFilter>
const TimeRange = Type.Object(timeRange)
export type TimeRange = Static<typeof TimeRange>
const SortOrder = Type.Object(sortOrder)
export type SortOrder = Static<typeof SortOrder>

/** Block times, inclusive. The range is empty when `from` is above `to`. */
export type SecondsRange = Readonly<{ fromSeconds: number; toSeconds: number }>

const NS_PER_S = 1_000_000_000n
/** Beyond the latest time that 20 digits of nanoseconds can express. */
export const END_OF_TIME_S = 1e12

/**
 * Returns the range in whole seconds, or undefined when its start is after its end. A missing bound
 * leaves that side open.
 */
export function parseTimeRange({ start_time, end_time }: TimeRange): SecondsRange | undefined {
  const startNs = start_time === undefined ? 0n : parseTimeNs(start_time)
  const endNs = end_time === undefined ? undefined : parseTimeNs(end_time)
  if (endNs !== undefined && startNs > endNs) return undefined
  return {
    fromSeconds: Number((startNs + NS_PER_S - 1n) / NS_PER_S),
    toSeconds: endNs === undefined ? END_OF_TIME_S : Number(endNs / NS_PER_S),
  }
}
