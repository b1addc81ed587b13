// Shows the progress of a start: in a line that is updated on a terminal, else in occasional lines.

/** Output stream: a terminal or not. */
export type Output = Readonly<{
  isTTY?: boolean
  columns?: number
  write: (text: string) => unknown
}>

/** Interval of lines outside a terminal; a faster start prints none. */
const LINE_EVERY_MS = 5_000
const COLUMNS_DEFAULT = 80
/** Moves to the beginning of the line and clears it. */
const CLEAR = '\r\u001b[K'

export class ProgressLine {
  readonly #output: Output
  readonly #nowMs: () => number
  readonly #startMs: number
  #writtenMs: number
  #isShown = false

  constructor(output: Output, nowMs: () => number) {
    this.#output = output
    this.#nowMs = nowMs
    this.#startMs = nowMs()
    this.#writtenMs = this.#startMs
  }

  /** Shows the current work, and the seconds since the beginning. */
  show(work: string): void {
    const nowMs = this.#nowMs()
    const seconds = Math.floor((nowMs - this.#startMs) / 1000)
    const text = `openvenue starts: ${work} (${seconds} s)`
    if (this.#output.isTTY === true) this.#rewrite(text)
    else if (nowMs - this.#writtenMs >= LINE_EVERY_MS) {
      this.#writtenMs = nowMs
      this.#output.write(`${text}\n`)
    }
  }

  /** Clears the line, so that other text can be written. */
  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#output.write(CLEAR)
  }

  /** A text wider than the terminal would wrap, and its first line would remain. */
  #rewrite(text: string): void {
    const { columns = COLUMNS_DEFAULT } = this.#output
    this.#isShown = true
    this.#output.write(`${CLEAR}${text.slice(0, columns - 1)}`)
  }
}
