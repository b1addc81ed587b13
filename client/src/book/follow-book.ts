// Follows the order book of a market and recovers from lost messages.
import { checkInput, checkValue, isAnything, isText, type MemberChecks } from '../input.ts'
import type { Message } from '../socket/cursor.ts'
import type { VenueSocket } from '../socket/venue-socket.ts'
import { type BookData, OrderBook } from './order-book.ts'

/** Options of {@link followBook}. */
export type FollowOptions = Readonly<{
  /** Minimum interval between changes, milliseconds; by default one change per block. */
  everyMs?: 100 | 500
  /** Ends the loop by throwing its reason. */
  signal?: AbortSignal
}>

const OPTIONS: MemberChecks<FollowOptions> = {
  everyMs: [(value) => (value === 100 || value === 500 ? undefined : '100 or 500')],
  signal: [isAnything],
}

/**
 * Yields the book of a market after each change. It is always the same object, and it always
 * matches the venue's checksum. A slow reader gets the latest state and skips the ones between. A
 * book that fails its checksum is not yielded; it is rebuilt from a snapshot. Throws a
 * `RefusedError` if the venue has no such market, and the reason of `signal` when it is aborted.
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

/** Applies a message; returns false if the data is malformed or the checksum differs. */
function takes(book: OrderBook, message: Message<BookData>): boolean {
  try {
    return book.take(message)
  } catch {
    return false
  }
}

/** Coalesces changes: `next` resolves once for any number of changes since the last one. */
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
