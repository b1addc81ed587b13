// Commands for past trades and candles of a market.
import type { shapes } from 'openvenue'
import { bySide, bySign, numbers, timesNs, timesSeconds, words } from '../columns.ts'
import { argument, type CommandSpec, given, MARKET, option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseTime, wholeNumber } from '../parse.ts'

const TRADES = 20
const TRADES_MAX = 1000
const CANDLES = 24
const CANDLES_MAX = 5000
/** Resolutions of the endpoint; it accepts D, W and M as 1D, 1W and 1M too. */
const RESOLUTIONS = [
  ...['1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720'],
  ...['1D', '3D', '1W', '1M'],
] as const

const TRADE_COLUMNS = [
  timesSeconds('created_timestamp', (t: shapes.Trade) => t.created_timestamp, {
    title: 'time (UTC)',
  }),
  words('instrument_name', (t: shapes.Trade) => t.instrument_name, { title: 'market' }),
  words('side', (t: shapes.Trade) => t.side, { style: bySide }),
  numbers('price', (t: shapes.Trade) => t.price),
  numbers('amount', (t: shapes.Trade) => t.amount),
  words('trade_id', (t: shapes.Trade) => t.trade_id),
  words('tx_hash', (t: shapes.Trade) => t.tx_hash, { isCsvOnly: true }),
]
type Fill = shapes.FillsPage['trade_history'][number]
const FILL_COLUMNS = [
  timesNs('created_timestamp', (f: Fill) => f.created_timestamp, { title: 'time (UTC)' }),
  words('instrument_name', (f: Fill) => f.instrument_name, { title: 'market' }),
  words('side', (f: Fill) => f.side, { style: bySide }),
  numbers('price', (f: Fill) => f.price),
  numbers('amount', (f: Fill) => f.amount),
  numbers('fees', (f: Fill) => f.fees),
  words('liquidity', (f: Fill) => f.liquidity),
  numbers('pnl', (f: Fill) => f.pnl, { decimals: 6, style: bySign((f: Fill) => f.pnl) }),
  words('trade_id', (f: Fill) => f.trade_id),
  words('order_id', (f: Fill) => f.order_id, { isCsvOnly: true }),
  words('tx_hash', (f: Fill) => f.tx_hash, { isCsvOnly: true }),
]
const CANDLE_COLUMNS = [
  timesSeconds('time', (c: shapes.Candle) => c.time, { title: 'time (UTC)' }),
  numbers('open', (c: shapes.Candle) => c.open),
  numbers('high', (c: shapes.Candle) => c.high),
  numbers('low', (c: shapes.Candle) => c.low),
  numbers('close', (c: shapes.Candle) => c.close, {
    style: ({ open, close }) => (Number(close) < Number(open) ? 'red' : 'green'),
  }),
  numbers('volume', (c: shapes.Candle) => c.volume),
  numbers('quote_volume', (c: shapes.Candle) => c.quote_volume, { decimals: 2 }),
  numbers('trades', (c: shapes.Candle) => c.trades),
  numbers('average', (c: shapes.Candle) => c.average, { isCsvOnly: true }),
  numbers('taker_buy_volume', (c: shapes.Candle) => c.taker_buy_volume, { isCsvOnly: true }),
  timesSeconds('close_time', (c: shapes.Candle) => c.close_time, { isCsvOnly: true }),
]

export const trades: CommandSpec = {
  name: 'trades',
  summary: 'list the newest trades of a market or your own',
  args: [argument('[market]', 'market name, such as ETH-PERP')],
  options: [
    option('--limit <count>', `maximum number of trades; ${TRADES} by default`, {
      parse: wholeNumber(1, TRADES_MAX),
    }),
    option('--mine', 'your own trades with fees and profit, in one or all markets'),
  ],
  examples: ['openvenue trades ETH-PERP', 'openvenue trades --mine --csv'],
  run: async (session, { args: [market], options }) => {
    const { limit = TRADES, mine } = options as { limit?: number; mine?: boolean }
    if (mine === true) {
      const query = { limit, ...(market && { instrument_name: market }) }
      const answer = await (await session.rest()).call('GET /trade-history', { query })
      const rows = answer.trade_history as readonly Fill[]
      return session.output.show({ answer, rows, columns: FILL_COLUMNS, none: 'no trades yet' })
    }
    if (market === undefined) throw new UsageError('market is missing: pass one, or --mine')
    const answer = await (await session.publicRest()).call('GET /markets/{instrument_id}/trades', {
      path: { instrument_id: market },
      query: { limit },
    })
    session.output.show({ answer, rows: answer, columns: TRADE_COLUMNS, none: 'no trades yet' })
  },
}

export const candles: CommandSpec = {
  name: 'candles',
  summary: 'list candles of a market, oldest first',
  args: [MARKET],
  options: [
    option('--resolution <period>', 'minutes, or 1D, 3D, 1W, 1M; 60 by default', {
      choices: RESOLUTIONS,
    }),
    option(
      '--limit <count>',
      `maximum number, newest or with --from oldest; ${CANDLES} without --from`,
      {
        parse: wholeNumber(1, CANDLES_MAX),
      },
    ),
    option('--from <time>', 'start time: Unix seconds or a date', { parse: parseTime }),
    option('--to <time>', 'end time; now by default', { parse: parseTime }),
    option('--fill', 'include periods without trades, at the last price'),
  ],
  examples: ['openvenue candles ETH-PERP --resolution 15 --limit 96 --csv'],
  run: async (session, typed) => {
    const { resolution = '60', fill, limit, from, to } = typed.options as CandleOptions
    if (from !== undefined && to !== undefined && from > to)
      throw new UsageError(`--from: got ${from}, expected at most ${to} (--to)`)
    const query = {
      instrument_name: given(typed, 0),
      resolution,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(from === undefined && { countback: limit ?? CANDLES }),
      ...(fill && { fill: 'previous' as const }),
    }
    const page = await (await session.publicRest()).call('GET /candles', { query })
    // With --from, the venue returns the oldest candles of the range first.
    const answer = from === undefined ? page : page.slice(0, limit)
    session.output.show({ answer, rows: answer, columns: CANDLE_COLUMNS, none: 'no candles' })
  },
}

type CandleOptions = Readonly<{ resolution?: (typeof RESOLUTIONS)[number]; fill?: boolean }> &
  Readonly<Partial<Record<'limit' | 'from' | 'to', number>>>
