// Formats the table of the users' observations.
import type { DrillResult } from './run-drill.ts'
import type { Summary } from './users/summary.ts'

const COLUMNS = [
  'drill',
  'fault',
  'recovered after',
  'not 200',
  'longest time without 200',
  'oldest data',
  'oldest data while ready',
  'not ready',
  'longest silence of sockets',
  'reconnects',
  'gaps',
  'longest time without prices',
  'unexpected exits',
  'passed',
]

/** Returns a Markdown table. */
export const markdownTable = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Returns a Markdown table with one line for each drill, and the failures below it. */
export function writeTable(result: readonly DrillResult[]): string {
  const failures = result.flatMap(({ drill, failures }) =>
    failures.map((failure) => `${drill.name}: ${failure}`),
  )
  const table = markdownTable(COLUMNS, result.map(drillCells))
  return [table, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n')
}

function drillCells({ drill, summary, ...result }: DrillResult): string[] {
  const { faultMs, recoveredMs, priceGapMs, exits, failures } = result
  const ended = Object.entries(exits).map(([name, times]) => `${name} ${times}×`)
  return [
    drill.name,
    seconds(faultMs),
    seconds(recoveredMs),
    describeFailures(summary),
    ...[summary.withoutSuccessMs, summary.oldestMs, summary.oldestReadyMs].map(seconds),
    describeNotReady(summary),
    seconds(summary.silenceMs),
    String(summary.reconnects),
    String(summary.snapshots + summary.gaps),
    seconds(priceGapMs),
    ended.join(', ') || '-',
    failures.length === 0 ? 'yes' : `NO: ${failures.map((text) => text.split(':')[0]).join(', ')}`,
  ]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Share of the answers other than 200, and their statuses. */
function describeFailures({ requests, outcomes: counts }: Summary): string {
  const bad = [...counts].filter(([status]) => status !== '200')
  const share = bad.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, requests)
  if (share === 0) return '0 %'
  const kinds = bad.sort(([, a], [, b]) => b - a).map(([status, count]) => `${status}: ${count}`)
  return `${(share * 100).toFixed(1)} % (${kinds.join(', ')})`
}

/** Start and end after the beginning of the fault, for each node. */
const describeNotReady = ({ notReady: spans }: Summary) =>
  spans
    .map((span) =>
      span === undefined ? '-' : `${(span.fromMs / 1000).toFixed(1)} to ${seconds(span.toMs)}`,
    )
    .join('; ')
