// index, funding, statistics and markets: what endpoints of the same name answer, told on change.

import type { Market } from '@openvenue/core/records'
import { encodeFunding } from '@openvenue/wire/funding'
import { encodeIndexPrice } from '@openvenue/wire/index-prices'
import { encodeMarket } from '@openvenue/wire/markets'
import { encodeStatistics } from '@openvenue/wire/statistics'
import { factsOf, hourOf } from '../../model/facts.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import { marketFacts } from '../../model/statistics.ts'
import type { AffectedMarket } from './affected.ts'
import { Pace } from './pace.ts'
import type { ReplayBuffer } from './replay-buffer.ts'
import { type Opening, publicChannel, type Source, type StreamDeps } from './stream-deps.ts'

/** Statistics change with every block of a busy market, and are long. */
export const STATISTICS_INTERVAL_MS = 500

/** Returns how to open index:<asset>. */
export const indexChannel = (deps: StreamDeps, name: string, asset: string): Opening =>
  publicChannel(deps, name, (buffer) => {
    const text = () => {
      const { price, timestamp } = encodeIndexPrice(asset, deps.model.indexPrice(asset), true)
      return JSON.stringify({ price, timestamp })
    }
    const { tell, ...source } = changing(buffer, text)
    return {
      ...source,
      subject: { kind: 'asset', asset },
      take: ({ assets }) => {
        if (assets.has(asset)) tell()
      },
    }
  })

/** Returns how to open funding:<name>. The turn of an hour changes it as well. */
export const fundingChannel = (deps: StreamDeps, name: string, { id }: Market): Opening =>
  publicChannel(deps, name, (buffer) => {
    const text = () =>
      JSON.stringify(encodeFunding(deps.model.funding(id), Math.floor(deps.nowMs() / 1000)))
    const { tell, ...source } = changing(buffer, text)
    let hour = hourOf(deps.nowMs())
    return {
      ...source,
      subject: { kind: 'market', id },
      take: ({ markets }) => {
        if (markets.get(id)?.isFunding === true) tell()
      },
      tick: (nowMs) => {
        if (hourOf(nowMs) === hour) return
        hour = hourOf(nowMs)
        tell()
      },
    }
  })

/**
 * Returns how to open statistics:<asset>:<TYPE>, at most every STATISTICS_INTERVAL_MS. The day that
 * they look back on moves by the minute.
 */
export const statisticsChannel = (deps: StreamDeps, name: string, { id }: Market): Opening =>
  publicChannel(deps, name, (buffer) => {
    let known = 'null'
    const { tell, ...source } = changing(buffer, () => {
      const live = deps.model.market(id)
      if (live === undefined) return known
      const facts = marketFacts(deps.model, live, Math.floor(deps.nowMs() / 1000))
      known = JSON.stringify(encodeStatistics(facts))
      return known
    })
    const pace = new Pace(STATISTICS_INTERVAL_MS, deps.monotonicMs, tell)
    let minute = minuteOf(deps.nowMs())
    return {
      ...source,
      subject: { kind: 'market', id },
      take: ({ markets }) => {
        const affected = markets.get(id)
        if (affected !== undefined && isOfStatistics(affected)) pace.changed()
      },
      tick: (nowMs) => {
        if (minuteOf(nowMs) === minute) pace.tick()
        else {
          minute = minuteOf(nowMs)
          pace.changed()
        }
      },
      forget: () => {
        pace.rest()
        source.forget()
      },
    }
  })

const minuteOf = (nowMs: number) => Math.floor(nowMs / 60_000)

const isOfStatistics = ({ isFacts, levels, trades, undone, candles }: AffectedMarket) =>
  isFacts || levels.size + trades.length + undone.length + candles.length > 0

/** A channel of one object, of which another text is told. */
function changing(buffer: ReplayBuffer, text: () => string) {
  let told: string | undefined = text()
  return {
    /** What was not told to everybody will be, whatever it is by then. */
    snapshot: () => {
      const now = text()
      if (now !== told) told = undefined
      return now
    },
    forget: () => {
      told = text()
    },
    /** Returns whether there was anything to tell. */
    tell: (): boolean => {
      const now = text()
      if (now === told) return false
      told = now
      buffer.send({ type: 'update', data: now })
      return true
    },
  }
}

/** Returns how to open markets: all market objects first, then those that changed. */
export const marketsChannel = (deps: StreamDeps, name: string): Opening =>
  publicChannel(deps, name, (buffer) => new MarketList(deps, buffer).source())

class MarketList {
  readonly #deps: StreamDeps
  readonly #buffer: ReplayBuffer
  readonly #told = new Map<string, string>()
  #hour = 0

  constructor(deps: StreamDeps, buffer: ReplayBuffer) {
    this.#deps = deps
    this.#buffer = buffer
    this.#forget()
  }

  source(): Source {
    return {
      subject: { kind: 'all' },
      snapshot: () => this.#all(),
      take: ({ markets, isListing }) => {
        if (isListing && this.#isAnyGone()) this.#begin()
        else this.#tell(markets)
      },
      tick: (nowMs) => {
        if (hourOf(nowMs) !== this.#hour) this.#tell(undefined)
      },
      forget: () => this.#forget(),
    }
  }

  /** Tells what changed of the markets in `affected`, or of all. */
  #tell(affected: ReadonlyMap<string, AffectedMarket> | undefined): void {
    this.#hour = hourOf(this.#deps.nowMs())
    const changed: string[] = []
    for (const live of this.#deps.model.markets) {
      const { id } = live.market
      if (affected?.get(id)?.isFacts === false) continue
      if (affected !== undefined && !affected.has(id)) continue
      const text = this.#text(live)
      if (this.#told.get(id) === text) continue
      this.#told.set(id, text)
      changed.push(text)
    }
    if (changed.length > 0) this.#buffer.send({ type: 'update', data: `[${changed.join(',')}]` })
  }

  /** A market that an undo took away is told by telling all the others. */
  #begin(): void {
    this.#forget()
    this.#buffer.send({ type: 'snapshot', data: this.#all() })
  }

  #isAnyGone(): boolean {
    return [...this.#told.keys()].some((id) => this.#deps.model.market(id) === undefined)
  }

  #forget(): void {
    this.#hour = hourOf(this.#deps.nowMs())
    this.#told.clear()
    for (const live of this.#deps.model.markets) this.#told.set(live.market.id, this.#text(live))
  }

  #all(): string {
    return `[${[...this.#deps.model.markets].map((live) => this.#text(live)).join(',')}]`
  }

  #text(live: LiveMarket): string {
    return JSON.stringify(encodeMarket(factsOf(this.#deps.model, live, this.#deps.nowMs())))
  }
}
