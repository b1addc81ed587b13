// The table of what users saw.
import type { Played } from './play.ts'
import type { Impression } from './users/impression.ts'

const COLUMNS = [
  ...['drill', 'fault', 'well again after', 'not 200', 'longest without 200'],
  ...['oldest data with 200', 'of these while ready', 'not ready', 'sockets silent'],
  ...['reconnects', 'gaps told', 'no prices for', 'ended by itself', 'equal'],
]

/** Returns a table in Markdown, one line for each drill, and what failed below it. */
export function tableOf(played: readonly Played[]): string {
  const rows = played.map(rowOf)
  const lines = [COLUMNS, COLUMNS.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  const failures = played.flatMap(({ drill, failures }) =>
    failures.map((failure) => `${drill.name}: ${failure}`),
  )
  return [...lines, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n')
}

export function rowOf({ drill, impression, ...played }: Played): string[] {
  const { faultMs, recoveredMs, withoutPricesMs, exits, failures } = played
  const ended = Object.entries(exits).map(([name, times]) => `${name} ${times}x`)
  return [
    ...[drill.name, seconds(faultMs), seconds(recoveredMs), outcomes(impression)],
    ...[impression.withoutAnswerMs, impression.oldestMs, impression.oldestReadyMs].map(seconds),
    ...[notReady(impression), seconds(impression.silenceMs), String(impression.reconnects)],
    ...[String(impression.snapshots + impression.gaps), seconds(withoutPricesMs)],
    ended.join(', ') || '-',
    failures.length === 0 ? 'yes' : `NO: ${failures.map((text) => text.split(':')[0]).join(', ')}`,
  ]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Part of the answers that are not 200, and what they were. */
function outcomes({ asked, outcomes: counts }: Impression): string {
  const bad = [...counts].filter(([outcome]) => outcome !== '200')
  const share = bad.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, asked)
  if (share === 0) return '0 %'
  const kinds = bad.sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome}: ${count}`)
  return `${(share * 100).toFixed(1)} % (${kinds.join(', ')})`
}

/** From and to, after the fault began, for each node. */
const notReady = ({ notReady: spans }: Impression) =>
  spans
    .map((span) =>
      span === undefined ? '-' : `${(span.fromMs / 1000).toFixed(1)} to ${seconds(span.toMs)}`,
    )
    .join('; ')
