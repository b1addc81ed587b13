// Buffers unread messages for one reader.
import { OpenvenueError } from '../errors.ts'

/** Maximum number of unread messages. */
export const UNREAD_MAX = 10_000

/** The reader is too slow. No message was dropped silently: subscribe again from the start. */
export class UnreadError extends OpenvenueError {
  override readonly name = 'UnreadError'
}

type Receiver<T> = Readonly<{
  resolve: (result: IteratorResult<T, undefined>) => void
  reject: (reason: unknown) => void
}>

/** An ordered stream for one reader at a time. Leaving a `for await` ends it, like `return`. */
export interface Messages<T> extends AsyncIterableIterator<T, undefined> {
  /** Ends the stream. */
  return(): Promise<IteratorResult<T, undefined>>
}

/** A buffer whose `return` runs `onLeave`. */
export class Mailbox<T> implements Messages<T> {
  readonly #onLeave: () => void
  #values: T[] = []
  #read = 0
  #receiver: Receiver<T> | undefined
  #end: Readonly<{ error?: unknown }> | undefined

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  push(value: T): void {
    if (this.#end !== undefined) return
    const receiver = this.#receiver
    this.#receiver = undefined
    if (receiver !== undefined) {
      receiver.resolve({ done: false, value })
      return
    }
    if (this.#values.length - this.#read < UNREAD_MAX) {
      this.#values.push(value)
      return
    }
    this.fail(new UnreadError(`more than ${UNREAD_MAX} unread messages`))
    this.#onLeave()
  }

  /** Ends the stream with `error` after the unread values. */
  fail(error: unknown): void {
    this.#finish({ error })
  }

  end(): void {
    this.#finish({})
  }

  #finish(end: Readonly<{ error?: unknown }>): void {
    if (this.#end !== undefined) return
    this.#end = end
    const receiver = this.#receiver
    this.#receiver = undefined
    if (receiver === undefined) return
    this.#end = {}
    if ('error' in end) receiver.reject(end.error)
    else receiver.resolve({ done: true, value: undefined })
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#read < this.#values.length)
      return Promise.resolve({ done: false, value: this.#take() })
    const end = this.#end
    if (end !== undefined) {
      // The error is delivered once.
      this.#end = {}
      if ('error' in end) return Promise.reject(end.error)
      return Promise.resolve({ done: true, value: undefined })
    }
    if (this.#receiver !== undefined) throw new Error('only one reader at a time is supported')
    return new Promise((resolve, reject) => {
      this.#receiver = { resolve, reject }
    })
  }

  #take(): T {
    const value = this.#values[this.#read++] as T
    // Drops read values in batches: a shift per value would move the whole rest each time.
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
