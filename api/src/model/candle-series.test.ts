import assert from 'node:assert/strict'
import test from 'node:test'
import type { Candle } from '@openvenue/core/records'
import fc from 'fast-check'
import {
  type BarsQuery,
  CANDLE_WINDOW_MAX,
  CandleSeries,
  merged,
  type OlderBars,
} from './candle-series.ts'

const candle = (minute: number, trades = 1): Candle => ({
  market: '0x00',
  resolution: '1',
  openSeconds: minute * 60,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1n,
  quoteUnits: 1n,
  takerBuyVolume: 0n,
  takerBuyUnits: 0n,
  trades,
})

const makeCandles = (minutes: readonly number[]) => minutes.map((minute) => candle(minute))

/** Answers as the database would, from all candles. */
function read(all: readonly Candle[], { fromSeconds, toSeconds, limit, newest }: OlderBars) {
  const found = all.filter((bar) => bar.openSeconds >= fromSeconds && bar.openSeconds <= toSeconds)
  return newest ? found.slice(-limit) : found.slice(0, limit)
}

function readAnswer(series: CandleSeries<string>, all: readonly Candle[], query: BarsQuery) {
  const selection = series.select(query)
  const older = selection.older === undefined ? [] : read(all, selection.older)
  return [...merged(selection, older)].map((bar) => bar.candle)
}

/** The rules of the interface, applied to all candles. */
function expectedBars(
  all: readonly Candle[],
  { fromSeconds = 0, toSeconds, countback }: BarsQuery,
) {
  const until = all.filter((bar) => toSeconds === undefined || bar.openSeconds <= toSeconds)
  if (countback !== undefined) return until.slice(-Math.min(countback, 5000))
  return until.filter((bar) => bar.openSeconds >= fromSeconds).slice(0, 5000)
}

const seconds = fc.option(fc.integer({ min: 0, max: 45 * 60 }), { nil: undefined })
const query = fc.record({
  fromSeconds: seconds,
  toSeconds: seconds,
  countback: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
})
const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 })

test('window and database together answer every query as one list would', () => {
  fc.assert(
    fc.property(minutes, fc.nat(30), query, (opened, inMemory, asked) => {
      const all = makeCandles(opened.toSorted((a, b) => a - b))
      const window = all.slice(Math.max(0, all.length - inMemory))
      const series = new CandleSeries<string>(window, window.length === all.length)
      assert.deepEqual(readAnswer(series, all, asked), expectedBars(all, asked))
    }),
    { numRuns: 1000 },
  )
})

test('after any blocks and undone blocks the answers are those of the bars that remain', () => {
  const step = fc.record({ ahead: fc.integer({ min: 0, max: 3 }), isUndo: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), query, (steps, asked) => {
      const series = new CandleSeries<string>([], true)
      const history: Candle[][] = [[]]
      for (const { ahead, isUndo } of steps) {
        const all = history.at(-1) ?? []
        if (isUndo && history.length > 1) history.pop()
        else history.push(withTrade(all, ahead))
        series.apply(history.at(-1)?.at(-1))
      }
      const all = history.at(-1) ?? []
      assert.deepEqual(readAnswer(series, [], asked), expectedBars(all, asked))
    }),
    { numRuns: 500 },
  )
})

function withTrade(all: readonly Candle[], ahead: number): Candle[] {
  const newest = all.at(-1)
  if (newest === undefined) return [candle(ahead)]
  if (ahead === 0) return [...all.slice(0, -1), { ...newest, trades: newest.trades + 1 }]
  return [...all, candle(newest.openSeconds / 60 + ahead)]
}

test('the window keeps at least its size and reports when bars left it', () => {
  const series = new CandleSeries<string>([], true)
  const left = Array.from({ length: 2 * CANDLE_WINDOW_MAX }, (_, minute) =>
    series.apply(candle(minute)),
  )
  assert.deepEqual(
    left.flatMap((hasLeft, minute) => (hasLeft ? [minute] : [])),
    [2 * CANDLE_WINDOW_MAX - 1],
  )
  assert.equal(series.select({ countback: CANDLE_WINDOW_MAX }).older, undefined)
  assert.deepEqual(series.select({ countback: CANDLE_WINDOW_MAX + 1 }).older, {
    fromSeconds: 0,
    toSeconds: CANDLE_WINDOW_MAX * 60 - 1,
    limit: 1,
    newest: true,
  })
})

test('an answer that ends before the newest bar outlives trades but not an undone block', () => {
  const series = new CandleSeries<string>(makeCandles([1, 2, 3]), true)
  assert.equal(series.select({ toSeconds: 120 }).isSettled, true)
  assert.equal(series.select({ toSeconds: 180 }).isSettled, false)
  const { version, settledVersion } = series
  series.apply(candle(3, 2))
  series.apply(candle(4))
  assert.equal(series.settledVersion, settledVersion)
  assert.ok(series.version > version)
  series.apply(candle(3, 2))
  assert.ok(series.settledVersion > settledVersion)
})

test('only the changed bar loses its text', () => {
  const series = new CandleSeries<string>(makeCandles([1, 2, 3]), true)
  for (const bar of series.select({}).bars) bar.text = 'text'
  series.apply(candle(3, 2))
  assert.deepEqual(
    series.select({}).bars.map((bar) => bar.text),
    ['text', 'text', undefined],
  )
})

test('the bar before a time is known from memory, unless older ones are only in the database', () => {
  const whole = new CandleSeries<string>(makeCandles([5, 7]), true)
  assert.equal(whole.openBefore(7 * 60), 5 * 60)
  assert.equal(whole.openBefore(5 * 60), undefined)
  const part = new CandleSeries<string>(makeCandles([5, 7]), false)
  assert.equal(part.openBefore(5 * 60 + 1), 5 * 60)
  assert.equal(part.openBefore(5 * 60), 'older')
})
