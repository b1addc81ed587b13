// Checks and places the order that closes a part of a position.
import type { AccountFeed } from '../account/account-feed.ts'
import { closingDraft } from './closing.ts'
import type { OrderEntry } from './order-entry.ts'
import type { OrderContext } from './order-plan.ts'
import type { CloseAsked, OrderCheck, OrderDraft, Placing } from './order-protocol.ts'

type Parts = Readonly<{
  feed: () => AccountFeed
  context: (market: string) => OrderContext | undefined
}>

export class PositionClosing {
  readonly #entry: OrderEntry
  readonly #parts: Parts

  constructor(entry: OrderEntry, parts: Parts) {
    this.#entry = entry
    this.#parts = parts
  }

  check(asked: CloseAsked): Promise<OrderCheck> {
    return this.#entry.check(this.#draft(asked))
  }

  place(asked: CloseAsked): Promise<Placing> {
    return this.#entry.place(this.#draft(asked))
  }

  #draft(asked: CloseAsked): OrderDraft {
    const { feed, context } = this.#parts
    return closingDraft(asked, feed().positions, context(asked.market))
  }
}
