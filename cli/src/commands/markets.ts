// Commands for markets and their prices.
import type { shapes } from 'openvenue'
import { bySign, numbers, words } from '../columns.ts'
import { argument, type CommandSpec, option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'

const MARKETS = [
  words('instrument_name', (m: shapes.Market) => m.instrument_name, { title: 'market' }),
  words('instrument_type', (m: shapes.Market) => m.instrument_type, { title: 'type' }),
  numbers('mark_price', (m: shapes.Market) => m.mark_price, { decimals: 4 }),
  numbers('index_price', (m: shapes.Market) => m.index_price, { decimals: 4 }),
  numbers('volume_24h', (m: shapes.Market) => m.volume_24h, { decimals: 2 }),
  numbers('funding_rate', (m: shapes.Market) => m.funding_rate),
  numbers('open_interest', (m: shapes.Market) => m.open_interest, { decimals: 4 }),
  numbers('max_leverage', (m: shapes.Market) => m.max_leverage),
  numbers('price_step', (m: shapes.Market) => m.price_step),
  numbers('amount_step', (m: shapes.Market) => m.amount_step),
  numbers('min_order_value', (m: shapes.Market) => m.min_order_value),
  numbers('maker_fee', (m: shapes.Market) => m.maker_fee, { isCsvOnly: true }),
  numbers('taker_fee', (m: shapes.Market) => m.taker_fee, { isCsvOnly: true }),
  words('is_active', (m: shapes.Market) => m.is_active, { title: 'active' }),
  words('instrument_id', (m: shapes.Market) => m.instrument_id, { isCsvOnly: true }),
]

/** A column that tables show only if trading is not live in some market. */
const tradingOf = (markets: readonly shapes.Market[]) =>
  words('trading', (m: shapes.Market) => m.trading, {
    isCsvOnly: markets.every(({ trading }) => trading === 'live'),
  })

const change = (t: shapes.Ticker) => t.mark_daily_change_pct

const TICKERS = [
  words('instrument_name', (t: shapes.Ticker) => t.instrument_name, { title: 'market' }),
  numbers('last_price', (t: shapes.Ticker) => t.last_price, { title: 'last' }),
  numbers('bid_price', (t: shapes.Ticker) => t.bid?.price, { title: 'bid' }),
  numbers('bid_amount', (t: shapes.Ticker) => t.bid?.amount, { isCsvOnly: true }),
  numbers('ask_price', (t: shapes.Ticker) => t.ask?.price, { title: 'ask' }),
  numbers('ask_amount', (t: shapes.Ticker) => t.ask?.amount, { isCsvOnly: true }),
  numbers('mark_price', (t: shapes.Ticker) => t.mark.price, { title: 'mark', decimals: 4 }),
  numbers('index_price', (t: shapes.Ticker) => t.index.price, { title: 'index', decimals: 4 }),
  numbers('mark_daily_change_pct', change, { title: '24h %', decimals: 2, style: bySign(change) }),
  numbers('high_24h', (t: shapes.Ticker) => t.high_24h, { title: '24h high' }),
  numbers('low_24h', (t: shapes.Ticker) => t.low_24h, { title: '24h low' }),
  numbers('volume_24h', (t: shapes.Ticker) => t.volume_24h, { title: '24h volume', decimals: 2 }),
  numbers('funding_rate', (t: shapes.Ticker) => t.funding_rate, { title: 'funding' }),
  numbers('open_interest', (t: shapes.Ticker) => t.open_interest, { decimals: 4 }),
]

export const markets: CommandSpec = {
  name: 'markets',
  summary: 'list markets with their steps and limits',
  options: [
    option('--type <type>', 'only this type', { choices: ['SPOT', 'PERPETUAL'] }),
    option('--asset <symbol>', 'only this underlying'),
  ],
  examples: ['openvenue markets --type PERPETUAL'],
  run: async (session, { options }) => {
    const { type, asset } = options as { type?: string; asset?: string }
    const query = { ...(type && { instrument_type: type }), ...(asset && { asset }) }
    const answer = await (await session.publicRest()).call('GET /markets', { query })
    const columns = [...MARKETS, tradingOf(answer)]
    session.output.show({ answer, rows: answer, columns, none: 'no such market' })
  },
}

export const ticker: CommandSpec = {
  name: 'ticker',
  summary: 'show prices and the 24-hour change of one or all markets',
  args: [argument('[market]', 'market name; all markets by default')],
  examples: ['openvenue ticker ETH-PERP'],
  run: async (session, { args: [name] }) => {
    const answer = await (await session.publicRest()).call('GET /tickers')
    if (name === undefined)
      return session.output.show({ answer, rows: answer.tickers, columns: TICKERS })
    const ticker = answer.tickers.find(({ instrument_name }) => instrument_name === name)
    if (ticker === undefined) {
      const names = answer.tickers.map(({ instrument_name }) => instrument_name).join(', ')
      throw new UsageError(`market: got ${name}, expected one of ${names}`)
    }
    session.output.show({ answer: ticker, rows: [ticker], columns: TICKERS })
  },
}
