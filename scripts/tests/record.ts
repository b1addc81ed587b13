// Writes one JSON line per test to the file named by TEST_RECORD, so that two runs can be compared
// by title (scripts/tests/compare-titles.ts).
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from './lines.ts'

type Entry = { nesting: number; path: string[]; ms: number; isSuite: boolean; ok: boolean }

/** Rebuilds each test's full title from the runner's events, which report children first. */
export class TitleRecorder {
  readonly #target = process.env.TEST_RECORD
  #pending: Entry[] = []

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

  #write(entries: readonly Entry[]): void {
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
