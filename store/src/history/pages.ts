// Reads pages of an account's history. A page of a partitioned list is first searched in the newest
// part of its time, where most pages are, and then where the stored counts locate its rows.

import { type BlockRead, type ReadFrom, readRowAt, type SqlQuery } from '../db/block-read.ts'
import { readCheckpoint } from '../db/checkpoint.ts'
import type { Db, Sql, SqlRow } from '../db/db.ts'
import { oldestQuery, PARTITION_SECONDS, parseOldest } from '../db/partitions.ts'
import { decodeLine, type RecordLine, splitLines } from '../db/record-lines.ts'
import {
  type CursorPosition,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
  type LinesPage,
  linePosition,
} from './account-history.ts'
import {
  daysQuery,
  leveragesQuery,
  pageQuery,
  paymentsQuery,
  STATEMENT_RANGES_MAX,
} from './account-queries.ts'
import { countQuery, parseCount } from './counts.ts'
import { type PageDays, parseDays } from './page-days.ts'

type LinesQuery = HistoryQuery & Readonly<{ isBehindAsked?: boolean; isCountAsked?: boolean }>

const DAY_SECONDS = 86_400
/** Time within which an active account fills a page. */
const CLOSE_SECONDS = 15 * DAY_SECONDS
const SPARSE_MAX = 10_000

/** Returns the one row of a query. */
type RunQuery = (query: SqlQuery) => Promise<BlockRead<SqlRow>>

/** The pages of `db`. */
export class HistoryPages {
  readonly #db: Db
  /** Time of the newest seen block, close to the newest rows. */
  #headSeconds: number | undefined
  #oldestSeconds: number | undefined
  /** Recent lists whose newest part did not fill a page: their days are looked up at once. */
  readonly #sparse = new Set<string>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Notes the head that something else was read at. */
  seeHead(head: BlockRead<unknown>['head']): void {
    this.#headSeconds = head?.seconds
  }

  /** Returns the start of the newest partitions; 0 while the head is unknown. */
  recentSeconds(): number {
    const head = this.#headSeconds
    return head === undefined ? 0 : Math.max(partitionStart(head - CLOSE_SECONDS), 0)
  }

  async read<K extends HistoryKind>(
    kind: K,
    query: LinesQuery,
    from: ReadFrom = 'replica',
  ): Promise<BlockRead<LinesPage<K>>> {
    const groups = query.fills === 'none' ? [] : groupMarkets(query.markets)
    const [markets = [], ...others] = groups
    const isOneList = others.length === 0 && query.hasFunding !== true
    if (isOneList && query.isBehindAsked !== true && query.isCountAsked !== true) {
      const page = await this.#readGroup(kind, query, markets, (q) => readRowAt(this.#db[from], q))
      // The resting part of an order is shown with the account's leverage at that time.
      if (page !== undefined && !(kind === 'order' && page.rows.lines.some(rests))) return page
    }
    return this.#inOneView(kind, query, groups, from)
  }

