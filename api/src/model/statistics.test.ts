import assert from 'node:assert/strict'
import test from 'node:test'
import type { Candle, PriceMinute, Settlement } from '@openvenue/core/records'
import { dailyFundingRate, dayTotals, priceAt } from './statistics.ts'

const HOUR = 3600
const NOON = 1_700_049_600

const hour = (openSeconds: number, trades: number): Candle => ({
  market: '0x00',
  resolution: '60',
  openSeconds,
  open: 1,
  high: trades + 10,
  low: trades,
  close: 1,
  volume: BigInt(trades),
  quoteUnits: BigInt(trades * 10),
  takerBuyVolume: 1n,
  takerBuyUnits: 2n,
  trades,
})

test('a day runs from the start of the hour 23 hours ago through the current partial hour', () => {
  const hours = [-24, -23, -1, 0].map((ago, index) => hour(NOON + ago * HOUR, 10 ** index))
  const counted = (nowSeconds: number) => dayTotals(hours, nowSeconds).trades
  assert.equal(counted(NOON), 1110)
  assert.equal(counted(NOON + HOUR - 1), 1110)
  assert.equal(counted(NOON - 1), 111)
  assert.equal(counted(NOON + HOUR), 1100)
  assert.equal(counted(NOON + 24 * HOUR), 0)
})

test('totals add volumes and keep the widest range; without candles there is no range', () => {
  assert.deepEqual(dayTotals([hour(NOON - HOUR, 3), hour(NOON, 7)], NOON), {
    volume: 10n,
    units: 100n,
    takerBuyVolume: 2n,
    takerBuyUnits: 4n,
    trades: 10,
    high: 17,
    low: 3,
  })
  const none = dayTotals([], NOON)
  assert.deepEqual([none.units, none.high, none.low], [0n, undefined, undefined])
})

test('the daily funding rate is the mean of the hours that ended in 24 hours, cut toward zero', () => {
  const ended = (ago: number, rate: bigint) => ({ seconds: NOON - ago * HOUR, rate }) as Settlement
  assert.equal(dailyFundingRate([ended(24, 900n), ended(23, 5n), ended(0, -10n)], NOON), -2n)
  assert.equal(dailyFundingRate([ended(24, 900n)], NOON), undefined)
  assert.equal(dailyFundingRate([], NOON), undefined)
})

test('the price at a time is the last of the newest minute that opened by then', () => {
  const minutes = [0, 60, 180].map(
    (openSeconds, index): PriceMinute => ({
      series: 'index:ETH',
      openSeconds,
      price: BigInt(index),
    }),
  )
  const at = [0, 59, 60, 179, 180, 9_999].map((seconds) => priceAt(minutes, seconds))
  assert.deepEqual(at, [0n, 0n, 1n, 1n, 2n, 2n])
  assert.equal(priceAt(minutes.slice(1), 59), undefined)
  assert.equal(priceAt([], 59), undefined)
})
