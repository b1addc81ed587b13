import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Candle } from '@openvenue/core/records'
import type { FeedEntry, Reader } from '@openvenue/store/store'
import fc from 'fast-check'
import { settled } from '../../test/channel-node.ts'
import { feedReader } from '../../test/feed-reader.ts'
import { makeFeed, modelAt, stateAt } from '../../test/feed-scenario.ts'
import { Refusal } from '../http/refusals.ts'
import { CandleCache } from './candle-cache.ts'
import type { CandleSeries } from './candle-series.ts'
import type { VenueModel } from './venue-model.ts'

const seed = Number(process.env.SEED ?? 1)

type Query = Parameters<Reader['newestCandles']>[0]

const pickBars = (series: CandleSeries<string>) =>
  series.select({}).bars.map(({ candle }) => candle)

/** All candles of a series at an entry, as the feed brought them. */
async function candlesAt(entries: readonly FeedEntry[], seq: number, key: string) {
  const [market = '', resolution = ''] = key.split('|')
  const { newestCandles } = feedReader(entries, { seq })
  return (await newestCandles({ market, resolution, limit: 1_000_000 })).rows
}

const seriesIn = (entries: readonly FeedEntry[], seq: number) => [
  ...stateAt(entries, seq).records.candle.keys(),
]

const asked = (cache: CandleCache<string>, key: string) => {
  const [market = '', resolution = ''] = key.split('|')
  return { find: () => cache.find(market, resolution), read: () => cache.read(market, resolution) }
}

describe('candles', () => {
  test('candles of series that were never requested are not in memory', () => {
    const entries = makeFeed(seed, 150)
    const model = modelAt(entries, 100)
    const { newestCandles } = feedReader(entries, model)
    const cache = new CandleCache<string>({ model, reader: { newestCandles }, onLeft: () => {} })
    const known = seriesIn(entries, 100)
    for (const entry of entries.slice(100)) model.apply(entry)
    for (const key of known) assert.equal(asked(cache, key).find(), undefined, key)
    const born = seriesIn(entries, entries.length).length - known.length
    assert.ok(cache.size <= born, `${cache.size} series, ${born} of them new`)
  })

  test(`candles read while the feed goes on are those of the model's head (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.infiniteStream(fc.nat(9)), async (number, choices) => {
        const chance = () => choices.next().value as number
        const entries = makeFeed(number, 80)
        const model = modelAt(entries, 40)
        const { newestCandles, answer } = slowly(entries, model, chance)
        const cache = new CandleCache<string>({
          model,
          reader: { newestCandles },
          onLeft: () => {},
        })
        const looking: Promise<unknown>[] = []
        for (const entry of entries.slice(40)) {
          const keys = seriesIn(entries, model.seq)
          const key = keys[chance() % keys.length] as string
          const look = async () => {
            const bars = pickBars(await asked(cache, key).read())
            assert.deepEqual(bars, await candlesAt(entries, model.seq, key), key)
          }
          looking.push(look())
          await settled()
          model.apply(entry)
          if (chance() < 5) answer()
          await settled()
        }
        answer()
        await Promise.all(looking)
        for (const key of seriesIn(entries, model.seq)) {
          const found = asked(cache, key).find()
          if (found)
            assert.deepEqual(pickBars(found), await candlesAt(entries, model.seq, key), key)
        }
      }),
      { seed, numRuns: 12 },
    )
  })

  test('candles keep to their maximum: the least recently used series leaves, and is read again', async () => {
    const entries = makeFeed(seed, 150)
    const model = modelAt(entries, entries.length)
    const { newestCandles } = feedReader(entries, model)
    let left = 0
    const onLeft = () => {
      left += 1
    }
    const cache = new CandleCache<string>({ model, reader: { newestCandles }, onLeft, barsMax: 12 })
    for (const key of [...seriesIn(entries, model.seq), ...seriesIn(entries, model.seq)]) {
      const series = await asked(cache, key).read()
      assert.deepEqual(pickBars(series), await candlesAt(entries, model.seq, key), key)
      assert.ok(cache.bars <= 12 || cache.size === 1, `${cache.bars} bars`)
      assert.equal(asked(cache, key).find(), series)
    }
    assert.ok(left > 0)
  })

  test('candles in memory are served while the database is down; others are refused with 503', async () => {
    const entries = makeFeed(seed, 150)
    const model = modelAt(entries, 140)
    let isDown = false
    const { newestCandles: read } = feedReader(entries, model)
    const newestCandles: Reader['newestCandles'] = async (query) => {
      if (isDown) throw new Error('down')
      return read(query)
    }
    const cache = new CandleCache<string>({ model, reader: { newestCandles }, onLeft: () => {} })
    const [known = '', other = ''] = seriesIn(entries, 140)
    await asked(cache, known).read()
    isDown = true
    for (const entry of entries.slice(140)) model.apply(entry)
    const bars = pickBars(await asked(cache, known).read())
    assert.deepEqual(bars, await candlesAt(entries, model.seq, known))
    const refused = (error: unknown) => error instanceof Refusal && error.status === 503
    await assert.rejects(asked(cache, other).read(), refused)
    isDown = false
    await asked(cache, other).read()
  })

  test('candles get a new version number whenever their bars are others', async () => {
    const entries = makeFeed(seed, 150)
    const model = modelAt(entries, entries.length)
    const { newestCandles } = feedReader(entries, model)
    const cache = new CandleCache<string>({
      model,
      reader: { newestCandles },
      onLeft: () => {},
      barsMax: 0,
    })
    const [first = '', second = ''] = seriesIn(entries, model.seq)
    const versions = new Set<number>()
    for (const key of [first, second, first, second])
      versions.add((await asked(cache, key).read()).version)
    assert.equal(versions.size, 4)
  })
})

/** A database that may be ahead of the model, and answers when it is released. */
function slowly(entries: readonly FeedEntry[], model: VenueModel, chance: () => number) {
  const answers: (() => void)[] = []
  const newestCandles = (query: Query) => {
    const seq = Math.min(model.seq + chance(), entries.length)
    const read = feedReader(entries, { seq }).newestCandles(query)
    return new Promise<{ seq: number; rows: readonly Candle[] }>((resolve) =>
      answers.push(() => resolve(read)),
    )
  }
  const answer = () => {
    for (const answer of answers.splice(0)) answer()
  }
  return { newestCandles, answer }
}