  /** From one view: between two, a scan would skip rows committed to the first part. */
  #inOneView<K extends HistoryKind>(
    kind: K,
    query: LinesQuery,
    groups: readonly (readonly string[])[],
    from: ReadFrom,
  ): Promise<BlockRead<LinesPage<K>>> {
    return this.#db.readTransaction(async (sql) => {
      const { seq, head } = await readCheckpoint(sql)
      const ask = async (q: SqlQuery) => ({ seq, head, rows: await firstRow(sql, q) })
      const read = async (part: HistoryQuery) => {
        const lists: (readonly RecordLine<K>[])[] = []
        for (const markets of groups)
          lists.push((await this.#readGroup(kind, part, markets, ask))?.rows.lines ?? [])
        if (part.hasFunding === true) lists.push(page<K>(await ask(paymentsQuery(part))).rows.lines)
        return lists.length > 1 ? firstLines(kind, part, lists.flat()) : lists.flat()
      }
      const lines = await read(query)
      const total =
        query.isCountAsked === true
          ? { total: parseCount(await firstRow(sql, countQuery(kind, query))) }
          : {}
      const facts =
        kind === 'order'
          ? { leverages: leveragesIn(await firstRow(sql, leveragesQuery(query.account))) }
          : {}
      const rows = { lines, ...total, ...facts }
      if (query.isBehindAsked !== true) return { seq, head, rows }
      const behind = await read(behindQuery(kind, query, lines))
      return { seq, head, rows: { ...rows, hasBehind: behind.length > 0 } }
    }, from)
  }

  /** Reads a page of markets of one statement; undefined: the chain moved between two of them. */
  async #readGroup<K extends HistoryKind>(
    kind: K,
    query: HistoryQuery,
    markets: readonly string[],
    ask: RunQuery,
  ): Promise<BlockRead<LinesPage<K>> | undefined> {
    if (markets.length === 0) return page<K>(await ask(NOTHING))
    const first = await this.#find(kind, query, markets, ask)
    this.#headSeconds = first.head?.seconds
    if (first.rest === undefined) return page<K>(first)
    const second = await ask(pageQuery(kind, first.rest.query, first.rest.markets))
    return second.seq === first.seq ? page<K>(second) : undefined
  }

  /** Reads the page, or the days and markets that have it: `rest`. */
  async #find(
    kind: HistoryKind,
    query: HistoryQuery,
    markets: readonly string[],
    ask: RunQuery,
  ): Promise<PageRow> {
    const oldest = await this.#oldest(ask)
    const part = firstPart(query, { head: this.#headSeconds, oldest })
    // An order of the past may have ended in any later partition.
    const isNear = kind !== 'order' || part === undefined || this.#isRecent(part, oldest)
    if (part === query && isNear) return ask(pageQuery(kind, query, markets))
    const name = `${kind} ${query.fills} ${query.isByEnd} ${query.account}`
    if (part !== undefined && isNear && !this.#sparse.has(name)) {
      const first = await ask(pageQuery(kind, part, markets))
      if (splitLines(first.rows[0] ?? '').length >= query.limit) return first
      this.#note(name)
    }
    // Days are counted by creation.
    if (query.isByEnd === true) return ask(pageQuery(kind, query, markets))
    const at = await ask(daysQuery(kind, query, markets))
    const days = parseDays(at.rows[0] ?? '')
    return days === undefined ? at : { ...at, rest: betweenDays(query, days) }
  }

  #isRecent({ fromSeconds, isByEnd }: HistoryQuery, oldest = 0): boolean {
    return isByEnd === true || Math.max(fromSeconds, oldest) >= this.recentSeconds()
  }

  /** Returns the time of the oldest rows; undefined when there are none. */
  async #oldest(ask: RunQuery): Promise<number | undefined> {
    this.#oldestSeconds ??= parseOldest((await ask(oldestQuery('fill'))).rows[0] ?? '')
    return this.#oldestSeconds
  }

  #note(name: string): void {
    this.#sparse.add(name)
    for (const oldest of this.#sparse) {
      if (this.#sparse.size <= SPARSE_MAX) return
      this.#sparse.delete(oldest)
    }
  }
}

/** A row with a page; if it has `rest`, the page must be read by that. */
type PageRow = BlockRead<SqlRow> &
  Readonly<{ rest?: Readonly<{ query: HistoryQuery; markets: readonly string[] }> | undefined }>

const rests = (line: string) => decodeLine('order', line).restingLots > 0n

function leveragesIn([text]: SqlRow): ReadonlyMap<string, number> {
  const pairs = (text ?? '').split('\n').filter(Boolean)
  return new Map(
    pairs.map((pair) => {
      const [market = '', leverage] = pair.split(' ')
      return [market, Number(leverage)]
    }),
  )
}

