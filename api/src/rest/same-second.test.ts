// Blocks that share a second: a chain may make two of them, and more.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

/** Lots of the trades: two blocks share the first second, three the next. */
const SECONDS = [
  [1n, 2n],
  [3n, 4n, 5n],
] as const
const NEWEST_FIRST = ['0.0005', '0.0004', '0.0003', '0.0002', '0.0001']

type Row = Readonly<{ amount: string; created_timestamp: number | string }>
type TradePage = Readonly<{
  trade_history: readonly Row[]
  pagination: Readonly<{ next_cursor: string | null; prev_cursor: string | null }>
}>

describe('blocks that share a second', () => {
  let node: HistoryNode
  let startSeconds: number
  before(async () => {
    const scenario = funded('ETH-USDC').on('ETH-USDC')
    scenario.next(60 - (scenario.seconds % 60))
    startSeconds = scenario.seconds
    for (const lots of SECONDS)
      for (const [n, amount] of lots.entries())
        scenario
          .place('alice', 'buy', 300_000 + Number(amount), amount)
          .place('bob', 'sell', 300_000 + Number(amount), amount)
          .next(n === lots.length - 1 ? 1 : 0)
    node = await historyNode(scenario)
  })
  after(() => node.close())

  const amounts = (rows: readonly Row[]) => rows.map(({ amount }) => amount)

  test('blocks that share a second have their trades in the order of the chain, each at its second', async () => {
    const { body } = await node.node.get('/markets/ETH-USDC/trades')
    const rows = body as readonly Row[]
    assert.deepEqual(amounts(rows), NEWEST_FIRST)
    const at = rows.map(({ created_timestamp: seconds }) => Number(seconds) - startSeconds)
    assert.deepEqual(at, [1, 1, 1, 0, 0])
  })

  for (const limit of [1, 2, 3])
    test(`blocks that share a second lose and repeat no row between pages of ${limit}, to and fro`, async () => {
      const there = await pages(limit, 'next', '')
      assert.deepEqual(amounts(there.rows), NEWEST_FIRST)
      const back = await pages(limit, 'prev', there.lastCursor)
      assert.deepEqual(amounts(back.rows), NEWEST_FIRST.slice(0, back.rows.length))
      assert.equal(back.rows.length, 5 - (5 % limit || limit))
    })

  test('blocks that share a second make one candle, opened by the first and closed by the last of them', async () => {
    const query = `resolution=1&to=${startSeconds + 60}&countback=1`
    const { body, text } = await node.node.get(`/candles?symbol=ETH-USDC&${query}`)
    const [candle] = body as readonly Record<string, unknown>[]
    const { open, high, low, close, volume } = candle ?? {}
    assert.deepEqual(
      [open, high, low, close].map(Number),
      [3000.01, 3000.05, 3000.01, 3000.05],
      text,
    )
    assert.equal(Number(volume), 0.0015)
  })

  type Way = 'next' | 'prev'

  /** Reads all pages in one direction; returns their rows in the order of the list. */
  async function pages(limit: number, direction: Way, from: string) {
    let rows: readonly Row[] = []
    let lastCursor = ''
    for (let cursor: string | null = from; cursor !== null; ) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`
      const url = `/trade-history?limit=${limit}&direction=${direction}${at}`
      const { status, body, text } = await node.ask('alice', url)
      assert.equal(status, 200, text)
      const { trade_history: page, pagination } = body as TradePage
      rows = direction === 'next' ? [...rows, ...page] : [...page, ...rows]
      lastCursor = pagination.prev_cursor ?? ''
      cursor = pagination[`${direction}_cursor`]
    }
    return { rows, lastCursor }
  }
})
