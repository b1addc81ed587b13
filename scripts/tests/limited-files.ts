// Runs test files in one process of node's runner, and ends it when they take too long.
import { resolve } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addCounts, type Counts, NONE } from './counts.ts'
import type { FilesResult } from './files.ts'
import { PartLines, type Print, type TestEvent } from './lines.ts'

const TOGETHER = fileURLToPath(new URL('./together.ts', import.meta.url))
const FAILED: Counts = { ...NONE, tests: 1, failed: 1 }
const MS = 1000

/** Runs `files` one after the other for at most `msMax`, and prints one line for each. */
export async function runLimitedFiles(
  files: readonly string[],
  msMax: number,
  print: Print,
): Promise<FilesResult> {
  const paths = files.map((file) => resolve(file))
  const signal = AbortSignal.timeout(msMax)
  const lines = new PartLines(paths, print)
  const running = new Set<string>()
  const failures: TestEvent[] = []
  let counts = FAILED
  for await (const event of run({ files: [TOGETHER], argv: paths, signal })) {
    const known = event as TestEvent
    const { name = '', file, counts: totals } = known.data
    if (known.type === 'test:dequeue' && name !== file) running.add(name)
    if (known.type === 'test:complete') running.delete(name)
    if (known.type === 'test:fail') failures.push(known)
    if (known.type === 'test:summary' && file === undefined && totals) counts = totals
    lines.take(known)
  }
  if (signal.aborted)
    print(`ended after ${msMax / MS} s, in: ${[...running].join(' > ') || 'no test'}`)
  const lost = lines.end()
  // The runner counts one suite more for each file that has ended.
  const suites = lost - paths.length
  return { counts: addCounts(counts, { ...NONE, tests: lost, failed: lost, suites }), failures }
}
