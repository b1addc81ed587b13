// Requests the logs of the venue, of factories, and of every pool that these have announced. The
// list of pools grows while blocks are read, even within a range or a block. Pools are requested by
// address and never by topic only: anyone can write any number of logs that look like a pool's, and
// fill every answer with them.
import type { LoggedEvent } from '@openvenue/core/events'
import type { TokenFacts } from '@openvenue/core/pool-events'
import type { VenueState } from '@openvenue/core/state'
import type { Blooms } from './bloom.ts'
import { type ChainHeader, type ChainLog, type LogFilter, readExisting } from './chain.ts'
import type { EventReader } from './events.ts'
import { inChainOrder, type LogSelection, readSpan } from './logs.ts'
import { addOmittedLogs } from './omitted-logs.ts'
import {
  type Announcement,
  decodeAnnouncement,
  decodePoolEvent,
  POOL_TOPICS,
  type PoolVersion,
} from './pool-events.ts'
import type { RangeRead } from './ranges.ts'
import type { Rpc } from './rpc.ts'
import type { TokenReader } from './token-facts.ts'

/** Maximum number of contracts per filter; a node may refuse more than a thousand. */
const ADDRESSES_MAX = 500
/** Maximum number of followed pools, oldest first. That many cost 4 ms a block; 1,000, 0.2 ms. */
export const POOLS_MAX = 20_000

/** Equals the node's concurrent requests: further ones could time out while they wait. */
const TOKENS_AT_ONCE = 8

type WatchDeps = Readonly<{
  rpc: Rpc
  events: EventReader
  tokens: TokenReader
  blooms: Blooms
  /** Called for each block whose answer omitted logs. */
  onShort(header: ChainHeader): void
}>

/** Watches the blocks after a state. Created for each range: it has the blocks not applied yet. */
export class Watch {
  readonly #deps: WatchDeps
  readonly #state: VenueState
  /** Pools in the order of announcement; it only grows. */
  readonly #pools: string[]
  /** Logs that announce a newly followed pool. */
  readonly #announcements = new Map<ChainLog, Announcement>()
  readonly #announced = new Set<string>()
  /** Pools whose announcement has become an event. */
  readonly #created = new Map<string, PoolVersion>()
  readonly #facts = new Map<string, TokenFacts>()

  constructor(deps: WatchDeps, state: VenueState) {
    this.#deps = deps
    this.#state = state
    this.#pools = [...state.records.pool.keys()]
  }

