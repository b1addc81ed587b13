// Runs one test file with node's runner and ends it when it takes too long.
import { resolve } from 'node:path'
import { run } from 'node:test'
import { type Counts, NONE } from './counts.ts'
import type { FilesResult } from './files.ts'
import { FileLines, type Print, type TestEvent } from './lines.ts'

const MS = 1000

/** Runs `file` for at most `msMax`, and prints one line for it. */
export async function runLimitedFile(
  file: string,
  msMax: number,
  print: Print,
): Promise<FilesResult> {
  const signal = AbortSignal.timeout(msMax)
  const lines = new FileLines(print)
  const running = new Set<string>()
  const failures: TestEvent[] = []
  let counts: Counts = { ...NONE, tests: 1, failed: 1 }
  for await (const event of run({ files: [resolve(file)], signal })) {
    const known = event as TestEvent
    const { name = '', file: path, counts: totals } = known.data
    if (known.type === 'test:dequeue' && name !== path) running.add(name)
    if (known.type === 'test:complete') running.delete(name)
    if (known.type === 'test:fail') failures.push(known)
    if (known.type === 'test:summary' && path === undefined && totals) counts = totals
    lines.take(known)
  }
  lines.end()
  if (signal.aborted)
    print(`    ended after ${msMax / MS} s, in: ${[...running].join(' > ') || 'no test'}`)
  return { counts, failures }
}
