// GET /api/markets/earn-markets and /api/markets/new-markets. Interface 4.7.
import {
  EARN_MARKETS_DEFAULT,
  EarnMarkets,
  EarnMarketsQuery,
  encodeEarnMarket,
  NewMarketsQuery,
  type PoolSort,
  type PoolsQuery,
} from '@openvenue/wire/pools'
import { answer, answers } from '../http/answer.ts'
import { cachedBody } from '../http/cached-body.ts'
import { cursorParts, encodeCursor, invalidCursor, listPrint } from '../http/cursor.ts'
import type { BodySource } from '../http/host-type.ts'
import {
  comparePositions,
  type PoolBoard,
  type PoolPosition,
  type PricedPool,
  poolPosition,
} from './pool-board.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

export const poolListRoutes: Routes<'model' | 'board' | 'clock' | 'settings'> = (host, deps) => {
  const tags = TAGS.markets
  const response = answers(EarnMarkets)
  const earn = { tags, summary: 'Pools to provide liquidity to', response }
  host.get(
    '/api/markets/earn-markets',
    { schema: { ...earn, querystring: EarnMarketsQuery } },
    (request, reply) => answer(request, reply, pageSource(deps, earnList(request.query))),
  )
  const fresh = { tags, summary: 'Recently created pools, newest first', response }
  host.get(
    '/api/markets/new-markets',
    { schema: { ...fresh, querystring: NewMarketsQuery } },
    (request, reply) => answer(request, reply, pageSource(deps, newList(deps, request.query))),
  )
}

/** A list with its filter and order. */
type PoolList = Readonly<{
  query: Pick<PoolsQuery, 'limit' | 'cursor'>
  sort: PoolSort
  /** Hash of everything that decides the rows and their order. */
  print: string
  filter: Readonly<{ type: string | undefined; token: string | undefined }>
  /** Pools created before this time (Unix seconds) are left out; absent: none are. */
  since?: () => number
}>

function earnList(query: PoolsQuery): PoolList {
  const { sort = 'tvl' } = query
  return { query, sort, ...parseFilter('earn', sort, query) }
}

function newList({ clock, settings }: Parts<'clock' | 'settings'>, query: PoolsQuery): PoolList {
  const { sort = 'created' } = query
  const since = () => Math.floor(clock.nowMs() / 1000) - settings.newMarketsWindowSeconds
  return { query, sort, ...parseFilter('new', sort, query), since }
}

function parseFilter(list: string, sort: PoolSort, query: PoolsQuery) {
  const filter = { type: query.type, token: query.token?.toLowerCase() }
  return { filter, print: listPrint([list, sort, filter.type, filter.token]) }
}

/** A page, rebuilt when its pools changed or one of them became too old for the list. */
function pageSource({ board, model }: Parts<'board' | 'model'>, list: PoolList): BodySource {
  const { since } = list
  const after = decodePosition(list)
  return {
    head: () => model.head,
    read: cachedBody(
      since === undefined
        ? () => board.version
        : () => `${board.version} ${board.createdBefore(since())}`,
      () => buildPage(board, list, after),
    ),
  }
}

function buildPage(board: PoolBoard, list: PoolList, after: PoolPosition | undefined): EarnMarkets {
  const { sort, print, query } = list
  const { limit = EARN_MARKETS_DEFAULT } = query
  const shown: PricedPool[] = []
  let hasMore = false
  for (const pool of board.sortedBy(sort)) {
    if (after !== undefined && comparePositions(poolPosition(pool, sort), after) <= 0) continue
    if (!isIn(board, list, pool)) continue
    hasMore = shown.length === limit
    if (hasMore) break
    shown.push(pool)
  }
  const last = shown.at(-1)
  const hasNext = hasMore && last !== undefined
  return {
    markets: shown.map((pool) => encodeEarnMarket(poolFacts(board, pool))),
    next_cursor: hasNext ? encodePosition(poolPosition(last, sort), print) : null,
  }
}

const poolFacts = (board: PoolBoard, { pool, type, tvl, volume24h }: PricedPool) => ({
  address: pool.address,
  token0: board.token(pool.token0),
  token1: board.token(pool.token1),
  type,
  tvl,
  volume24h,
  fee: pool.fee,
})

function isIn(board: PoolBoard, { filter, since }: PoolList, { pool, type }: PricedPool): boolean {
  if (since !== undefined && pool.createdSeconds < since()) return false
  if (filter.type !== undefined && filter.type !== type) return false
  if (filter.token === undefined) return true
  return isToken(board, pool.token0, filter.token) || isToken(board, pool.token1, filter.token)
}

/** `asked` is an address or a symbol, lower case. */
const isToken = (board: PoolBoard, address: string, token: string) =>
  address === token || board.token(address).symbol.toLowerCase() === token

const encodePosition = ({ key, address }: PoolPosition, print: string) =>
  encodeCursor([print, key.toString(), address])

/**
 * Returns the position in the cursor of a request. Throws INVALID_CURSOR for one of another list.
 */
function decodePosition({ query: { cursor = '' }, print }: PoolList): PoolPosition | undefined {
  if (cursor === '') return undefined
  const [own, key, address, ...rest] = cursorParts(cursor)
  if (own !== print || rest.length > 0 || !isKey(key) || !isAddress(address)) throw invalidCursor()
  return { key: BigInt(key), address }
}

/** Longer than any value, and short enough to parse quickly. */
const KEY = /^\d{1,1000}$/
const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value)
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)