  /** Returns the filters for blocks that are not read yet. */
  selectLogs(): LogSelection {
    const { events } = this.#deps
    return {
      filters: [events.widerFilter, ...poolFilters(this.#pools)],
      pools: this.#pools.length,
    }
  }

  /**
   * Returns `read` with the logs of pools that were not known when it was read, and stores the
   * facts of tokens that its events need. Spans come in chain order.
   */
  async complete(asRead: RangeRead): Promise<RangeRead> {
    const { events } = this.#deps
    const read = await this.#addOmittedLogs(asRead, this.#pools.slice(0, asRead.pools))
    if (events.factories.size === 0 && this.#pools.length === read.pools) return read
    const announced = read.logs.filter((log) => this.#addAnnounced(log))
    const late = this.#pools.slice(read.pools)
    const [logs] = await Promise.all([
      late.length === 0 ? [] : this.#readLate(read, late),
      this.#readTokens(announced),
    ])
    if (logs.length === 0) return read
    return {
      ...read,
      logs: inChainOrder([...read.logs, ...logs]),
      headers: await this.#addHeaders(logs, read.headers),
    }
  }

  /** Reads the block of `head` in one request, unless it announces pools. */
  async readHead(head: ChainHeader): Promise<RangeRead> {
    const { filters, pools } = this.selectLogs()
    const span = { headers: [head] }
    const logs = await readSpan(this.#deps.rpc, span, filters)
    return this.complete({ span, pools, logs, headers: span.headers })
  }

  async #readLate(
    { span, headers }: RangeRead,
    pools: readonly string[],
  ): Promise<readonly ChainLog[]> {
    const filters = poolFilters(pools)
    const logs = await readSpan(this.#deps.rpc, span, filters)
    return 'headers' in span ? addOmittedLogs(this.#deps, headers, { logs, filters }) : logs
  }

  /** Checks blocks that may still change against their bloom filters. */
  async #addOmittedLogs(read: RangeRead, pools: readonly string[]): Promise<RangeRead> {
    if (!('headers' in read.span)) return read
    const filters = [this.#deps.events.widerFilter, ...poolFilters(pools)]
    const logs = await addOmittedLogs(this.#deps, read.headers, { logs: read.logs, filters })
    return logs === read.logs ? read : { ...read, logs }
  }

  /** Decodes a log; undefined if the venue does not keep it. */
  readonly decodeLog = (log: ChainLog): LoggedEvent | undefined =>
    this.#deps.events.decodeLog(log) ?? this.#decodePoolEvent(log)

  #decodePoolEvent(log: ChainLog): LoggedEvent | undefined {
    const { address, logIndex, txHash } = log
    const version = this.#created.get(address) ?? this.#state.records.pool.get(address)?.version
    if (version !== undefined) {
      const event = decodePoolEvent(log, version as PoolVersion)
      return event && Object.assign(event, { logIndex, txHash })
    }
    const announcement = this.#announcements.get(log)
    if (announcement === undefined) return undefined
    const { pool, token0, token1 } = announcement
    this.#created.set(pool, announcement.version)
    const tokens = [token0, token1].flatMap((token) => this.#facts.get(token) ?? [])
    return { type: 'PoolCreated', factory: address, ...announcement, tokens, logIndex, txHash }
  }

  /** Adds the pool that `log` announces; returns whether there is a new one. */
  #addAnnounced(log: ChainLog): boolean {
    const { events } = this.#deps
    const version = events.factories.get(log.address)
    const announcement = version && decodeAnnouncement(log, version)
    if (announcement === undefined) return false
    const { pool } = announcement
    const isKnown = this.#announced.has(pool) || this.#state.records.pool.has(pool)
    if (isKnown || events.isKnown(pool) || this.#pools.length >= POOLS_MAX) return false
    this.#announced.add(pool)
    this.#announcements.set(log, announcement)
    this.#pools.push(pool)
    return true
  }

  /** Reads the new tokens of announced pools, once each. */
  async #readTokens(announced: readonly ChainLog[]): Promise<void> {
    const blocks = new Map<string, string>()
    for (const log of announced) {
      const { token0 = '', token1 = '' } = this.#announcements.get(log) ?? {}
      for (const token of [token0, token1]) {
        const isKnown = this.#state.records.poolToken.has(token)
        if (!isKnown && !blocks.has(token)) blocks.set(token, log.blockHash)
      }
    }
    const { tokens } = this.#deps
    const queue = [...blocks]
    for (let start = 0; start < queue.length; start += TOKENS_AT_ONCE) {
      const some = queue.slice(start, start + TOKENS_AT_ONCE)
      const facts = await Promise.all(some.map(([token, hash]) => tokens.readFacts(token, hash)))
      for (const fact of facts) this.#facts.set(fact.address, fact)
    }
  }

  async #addHeaders(
    logs: readonly ChainLog[],
    headers: readonly ChainHeader[],
  ): Promise<readonly ChainHeader[]> {
    const numbers = new Set(headers.map(({ number }) => number))
    const missing = new Set(logs.map((log) => log.blockNumber).filter((n) => !numbers.has(n)))
    if (missing.size === 0) return headers
    const read = await readExisting(this.#deps.rpc, [...missing])
    return [...headers, ...read].sort((a, b) => a.number - b.number)
  }
}

function poolFilters(pools: readonly string[]): LogFilter[] {
  const filters: LogFilter[] = []
  for (let start = 0; start < pools.length; start += ADDRESSES_MAX) {
    filters.push({ address: pools.slice(start, start + ADDRESSES_MAX), topics: [POOL_TOPICS] })
  }
  return filters
}
