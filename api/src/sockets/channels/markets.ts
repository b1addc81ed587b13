// markets: all market objects first, then those that changed.
import { encodeMarket } from '@openvenue/wire/markets'
import { clockHour, gatherFacts } from '../../model/facts.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import type { AffectedMarket } from '../streams/affected.ts'
import type { Frame, PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'

export function marketsChannel(deps: StreamDeps): PublicChannel {
  const list = new MarketList(deps)
  return {
    subject: { kind: 'all' },
    snapshot: () => list.all(),
    onEntry: ({ markets, isListing }) =>
      isListing && list.isAnyGone() ? list.begin() : list.changes(markets),
    onTick: (nowMs) => (list.isOtherHour(nowMs) ? list.changes(undefined) : []),
    onReset: () => list.reset(),
  }
}

class MarketList {
  readonly #deps: StreamDeps
  /** The texts last sent, by market. */
  readonly #sent = new Map<string, string>()
  #hour = 0

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.reset()
  }

  /** Returns the changes of the markets in `affected`, or of all. */
  changes(affected: ReadonlyMap<string, AffectedMarket> | undefined): readonly Frame[] {
    this.#hour = clockHour(this.#deps.nowMs())
    const changed: string[] = []
    for (const live of this.#deps.model.markets) {
      const { id } = live.market
      if (affected?.get(id)?.isFacts === false) continue
      if (affected !== undefined && !affected.has(id)) continue
      const text = this.#encode(live)
      if (this.#sent.get(id) === text) continue
      this.#sent.set(id, text)
      changed.push(text)
    }
    return changed.length === 0 ? [] : [{ type: 'update', data: `[${changed.join(',')}]` }]
  }

  /** An undo that removes a market is announced by a snapshot of the remaining ones. */
  begin(): readonly Frame[] {
    this.reset()
    return [{ type: 'snapshot', data: this.all() }]
  }

  isAnyGone(): boolean {
    return [...this.#sent.keys()].some((id) => this.#deps.model.market(id) === undefined)
  }

  /** The 24-hour volume changes on the hour without a trade. */
  isOtherHour(nowMs: number): boolean {
    return clockHour(nowMs) !== this.#hour
  }

  reset(): void {
    this.#hour = clockHour(this.#deps.nowMs())
    this.#sent.clear()
    for (const live of this.#deps.model.markets) this.#sent.set(live.market.id, this.#encode(live))
  }

  all(): string {
    return `[${[...this.#deps.model.markets].map((live) => this.#encode(live)).join(',')}]`
  }

  #encode(live: LiveMarket): string {
    const { model, nowMs, trading } = this.#deps
    return JSON.stringify(encodeMarket(gatherFacts(model, live, nowMs()), trading))
  }
}
