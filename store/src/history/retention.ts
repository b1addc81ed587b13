// Deletes rows by minute and hour that are no longer read, or beyond their retention.
import type { Change } from '@openvenue/core/changes'
import type { Statement, StatementCall } from '../db/db.ts'
import { TABLES, textArray } from '../db/tables.ts'

/** Statistics and pools look 25 hours back; a reader may be some hours late. */
export const SERIES_RETENTION_S = 48 * 3600
/** A series is checked when its newest row starts another hour, which bounds the deleted rows. */
const STEP_SECONDS = 3600
/** The last price of each hour is kept for longer, for /index-history. */
export const PRICE_RETENTION_S = 400 * 24 * 3600

const KEPT_SERIES = ['priceMinute', 'poolHour'] as const
type RetentionSeries = (typeof KEPT_SERIES)[number]

const expireName = (kind: RetentionSeries) => `expire_${TABLES[kind].name}`

const expiring = (kind: RetentionSeries) => {
  const { name, slot } = TABLES[kind]
  return { name, series: slot?.[0]?.name }
}

/** Deletes rows before `from_seconds`. */
function deleteStatement(kind: RetentionSeries): Statement {
  const { name, series } = expiring(kind)
  return {
    name: expireName(kind),
    types: ['text[]', 'bigint[]'],
    text: `DELETE FROM ${name} t USING unnest($1, $2) AS kept(series, from_seconds)
      WHERE t.${series} = kept.series AND t.open_seconds < kept.from_seconds`,
  }
}

/**
 * Deletes minutes from `seen_seconds` to `from_seconds` that are not the last of their hour. The
 * range bounds a step, however long the series.
 */
const THIN_MINUTES: Statement = {
  name: 'thin_price_minutes',
  types: ['text[]', 'bigint[]', 'bigint[]'],
  text: `DELETE FROM price_minutes t USING unnest($1, $2, $3) AS kept(series, seen_seconds, from_seconds)
    WHERE t.series = kept.series AND t.open_seconds >= kept.seen_seconds
      AND t.open_seconds < kept.from_seconds AND EXISTS (
        SELECT FROM price_minutes l WHERE l.series = t.series AND l.open_seconds > t.open_seconds
          AND l.open_seconds < t.open_seconds - t.open_seconds % ${STEP_SECONDS} + ${STEP_SECONDS}
      )`,
}

/** Maximum number of one-minute candles deleted at a time, over all markets. */
export const OLD_CANDLES_MAX = 5_000

/**
 * Deletes the oldest one-minute candles before $1, at most $2. The newest of a market is kept: the
 * next trade continues it, and the chart of a quiet market shows it.
 */
const EXPIRE_CANDLES: Statement = {
  name: 'expire_minute_candles',
  types: ['bigint', 'bigint'],
  text: `WITH old AS (
      SELECT o.market, o.open_seconds FROM markets m, LATERAL (
        SELECT r.market, r.open_seconds FROM candles r
        WHERE r.market = m.id AND r.resolution = '1' AND r.open_seconds < least($1, (
          SELECT max(n.open_seconds) FROM candles n WHERE n.market = m.id AND n.resolution = '1'
        ))
        ORDER BY r.open_seconds LIMIT $2
      ) o LIMIT $2
    )
    DELETE FROM candles c USING old
    WHERE c.market = old.market AND c.resolution = '1' AND c.open_seconds = old.open_seconds`,
}

/** Returns the call that deletes some one-minute candles before `fromSeconds`. */
export const expireCandlesCall = (fromSeconds: number): StatementCall => ({
  name: EXPIRE_CANDLES.name,
  args: [fromSeconds, OLD_CANDLES_MAX],
})

export const RETENTION_STATEMENTS: readonly Statement[] = [
  ...KEPT_SERIES.map(deleteStatement),
  THIN_MINUTES,
  EXPIRE_CANDLES,
]

/** Returns the calls that delete rows outdated by `changes`: the newest row of a series is kept. */
export function retentionCalls(changes: readonly Change[]): StatementCall[] {
  return [
    ...expireCalls('poolHour', stepsOf(changes, 'poolHour'), SERIES_RETENTION_S),
    ...priceCalls(stepsOf(changes, 'priceMinute')),
  ]
}

/** Hours of the newest row before and after the changes, by series. */
type HourSteps = ReadonlyMap<string, readonly [before: number, after: number]>

function stepsOf(changes: readonly Change[], kind: RetentionSeries): HourSteps {
  const steps = new Map<string, readonly [number, number]>()
  for (const change of changes) {
    if (change.what !== kind) continue
    const [before, after] = [stepStart(change.before), stepStart(change.after)]
    if (after === undefined || before === undefined || after <= before) continue
    steps.set(change.key, [steps.get(change.key)?.[0] ?? before, after])
  }
  return steps
}

function expireCalls(kind: RetentionSeries, steps: HourSteps, ageSeconds: number): StatementCall[] {
  if (steps.size === 0) return []
  const from = [...steps.values()].map(([, after]) => after - ageSeconds)
  return [{ name: expireName(kind), args: [textArray([...steps.keys()]), textArray(from)] }]
}

function priceCalls(steps: HourSteps): StatementCall[] {
  if (steps.size === 0) return []
  const bounds = [...steps.values()]
  const args = [
    textArray([...steps.keys()]),
    textArray(bounds.map(([before]) => before - SERIES_RETENTION_S)),
    textArray(bounds.map(([, after]) => after - SERIES_RETENTION_S)),
  ]
  return [
    { name: THIN_MINUTES.name, args },
    ...expireCalls('priceMinute', steps, PRICE_RETENTION_S),
  ]
}

const stepStart = (row: Readonly<{ openSeconds: number }> | undefined) =>
  row && row.openSeconds - (row.openSeconds % STEP_SECONDS)
