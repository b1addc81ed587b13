// Checks answers of the adapter against the structures that ccxt documents. ccxt's package has no
// test methods; these check the same: members and their types, known symbols, valid times, sorted
// prices and consistent sums.
import assert from 'node:assert/strict'
import { type Exchange, Precise } from 'ccxt'

type Entry = Readonly<Record<string, unknown>>
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** Members of a structure: all must be present, and those without a mark must have a value. */
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>

const TICKER: Shape = {
  ...{ info: 'object', symbol: 'string', timestamp: 'number', datetime: 'string' },
  ...{ high: 'number?', low: 'number?', bid: 'number?', bidVolume: 'number?', ask: 'number?' },
  ...{ askVolume: 'number?', vwap: 'number?', open: 'number?', close: 'number?', last: 'number?' },
  ...{ previousClose: 'number?', change: 'number?', percentage: 'number?', average: 'number?' },
  ...{ baseVolume: 'number?', quoteVolume: 'number?', markPrice: 'number?', indexPrice: 'number?' },
}
const MARKET: Shape = {
  ...{ id: 'string', symbol: 'string', base: 'string', quote: 'string', baseId: 'string' },
  ...{ quoteId: 'string', active: 'boolean', type: 'string', spot: 'boolean', margin: 'boolean?' },
  ...{ swap: 'boolean', future: 'boolean', option: 'boolean', contract: 'boolean' },
  ...{ settle: 'string?', settleId: 'string?', linear: 'boolean?', inverse: 'boolean?' },
  ...{ contractSize: 'number?', expiry: 'number?', expiryDatetime: 'string?', strike: 'number?' },
  ...{ optionType: 'string?', taker: 'number', maker: 'number', precision: 'object' },
  ...{ limits: 'object', marginModes: 'object', created: 'number?', info: 'object' },
}
const TRADE: Shape = {
  ...{ info: 'object', id: 'string', timestamp: 'number', datetime: 'string', symbol: 'string' },
  ...{ order: 'string?', type: 'string?', side: 'string', takerOrMaker: 'string?' },
  ...{ price: 'number', amount: 'number', cost: 'number', fee: 'object?', fees: 'array' },
}
const ORDER: Shape = {
  ...{ info: 'object', id: 'string', clientOrderId: 'string?', timestamp: 'number' },
  ...{ datetime: 'string', lastTradeTimestamp: 'number?', lastUpdateTimestamp: 'number?' },
  ...{ symbol: 'string', type: 'string', timeInForce: 'string', postOnly: 'boolean' },
  ...{ reduceOnly: 'boolean', side: 'string', price: 'number', triggerPrice: 'number?' },
  ...{ amount: 'number', cost: 'number', average: 'number?', filled: 'number' },
  ...{ remaining: 'number', status: 'string', fee: 'object', trades: 'array' },
}
const POSITION: Shape = {
  ...{ info: 'object', symbol: 'string', timestamp: 'number', datetime: 'string' },
  ...{ contracts: 'number', contractSize: 'number', side: 'string', notional: 'number' },
  ...{ leverage: 'number', unrealizedPnl: 'number', collateral: 'number?', entryPrice: 'number' },
  ...{ markPrice: 'number', liquidationPrice: 'number?', marginMode: 'string' },
  ...{ initialMargin: 'number', initialMarginPercentage: 'number', maintenanceMargin: 'number' },
  ...{ maintenanceMarginPercentage: 'number', marginRatio: 'number?', percentage: 'number' },
  ...{ hedged: 'boolean' },
}
const FUNDING_RATE: Shape = {
  ...{ info: 'object', symbol: 'string', markPrice: 'number', indexPrice: 'number' },
  ...{ interestRate: 'number?', timestamp: 'number', datetime: 'string', fundingRate: 'number' },
  ...{ fundingTimestamp: 'number', fundingDatetime: 'string', nextFundingRate: 'number?' },
  ...{ nextFundingTimestamp: 'number?', previousFundingRate: 'number?', interval: 'string' },
}
const FUNDING_RATE_HISTORY: Shape = {
  ...{ info: 'array', symbol: 'string', timestamp: 'number', datetime: 'string' },
  fundingRate: 'number',
}
const CURRENCY: Shape = {
  ...{ info: 'object', id: 'string', code: 'string', name: 'string', active: 'boolean' },
  ...{ precision: 'number', limits: 'object', networks: 'object' },
}
const LEVERAGE_TIER: Shape = {
  ...{ tier: 'number', symbol: 'string', currency: 'string', minNotional: 'number' },
  ...{ maxNotional: 'number', maintenanceMarginRate: 'number', maxLeverage: 'number' },
  info: 'object',
}

