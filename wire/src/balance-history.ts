// Encodes the equity history of an account. Interface 2.10 and 4.4.
import { fixedText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { anyTime, decimal, named, seconds } from './field.ts'

/** Seconds per point. Interface 8. */
export const BALANCE_RESOLUTION_DEFAULT = 3600
const BALANCE_RESOLUTION_MIN = 60
const BALANCE_RESOLUTION_MAX = 604_800

export const BalanceHistoryQuery = Type.Object({
  start_time: Type.Unsafe<string>({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    'x-digits': true,
    description: 'Earliest point. Unix seconds, milliseconds or nanoseconds, by magnitude.',
  }),
  end_time: anyTime('Latest point; now by default.'),
  resolution: Type.Optional(
    Type.Integer({
      minimum: BALANCE_RESOLUTION_MIN,
      maximum: BALANCE_RESOLUTION_MAX,
      default: BALANCE_RESOLUTION_DEFAULT,
      'x-clamp': 'both',
      description:
        'Seconds per point, clamped to 60 to 604800. Coarsened to a multiple of it if there would be more points than the operator allows (2000).',
    }),
  ),
})

export const BalanceHistory = named(
  'BalanceHistory',
  {
    history: Type.Array(
      Type.Tuple([seconds('Time of the point.'), decimal('Equity, in units of the collateral.')], {
        title: 'BalancePoint',
        description: 'Unix seconds and the equity at that time.',
      }),
      { description: 'The last snapshot of each period of the resolution, oldest first.' },
    ),
  },
  'Equity over time.',
)
export type BalanceHistory = Static<typeof BalanceHistory>

/** Returns points of 18 decimals in the form of the answer. */
export const encodeBalanceHistory = (
  points: readonly Readonly<{ seconds: number; equity: bigint }>[],
): BalanceHistory => ({
  history: points.map(({ seconds, equity }) => [seconds, fixedText(equity)]),
})
