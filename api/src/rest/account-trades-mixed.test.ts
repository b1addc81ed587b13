// Fills and funding payments of an account in one list: /trade-history?trade_types=funding,trade.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type FillItem,
  FillsAndFundingPage,
  type FundingItem,
  TRADE_TYPES,
} from '@openvenue/wire/fills'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

type Row = FillItem | FundingItem

const HOUR = 3600
const HOURS = 4
const NAMES = ['ETH-PERP', 'BTC-PERP'] as const
const TICKS = { 'ETH-PERP': 30_000, 'BTC-PERP': 60_000 } as const

/** Alice holds two positions, trades in blocks with and without funding, and is liquidated. */
function mixedScenario() {
  const scenario = funded(...NAMES)
  const trade = (name: (typeof NAMES)[number], lots: bigint) => {
    const tick = TICKS[name]
    scenario.on(name).place('bob', 'sell', tick, lots).place('alice', 'buy', tick, lots)
  }
  for (const name of NAMES) trade(name, 1000n)
  scenario.next(HOUR)
  for (let hour = 0; hour < HOURS; hour++) {
    for (const name of NAMES) scenario.on(name).poke()
    if (hour % 2 === 0) trade('ETH-PERP', 10n)
    scenario.next(HOUR / 2)
    trade('BTC-PERP', 20n)
    scenario.next(HOUR / 2)
  }
  scenario.on('ETH-PERP').place('carol', 'buy', 29_000, 4n).next()
  scenario.liquidate('alice', { tick: 29_000, lots: 4n, fee: 5n, keeper: 'bob' })
  return scenario.next()
}

/** Every combination of types except funding only, which has its own view. */
const CHOICES = Array.from({ length: 2 ** TRADE_TYPES.length }, (_, bits) =>
  TRADE_TYPES.filter((_, index) => bits & (1 << index)),
).filter((types) => types.length > 0 && types.join() !== 'funding')

/** A list with settlement has no rows for it, since no market settles; one page size is enough. */
const pageSizes = (types: readonly string[], rows: number) =>
  types.includes('settlement') ? [3] : Array.from({ length: rows + 1 }, (_, index) => index + 1)

const seconds = ({ created_timestamp }: Row) => Number(created_timestamp.slice(0, -9))

function compareRows(one: Row, other: Row): number {
  return seconds(one) - seconds(other) || (one.trade_id < other.trade_id ? -1 : 1)
}

