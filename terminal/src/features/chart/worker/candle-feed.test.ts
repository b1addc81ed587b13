import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { CandleFeed, type CandleMessage, type CandleRange } from './candle-feed.ts'
import { type WindowCandle, withoutLines } from './candle-window.ts'

const MARKET = { instrument_name: 'ETH-PERP', price_step: '0.01' } as shapes.Market
const LAST = 2_000
const candle = (minute: number, close = '2'): WindowCandle => ({
  ...{ time: minute * 60, close_time: minute * 60 + 59, volume: '1' },
  ...{ open: '1', high: '2', low: '1', close },
})
const message = (
  type: CandleMessage['type'],
  data: WindowCandle | null,
  block_number = 1,
): CandleMessage => ({ type, data, block_number })

/** A venue that has candles of the minutes up to `last`, as REST answers of them. */
class Minutes {
  last = LAST
  first = 1
  isTraded: (minute: number) => boolean = () => true
  readonly ranges: CandleRange[] = []

  read = async (range: CandleRange): Promise<readonly WindowCandle[]> => {
    this.ranges.push(range)
    const { from = 0, to = Number.POSITIVE_INFINITY, countback = 5_000 } = range
    const all = Array.from({ length: this.last - this.first + 1 }, (_, at) =>
      candle(this.first + at),
    )
    const inRange = all.filter(({ time }) => time >= from && time <= to && this.isTraded(time / 60))
    return range.countback === undefined ? inRange.slice(0, 5_000) : inRange.slice(-countback)
  }
}

/** Follows messages to their end, each after `before` has been called with its place. */
async function follow(
  minutes: Minutes,
  messages: readonly CandleMessage[],
  before: (at: number) => void = () => {},
) {
  const feed = new CandleFeed({
    ...{ market: MARKET, resolution: '1', onChange: () => {}, read: minutes.read },
    choice: { tab: 'price', hasMark: false, hasIndex: false },
    withLines: async (candles) => candles.map(withoutLines),
    messages: async function* () {
      for (const [at, message] of messages.entries()) {
        before(at)
        yield message
      }
    },
  })
  await feed.follow(SIGNAL)
  return feed
}

const SIGNAL = new AbortController().signal
const drawn = (feed: CandleFeed) => feed.take().candles.map(({ time }) => time / 60)

describe('the candles of a market', () => {
  test('the candle feed starts with REST data at least as new as the first message', async () => {
    const minutes = new Minutes()
    const feed = await follow(minutes, [message('snapshot', candle(LAST), 77)])
    const news = feed.take()
    assert.deepEqual(minutes.ranges, [{ countback: 500, min_block: 77 }])
    assert.deepEqual([news.isWhole, news.candles.length, news.hasNewest], [true, 500, true])
    assert.equal(news.newest?.close, '2.00')
  })

  test('the candle feed fills minutes without trades, before and between its messages', async () => {
    const minutes = new Minutes()
    minutes.isTraded = (minute) => minute % 3 === 0 || minute > LAST - 2
    const feed = await follow(minutes, [
      message('snapshot', candle(LAST)),
      message('update', candle(LAST + 4)),
    ])
    const times = drawn(feed)
    assert.deepEqual(times.slice(-6), [LAST - 1, LAST, LAST + 1, LAST + 2, LAST + 3, LAST + 4])
    const first = times[0] ?? 0
    await feed.older(first * 60, SIGNAL)
    const all = drawn(feed)
    assert.deepEqual(
      all,
      Array.from(all, (_, at) => (all[0] ?? 0) + at),
      'no minute is missing',
    )
    assert.ok(all.length > times.length)
  })

  test('the candle feed adds candles that closed while the connection was down', async () => {
    const minutes = new Minutes()
    const begins = [message('snapshot', candle(LAST)), message('snapshot', candle(LAST + 7))]
    const feed = await follow(minutes, begins, (at) => {
      if (at === 1) minutes.last = LAST + 7
    })
    const times = drawn(feed)
    assert.deepEqual([times.at(-8), times.at(-1), times.length], [LAST, LAST + 7, 507])
  })

  test('the candle feed re-reads all candles if more than a page was missed', async () => {
    const minutes = new Minutes()
    const begins = [message('snapshot', candle(LAST)), message('snapshot', candle(LAST + 900))]
    const feed = await follow(minutes, begins, (at) => {
      if (at === 1) minutes.last = LAST + 900
    })
    const times = drawn(feed)
    assert.deepEqual([times[0], times.at(-1)], [LAST + 401, LAST + 900], 'no hole is left')
  })

  test('the candle feed follows the chain after a reorganisation', async () => {
    const minutes = new Minutes()
    const feed = await follow(minutes, [
      message('snapshot', candle(LAST)),
      message('update', candle(LAST + 1)),
      message('undo', candle(LAST, '1.5')),
    ])
    const { candles } = feed.take()
    assert.deepEqual([candles.at(-1)?.time, candles.at(-1)?.close], [LAST * 60, 1.5])
  })

  test('the candle feed goes back to the first candle, queries it once, and returns', async () => {
    const minutes = new Minutes()
    minutes.last = 4_200
    const feed = await follow(minutes, [message('snapshot', candle(4_200))])
    let first = drawn(feed)[0] ?? 0
    while (first > 1) {
      await feed.older(first * 60, SIGNAL)
      first = drawn(feed)[0] ?? 0
    }
    const before = minutes.ranges.length
    await feed.older(60, SIGNAL)
    await feed.older(60, SIGNAL)
    assert.equal(minutes.ranges.length, before + 1, 'nothing is before the first')
    assert.equal(feed.take().hasNewest, false)
    await feed.newer(SIGNAL)
    await feed.newer(SIGNAL)
    await feed.newer(SIGNAL)
    const { hasNewest } = feed.take()
    const { candles } = feed.takeAll()
    assert.deepEqual([hasNewest, candles.length, candles.at(-1)?.time], [true, 3_000, 4_200 * 60])
  })

  test('the candle feed reads a page once, even if it is requested again meanwhile', async () => {
    const minutes = new Minutes()
    const feed = await follow(minutes, [message('snapshot', candle(LAST))])
    const before = (LAST - 499) * 60
    await Promise.all([feed.older(before, SIGNAL), feed.older(before, SIGNAL)])
    assert.equal(minutes.ranges.length, 2)
  })
})
