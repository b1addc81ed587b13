// Handles requests about the tables, and the actions of their buttons.
import type { Handlers } from '../../../protocol/worker/requests.ts'
import type { AccountFeed } from '../../account/worker/account-feed.ts'
import { orderRow, positionRow } from '../../account/worker/table-rows.ts'
import type { SessionHolder } from '../../session/worker/session.ts'
import {
  PAGE_ROWS,
  type TableRequest,
  type TableRequests,
  type TableRow,
  type WholeTable,
} from '../table-protocol.ts'
import * as text from '../text.ts'
import { cancelOrders, closePositions } from './ending.ts'

/** Filters by market; without one, returns all. */
const of = <T extends { instrument_name: string }>(all: readonly T[], market: string) =>
  all.filter(({ instrument_name }) => market === '' || instrument_name === market)

/** Returns the handlers of requests about the tables. `feed` belongs to the session. */
export function tableHandlers(
  sessions: SessionHolder,
  feed: () => AccountFeed,
): Handlers<TableRequests> {
  const whole = (rows: readonly TableRow[]): WholeTable => ({ rows, limit: '' })
  const rowsOf = async ({ tab, market }: TableRequest): Promise<WholeTable> => {
    if (tab === 'positions')
      return whole(of(feed().positions, market).map((position) => positionRow(position)))
    if (tab === 'orders') return whole(of(feed().orders, market).map(orderRow))
    const { readWhole } = await import('./past-tables.ts')
    return readWhole(sessions.require().rest, { tab, market })
  }
  return {
    readTable: async (request) => {
      const { readBehind, readPage } = await import('./past-tables.ts')
      const { rest } = sessions.require()
      const { tab, market, cursor } = request
      const last = tab === 'fills' ? of(feed().fills, market).at(-1) : undefined
      return last === undefined || cursor !== ''
        ? readPage(rest, { ...request, limit: PAGE_ROWS }, feed().digitsOf)
        : readBehind(rest, { market, id: last.trade_id }, feed().digitsOf)
    },
    exportTable: async (request) => {
      const { csvText } = await import('./csv.ts')
      const { rows, limit } = await rowsOf(request)
      return { text: csvText(text.columns[request.tab], rows), limit }
    },
    cancelOrder: ({ id }) => {
      const orders = feed().orders.filter(({ order_id }) => order_id === id)
      return cancelOrders(sessions.require(), orders)
    },
    cancelOrders: ({ market }) => cancelOrders(sessions.require(), of(feed().orders, market)),
    closePositions: ({ market }) =>
      closePositions(sessions.require(), of(feed().positions, market)),
  }
}