/** Selects no lines. */
export const NOTHING: SqlQuery = { text: `SELECT ''`, params: [] }

const firstRow = async (sql: Sql, { text, params }: SqlQuery): Promise<SqlRow> =>
  (await sql.query(text, params))[0] ?? []

const page = <K extends HistoryKind>({ rows, ...at }: BlockRead<SqlRow>) => ({
  ...at,
  rows: { lines: splitLines<K>(rows[0] ?? '') },
})

/**
 * Returns the first part of a query's time, at the edge where it begins: one partition, or two
 * close to a boundary; the query itself if that is all of it. Undefined: the start of the rows is
 * unknown.
 */
function firstPart(
  query: HistoryQuery,
  { head, oldest = 0 }: Readonly<{ head: number | undefined; oldest: number | undefined }>,
): HistoryQuery | undefined {
  const { toSeconds, after, isAscending } = query
  const fromSeconds = Math.max(query.fromSeconds, oldest)
  if (isAscending) {
    const near = Math.max(fromSeconds, after?.seconds ?? 0)
    const end = partitionStart(near + CLOSE_SECONDS) + PARTITION_SECONDS - 1
    if (end >= Math.min(toSeconds, head ?? toSeconds)) return query
    return near > Math.max(oldest, 0) ? { ...query, toSeconds: end } : undefined
  }
  const near = Math.min(toSeconds, after?.seconds ?? toSeconds, head ?? toSeconds)
  const start = partitionStart(near - CLOSE_SECONDS)
  if (start <= fromSeconds) return query
  const isKnown = head !== undefined || after !== undefined
  return isKnown ? { ...query, fromSeconds: start } : undefined
}

/** Returns the query between the found days, for their markets. */
const betweenDays = (query: HistoryQuery, { first, last, markets, ends }: PageDays) => ({
  query: {
    ...query,
    fromSeconds: Math.max(query.fromSeconds, first * DAY_SECONDS),
    toSeconds: Math.min(query.toSeconds, (last + 1) * DAY_SECONDS - 1),
    ends,
  },
  markets,
})

const partitionStart = (seconds: number) =>
  Math.floor(seconds / PARTITION_SECONDS) * PARTITION_SECONDS

/** Returns the query for a row before the first of `lines`. There is none beyond an empty page. */
function behindQuery<K extends HistoryKind>(
  kind: K,
  query: HistoryQuery,
  [first]: readonly RecordLine<K>[],
): HistoryQuery {
  const after = first === undefined ? undefined : linePosition(kind, first, query)
  return { ...query, after, isAscending: !query.isAscending, limit: 1 }
}

/** Returns the markets, each once, in groups for the statements. */
function groupMarkets(markets: readonly string[]): string[][] {
  const distinct = [...new Set(markets)]
  const groups: string[][] = []
  for (let start = 0; start < distinct.length; start += STATEMENT_RANGES_MAX) {
    groups.push(distinct.slice(start, start + STATEMENT_RANGES_MAX))
  }
  return groups
}

/** Returns the first rows of a query from the first rows of its parts. */
function firstLines<K extends HistoryKind>(
  kind: K,
  query: HistoryQuery,
  lines: readonly RecordLine<K>[],
): readonly RecordLine<K>[] {
  const positioned = lines.map((line) => ({ line, position: linePosition(kind, line, query) }))
  const { isAscending, limit } = query
  const sign = isAscending ? 1 : -1
  positioned.sort((a, b) => sign * comparePositions(a.position, b.position))
  return positioned.slice(0, limit).map(({ line }) => line)
}

/** Decodes a line of a list. */
export const decodeRow = <K extends HistoryKind>(kind: K, line: RecordLine<K>) =>
  decodeLine<HistoryKind>(kind, line) as HistoryRow[K]

const comparePositions = (a: CursorPosition, b: CursorPosition) => {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds
  return a.id < b.id ? -1 : 1
}
