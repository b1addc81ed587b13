// Runs test files in one process with node's runner, and ends it when it hangs.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addCounts, type Counts, NONE } from './counts.ts'
import { FileLines, type Print, type TestEvent } from './lines.ts'

/**
 * Writes one JSON line per test to the file named by TEST_RECORD, so that two runs can be compared
 * by title (scripts/tests/compare-titles.ts).
 */
type TestResult = { nesting: number; path: string[]; ms: number; isSuite: boolean; ok: boolean }

/** Rebuilds each test's full title from the runner's events, which report children first. */
class TitleRecorder {
  readonly #target = process.env.TEST_RECORD
  #pending: TestResult[] = []

  take({ type, data }: TestEvent): void {
    if (this.#target === undefined || (type !== 'test:pass' && type !== 'test:fail')) return
    const { name = '', nesting = 0, details } = data
    const entries = this.#pending
    for (let at = entries.length - 1; at >= 0; at--) {
      const entry = entries[at]
      if (entry === undefined || entry.nesting <= nesting) break
      entry.path.unshift(name)
    }
    const isSuite = details?.type === 'suite'
    const ms = details?.duration_ms ?? 0
    entries.push({ nesting, path: [name], ms, isSuite, ok: type === 'test:pass' })
    if (nesting === 0) this.#write(entries)
  }

  #write(entries: readonly TestResult[]): void {
    this.#pending = []
    const lines = entries.map(({ path, ms, isSuite, ok }) => {
      // The outermost suite is the file, named by its absolute path.
      const [file = '', ...titles] = path
      const title = titles.join(' > ')
      return JSON.stringify({ file: relative('', file), title, ms: Math.round(ms), isSuite, ok })
    })
    appendFileSync(this.#target ?? '', `${lines.join('\n')}\n`)
  }
}

export type FilesResult = Readonly<{
  counts: Counts
  failures: readonly TestEvent[]
  /** Duration of each file by its path, milliseconds. */
  fileMs: ReadonlyMap<string, number>
}>

/** How long a process may report nothing, neither the start nor the end of a test. */
const SILENT_MS_MAX = Number(process.env.TEST_SILENT_MS ?? 180_000)

/** The threads of the garbage collector cost a fifth more CPU time, which busy cores lack. */
const EXEC_ARGV = ['--single-threaded-gc']

const TOGETHER = fileURLToPath(new URL('./together.ts', import.meta.url))

/** Runs `files` one after another in a process of their own. */
export async function runFiles(files: readonly string[], print: Print): Promise<FilesResult> {
  const paths = files.map((file) => resolve(file))
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-tests-'))
  const statusFile = join(folder, 'status.json')
  try {
    return await runPaths(paths, { statusFile, print })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Status that the process writes; `file` is the test file that is running. */
type Status = Readonly<{ pid: number; file: string }>

async function runPaths(
  paths: readonly string[],
  { statusFile, print }: Readonly<{ statusFile: string; print: Print }>,
): Promise<FilesResult> {
  const lines = new FileLines(paths, print)
  const recorder = new TitleRecorder()
  const failures: TestEvent[] = []
  let counts: Counts | undefined
  const watch = setTimeout(() => {
    // A process that has not started yet cannot hang.
    if (!existsSync(statusFile)) return void watch.refresh()
    const { pid, file } = JSON.parse(readFileSync(statusFile, 'utf8')) as Status
    lines.blame(file, `was killed: no test started or ended for ${SILENT_MS_MAX / 1000} s`)
    killTree(pid)
  }, SILENT_MS_MAX)
  for await (const event of run({
    files: [TOGETHER],
    argv: [statusFile, ...paths],
    execArgv: EXEC_ARGV,
  })) {
    watch.refresh()
    const item = event as TestEvent
    if (item.type === 'test:fail') failures.push(item)
    if (item.type === 'test:summary' && item.data.file === undefined) counts = item.data.counts
    lines.take(item)
    recorder.take(item)
  }
  clearTimeout(watch)
  const { lost, fileMs } = lines.end()
  if (counts === undefined) throw new Error('the runner ended without a summary')
  // The runner counts a process that exits with 0 as passed, whatever it has not run.
  const suites = counts.suites - paths.length + lost
  return {
    counts: addCounts({ ...counts, suites }, { ...NONE, tests: lost, failed: lost }),
    failures,
    fileMs,
  }
}

/** Kills a process and those it started, which would otherwise outlive it. */
function killTree(root: number): void {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const pids = [root]
  for (const pid of pids)
    for (const [child = 0, parent] of rows) if (parent === pid) pids.push(child)
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
