// Formats the table of the users' observations.
import type { DrillResult } from './run-drill.ts'
import type { Summary } from './users/summary.ts'

const COLUMNS = [
  'drill',
  'fault',
  'well again after',
  'not 200',
  'longest without 200',
  'oldest data with 200',
  'of these while ready',
  'not ready',
  'sockets silent',
  'reconnects',
  'gaps',
  'no prices for',
  'ended by itself',
  'equal',
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
  const { faultMs, recoveredMs, withoutPricesMs, exits, failures } = result
  const ended = Object.entries(exits).map(([name, times]) => `${name} ${times}x`)
  return [
    drill.name,
    seconds(faultMs),
    seconds(recoveredMs),
    outcomes(summary),
    ...[summary.withoutAnswerMs, summary.oldestMs, summary.oldestReadyMs].map(seconds),
    notReady(summary),
    seconds(summary.silenceMs),
    String(summary.reconnects),
    String(summary.snapshots + summary.gaps),
    seconds(withoutPricesMs),
    ended.join(', ') || '-',
    failures.length === 0 ? 'yes' : `NO: ${failures.map((text) => text.split(':')[0]).join(', ')}`,
  ]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Share of the answers other than 200, and their statuses. */
function outcomes({ requests, outcomes: counts }: Summary): string {
  const bad = [...counts].filter(([outcome]) => outcome !== '200')
  const share = bad.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, requests)
  if (share === 0) return '0 %'
  const kinds = bad.sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome}: ${count}`)
  return `${(share * 100).toFixed(1)} % (${kinds.join(', ')})`
}

/** Start and end after the beginning of the fault, for each node. */
const notReady = ({ notReady: spans }: Summary) =>
  spans
    .map((span) =>
      span === undefined ? '-' : `${(span.fromMs / 1000).toFixed(1)} to ${seconds(span.toMs)}`,
    )
    .join('; ')