const TIME_MS_MIN = Date.parse('2009-01-03T00:00:00Z')
const TIME_MS_MAX = 2 ** 31 * 1000

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function checkShape(shape: Shape, entry: Entry): void {
  for (const [name, type] of Object.entries(shape)) {
    assert.ok(name in entry, `${name} is a member of ${JSON.stringify(entry)}`)
    const value = entry[name]
    if (value === undefined && type.endsWith('?')) continue
    assert.equal(kindOf(value), type.replace('?', ''), `${name} of ${JSON.stringify(entry)}`)
    if (typeof value === 'number') assert.ok(Number.isFinite(value), `${name} is finite`)
  }
}

function checkTime(exchange: Exchange, { timestamp, datetime }: Entry): void {
  if (timestamp === undefined) return
  const ms = Number(timestamp)
  assert.ok(Number.isInteger(ms) && ms > TIME_MS_MIN && ms < TIME_MS_MAX, `a time: ${timestamp}`)
  if (datetime !== undefined) assert.equal(datetime, exchange.iso8601(ms))
}

function checkSymbol(exchange: Exchange, { symbol }: Entry): void {
  assert.ok(String(symbol) in (exchange.markets ?? {}), `${symbol} is a symbol`)
}

/** Checks that numbers that are present are above zero, or not below zero. */
function checkAbove(entry: Entry, names: readonly string[], orZero = false): void {
  for (const name of names) {
    const value = entry[name]
    if (value === undefined) continue
    assert.ok(orZero ? Number(value) >= 0 : Number(value) > 0, `${name} is ${value}`)
  }
}

function checkEntry(exchange: Exchange, shape: Shape, entry: unknown): Entry {
  checkShape(shape, entry as Entry)
  checkTime(exchange, entry as Entry)
  checkSymbol(exchange, entry as Entry)
  return entry as Entry
}

export function checkMarket(exchange: Exchange, market: unknown): void {
  const entry = checkEntry(exchange, MARKET, market)
  const { type, base, quote, settle, baseId, quoteId, precision, limits } = entry
  assert.equal(entry[String(type)], true)
  const isSpot = type === 'spot'
  assert.equal(entry.symbol, isSpot ? `${base}/${quote}` : `${base}/${quote}:${settle}`)
  assert.deepEqual([entry.contract, entry.swap, entry.future], [!isSpot, !isSpot, false])
  const contract = [entry.linear, entry.inverse, entry.contractSize, entry.subType]
  const [none, linear] = [
    [undefined, undefined, undefined, undefined],
    [true, false, 1, 'linear'],
  ]
  assert.deepEqual(contract, isSpot ? none : linear)
  assert.deepEqual([entry.expiry, entry.strike], [undefined, undefined])
  checkAbove(precision as Entry, ['amount', 'price'])
  for (const bounds of Object.values(limits as Record<string, Entry>)) {
    checkAbove(bounds, ['min'], true)
    checkAbove(bounds, ['max'])
    if (bounds.max !== undefined) assert.ok(Number(bounds.max) >= Number(bounds.min ?? 0))
  }
  for (const [id, code] of [
    [baseId, base],
    [quoteId, quote],
  ])
    assert.equal(exchange.currency(String(code)).id, id)
}

export function checkCurrency(currency: unknown): void {
  checkShape(CURRENCY, currency as Entry)
  checkAbove(currency as Entry, ['precision'])
}

export function checkTicker(exchange: Exchange, ticker: unknown): void {
  const entry = checkEntry(exchange, TICKER, ticker)
  checkAbove(entry, ['high', 'low', 'bid', 'ask', 'last', 'close', 'markPrice', 'indexPrice'])
  checkAbove(entry, ['bidVolume', 'askVolume', 'baseVolume', 'quoteVolume'], true)
  assert.equal(entry.last, entry.close)
  if (entry.bid !== undefined && entry.ask !== undefined)
    assert.ok(Number(entry.ask) > Number(entry.bid), `${entry.bid} / ${entry.ask}`)
}

export function checkOrderBook(exchange: Exchange, book: unknown): void {
  const shape = { bids: 'array', asks: 'array', timestamp: 'number', datetime: 'string' } as const
  const { bids, asks } = checkEntry(exchange, { ...shape, nonce: 'number?' }, book) as {
    bids: [number, number][]
    asks: [number, number][]
  }
  for (const [side, sign] of [
    [bids, -1],
    [asks, 1],
  ] as const)
    side.forEach((level, at) => {
      assert.equal(level.length, 2)
      checkAbove({ price: level[0], amount: level[1] }, ['price', 'amount'])
      const next = side[at + 1]
      if (next !== undefined) assert.ok(sign * (next[0] - level[0]) > 0, 'best first')
    })
  if (bids[0] && asks[0]) assert.ok(bids[0][0] < asks[0][0], 'the bid is below the ask')
}

