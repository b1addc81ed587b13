// Keeps the latest news of orders, each for a while. An order has one message: a newer one replaces
// it.
import type { OrderNews } from '../order-protocol.ts'

const NEWS_MAX = 4
const NEWS_MS = 4_000

type NewsEntry = OrderNews & Readonly<{ order: string }>

export class OrderNewsList {
  readonly #show: (news: readonly OrderNews[]) => void
  #news: readonly NewsEntry[] = []
  #count = 0

  constructor(show: (news: readonly OrderNews[]) => void) {
    this.#show = show
  }

  /** Adds a message, and removes it after a while. `order` is the id of its order, if any. */
  add(text: string, tone: OrderNews['tone'] = 'plain', order = ''): void {
    const entry = { id: ++this.#count, text, tone, order }
    const at = this.#indexOf(order)
    this.#put(at < 0 ? [...this.#news, entry].slice(-NEWS_MAX) : this.#news.with(at, entry))
    setTimeout(() => this.#put(this.#news.filter(({ id }) => id !== entry.id)), NEWS_MS)
  }

  /** Adds the first message of an order, unless the chain was faster than the venue's answer. */
  begin(text: string, order: string): void {
    if (this.#indexOf(order) < 0) this.add(text, 'plain', order)
  }

  #indexOf(order: string): number {
    return order === '' ? -1 : this.#news.findIndex((entry) => entry.order === order)
  }

  #put(news: readonly NewsEntry[]): void {
    this.#news = news
    this.#show(news)
  }
}
