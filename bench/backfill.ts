// Measures logs per second from the node's answers to committed rows, feed and undo records.
import type { BackfillResult } from './backfill-run.ts'
import { besideServices } from './services.ts'
import { type Section, whole } from './table.ts'

/** Budget of architecture section 10, for PostgreSQL on two cores. */
const LOGS_PER_SECOND_MIN = 50_000
const BUDGETS: Readonly<Record<string, number>> = { PostgreSQL: LOGS_PER_SECOND_MIN }

export async function measureBackfill(): Promise<Section> {
  const results = await besideServices<readonly BackfillResult[]>('./backfill-run.ts')
  return {
    title: 'Backfill: parse, decode, apply and commit, all tables, feed and undo included',
    columns: ['into', 'logs', 'seconds', 'logs/s', 'budget'],
    rows: results.map(({ name, logs, seconds }) => {
      const rate = logs / seconds
      return [name, whole(logs), seconds.toFixed(2), whole(rate), verdict(rate, BUDGETS[name])]
    }),
  }
}

function verdict(rate: number, budget: number | undefined): string {
  if (budget === undefined) return ''
  return rate >= budget ? 'met' : `below ${whole(budget)}`
}
