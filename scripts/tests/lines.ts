// Prints a line for each test file that is done, and of one that failed what it has printed.
import { relative, resolve } from 'node:path'
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

type FileEnd = Readonly<{
  path: string
  isFailed: boolean
  tests: number
  ms: number
  text: string
  failed: readonly string[]
}>

function printFile(print: Print, { path, isFailed, tests, ms, text, failed }: FileEnd): void {
  const seconds = (ms / MS).toFixed(1).padStart(7)
  const count = `${tests}`.padStart(5)
  print(`${isFailed ? '✖' : '✔'} ${path.padEnd(PATH_WIDTH)} ${count} tests ${seconds} s`)
  for (const name of failed) print(`    ✖ ${name}`)
  if (isFailed && text !== '') print(text.slice(-OUTPUT_CHARACTERS_MAX).trimEnd())
}

/** Gathers what is said of each file, in whatever order it comes, until the file is done. */
export class FileLines {
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

  /** Prints what has not come to a proper end; the runner itself counts what of it has failed. */
  end(): number {
    for (const [path, file] of this.#files) this.#finish(path, file)
    return 0
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
    printFile(this.#print, { path, isFailed, tests: counts?.tests ?? 0, ms: ms ?? 0, text, failed })
  }
}

/** Gathers what is said of files that share a process: suites of it, one after the other. */
export class PartLines {
  readonly #left: Set<string>
  readonly #print: Print
  #tests = 0
  #text = ''
  #failed: string[] = []

  constructor(files: readonly string[], print: Print) {
    this.#left = new Set(files)
    this.#print = print
  }

  take({ type, data }: TestEvent): void {
    const { name = '', nesting, message, details } = data
    if (type === 'test:stdout' || type === 'test:stderr') this.#text += message ?? ''
    if (type === 'test:diagnostic' && nesting !== 0) this.#text += `ℹ ${message}\n`
    if (type !== 'test:pass' && type !== 'test:fail') return
    if (nesting === 0 && this.#left.has(name)) this.#finish(name, type, details?.duration_ms ?? 0)
    else if (details?.type !== 'suite' && nesting !== 0) this.#count(name, type)
  }

  /** Prints those that the end of their process has kept from theirs, and returns how many. */
  end(): number {
    const left = this.#left.size
    for (const path of this.#left) this.#finish(path, 'test:fail', 0)
    return left
  }

  #count(name: string, type: string): void {
    this.#tests++
    if (type === 'test:fail') this.#failed.push(name)
  }

  #finish(file: string, type: string, ms: number): void {
    this.#left.delete(file)
    const path = relative('', file)
    const [tests, text, failed] = [this.#tests, this.#text, this.#failed]
    printFile(this.#print, { path, isFailed: type === 'test:fail', tests, ms, text, failed })
    this.#tests = 0
    this.#text = ''
    this.#failed = []
  }
}
