// The markets of a node in order of listing, found by name or id.
import type { Market } from '@openvenue/core/records'
import type { Snapshot } from '@openvenue/store/store'
import { type LiveMarket, liveMarket, loadedMarket } from './live-market.ts'

export class MarketList {
  #byId = new Map<string, LiveMarket>()
  readonly #byName = new Map<string, LiveMarket>()

  /** In order of listing. */
  get all(): IterableIterator<LiveMarket> {
    return this.#byId.values()
  }

  /** Returns the market with this id, `0x` text. */
  get(id: string): LiveMarket | undefined {
    return this.#byId.get(id)
  }

  /** Returns the market with exactly this name or id (`0x` text or decimal). */
  find(nameOrId: string): LiveMarket | undefined {
    return this.#byName.get(nameOrId)
  }

  load(snapshot: Snapshot): void {
    this.#byId = new Map()
    for (const market of [...snapshot.state.records.market.values()].sort(inOrderOfListing))
      this.#byId.set(market.id, loadedMarket(market, snapshot))
    this.#rename()
  }

  add(market: Market): void {
    this.#byId.set(market.id, liveMarket(market))
    this.#rename()
  }

  remove(id: string): void {
    this.#byId.delete(id)
    this.#rename()
  }

  #rename(): void {
    this.#byName.clear()
    for (const live of this.#byId.values()) {
      this.#byName.set(live.market.id, live)
      this.#byName.set(live.decimalId, live)
      this.#byName.set(live.market.name, live)
    }
  }
}

const inOrderOfListing = (a: Market, b: Market) =>
  a.listedSeconds - b.listedSeconds || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Returns the names and ids of all markets. */
export const marketNames = ({ markets }: Readonly<{ markets: Iterable<LiveMarket> }>) =>
  [...markets].flatMap(({ market }) => [market.name, market.id])
