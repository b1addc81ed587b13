// Fills a database with a venue of many markets and accounts, made by the database itself: rows of
// the shape that the chain would have left, without the chain.
import { RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import type { Db } from '@openvenue/store/db'
import { TABLES } from '@openvenue/store/tables'

export type Size = Readonly<{ markets: number; accounts: number }>

/** Rows of history of each market or series, which a node may want at its start. */
const TRADES = 2_000
const SETTLEMENTS = 500
const CANDLES = 300
const PRICE_MINUTES = 1_500
const RESTING_ORDERS = 200
const SERIES = RESOLUTION_NAMES.length

const PERPS = `0x${'e'.repeat(40)}`
const USDC = `0x${'c'.repeat(40)}`
const HASH = `'0x' || lpad(to_hex(i), 64, '0')`

const market = (number: string) => `'${PERPS}' || lpad(to_hex(${number}), 8, '0')`
const asset = (number: string) => `'A' || (${number})`
/** One of `markets` after the other. */
const turns = (markets: number) => market(`1 + i % ${markets}`)

type Cells = Readonly<Record<string, string>>
type Kind = keyof typeof TABLES

/** Values of columns that a row does not name. */
const FILLERS = { int: '0', big: '0', text: `''`, bool: 'false' } as const

/** Fills an empty database, whose last block is of `nowSeconds`. */
export async function fillVenue(db: Db, size: Size, nowSeconds: number): Promise<void> {
  const hour = nowSeconds - (nowSeconds % 3600)
  for (const [what, count, cells] of fakeRows(size, hour)) await fill(db, what, count, cells)
  await db.script(`UPDATE checkpoint SET seq = 1, number = 1000000, hash = '0x${'a'.repeat(64)}',
    parent_hash = '0x${'b'.repeat(64)}', seconds = ${nowSeconds}`)
}

function fakeRows(size: Size, hour: number): readonly (readonly [Kind, number, Cells])[] {
  return [...publicRows(size, hour), ...historyRows(size, hour), ...ownedRows(size)]
}

function publicRows({ markets }: Size, hour: number): readonly (readonly [Kind, number, Cells])[] {
  const id = market('i')
  return [
    ['token', 1, { address: `'${USDC}'`, symbol: `'USDC'`, name: `'USD Coin'`, decimals: '6' }],
    ['market', markets, marketCells],
    ['ticker', markets, { market: id, last_tick: '30000', last_trade_seconds: `${hour}` }],
    ['mark', markets, { market: id, price: '3000e18', next_price: '3000e18', seconds: `${hour}` }],
    ['funding', markets, { market: id, settled_seconds: `${hour}`, mark: '3000e18' }],
    ['indexPrice', markets, { asset: asset('i'), price: '3000e18', seconds: `${hour}` }],
    [
      'order',
      markets * RESTING_ORDERS,
      {
        market: turns(markets),
        number: `1 + i / ${markets}`,
        account: '10 + i % 500',
        is_buy: 'i % 2 = 0',
        tick: `CASE WHEN i % 2 = 0 THEN 30000 - i % 97 ELSE 30001 + i % 97 END`,
        lots: '10',
        resting_lots: '10',
        time_in_force: `'GTC'`,
        status: `'open'`,
        tx_hash: HASH,
        log_index: 'i',
      },
    ],
  ]
}

const marketCells: Cells = {
  id: market('i'),
  engine: `'${PERPS}'`,
  number: 'i',
  name: `'A' || i || '-PERP'`,
  type: `'PERPETUAL'`,
  asset: asset('i'),
  quote_asset: `'USDC'`,
  base_token: 'NULL',
  quote_token: 'NULL',
  base_decimals: '18',
  quote_decimals: '18',
  price_step: '1e17',
  amount_step: '1e15',
  quote_per_lot_tick: '1e14',
  min_order_value: '1e18',
  max_order_value: '1e24',
  max_notional_value: '1e24',
  max_open_interest: '1e12',
  max_leverage: '20',
  maker_fee: '100',
  taker_fee: '500',
  listed_seconds: '1700000000 + i',
}

function historyRows({ markets }: Size, hour: number): readonly (readonly [Kind, number, Cells])[] {
  const number = `i / ${markets}`
  const prices = { tick: '30000 + i % 97', lots: '1 + i % 500' }
  return [
    [
      'trade',
      markets * TRADES,
      {
        id: `lpad((1 + i / 4)::text, 12, '0') || '-' || lpad((i % 4)::text, 6, '0')`,
        market: turns(markets),
        ...prices,
        is_taker_buy: 'i % 2 = 0',
        maker: '10 + i % 1000',
        taker: '10 + i % 999',
        tx_hash: HASH,
        block_number: '1 + i / 4',
        seconds: `${hour} - ${TRADES} + ${number}`,
      },
    ],
    [
      'settlement',
      markets * SETTLEMENTS,
      { market: turns(markets), seconds: `${hour} - 3600 * (${number})`, tx_hash: HASH },
    ],
    [
      'candle',
      markets * SERIES * CANDLES,
      {
        market: turns(markets),
        resolution: `('{${RESOLUTION_NAMES.join()}}'::text[])[1 + (${number}) % ${SERIES}]`,
        open_seconds: `${hour} - 3600 * (i / ${markets * SERIES})`,
        open: '30000',
        high: '30050',
        low: '29950',
        close: '30000',
        volume: '1000',
        quote_units: '30000000',
        trades: '12',
      },
    ],
    [
      'priceMinute',
      2 * markets * PRICE_MINUTES,
      {
        series: `CASE WHEN i % 2 = 0 THEN 'mark:' || (${market(`1 + i / 2 % ${markets}`)})
          ELSE 'index:' || (${asset(`1 + i / 2 % ${markets}`)}) END`,
        open_seconds: `${hour} - 60 * (i / ${2 * markets})`,
        price: '3000e18 + i',
      },
    ],
  ]
}

function ownedRows({ markets, accounts }: Size): readonly (readonly [Kind, number, Cells])[] {
  const own = { market: turns(markets), account: 'i' }
  const wallet = `'0x' || lpad(to_hex(i), 40, '0')`
  return [
    ['account', accounts, { account: 'i', wallet, opened_seconds: '1700000000' }],
    ['key', accounts, { key: wallet, account: 'i', expiry_seconds: '4000000000' }],
    ['position', accounts, { ...own, lots: '1 + i % 1000', quote: '-3e18 * (1 + i % 1000)' }],
    ['collateral', accounts, { engine: `'${PERPS}'`, account: 'i', amount: '1e21 + i' }],
    ['balance', accounts, { account: 'i', token: `'${USDC}'`, free: '1000000 + i' }],
    ['cycle', accounts, { ...own, open_id: `'000000000001-000001-t'`, open_tx_hash: HASH }],
  ]
}

/** Adds rows 1 to `count`; the other indexes are made anew, which is faster than keeping them. */
async function fill(db: Db, what: Kind, count: number, cells: Cells): Promise<void> {
  const { name, columns } = TABLES[what]
  const values = columns.map(({ name: column, as, isNullable, words }) => {
    const filler = words === undefined ? FILLERS[as] : `'${words[0]}'`
    return cells[column] ?? (isNullable ? 'NULL' : filler)
  })
  const indexes = await db.primary.query(
    `SELECT i.indexname::text, i.indexdef FROM pg_indexes i
      WHERE i.tablename = $1 AND i.indexname NOT LIKE '%_pkey'`,
    [name],
  )
  await db.script(`SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = off;
    ${indexes.map(([index]) => `DROP INDEX ${index};`).join('')}
    INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})
      SELECT ${values.join(', ')} FROM generate_series(1::bigint, ${count}) i;
    ${indexes.map(([, text]) => `${text};`).join('')}`)
  await db.script(`VACUUM (ANALYZE) ${name}`)
}
