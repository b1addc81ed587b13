import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderId } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import { LISTINGS, MARKET_NAMES } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { replay, writtenRecords } from '@openvenue/core/test/scenario/replay'
import type { Pagination } from '@openvenue/wire/pagination'
import fc from 'fast-check'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const seed = Number(process.env.SEED ?? 1)
const BLOCKS = 300
const RUNS = 60
const TRADERS = ['alice', 'bob', 'carol'] as const

/** A row of the naive reader: in the order of the list when sorted by `place`. */
type Fact = Readonly<{
  id: string
  account: number
  market: string
  seconds: number
  position: string
}>

type Query = Readonly<{
  instrument_type: string | undefined
  instrument_name: string | undefined
  asset: string | undefined
  start_time: number | undefined
  end_time: number | undefined
  sort_order: string | undefined
}>

describe(`account history of a random scenario, seed ${seed}`, () => {
  const scenario = randomTale(seed, BLOCKS)
  const { all, state } = replay(scenario.blocks())
  const markets = new Map([...state.records.market.values()].map((market) => [market.id, market]))
  const factsByList: Readonly<Record<string, readonly Fact[]>> = {
    'trade-history': writtenRecords(all, 'fill').map((fill) => ({ ...fill, position: fill.id })),
    'order-history': lastOrders(),
    'position-history': writtenRecords(all, 'closedCycle').map((cycle) => ({
      ...cycle,
      id: `${cycle.openId}`,
      position: cycle.id,
    })),
  }
  const [first = 0, last = 0] = [all[0]?.header.seconds, all.at(-1)?.header.seconds]

  function lastOrders(): Fact[] {
    const orders = new Map(
      writtenRecords(all, 'order').map((order) => [`${order.market}|${order.number}`, order]),
    )
    return [...orders.values()]
      .filter(({ status }) => status !== 'open')
      .map(({ account, market, number, ref, createdSeconds, blockNumber, logIndex }) => ({
        id: orderId({ market, number, ref }),
        account,
        market,
        seconds: createdSeconds,
        position: [blockNumber, logIndex].map((n) => String(n).padStart(9, '0')).join('-'),
      }))
  }

  let node: HistoryNode
  before(async () => {
    node = await historyNode(scenario)
  })
  after(() => node.close())

  /** Mostly absent, so that few filters apply at once and rows remain. */
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, { arbitrary, weight: 1 })
  const time = maybe(fc.integer({ min: first - 10, max: last + 10 }))
  /** Filters that select no market are refused. */
  const leavesMarkets = ({ list, query }: Readonly<{ list: string; query: Query }>) => {
    const wanted = list === 'position-history' ? 'PERPETUAL' : query.instrument_type?.toUpperCase()
    return [...markets.values()].some(
      ({ type, name, asset }) =>
        (wanted ?? type) === type &&
        (query.instrument_name ?? name) === name &&
        (query.asset?.toUpperCase() ?? asset) === asset,
    )
  }
  const queries = fc
    .record({
      list: fc.constantFrom('trade-history', 'order-history', 'position-history'),
      who: fc.constantFrom(...TRADERS),
      limit: fc.integer({ min: 1, max: 60 }),
      query: fc.record<Query>({
        instrument_type: maybe(fc.constantFrom('SPOT', 'perpetual')),
        instrument_name: maybe(fc.constantFrom(...MARKET_NAMES)),
        asset: maybe(fc.constantFrom('eth', 'BTC', 'EURC', 'sol')),
        start_time: time,
        end_time: time,
        sort_order: maybe(fc.constantFrom('asc', 'desc')),
      }),
    })
    .filter(leavesMarkets)

  const isWanted = (list: string, query: Query, { market: id, seconds }: Fact): boolean => {
    const { name, type, asset } = markets.get(id) as Market
    const { start_time = 0, end_time = Number.POSITIVE_INFINITY } = query
    // Positions are always perpetual: their list has no type parameter.
    const wantedType = list === 'position-history' ? undefined : query.instrument_type
    return (
      seconds >= start_time &&
      seconds <= end_time &&
      (wantedType?.toUpperCase() ?? type) === type &&
      (query.instrument_name ?? name) === name &&
      (query.asset?.toUpperCase() ?? asset) === asset
    )
  }

  const naive = (list: string, account: number, query: Query): string[] => {
    const facts = (factsByList[list] ?? [])
      .filter((fact) => fact.account === account && isWanted(list, query, fact))
      .toSorted((a, b) => (a.position < b.position ? -1 : 1))
      .map(({ id }) => id)
    return query.sort_order === 'asc' ? facts : facts.reverse()
  }

  type Row = Readonly<{ trade_id?: string; order_id?: string; position_id?: string }>
  const rowId = ({ trade_id, order_id, position_id = '' }: Row) =>
    trade_id ?? order_id ?? position_id.split('-').slice(2).join('-')

  type Page = Readonly<{ ids: readonly string[]; pagination: Pagination }>

  async function readPage(who: string, list: string, parameters: object): Promise<Page> {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
    const { status, body } = await node.ask(who, `/${list}?${new URLSearchParams(given)}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { pagination, ...rest } = body as { pagination: Pagination }
    const [rows = []] = Object.values(rest) as Row[][]
    return { ids: rows.map(rowId), pagination }
  }

  test('account history of a random scenario is not empty', () => {
    for (const [list, facts] of Object.entries(factsByList)) assert.ok(facts.length > 3, list)
    assert.equal(markets.size, Object.keys(LISTINGS).length)
  })

  test('account history read forward and back equals a naive filter, and is counted', async () => {
    let looked = 0
    await fc.assert(
      fc.asyncProperty(queries, async ({ list, who, limit, query }) => {
        const { start_time = 0, end_time = Number.POSITIVE_INFINITY } = query
        fc.pre(start_time <= end_time)
        const expected = naive(list, scenario.accountOf(who), query)
        const total = {
          total_count: expected.length,
          total_pages: Math.ceil(expected.length / limit),
        }
        const seen: string[] = []
        let page = await readPage(who, list, { ...query, limit })
        for (;;) {
          const { total_count, total_pages, next_cursor, has_prev } = page.pagination
          assert.deepEqual({ total_count, total_pages }, total)
          assert.equal(has_prev, seen.length > 0)
          seen.push(...page.ids)
          if (next_cursor === null) break
          page = await readPage(who, list, { ...query, limit, cursor: next_cursor })
        }
        assert.deepEqual(seen, expected)
        const back = [...page.ids]
        for (;;) {
          const { prev_cursor: cursor } = page.pagination
          if (cursor === null) break
          page = await readPage(who, list, { ...query, limit, cursor, direction: 'prev' })
          assert.equal(page.pagination.has_next, true)
          back.unshift(...page.ids)
        }
        assert.deepEqual(back, expected)
        looked += expected.length
      }),
      { seed, numRuns: RUNS },
    )
    assert.ok(looked > 5 * RUNS, `${looked} rows`)
  })

  test('transactions of a random scenario are those of a naive filter', async () => {
    const transfers = writtenRecords(all, 'transfer')
    const asked = fc.record({
      who: fc.constantFrom(...TRADERS),
      tx_type: maybe(fc.constantFrom('deposit', 'withdraw', 'send', 'receive')),
      start_time: time,
      limit: fc.integer({ min: 1, max: 9 }),
      offset: fc.nat(9),
      sort_order: maybe(fc.constantFrom('ASC', 'DESC')),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ who, ...query }) => {
        const { tx_type, start_time = 0, limit, offset, sort_order } = query
        const account = scenario.accountOf(who)
        const wanted = transfers.filter(
          (one) =>
            one.account === account &&
            (tx_type ?? one.type) === one.type &&
            one.seconds >= start_time,
        )
        if (sort_order !== 'ASC') wanted.reverse()
        const given = Object.entries(query).filter(([, value]) => value !== undefined)
        const url = `/transaction-history?${new URLSearchParams(given as [string, string][])}`
        const { body } = await node.ask(who, url)
        const { transaction_history: rows, count } = body as {
          transaction_history: { tx_hash: string; tx_type: string }[]
          count: string
        }
        assert.deepEqual(
          rows.map((row) => [row.tx_hash, row.tx_type]),
          wanted.slice(offset, offset + limit).map((one) => [one.txHash, one.type]),
        )
        assert.equal(count, String(limit + offset))
      }),
      { seed, numRuns: RUNS },
    )
  })
})
