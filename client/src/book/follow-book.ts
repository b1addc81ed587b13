// Follows the order book of a market, whatever is lost on the way.
import { checkInput, checkValue, isAnything, isText, type Members } from '../input.ts'
import type { Message } from '../socket/cursor.ts'
import type { VenueSocket } from '../socket/venue-socket.ts'
import { type BookData, OrderBook } from './order-book.ts'

/** How to follow a book. */
export type FollowOptions = Readonly<{
  /** At most one change in so many milliseconds; absent: one with each block that changes it. */
  everyMs?: 100 | 500
  /** Ends it, with its reason as the error. */
  signal?: AbortSignal
}>

const OPTIONS: Members<FollowOptions> = {
  everyMs: [(value) => (value === 100 || value === 500 ? undefined : '100 or 500')],
  signal: [isAnything],
}

/**
 * Yields the book of a market after each change: always the same object, always one that agrees
 * with the venue's checksum. Who reads slowly gets the newest state and not each one between. One
 * that does not agree is not yielded; it begins again with a snapshot. Throws a `RefusedError`
 * where the venue has no such market, and the reason of `signal` when that is aborted.
 *
 * @example for await (const book of followBook(socket, 'ETH-PERP')) show(book.bids, book.asks)
 */
export async function* followBook(
  socket: VenueSocket,
  market: string,
  options: FollowOptions = {},
): AsyncGenerator<OrderBook, void, void> {
  checkValue('market', market, isText)
  checkInput(options, OPTIONS)
  const { everyMs, signal } = options
  const channel = `orderbook${everyMs === undefined ? '' : `-${everyMs}ms`}:${market}`
  const book = new OrderBook()
  const news = new News(signal)
  const onMessage = (message: Message) => {
    const isRight = takes(book, message as Message<BookData>)
    news.say(isRight)
    if (!isRight) socket.resync(channel)
  }
  const stop = socket.listen(channel, { onMessage, onError: (error) => news.fail(error) })
  try {
    for (;;) {
      await news.next()
      yield book
    }
  } finally {
    stop()
    news.close()
  }
}

/** Whether the book is now as the venue says. What is no book is not. */
function takes(book: OrderBook, message: Message<BookData>): boolean {
  try {
    return book.take(message)
  } catch {
    return false
  }
}

/** Says that something changed, however often it did since it was last asked. */
class News {
  readonly #signal: AbortSignal | undefined
  #isNew = false
  #error: unknown
  #resume = () => {}

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
    signal?.addEventListener('abort', this.#abort)
    if (signal?.aborted === true) this.#abort()
  }

  readonly #abort = () => this.fail(this.#signal?.reason)

  say(isNew: boolean): void {
    this.#isNew = isNew
    this.#resume()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#resume()
  }

  async next(): Promise<void> {
    while (!this.#isNew && this.#error === undefined)
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    if (this.#error !== undefined) throw this.#error
    this.#isNew = false
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
  }
}
