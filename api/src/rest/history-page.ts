// Pages of account history from the database: one form for every list. Interface 2.9 and 4.4.
import type { Header } from '@openvenue/core/events'
import type { FundingPayment, Market } from '@openvenue/core/records'
import type { BlockRead } from '@openvenue/store/db/block-read'
import { decodeLine, decodeWrittenLine, type RecordLine } from '@openvenue/store/db/record-lines'
import {
  type HistoryFilter,
  type HistoryKind,
  isPaymentLine,
  type LinesPage,
  linePosition,
  type WrittenRow,
} from '@openvenue/store/history/account-history'
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
type HistoryQuery = MarketFilter & TimeRange & SortOrder & PageRequest

type HistoryList<K extends HistoryKind, F = undefined> = Readonly<{
  kind: K
  /** Member of the answer that holds the rows. */
  member: string
  /** Returns a row as JSON; `account` is the wallet. */
  encode: (market: Market, row: WrittenRow[K], account: string, facts: F) => object
  /** For fills: returns a funding payment as JSON. */
  encodePayment?: (market: Market, payment: FundingPayment, account: string) => object
  /** Returns further data needed to encode the rows of a page. */
  factsOf?: (page: LinesPage<K> | undefined) => F
}>

type HistoryRequest = Readonly<{
  account: string
  query: HistoryQuery
  reply: FastifyReply
  /** Other values that decide the rows, for the cursor's print. */
  also?: readonly unknown[]
  /** True when the filter matches nothing. */
  isNothing?: boolean
}> &
  Pick<HistoryFilter, 'fills' | 'hasFunding' | 'isByEnd'>

/** No possible reorg removes a block that is older than the head by more than this, s. */
const REORG_SECONDS_MAX = 3600

/** Dependencies of history pages. */
export type HistoryParts = 'model' | 'clock' | 'history' | 'wallets' | 'fresh'

/** Returns a handler of requests for pages of `list`. */
export function historyPages<K extends HistoryKind, F = undefined>(
  deps: Parts<HistoryParts>,
  list: HistoryList<K, F>,
) {
  const { model, clock, history, wallets, fresh } = deps
  const { kind, member } = list
  const { monotonicMs } = clock
  const counts = new Counts({ model, history, fresh, monotonicMs }, kind)
  return async (request: HistoryRequest): Promise<FastifyReply> => {
    const { account, query, reply, also = [], isNothing = false, isByEnd = false } = request
    const { fills, hasFunding } = request
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
    const cursorPosition = (line: RecordLine<K>) => linePosition(kind, line, { isByEnd })
    const empty = () => pageFromMemory<RecordLine<K>>(query, name, { rows: [], cursorPosition })
    if (isNothing || markets.length === 0) return send(empty(), head)
    const number = await orUnavailable(wallets.accountNumber(account))
    if (number === undefined) return send(empty(), head)
    const ids = markets.map(({ market }) => market.id)
    const rows = { account: number, markets: ids, ...range, fills, hasFunding, isByEnd }
    const isSame = counts.watch(number)
    let at: BlockRead<LinesPage<K>> | undefined
    const read = async (scan: PageScan) => {
      const answer = await orUnavailable(
        fresh.read((from) => history.lines(kind, { ...rows, ...scan }, from)),
      )
      if (at === undefined || scan.isCountAsked) at = answer
      const { lines, ...behind } = answer.rows
      return { rows: lines, ...behind }
    }
    const page = await readPage(query, {
      name,
      read,
      cursorPosition,
      count: () => orUnavailable(counts.ofView(rows, { seq: at?.seq ?? 0, isSame })),
      isFinal: (seconds) => head !== undefined && seconds < head.seconds - REORG_SECONDS_MAX,
    })
    return send(page, at?.head, list.factsOf?.(at?.rows))

    function send(page: Page<RecordLine<K>>, of: Header | undefined, facts?: F): FastifyReply {
      const rows = page.rows.map((line) => encode(line, facts as F))
      const { pagination } = page
      return answerOnce(reply, jsonBytes({ [member]: rows, pagination }), of)
    }
  }
}

function createEncoder<K extends HistoryKind, F>(
  { kind, encode, encodePayment }: HistoryList<K, F>,
  account: string,
  markets: readonly Market[],
) {
  const byId = new Map(markets.map((market) => [market.id, market]))
  const marketOf = (row: Readonly<{ market: unknown }>) => byId.get(String(row.market)) as Market
  return (line: RecordLine<K>, facts: F) => {
    if (encodePayment !== undefined && isPaymentLine(line)) {
      const payment = decodeLine('fundingPayment', line as RecordLine<never>)
      return encodePayment(marketOf(payment), payment, account)
    }
    const row = decodeWrittenLine<HistoryKind>(kind, line) as WrittenRow[K]
    return encode(marketOf(row), row, account, facts)
  }
}