export function checkTrade(exchange: Exchange, trade: unknown): void {
  const entry = checkEntry(exchange, TRADE, trade)
  assert.ok(['buy', 'sell'].includes(String(entry.side)))
  assert.ok(['taker', 'maker', undefined].includes(entry.takerOrMaker as string | undefined))
  checkAbove(entry, ['price', 'amount', 'cost'])
  for (const fee of entry.fees as Entry[]) checkShape({ cost: 'number', currency: 'string' }, fee)
}

export function checkCandle(candle: unknown, previous: unknown, hasVolume: boolean): void {
  const [ms, open, high, low, close, volume] = candle as number[]
  const [before = 0] = (previous ?? []) as number[]
  assert.equal((candle as unknown[]).length, 6)
  assert.ok(Number.isInteger(ms) && Number(ms) > before, `${before} is before ${ms}`)
  for (const price of [open, close])
    assert.ok(Number(low) <= Number(price) && Number(price) <= Number(high), `${candle}`)
  assert.ok(hasVolume ? Number(volume) >= 0 : volume === undefined)
}

export function checkOrder(exchange: Exchange, order: unknown): void {
  const entry = checkEntry(exchange, ORDER, order)
  assert.ok(['buy', 'sell'].includes(String(entry.side)))
  assert.ok(['limit', 'market'].includes(String(entry.type)))
  assert.ok(['GTC', 'IOC', 'FOK', 'PO'].includes(String(entry.timeInForce)))
  const statuses = ['open', 'closed', 'canceled', 'expired', 'rejected']
  assert.ok(statuses.includes(String(entry.status)), `${entry.status}`)
  checkAbove(entry, ['price', 'average', 'triggerPrice', 'amount'])
  checkAbove(entry, ['filled', 'remaining', 'cost'], true)
  const [filled, remaining] = [entry.filled, entry.remaining].map(String)
  assert.ok(Precise.stringEq(Precise.stringAdd(filled, remaining), String(entry.amount)))
  checkShape({ cost: 'number', currency: 'string' }, entry.fee as Entry)
}

export function checkPosition(exchange: Exchange, position: unknown): void {
  const entry = checkEntry(exchange, POSITION, position)
  assert.ok(['long', 'short'].includes(String(entry.side)))
  assert.equal(entry.marginMode, 'cross')
  const above = ['contracts', 'notional', 'entryPrice', 'markPrice', 'leverage', 'initialMargin']
  checkAbove(entry, [...above, 'maintenanceMargin', 'maintenanceMarginPercentage'])
}

export function checkBalance(exchange: Exchange, balance: unknown): void {
  const shape = { free: 'object', used: 'object', total: 'object', info: 'object' } as const
  checkShape(shape, balance as Entry)
  const { free, used, total } = balance as Record<string, Record<string, number>>
  for (const code of Object.keys(total ?? {})) {
    assert.ok(code in exchange.currencies, `${code} is a currency`)
    const [a, b, sum] = [free?.[code], used?.[code], total?.[code]].map(String)
    assert.ok(Precise.stringEq(Precise.stringAdd(a, b), sum), `${a} + ${b} = ${sum}`)
    checkAbove({ free: free?.[code], used: used?.[code] }, ['free', 'used'], true)
  }
}

export function checkFundingRate(exchange: Exchange, rate: unknown): void {
  const entry = checkEntry(exchange, FUNDING_RATE, rate)
  assert.ok(Number(entry.fundingTimestamp) > Number(entry.timestamp))
  assert.ok(Math.abs(Number(entry.fundingRate)) < 1)
}

export function checkFundingRateHistory(exchange: Exchange, rate: unknown): void {
  const entry = checkEntry(exchange, FUNDING_RATE_HISTORY, rate)
  assert.ok(Math.abs(Number(entry.fundingRate)) < 1)
}

export function checkLeverageTier(exchange: Exchange, tier: unknown): void {
  const entry = checkEntry(exchange, LEVERAGE_TIER, tier)
  checkAbove(entry, ['maxNotional', 'maintenanceMarginRate', 'maxLeverage'])
  assert.ok(Number(entry.maintenanceMarginRate) <= 1)
}
