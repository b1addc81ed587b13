// Prints a line for each test file that is done, and the output of one that failed.
import { relative } from 'node:path'
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

/** Characters shown of what a failed file has printed. */
const OUTPUT_CHARACTERS_MAX = 100_000
const MS = 1000
const PATH_WIDTH = 56

/** Gathers the events of files that share a process: suites of it, one after another. */
export class FileLines {
  readonly #left: Set<string>
  readonly #print: Print
  readonly #fileMs = new Map<string, number>()
  #tests = 0
  #text = ''
  #failed: string[] = []

  /** `files` are absolute paths, in the order in which they run. */
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

  /** Blames `file` for the end of its process. */
  blame(file: string, reason: string): void {
    this.#text += `✖ ${relative('', file)} ${reason}\n`
  }

  /**
   * Prints the files that the end of their process cut off. Returns how many these are, and how
   * long each file took.
   */
  end(): Readonly<{ lost: number; fileMs: ReadonlyMap<string, number> }> {
    const lost = this.#left.size
    for (const path of this.#left) this.#finish(path, 'test:fail', 0)
    // Output after the last file, such as the reason why the process was ended.
    if (/^✖/m.test(this.#text)) this.#print(this.#text.slice(-OUTPUT_CHARACTERS_MAX).trimEnd())
    return { lost, fileMs: this.#fileMs }
  }

  #count(name: string, type: string): void {
    this.#tests++
    if (type === 'test:fail') this.#failed.push(name)
  }

  #finish(file: string, type: string, ms: number): void {
    this.#left.delete(file)
    const path = relative('', file)
    this.#fileMs.set(path, ms)
    const mark = type === 'test:fail' ? '✖' : '✔'
    const seconds = (ms / MS).toFixed(1).padStart(7)
    const count = `${this.#tests}`.padStart(5)
    this.#print(`${mark} ${path.padEnd(PATH_WIDTH)} ${count} tests ${seconds} s`)
    for (const name of this.#failed) this.#print(`    ✖ ${name}`)
    if (type === 'test:fail' && this.#text !== '')
      this.#print(this.#text.slice(-OUTPUT_CHARACTERS_MAX).trimEnd())
    this.#tests = 0
    this.#text = ''
    this.#failed = []
  }
}
