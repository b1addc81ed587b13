// Decides whether the chain is shown in place of the API: once neither the socket nor REST has
// answered for a while, and until the API says everything anew.
import { untilDone } from '../once.ts'
import type { ShownSources } from '../shown-sources.ts'
import type { Connection } from '../status/connection-view.ts'
import type { VenueView } from '../venue-view.ts'
import type { ChainMode } from './chain-mode.ts'
import { NO_CHAIN } from './chain-protocol.ts'
import type { Place } from './venue-place.ts'
import { VenueReturn } from './venue-return.ts'

/** The page is at rest by then; what could not be loaded is tried again as late. */
const LOAD_AFTER_MS = 3_000
const TRY_EVERY_MS = 2_000
const PROBE_MS_MAX = 4_000
const BACK_EVERY_MS = 50
/** What the API has not said by then is not waited for: its socket comes back within half of it. */
const BACK_MS_MAX = 60_000

/** What knows the account; it is loaded later than this. */
export type AccountKnown = Readonly<{
  place: () => Promise<Place | undefined>
  /** Empty without one. */
  wallet: () => string
  /** Ids of orders that the API said rest. */
  orders: () => readonly string[]
  /** Has everything of the account come anew; returns what will come. */
  renew: () => readonly string[]
}>

export type FallbackParts = Readonly<{ apiUrl: string; sources: ShownSources }>

export class ChainFallback {
  /** What could not be asked can be asked now. */
  readonly returns = new VenueReturn()
  readonly #parts: FallbackParts
  #view: VenueView | undefined
  #known: AccountKnown | undefined
  #connection: Connection = 'connecting'
  #isTrying = false
  #isLoading = false
  #mode: ChainMode | undefined
  #isReturning = false
  #market = ''
  #group = 0

  constructor(parts: FallbackParts) {
    this.#parts = parts
  }

  /** What is shown by the API begins anew when that is back. */
  follow(view: VenueView): void {
    this.#view = view
  }

  know(known: AccountKnown): void {
    this.#known = known
  }

  /** The chain where it is shown; undefined otherwise. */
  get mode(): ChainMode | undefined {
    return this.#mode
  }

  /** The state of the connection has changed. */
  enter(connection: Connection): void {
    this.#connection = connection
    if (connection === 'open') {
      this.#load()
      this.returns.happen()
    }
    if (connection === 'down' && this.#mode === undefined && !this.#isTrying) void this.#try()
    const isThere = connection === 'open' || connection === 'resync' || connection === 'stale'
    if (isThere && this.#mode !== undefined && !this.#isReturning) void this.#return(this.#mode)
  }

  choose(market: string): void {
    this.#market = market
    this.#mode?.choose(market)
  }

  group(at: number): void {
    this.#group = at
    this.#mode?.group(at)
  }

  wallet(address: string): void {
    this.#mode?.use(address)
  }

  /** The API may be the host of the page as well: what is needed without it is loaded before. */
  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    setTimeout(untilDone, LOAD_AFTER_MS, () => import('./chain-mode.ts'), LOAD_AFTER_MS)
  }

  async #try(): Promise<void> {
    this.#isTrying = true
    while (this.#connection === 'down' && this.#mode === undefined) {
      if (!(await isAnswering(this.#parts.apiUrl))) await this.#begin()
      await pause(TRY_EVERY_MS)
    }
    this.#isTrying = false
  }

  async #begin(): Promise<void> {
    const known = this.#known
    const place = await known?.place()
    // The page may have been loaded in part alone.
    const loaded = await import('./chain-mode.ts').catch(() => undefined)
    if (known === undefined || place === undefined || loaded === undefined) return
    if (this.#connection !== 'down') return
    const { sources } = this.#parts
    sources.useChain()
    this.#mode = new loaded.ChainMode({
      ...{ place, show: sources.showChain, group: this.#group },
      market: this.#market || (this.#view?.market?.instrument_name ?? ''),
      ...{ wallet: known.wallet(), orders: known.orders() },
    })
    void this.#mode.run()
    this.returns.happen()
  }

  /** The chain is shown until the API has said everything anew, of no earlier block. */
  async #return(mode: ChainMode): Promise<void> {
    this.#isReturning = true
    const { sources } = this.#parts
    sources.awaitApi()
    this.#view?.restart()
    const wanted = ['book', 'markets', ...(this.#known?.renew() ?? [])]
    const endMs = performance.now() + BACK_MS_MAX
    // An indexer that has to catch up would show what was before what is shown now.
    const { block } = mode
    const isSaid = () => {
      const needed = performance.now() < endMs ? wanted : wanted.slice(0, 1)
      return needed.every((name) => sources.hasFresh(name)) && (this.#view?.block ?? 0) >= block
    }
    while (this.#isThere && !isSaid()) await pause(BACK_EVERY_MS)
    this.#isReturning = false
    if (!this.#isThere) return
    mode.stop()
    this.#mode = undefined
    sources.showChain('chain', NO_CHAIN)
    sources.useApi()
  }

  get #isThere(): boolean {
    return this.#connection !== 'down' && this.#connection !== 'lost'
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Whether REST answers: then it is the socket alone that is cut, and orders still go. */
async function isAnswering(apiUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_MS_MAX)
  try {
    const answer = await fetch(new URL('info', `${apiUrl.replace(/\/+$/, '')}/`), { signal })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}
