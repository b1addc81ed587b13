// Shows people how far a start is: on a terminal in one line that is written again and again,
// elsewhere in a line now and then.

/** Where lines go: a terminal or not. */
export type Output = Readonly<{
  isTTY?: boolean
  columns?: number
  write: (text: string) => unknown
}>

/** Outside a terminal, a line is written this seldom, and none for a start that is quicker. */
const LINE_EVERY_MS = 5_000
const COLUMNS_DEFAULT = 80
/** Goes to the beginning of the line and empties it. */
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

  /** Shows what is being done, and the seconds since the beginning. */
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

  /** Takes the line away, so that something else can be written in its place. */
  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#output.write(CLEAR)
  }

  /** A text that is wider than the terminal would become two lines, of which one stays. */
  #rewrite(text: string): void {
    const { columns = COLUMNS_DEFAULT } = this.#output
    this.#isShown = true
    this.#output.write(`${CLEAR}${text.slice(0, columns - 1)}`)
  }
}
