// Holds what has come and was not read yet, for one reader.
import { OpenvenueError } from '../errors.ts'

/** Messages that a reader may have unread. */
export const UNREAD_MAX = 10_000

/** Its reader does not keep up. Nothing was left out silently: read again from a new beginning. */
export class UnreadError extends OpenvenueError {
  override readonly name = 'UnreadError'
}

type Waiting<T> = Readonly<{
  resolve: (result: IteratorResult<T, undefined>) => void
  reject: (reason: unknown) => void
}>

/** What is read in order, by one reader at a time. Leaving a `for await` ends it, as `return`. */
export interface Messages<T> extends AsyncIterableIterator<T, undefined> {
  /** Ends it. */
  return(): Promise<IteratorResult<T, undefined>>
}

/** `return` runs `onLeave`. */
export class Mailbox<T> implements Messages<T> {
  readonly #onLeave: () => void
  #values: T[] = []
  #read = 0
  #waiting: Waiting<T> | undefined
  #end: Readonly<{ error?: unknown }> | undefined

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  push(value: T): void {
    if (this.#end !== undefined) return
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value })
      return
    }
    if (this.#values.length - this.#read < UNREAD_MAX) {
      this.#values.push(value)
      return
    }
    this.fail(new UnreadError(`more than ${UNREAD_MAX} messages were not read`))
    this.#onLeave()
  }

  /** What is unread can still be read; then comes `error`, or the end. */
  fail(error: unknown): void {
    this.#finish({ error })
  }

  end(): void {
    this.#finish({})
  }

  #finish(end: Readonly<{ error?: unknown }>): void {
    if (this.#end !== undefined) return
    this.#end = end
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) return
    this.#end = {}
    if ('error' in end) waiting.reject(end.error)
    else waiting.resolve({ done: true, value: undefined })
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#read < this.#values.length)
      return Promise.resolve({ done: false, value: this.#take() })
    const end = this.#end
    if (end !== undefined) {
      // An error is said once.
      this.#end = {}
      if ('error' in end) return Promise.reject(end.error)
      return Promise.resolve({ done: true, value: undefined })
    }
    if (this.#waiting !== undefined) throw new Error('one reader reads at a time')
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #take(): T {
    const value = this.#values[this.#read++] as T
    // Cuts off what was read now and then: a shift for each would move all the rest each time.
    if (this.#read > UNREAD_MAX / 10 || this.#read === this.#values.length) {
      this.#values = this.#values.slice(this.#read)
      this.#read = 0
    }
    return value
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#values = []
    this.#read = 0
    this.end()
    this.#onLeave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
