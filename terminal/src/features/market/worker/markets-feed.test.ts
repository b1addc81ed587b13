import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Rest } from 'openvenue'
import type { Spark } from '../market-protocol.ts'
import { MarketsFeed } from './markets-feed.ts'

const CANDLE = { time: 0, open: '1', close: '2' }

describe('price lines', () => {
  const requested: string[] = []
  let atOnce = 0
  let atOnceMax = 0
  const server = createServer((request, response) => {
    requested.push(new URL(request.url ?? '', 'http://x').searchParams.get('instrument_name') ?? '')
    atOnceMax = Math.max(atOnceMax, ++atOnce)
    setImmediate(() => {
      atOnce -= 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify([CANDLE]))
    })
  })
  let feed: MarketsFeed
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    feed = new MarketsFeed(new Rest({ url: `http://127.0.0.1:${port}` }))
  })
  after(() => server.close())
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `M${from + at}`)

  test('price lines are requested once, for the visible rows, three at a time', async () => {
    let shown: readonly Spark[] = []
    for (let turn = 0; turn < 2; turn++)
      await feed.readSparks(names(0, 20), (sparks) => {
        shown = sparks
      })
    assert.deepEqual([...requested].sort(), names(0, 20).sort())
    assert.ok(atOnceMax <= 3, `${atOnceMax} at once`)
    assert.equal(shown.length, 20)
    assert.match(shown[0]?.path ?? '', /^M0\.0/)
  })

  test('price lines of a screen that was left are no longer requested', async () => {
    requested.length = 0
    const left = feed.readSparks(names(100, 600), () => {})
    await feed.readSparks(names(600, 620), () => {})
    await left
    assert.ok(requested.length <= 26, `${requested.length} were asked for`)
    for (const name of names(600, 620)) assert.ok(requested.includes(name))
  })

  test('at most 120 price lines are kept, however far the user scrolls', async () => {
    let most = 0
    for (let from = 1_000; from < 1_300; from += 20)
      await feed.readSparks(names(from, from + 20), ({ length }) => {
        most = Math.max(most, length)
      })
    assert.equal(most, 120)
  })
})

describe('daily statistics of the markets', () => {
  const READS = 3
  let block = 0
  const server = createServer((_, response) => {
    block += 1
    response.setHeader('content-type', 'application/json')
    response.setHeader('x-block-number', block)
    const timestamp = String(BigInt(block) * 1_000_000_000n)
    response.end(
      JSON.stringify({ tickers: [{ instrument_name: 'M', volume: `${block}` }], timestamp }),
    )
  })
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => server.close())

  test('daily statistics of markets are those of the newest block with each read', async () => {
    const { port } = server.address() as { port: number }
    const feed = new MarketsFeed(new Rest({ url: `http://127.0.0.1:${port}` }))
    for (let read = 1; read <= READS; read++) {
      assert.deepEqual(await feed.readDays(), { blockNumber: read, blockMs: read * 1_000 })
      assert.deepEqual(feed.day('M'), { instrument_name: 'M', volume: `${read}` })
    }
  })
})
