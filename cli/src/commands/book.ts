// Command `book`: resting orders of a market by price.
import { fromRaw, type shapes } from 'openvenue'
import { numbers, words } from '../columns.ts'
import { type CommandSpec, given, MARKET, option } from '../command.ts'
import { wholeNumber } from '../parse.ts'

const DEPTH = 10
const LEVELS_MAX = 500
const GROUP_MAX = 1_000_000_000

/** A level of one side, in human units. */
export type SideLevel = Readonly<{ side: 'buy' | 'sell'; price: string; amount: string }> &
  Readonly<{ orders: string }>
/** A bid and an ask level on the same line. */
export type BookLine = Readonly<{ bid: SideLevel | undefined; ask: SideLevel | undefined }>

/** Columns of a book in a table. */
export const BOOK_LINES = [
  numbers('bid_orders', ({ bid }: BookLine) => bid?.orders ?? '', { title: 'orders' }),
  numbers('bid_amount', ({ bid }: BookLine) => bid?.amount ?? '', { title: 'amount' }),
  numbers('bid_price', ({ bid }: BookLine) => bid?.price ?? '', {
    title: 'bid',
    style: () => 'green',
  }),
  numbers('ask_price', ({ ask }: BookLine) => ask?.price ?? '', {
    title: 'ask',
    style: () => 'red',
  }),
  numbers('ask_amount', ({ ask }: BookLine) => ask?.amount ?? '', { title: 'amount' }),
  numbers('ask_orders', ({ ask }: BookLine) => ask?.orders ?? '', { title: 'orders' }),
]
const LEVELS = [
  words('side', (level: SideLevel) => level.side),
  numbers('price', (level: SideLevel) => level.price),
  numbers('amount', (level: SideLevel) => level.amount),
  numbers('orders', (level: SideLevel) => level.orders),
]

export const book: CommandSpec = {
  name: 'book',
  summary: 'show the order book of a market',
  args: [MARKET],
  options: [
    option('--depth <levels>', `levels per side; ${DEPTH} by default`, {
      parse: wholeNumber(1, LEVELS_MAX),
    }),
    option('--group <steps>', 'merge levels into groups of this many price steps', {
      parse: wholeNumber(1, GROUP_MAX),
    }),
  ],
  examples: ['openvenue book ETH-PERP --depth 5', 'openvenue watch book ETH-PERP'],
  run: async (session, typed) => {
    const { depth = DEPTH, group } = typed.options as { depth?: number; group?: number }
    const name = given(typed, 0)
    const rest = await session.publicRest()
    const [market, answer] = await Promise.all([
      rest.call('GET /markets/{instrument_id}', { path: { instrument_id: name } }),
      rest.call('GET /orderbook/{instrument_name}', {
        path: { instrument_name: name },
        query: { depth, ...(group && { group }) },
      }),
    ])
    const { output } = session
    const levels = humanLevels(answer, market)
    if (output.format !== 'table') return output.show({ answer, rows: levels, columns: LEVELS })
    for (const line of output.table(sideBySide(levels), BOOK_LINES)) output.line(line)
  },
}

/** Returns the levels of a book in human units. The API has raw integers. */
function humanLevels(
  { bids, asks }: Pick<shapes.OrderBook, 'bids' | 'asks'>,
  { base_decimals, quote_decimals }: Pick<shapes.Market, 'base_decimals' | 'quote_decimals'>,
): SideLevel[] {
  const human = (side: SideLevel['side']) => (level: shapes.OrderBookLevel) => ({
    side,
    price: fromRaw(BigInt(level.price), quote_decimals),
    amount: fromRaw(BigInt(level.amount), base_decimals),
    orders: String(level.orders),
  })
  return [...bids.map(human('buy')), ...asks.map(human('sell'))]
}

/** Pairs the levels of both sides, best first. */
export function sideBySide(levels: readonly SideLevel[]): BookLine[] {
  const bids = levels.filter(({ side }) => side === 'buy')
  const asks = levels.filter(({ side }) => side === 'sell')
  return Array.from({ length: Math.max(bids.length, asks.length) }, (_, at) => ({
    bid: bids[at],
    ask: asks[at],
  }))
}
