// Writes the end of a run: the packages' durations, the failures again, and the totals.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { spec } from 'node:test/reporters'
import { addCounts, type Counts, NONE } from './counts.ts'
import type { TestEvent } from './lines.ts'

export type PackageResult = Readonly<{
  name: string
  counts: Counts
  ms: number
  failures: readonly TestEvent[]
  /** Output of the programs that failed. */
  output: readonly string[]
}>

const MS = 1000

/** Has node's own reporter write `events`, so that it reads as every run of node's tests does. */
const writeSpec = (events: readonly TestEvent[]): Promise<string> =>
  text(Readable.from(events).pipe(new spec()))

export async function reportRun(results: readonly PackageResult[], ms: number): Promise<string> {
  const failures = results.flatMap((result) => result.failures)
  const parts = [
    durationTable(results, ms),
    ...results.flatMap(({ output }) => output),
    ...(failures.length > 0 ? [await writeSpec(failures)] : []),
    await writeSpec(totalEvents(results, ms)),
  ]
  return parts.join('\n')
}

function durationTable(results: readonly PackageResult[], ms: number): string {
  const rows = results.map(({ name, counts, ms }) => [
    name,
    `${counts.tests}`,
    `${counts.failed + counts.cancelled}`,
    (ms / MS).toFixed(1),
  ])
  const head = ['package', 'tests', 'failed', 'seconds']
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  const whole = `${(ms / MS).toFixed(1)} s in all`
  return `\n${[head, ...rows].map(line).join('\n')}\n${whole}\n`
}

/** The totals as node's runner ends with them. */
function totalEvents(results: readonly PackageResult[], ms: number): TestEvent[] {
  const counts = results.map((result) => result.counts).reduce(addCounts, NONE)
  const lines = [
    `tests ${counts.tests}`,
    `suites ${counts.suites}`,
    `pass ${counts.passed}`,
    `fail ${counts.failed}`,
    `cancelled ${counts.cancelled}`,
    `skipped ${counts.skipped}`,
    `todo ${counts.todo}`,
    `duration_ms ${ms.toFixed(3)}`,
  ]
  return lines.map((message) => ({ type: 'test:diagnostic', data: { nesting: 0, message } }))
}
