// Commands for the account, its positions and its orders.
import type { shapes } from 'openvenue'
import { bySide, bySign, numbers, timesNs, words } from '../columns.ts'
import { argument, type CommandSpec, option } from '../command.ts'
import { isOrderId, wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'

const LIMIT = 50
const LIMIT_MAX = 1000

const ACCOUNT = [
  words('account', (a: shapes.Account) => a.account),
  numbers('equity', (a: shapes.Account) => a.equity, { decimals: 6 }),
  numbers('balance', (a: shapes.Account) => a.balance, { decimals: 6 }),
  numbers('available_balance', (a: shapes.Account) => a.available_balance, { decimals: 6 }),
  numbers('initial_margin', (a: shapes.Account) => a.initial_margin, { decimals: 6 }),
  numbers('maintenance_margin', (a: shapes.Account) => a.maintenance_margin, { decimals: 6 }),
  numbers('unrealized_pnl', (a: shapes.Account) => a.unrealized_pnl, {
    decimals: 6,
    style: bySign((a: shapes.Account) => a.unrealized_pnl),
  }),
  numbers('realized_pnl', (a: shapes.Account) => a.realized_pnl, {
    decimals: 6,
    style: bySign((a: shapes.Account) => a.realized_pnl),
  }),
  numbers('spot_value', (a: shapes.Account) => a.spot_value, { decimals: 6 }),
  numbers('total_value', (a: shapes.Account) => a.total_value, { decimals: 6 }),
  words('liquidatable', (a: shapes.Account) => a.liquidatable),
]
const COLLATERALS = [
  words('collateral_asset', (c: shapes.Collateral) => c.collateral_asset, { title: 'token' }),
  words('instrument_type', (c: shapes.Collateral) => c.instrument_type, { title: 'at' }),
  numbers('balance', (c: shapes.Collateral) => c.balance),
  numbers('available_balance', (c: shapes.Collateral) => c.available_balance),
  numbers('withdrawable_balance', (c: shapes.Collateral) => c.withdrawable_balance),
  numbers('collateral_value', (c: shapes.Collateral) => c.collateral_value, { decimals: 2 }),
]
const pnl = (p: shapes.Position) => p.unrealized_pnl
const liquidation = (p: shapes.Position) => ('liquidation_price' in p ? p.liquidation_price : null)
const POSITIONS = [
  words('instrument_name', (p: shapes.Position) => p.instrument_name, { title: 'market' }),
  words('side', (p: shapes.Position) => p.side, { style: bySide }),
  numbers('amount', (p: shapes.Position) => p.amount),
  numbers('avg_entry_price', (p: shapes.Position) => p.avg_entry_price, { title: 'entry' }),
  numbers('mark_price', (p: shapes.Position) => p.mark_price, { title: 'mark', decimals: 4 }),
  numbers('notional_value', (p: shapes.Position) => p.notional_value, { decimals: 2 }),
  numbers('unrealized_pnl', pnl, { decimals: 4, style: bySign(pnl) }),
  numbers('liquidation_price', liquidation, { decimals: 4 }),
  numbers('leverage', (p: shapes.Position) => ('leverage' in p ? p.leverage : null)),
  timesNs('updated_timestamp', (p: shapes.Position) => p.updated_timestamp, {
    title: 'updated (UTC)',
  }),
]
/** Columns of open and past orders. */
export const ORDERS = [
  timesNs('created_timestamp', (o: shapes.Order) => o.created_timestamp, { title: 'time (UTC)' }),
  words('instrument_name', (o: shapes.Order) => o.instrument_name, { title: 'market' }),
  words('side', (o: shapes.Order) => o.side, { style: bySide }),
  numbers('amount', (o: shapes.Order) => o.amount),
  numbers('price', (o: shapes.Order) => o.price),
  numbers('filled', (o: shapes.Order) => o.filled),
  numbers('avg_price', (o: shapes.Order) => o.avg_price),
  words('time_in_force', (o: shapes.Order) => o.time_in_force, { title: 'tif' }),
  words('order_status', (o: shapes.Order) => o.order_status, { title: 'status' }),
  words('reason', (o: shapes.Order) => o.reject_reason ?? o.cancel_reason ?? ''),
  words('trigger', (o: shapes.Order) => (o.stop === undefined ? '' : `${o.stop} ${o.trigger}`)),
  words('client_order_id', (o: shapes.Order) => o.client_order_id ?? '', { title: 'client id' }),
  words('order_id', (o: shapes.Order) => o.order_id),
  words('chain_order_id', (o: shapes.Order) => o.chain_order_id, { isCsvOnly: true }),
  words('post_only', (o: shapes.Order) => o.post_only, { isCsvOnly: true }),
  words('reduce_only', (o: shapes.Order) => o.reduce_only, { isCsvOnly: true }),
  numbers('fees', (o: shapes.Order) => o.fees, { isCsvOnly: true }),
]

export const account: CommandSpec = {
  name: 'account',
  summary: 'show equity, margins and token balances',
  options: [option('--collaterals', 'only the tokens, as a table or with --csv')],
  run: async (session, { options }) => {
    const answer = await (await session.rest()).call('GET /account')
    const { output } = session
    if (options.collaterals === true)
      return output.show({ answer, rows: answer.collaterals, columns: COLLATERALS })
    output.facts(answer, answer, ACCOUNT)
    if (output.format !== 'table' || answer.collaterals.length === 0) return
    output.line('')
    for (const line of output.table(answer.collaterals, COLLATERALS)) output.line(line)
  },
}

export const positions: CommandSpec = {
  name: 'positions',
  summary: 'list open positions, including tokens held for spot markets',
  options: [
    option('--type <type>', 'only this type', { choices: ['SPOT', 'PERPETUAL'] }),
    option('--asset <symbol>', 'only this underlying'),
  ],
  run: async (session, { options }) => {
    const { type, asset } = options as { type?: 'SPOT' | 'PERPETUAL'; asset?: string }
    const query = {
      limit: LIMIT_MAX,
      ...(type && { instrument_type: type }),
      ...(asset && { asset }),
    }
    const answer = await (await session.rest()).call('GET /positions', { query })
    const none = 'no open positions'
    session.output.show({ answer, rows: answer.positions, columns: POSITIONS, none })
  },
}

export const orders: CommandSpec = {
  name: 'orders',
  summary: 'list open or past orders, or show one',
  args: [argument('[order-id]', 'id or client order id of an open or past order')],
  options: [
    option('--market <name>', 'only this market'),
    option('--history', 'list past orders'),
    option('--client-id', 'treat the id as a client order id'),
    option('--limit <count>', `maximum number of orders; ${LIMIT} by default`, {
      parse: wholeNumber(1, LIMIT_MAX),
    }),
    option('--cursor <text>', 'next page: next_cursor of the previous one'),
  ],
  examples: ['openvenue orders --market ETH-PERP', 'openvenue orders --history --csv'],
  run: async (session, { args: [id], options }) => {
    if (id !== undefined) {
      const order = await findOrder(session, id, options.clientId === true)
      return session.output.facts(order, order, ORDERS)
    }
    const { market, history, limit = LIMIT, cursor } = options as ListOptions
    const query = {
      limit,
      ...(market && { instrument_name: market }),
      ...(cursor && { cursor }),
    }
    const rest = await session.rest()
    if (history === true) {
      const answer = await rest.call('GET /order-history', { query })
      const { order_history: rows, pagination } = answer
      session.output.show({ answer, rows, columns: ORDERS, none: 'no past orders' })
      return sayMore(session, pagination)
    }
    const answer = await rest.call('GET /open-orders', { query: { ...query, include: 'pending' } })
    const none = 'no open orders'
    session.output.show({ answer, rows: answer.orders, columns: ORDERS, none })
    sayMore(session, answer.pagination)
  },
}

type ListOptions = Readonly<{ market?: string; history?: boolean; limit?: number; cursor?: string }>

/** Returns an order by its id or client order id. */
export async function findOrder(
  session: Session,
  id: string,
  isName = false,
): Promise<shapes.Order> {
  const rest = await session.rest()
  return isName || !isOrderId(id)
    ? rest.call('GET /orders/by-client-id/{client_order_id}', {
        path: { client_order_id: id },
      })
    : rest.call('GET /orders/{order_id}', {
        path: { order_id: id },
        query: { include: 'closed' },
      })
}

/** Prints a note with the cursor of the next page, if there is one. */
function sayMore({ output }: Session, { has_next, next_cursor }: shapes.Pagination): void {
  if (has_next && output.format === 'table') output.note(`more rows: --cursor ${next_cursor}`)
}
