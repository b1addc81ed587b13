// Keeps the latest news of orders, each for a while.
import type { OrderNews } from '../order-protocol.ts'

const NEWS_MAX = 4
const NEWS_MS = 8_000

export class OrderNewsList {
  readonly #show: (news: readonly OrderNews[]) => void
  #news: readonly OrderNews[] = []
  #count = 0

  constructor(show: (news: readonly OrderNews[]) => void) {
    this.#show = show
  }

  /** Adds a message, and removes it after a while. */
  add(text: string, tone: OrderNews['tone'] = 'plain'): void {
    const entry = { id: ++this.#count, text, tone }
    this.#put([...this.#news, entry].slice(-NEWS_MAX))
    setTimeout(() => this.#put(this.#news.filter(({ id }) => id !== entry.id)), NEWS_MS)
  }

  #put(news: readonly OrderNews[]): void {
    this.#news = news
    this.#show(news)
  }
}
