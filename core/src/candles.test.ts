import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import type { Candle, Trade } from './records.ts'
import { nextPeriodOpen, periodOpen, RESOLUTION_NAMES, type Resolution } from './resolutions.ts'

const RUNS = 8
const BLOCKS = 200
const seeds = fc.integer({ min: 0, max: 2 ** 31 })

type CandlesOfTrades = Readonly<{ candles: Candle[]; trades: Trade[] }>

function draw(seed: number): CandlesOfTrades {
  const { all } = replay(randomScenario(seed, BLOCKS))
  const candles = new Map<string, Candle>()
  for (const candle of writtenRecords(all, 'candle'))
    candles.set(`${candle.market}|${candle.resolution}|${candle.openSeconds}`, candle)
  return { candles: [...candles.values()], trades: writtenRecords(all, 'trade') }
}

const sum = (list: readonly bigint[]) => list.reduce((total, n) => total + n, 0n)

/** The candle of a period, summed from its trades. */
function summed(trades: readonly Trade[], like: Candle): Candle {
  const bought = trades.filter(({ isTakerBuy }) => isTakerBuy)
  const ticks = trades.map(({ tick }) => tick)
  const units = (list: readonly Trade[]) => sum(list.map(({ tick, lots }) => BigInt(tick) * lots))
  return {
    ...like,
    open: ticks[0] ?? 0,
    high: Math.max(...ticks),
    low: Math.min(...ticks),
    close: ticks.at(-1) ?? 0,
    volume: sum(trades.map(({ lots }) => lots)),
    quoteUnits: units(trades),
    takerBuyVolume: sum(bought.map(({ lots }) => lots)),
    takerBuyUnits: units(bought),
    trades: trades.length,
  }
}

/** Coarse candles merged from fine ones, oldest first. */
function folded(fine: readonly Candle[], resolution: Resolution): Map<string, Candle> {
  const coarse = new Map<string, Candle>()
  for (const candle of [...fine].sort((a, b) => a.openSeconds - b.openSeconds)) {
    const openSeconds = periodOpen(resolution, candle.openSeconds)
    const key = `${candle.market}|${openSeconds}`
    const before = coarse.get(key)
    coarse.set(
      key,
      before === undefined ? { ...candle, resolution, openSeconds } : merged(before, candle),
    )
  }
  return coarse
}

const merged = (before: Candle, next: Candle): Candle => ({
  ...before,
  high: Math.max(before.high, next.high),
  low: Math.min(before.low, next.low),
  close: next.close,
  volume: before.volume + next.volume,
  quoteUnits: before.quoteUnits + next.quoteUnits,
  takerBuyVolume: before.takerBuyVolume + next.takerBuyVolume,
  takerBuyUnits: before.takerBuyUnits + next.takerBuyUnits,
  trades: before.trades + next.trades,
})

describe('candles', () => {
  test('sum the trades of their period, with open and close within low and high', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { candles, trades } = draw(seed)
        for (const candle of candles) {
          const { openSeconds } = candle
          const next = nextPeriodOpen(candle.resolution as Resolution, openSeconds)
          const candleTrades = trades.filter(
            ({ market, seconds }) =>
              market === candle.market && seconds >= openSeconds && seconds < next,
          )
          assert.deepEqual(candle, summed(candleTrades, candle))
          assert.ok(candle.low <= Math.min(candle.open, candle.close))
          assert.ok(candle.high >= Math.max(candle.open, candle.close))
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('of a coarse resolution equal the merged minutes', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { candles } = draw(seed)
        const of = (name: string) => candles.filter(({ resolution }) => resolution === name)
        for (const resolution of RESOLUTION_NAMES)
          assert.deepEqual(
            new Map(
              of(resolution).map((candle) => [`${candle.market}|${candle.openSeconds}`, candle]),
            ),
            folded(of('1'), resolution),
          )
      }),
      { numRuns: RUNS },
    )
  })

  test('cover every trade and exist only where trades are, at every resolution', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { candles, trades } = draw(seed)
        for (const name of RESOLUTION_NAMES) {
          const resolutionCandles = candles.filter(({ resolution }) => resolution === name)
          assert.equal(
            resolutionCandles.reduce((total, candle) => total + candle.trades, 0),
            trades.length,
          )
          assert.ok(resolutionCandles.every((candle) => candle.trades > 0))
        }
      }),
      { numRuns: RUNS },
    )
  })
})