describe('GET /trade-history of funding and other types', () => {
  let node: HistoryNode
  let all: readonly Row[]
  before(async () => {
    node = await historyNode(mixedScenario())
    const list = async (types: string) => {
      const { body } = await node.ask('alice', `/trade-history?trade_types=${types}&limit=1000`)
      return (body as { trade_history: Row[] }).trade_history
    }
    const [fills, payments] = [await list('trade,liquidation'), await list('funding')]
    assert.ok(fills.length > 8 && payments.length >= 2 * HOURS)
    all = [...fills, ...payments].sort(compareRows)
  })
  after(() => node.close())

  const readPage = async (query: string, who = 'alice') => {
    const { status, body } = await node.ask(who, `/trade-history?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(FillsAndFundingPage, body))
    return body
  }

  /** Reads a list from end to end; every page of it but the last is full. */
  async function readAll(query: string, limit: number, direction: 'next' | 'prev') {
    const rows: Row[] = []
    for (let cursor = ''; ; ) {
      const page = await readPage(`${query}&limit=${limit}&direction=${direction}${cursor}`)
      const { trade_history, pagination } = page
      if (direction === 'next') rows.push(...trade_history)
      else rows.unshift(...trade_history)
      const further = pagination[`${direction}_cursor`]
      if (further === null) return { rows, pagination }
      assert.equal(trade_history.length, limit)
      cursor = `&cursor=${further}`
    }
  }

  test('a payment and a fill of one second have a defined order', () => {
    const mixed = Map.groupBy(all, seconds)
    const kinds = [...mixed.values()].map((rows) => new Set(rows.map((row) => row.trade_type)).size)
    assert.ok(kinds.includes(2))
    assert.deepEqual(new Set(all.map((row) => row.trade_type)).size, 3)
  })

  for (const types of CHOICES)
    test(`GET /trade-history?trade_types=${types} gives each of its rows once, in order, by pages of any size`, async () => {
      const expected = all.filter((row) => types.includes(row.trade_type))
      for (const limit of pageSizes(types, expected.length))
        for (const direction of ['next', 'prev'] as const) {
          const query = `trade_types=${types}&sort_order=asc`
          const { rows, pagination } = await readAll(query, limit, direction)
          assert.deepEqual(rows, expected, `pages of ${limit}, ${direction}`)
          assert.equal(pagination.total_count, expected.length)
        }
    })

  test('a mixed list is newest first unless asked otherwise, regardless of the order of the types', async () => {
    const newest = [...all].reverse()
    for (const types of ['funding,trade,liquidation', 'LIQUIDATION, Trade ,funding']) {
      const page = await readPage(`trade_types=${types}`)
      assert.deepEqual(page.trade_history, newest)
    }
    const { next_cursor: cursor } = (await readPage('trade_types=trade,funding&limit=2')).pagination
    const next = await readPage(`trade_types=funding,trade&limit=2&cursor=${cursor}`)
    const wanted = newest.filter((row) => row.trade_type !== 'liquidation').slice(2, 4)
    assert.deepEqual(next.trade_history, wanted)
  })

  test('a range of time holds its rows, both bounds included, by pages of any size', async () => {
    const times = [...new Set(all.map(seconds))]
    for (const from of [times[1], times[4]] as number[])
      for (const to of [times[5], (times[7] ?? 0) + 1] as number[]) {
        const expected = all.filter((row) => seconds(row) >= from && seconds(row) <= to)
        assert.ok(expected.length > 1)
        const query = `trade_types=funding,trade,liquidation&start_time=${from}&end_time=${to}`
        for (let limit = 1; limit <= expected.length + 1; limit++)
          for (const direction of ['next', 'prev'] as const) {
            const { rows } = await readAll(`${query}&sort_order=asc`, limit, direction)
            assert.deepEqual(rows, expected, `${query}, pages of ${limit}`)
          }
      }
  })

  test('a filter by market leaves its rows, and counts them', async () => {
    for (const name of NAMES) {
      const expected = all.filter((row) => row.instrument_name === name)
      const query = `trade_types=funding,trade,liquidation&instrument_name=${name}`
      const { rows, pagination } = await readAll(`${query}&sort_order=asc`, 3, 'next')
      assert.deepEqual([rows, pagination.total_count], [expected, expected.length])
    }
    const spot = await readPage('trade_types=funding,trade&instrument_type=SPOT')
    assert.deepEqual(spot.trade_history, [])
  })

  test('GET /trade-history of funding and other types is at the path of the address, and empty for an account without rows', async () => {
    const query = '/trade-history?trade_types=funding,trade'
    const { text } = await node.ask('alice', query)
    const { text: below } = await node.ask('alice', `/account/${node.walletOf('alice')}${query}`)
    assert.equal(below, text)
    const nobody = await readPage('trade_types=funding,trade', 'zoe')
    assert.deepEqual([nobody.trade_history, nobody.pagination.total_count], [[], 0])
  })

  test('a cursor of a list without funding is refused', async () => {
    const { pagination } = await readPage('trade_types=trade&limit=1')
    const query = `trade_types=trade,funding&limit=1&cursor=${pagination.next_cursor}`
    const { status } = await node.ask('alice', `/trade-history?${query}`)
    assert.equal(status, 400)
  })
})

test('a page beyond a cursor keeps its rows while funding and fills come, and a reorg takes the block', async () => {
  const scenario = mixedScenario()
  const node = await historyNode(scenario)
  const ask = async (query: string) => {
    const answer = await node.ask('alice', `/trade-history?trade_types=trade,funding${query}`)
    return answer.body as FillsAndFundingPage
  }
  const first = await ask('&limit=3')
  const beyond = `&limit=3&cursor=${first.pagination.next_cursor}`
  const second = await ask(beyond)
  scenario.on('ETH-PERP').next(HOUR)
  await node.grow()
  scenario.poke().place('bob', 'sell', 30_000, 5n).place('alice', 'buy', 30_000, 5n).next()
  await node.grow()
  const later = await ask(beyond)
  assert.deepEqual(later.trade_history, second.trade_history)
  const { total_count: count } = first.pagination
  assert.equal(later.pagination.total_count, count + 2)
  assert.equal(later.pagination.has_prev, true)
  await node.shrink()
  assert.equal((await ask(beyond)).pagination.total_count, count)
  assert.deepEqual((await ask('&limit=3')).trade_history, first.trade_history)
  await node.close()
})
