// Rows of series by the minute and hour that nobody reads any more.
import type { Change } from '@openvenue/core/changes'
import type { Statement, StatementCall } from './db.ts'
import { TABLES, textArray } from './tables.ts'

/** Statistics and pools look 25 hours back; a reader may be some hours late. */
export const SERIES_RETENTION_S = 48 * 3600
/** A series is looked at when its newest row begins another hour: then at most as many rows go. */
const STEP_SECONDS = 3600

const KEPT_SERIES = ['priceMinute', 'poolHour'] as const
type KeptSeries = (typeof KEPT_SERIES)[number]

const expireName = (what: KeptSeries) => `expire_${TABLES[what].name}`

export const RETENTION_STATEMENTS: readonly Statement[] = KEPT_SERIES.map((what) => {
  const { name, slot } = TABLES[what]
  const series = slot?.[0]?.name
  return {
    name: expireName(what),
    types: ['text[]', 'bigint[]'],
    text: `DELETE FROM ${name} t USING unnest($1, $2) AS kept(series, from_seconds)
      WHERE t.${series} = kept.series AND t.open_seconds < kept.from_seconds`,
  }
})

/** Returns the calls that delete what `changes` leave behind: the newest row of a series stays. */
export function retentionCalls(changes: readonly Change[]): StatementCall[] {
  return KEPT_SERIES.flatMap((what) => {
    const from = new Map<string, number>()
    for (const change of changes) {
      if (change.what !== what) continue
      const [before, after] = [stepStart(change.before), stepStart(change.after)]
      if (after !== undefined && after > (before ?? after))
        from.set(change.key, after - SERIES_RETENTION_S)
    }
    const args = [textArray([...from.keys()]), textArray([...from.values()])]
    return from.size === 0 ? [] : [{ name: expireName(what), args }]
  })
}

const stepStart = (row: Readonly<{ openSeconds: number }> | undefined) =>
  row && row.openSeconds - (row.openSeconds % STEP_SECONDS)
