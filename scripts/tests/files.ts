// Runs test files with node's runner and prints one line for each file that is done.
import { resolve } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addCounts, type Counts, NONE } from './counts.ts'
import { FileLines, PartLines, type Print, type TestEvent } from './lines.ts'

export type FilesResult = Readonly<{ counts: Counts; failures: readonly TestEvent[] }>

/** How files are run. */
export type Running = Readonly<{
  /** Processes at a time. */
  atOnce: number
  /** Files of one process. */
  together: number
}>

const TOGETHER = fileURLToPath(new URL('./together.ts', import.meta.url))

/** Runs `files` in processes of their own, or of several. */
export async function runFiles(
  files: readonly string[],
  { atOnce, together }: Running,
  print: Print,
): Promise<FilesResult> {
  const paths = files.map((file) => resolve(file))
  if (together === 1) return runOnce({ files: paths, concurrency: atOnce }, print)
  const parts = Array.from({ length: Math.ceil(paths.length / together) }, (_, at) =>
    paths.slice(at * together, (at + 1) * together),
  )
  let all: FilesResult = { counts: NONE, failures: [] }
  const work = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const { counts, failures } = await runOnce({ files: [TOGETHER], argv: part }, print)
      all = {
        counts: addCounts(all.counts, { ...counts, suites: counts.suites - part.length }),
        failures: [...all.failures, ...failures],
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return all
}

type RunOptions = NonNullable<Parameters<typeof run>[0]>

async function runOnce(options: RunOptions, print: Print): Promise<FilesResult> {
  const lines = options.argv ? new PartLines(options.argv, print) : new FileLines(print)
  const failures: TestEvent[] = []
  let counts: Counts | undefined
  for await (const event of run(options)) {
    const known = event as TestEvent
    if (known.type === 'test:fail') failures.push(known)
    if (known.type === 'test:summary' && known.data.file === undefined) counts = known.data.counts
    lines.take(known)
  }
  const lost = lines.end()
  if (counts === undefined) throw new Error('the runner ended without a summary')
  // A process that ends with 0 is a passed test to the runner, whatever it has not run.
  return { counts: addCounts(counts, { ...NONE, tests: lost, failed: lost }), failures }
}
