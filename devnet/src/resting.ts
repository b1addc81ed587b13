// Tracks resting orders from the chain's events.
import type { VenueEvent } from '@openvenue/core/events'

/** A resting order. `account` is a number of `Accounts`. */
export type BookOrder = Readonly<{
  number: number
  account: number
  isBuy: boolean
  tick: number
  lots: number
}>

/** Resting orders by market id and number. */
export class Resting {
  readonly #markets = new Map<string, Map<number, BookOrder>>()

  /** Returns the resting orders of `market`, oldest first. */
  listOrders(market: string): readonly BookOrder[] {
    return [...this.#findPerp(market).values()]
  }

  /** Adds an order that is known to rest. */
  add(market: string, order: BookOrder): void {
    this.#findPerp(market).set(order.number, order)
  }

  apply(event: VenueEvent): void {
    switch (event.type) {
      case 'Placed': {
        const { order: number, account, buy: isBuy, tick } = event
        this.add(event.market, { number, account, isBuy, tick, lots: Number(event.lots) })
        break
      }
      case 'Filled':
        this.#shrink(event.market, event.makerOrder, Number(event.lots))
        this.#shrink(event.market, event.takerOrder, Number(event.lots))
        break
      case 'Cancelled':
      case 'Reduced':
        this.#shrink(event.market, event.order, Number(event.lots))
    }
  }

  #shrink(market: string, number: number, lots: number): void {
    const orders = this.#findPerp(market)
    const order = orders.get(number)
    if (order === undefined) return
    if (order.lots > lots) orders.set(number, { ...order, lots: order.lots - lots })
    else orders.delete(number)
  }

  #findPerp(market: string): Map<number, BookOrder> {
    let orders = this.#markets.get(market)
    if (orders === undefined) {
      orders = new Map()
      this.#markets.set(market, orders)
    }
    return orders
  }
}
