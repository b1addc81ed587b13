// Runs test files with node's runner and prints one line for each file that is done.
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { Counts } from './counts.ts'

/** An event of node's runner, as far as it is used here. */
export type TestEvent = Readonly<{
  type: string
  data: Readonly<{
    name?: string
    file?: string
    message?: string
    nesting?: number
    counts?: Counts
    details?: Readonly<{ duration_ms?: number; type?: string }>
  }>
}>

export type Print = (text: string) => void
export type FilesResult = Readonly<{ counts: Counts; failures: readonly TestEvent[] }>

type FileState = {
  counts?: Counts
  ms?: number
  isCrashed: boolean
  text: string
  failed: string[]
}

/** Characters shown of what a failed file has printed. */
const OUTPUT_CHARACTERS_MAX = 100_000
const MS = 1000
const PATH_WIDTH = 56

/** Runs `files`, `atOnce` at a time. */
export async function runFiles(
  files: readonly string[],
  atOnce: number,
  print: Print,
): Promise<FilesResult> {
  const lines = new FileLines(print)
  const failures: TestEvent[] = []
  let counts: Counts | undefined
  for await (const event of run({
    files: files.map((file) => resolve(file)),
    concurrency: atOnce,
  })) {
    const known = event as TestEvent
    if (known.type === 'test:fail') failures.push(known)
    if (known.type === 'test:summary' && known.data.file === undefined) counts = known.data.counts
    lines.take(known)
  }
  lines.end()
  if (counts === undefined) throw new Error('the runner ended without a summary')
  return { counts, failures }
}

/** Gathers what is said of each file, in whatever order it comes, until the file is done. */
class FileLines {
  readonly #files = new Map<string, FileState>()
  readonly #print: Print

  constructor(print: Print) {
    this.#print = print
  }

  take({ type, data }: TestEvent): void {
    if (data.file === undefined) return
    const path = relative('', resolve(data.file))
    const isFileItself = data.nesting === 0 && data.name === data.file
    const file = this.#file(path)
    if (type === 'test:stdout' || type === 'test:stderr') file.text += data.message ?? ''
    else if (type === 'test:diagnostic') file.text += `ℹ ${data.message}\n`
    else if (type === 'test:summary' && data.counts) file.counts = data.counts
    else if (type === 'test:complete' && isFileItself) file.ms = data.details?.duration_ms ?? 0
    else if (type === 'test:fail') this.#fail(file, data, isFileItself)
    const isDone = file.ms !== undefined && (file.counts !== undefined || file.isCrashed)
    if (isDone) this.#finish(path, file)
  }

  /** Prints what has not come to a proper end. */
  end(): void {
    for (const [path, file] of this.#files) this.#finish(path, file)
  }

  #file(path: string): FileState {
    const file = this.#files.get(path) ?? { isCrashed: false, text: '', failed: [] }
    this.#files.set(path, file)
    return file
  }

  #fail(file: FileState, { name, details }: TestEvent['data'], isFileItself: boolean): void {
    if (isFileItself) file.isCrashed = true
    else if (details?.type !== 'suite') file.failed.push(name ?? '')
  }

  #finish(path: string, { counts, ms, isCrashed, text, failed }: FileState): void {
    this.#files.delete(path)
    if (counts === undefined && ms === undefined) return
    const isFailed = isCrashed || failed.length > 0
    const tests = `${counts?.tests ?? 0}`.padStart(5)
    const seconds = ((ms ?? 0) / MS).toFixed(1).padStart(7)
    this.#print(`${isFailed ? '✖' : '✔'} ${path.padEnd(PATH_WIDTH)} ${tests} tests ${seconds} s`)
    for (const name of failed) this.#print(`    ✖ ${name}`)
    if (isFailed && text !== '') this.#print(text.slice(-OUTPUT_CHARACTERS_MAX).trimEnd())
  }
}
