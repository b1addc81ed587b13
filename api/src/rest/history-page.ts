// Pages of account history from the database: one form for every list. Interface 2.9 and 4.4.
import type { Header } from '@openvenue/core/events'
import type { Market } from '@openvenue/core/records'
import {
  cursorPosition,
  type FillSet,
  type HistoryKind,
  type WrittenRow,
} from '@openvenue/store/account-history'
import type { BlockRead } from '@openvenue/store/block-read'
import { decodeWrittenLine, type Line } from '@openvenue/store/record-lines'
import type { MarketFilter, SortOrder, TimeRange } from '@openvenue/wire/account-query'
import type { FastifyReply } from 'fastify'
import { filterMarkets, marketsPrint, timeRangeOr400 } from '../account/account-filter.ts'
import { Counts } from '../account/counts.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { pageFromMemory } from '../http/memory-page.ts'
import { type Page, type PageRequest, type PageScan, readPage } from '../http/page.ts'
import { orUnavailable } from '../http/refusals.ts'
import type { Parts } from './route.ts'

/** The parameters of a page of history. */
export type HistoryQuery = MarketFilter & TimeRange & SortOrder & PageRequest

export type HistoryList<K extends HistoryKind, F = undefined> = Readonly<{
  kind: K
  /** Member of the answer that holds the rows. */
  member: string
  /** Returns a row as JSON; `account` is the wallet. */
  encode: (market: Market, row: WrittenRow[K], account: string, facts: F) => object
  /** Returns what else the rows of an account are written with. */
  readFacts?: (account: number) => Promise<F>
}>

export type HistoryRequest = Readonly<{
  account: string
  query: HistoryQuery
  reply: FastifyReply
  /** Whatever else decides the rows, for the cursor. */
  also?: readonly unknown[]
  /** True: the filter matches nothing. */
  isNothing?: boolean
  /** Of fills: which of them; absent: all. */
  fills?: FillSet | undefined
  /** Of orders: by the time they ended. */
  isByEnd?: boolean
}>

/**
 * No reorg that the chain can have removes a block that is older than that of the head by so much.
 */
const REORG_SECONDS_MAX = 3600

/** The parts that pages of history stand on. */
export type HistoryParts = 'model' | 'clock' | 'history' | 'wallets' | 'fresh'

/** Returns what answers requests for pages of `list`. */
export function historyPages<K extends HistoryKind, F = undefined>(
  deps: Parts<HistoryParts>,
  list: HistoryList<K, F>,
) {
  const { model, clock, history, wallets, fresh } = deps
  const { kind, member } = list
  const { monotonicMs } = clock
  const counts = new Counts({ model, history, fresh, monotonicMs }, kind)
  return async (request: HistoryRequest): Promise<FastifyReply> => {
    const { account, query, reply, also = [], isNothing = false, fills, isByEnd = false } = request
    const { head } = model
    const range = timeRangeOr400(query)
    const isAscending = query.sort_order === 'asc'
    const print = marketsPrint(model, query)
    const filter = [account, print, range.fromSeconds, range.toSeconds, isByEnd, also]
    const name = { list: member, isAscending, filter }
    const markets = filterMarkets(model, query)
    const encode = createEncoder(
      list,
      account,
      markets.map(({ market }) => market),
    )
    const decodeRow = (line: Line<K>) => decodeWrittenLine<HistoryKind>(kind, line) as WrittenRow[K]
    const linePosition = (line: Line<K>) => cursorPosition(kind, decodeRow(line), { isByEnd })
    const empty = () =>
      pageFromMemory<Line<K>>(query, name, { rows: [], cursorPosition: linePosition })
    if (isNothing || markets.length === 0) return send(empty(), head)
    const number = await orUnavailable(wallets.accountNumber(account))
    if (number === undefined) return send(empty(), head)
    const ids = markets.map(({ market }) => market.id)
    const rows = { account: number, markets: ids, ...range, fills, isByEnd }
    const isSame = counts.watch(number)
    let at: BlockRead<unknown> | undefined
    const read = async (scan: PageScan) => {
      const found = await orUnavailable(
        fresh.read((from) => history.lines(kind, { ...rows, ...scan }, from)),
      )
      if (at === undefined || scan.isCountAsked) at = found
      const { lines, ...behind } = found.rows
      return { rows: lines, ...behind }
    }
    const page = await readPage(query, {
      name,
      read,
      cursorPosition: linePosition,
      count: () => orUnavailable(counts.ofView(rows, { seq: at?.seq ?? 0, isSame })),
      isFinal: (seconds) => head !== undefined && seconds < head.seconds - REORG_SECONDS_MAX,
    })
    return send(page, at?.head, await list.readFacts?.(number))

    function send(page: Page<Line<K>>, of: Header | undefined, facts?: F): FastifyReply {
      const rows = page.rows.map((line) => encode(decodeRow(line), facts as F))
      const { pagination } = page
      return answerOnce(reply, jsonBytes({ [member]: rows, pagination }), of)
    }
  }
}

function createEncoder<K extends HistoryKind, F>(
  { encode }: HistoryList<K, F>,
  account: string,
  markets: readonly Market[],
) {
  const byId = new Map(markets.map((market) => [market.id, market]))
  return (row: WrittenRow[K], facts: F) =>
    encode(byId.get(row.market as string) as Market, row, account, facts)
}
