// Decides whether to show the chain instead of the API: once neither the socket nor REST has
// answered for a while, and until the API has sent everything again.
import type { shapes } from 'openvenue'
import { untilDone } from '../../../protocol/worker/retry.ts'
import type { ShownSources } from '../../../protocol/worker/shown-sources.ts'
import type { ConnectionState } from '../../status/status-protocol.ts'
import { NO_CHAIN } from '../chain-protocol.ts'
import type { ChainMode } from './chain-mode.ts'
import type { VenueOnChain } from './venue-place.ts'
import { VenueReturn } from './venue-return.ts'

/**
 * Delay before loading the fallback: after the first display of the market, but before a new user
 * can place an order. Until then a venue that hosts the page and goes down takes it along.
 */
const LOAD_AFTER_MS = 500
const RELOAD_EVERY_MS = 3_000
const TRY_EVERY_MS = 2_000
const PROBE_MS_MAX = 4_000
const BACK_EVERY_MS = 50
/** Maximum wait for the API to send everything again; its socket reconnects within half of it. */
const BACK_MS_MAX = 60_000

/** The account as the fallback needs it; it is loaded later than this file. */
type FallbackAccount = Readonly<{
  place: () => Promise<VenueOnChain | undefined>
  /** Empty without a wallet. */
  wallet: () => string
  /** Ids of resting orders last reported by the API. */
  orders: () => readonly string[]
  /** Requests all account data again; returns the names of the expected parts. */
  renew: () => readonly string[]
}>

/** The market shown from the API. */
type FollowedMarket = Readonly<{
  market: shapes.Market | undefined
  /** The newest block that the API has shown. */
  block: number
  /** Requests all data of the market again. */
  restart: () => void
}>

type FallbackParts = Readonly<{ apiUrl: string; sources: ShownSources }>

export class ChainFallback {
  /** Resolves requests that failed while the venue was down. */
  readonly returns = new VenueReturn()
  readonly #parts: FallbackParts
  #view: FollowedMarket | undefined
  #account: FallbackAccount | undefined
  #connection: ConnectionState = 'connecting'
  #isTrying = false
  #isLoading = false
  #mode: ChainMode | undefined
  #isReturning = false
  #market = ''
  #group = 0

  constructor(parts: FallbackParts) {
    this.#parts = parts
  }

  /** Registers the market view, which restarts when the API is back. */
  follow(view: FollowedMarket): void {
    this.#view = view
  }

  know(account: FallbackAccount): void {
    this.#account = account
  }

  /** The chain mode while it is active; undefined otherwise. */
  get mode(): ChainMode | undefined {
    return this.#mode
  }

  /** Handles a new state of the connection. */
  enter(connection: ConnectionState): void {
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

  /** Loads the fallback in advance: the API may also host the page's scripts. */
  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    setTimeout(untilDone, LOAD_AFTER_MS, () => import('./chain-mode.ts'), RELOAD_EVERY_MS)
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
    const account = this.#account
    const place = await account?.place()
    // The page may have been loaded only in part.
    const loaded = await import('./chain-mode.ts').catch(() => undefined)
    if (account === undefined || place === undefined || loaded === undefined) return
    if (this.#connection !== 'down') return
    const { sources } = this.#parts
    sources.useChain()
    this.#mode = new loaded.ChainMode({
      ...{ place, show: sources.showChain, group: this.#group },
      market: this.#market || (this.#view?.market?.instrument_name ?? ''),
      ...{ wallet: account.wallet(), orders: account.orders() },
    })
    void this.#mode.run()
    this.returns.happen()
  }

  /** Shows the chain until the API has sent everything again, at no earlier block. */
  async #return(mode: ChainMode): Promise<void> {
    this.#isReturning = true
    const { sources } = this.#parts
    sources.awaitApi()
    this.#view?.restart()
    const expected = ['book', 'markets', ...(this.#account?.renew() ?? [])]
    const endMs = performance.now() + BACK_MS_MAX
    // An indexer that is catching up would show an earlier state than the chain does now.
    const { block } = mode
    const hasAll = () => {
      const needed = performance.now() < endMs ? expected : expected.slice(0, 1)
      return needed.every((name) => sources.hasFresh(name)) && (this.#view?.block ?? 0) >= block
    }
    while (this.#isThere && !hasAll()) await pause(BACK_EVERY_MS)
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

/** Returns true if REST answers: then only the socket is cut, and orders still go through. */
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
