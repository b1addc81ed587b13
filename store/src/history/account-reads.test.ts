import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BlockChanges } from '@openvenue/core/changes'
import type { ClosedCycle, Fill, Order } from '@openvenue/core/records'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import fc from 'fast-check'
import { type TestDatabase as Database, testEngines } from '../../test/engines.ts'
import { replay } from '../../test/replay.ts'
import { busiest, collectRows, compare, edgeSeconds, type Key } from '../../test/scenario-rows.ts'
import { decodeWrittenLine } from '../db/record-lines.ts'
import type { Store } from '../store.ts'
import {
  type CursorPosition,
  cursorPosition,
  type FillSet,
  type HistoryFilter,
  type HistoryKind,
  type HistoryQuery,
  type HistoryRow,
} from './account-history.ts'

const seed = Number(process.env.SEED ?? 1)
const KINDS = ['fill', 'order', 'closedCycle'] as const
const RUNS = 60
/** Blocks of the scenario, and how many of them are undone and added again. */
const BLOCKS = 400
const UNDONE = 200

/** Returns `block` with a cycle that ends at each fill, since random traders are rarely flat. */
function withCycles({ header, changes }: BlockChanges): BlockChanges {
  const ended = new Set(changes.filter(({ what }) => what === 'closedCycle').map(({ key }) => key))
  const fills = changes.flatMap(({ what, after }) => (what === 'fill' && after ? [after] : []))
  const added = fills
    .filter(({ id }) => !ended.has(id))
    .map((fill) => ({
      what: 'closedCycle' as const,
      key: fill.id,
      before: undefined,
      after: makeCycle(fill),
    }))
  return { header, changes: [...changes, ...added] }
}

function makeCycle({ id, market, account, lots, fee, ...log }: Fill): ClosedCycle {
  const { blockNumber, logIndex, txHash, seconds, isBuy: isLong } = log
  return {
    id,
    market,
    account,
    openId: id,
    isLong,
    maxLots: lots,
    maxQuote: -lots,
    openedLots: lots,
    closedLots: lots,
    openedQuote: 1n,
    closedQuote: 2n,
    realised: -3n,
    liquidationFees: 0n,
    fees: fee,
    funding: 0n,
    fillCount: 2,
    leverage: 5,
    reason: 'trade',
    openTxHash: txHash,
    openedSeconds: seconds,
    blockNumber,
    logIndex,
    txHash,
    seconds,
  }
}

/** Returns a row with its big integers as digits. */
const writeDigits = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      typeof value === 'bigint' ? `${value}` : value,
    ]),
  )

const scenario = replay(randomScenario(seed, BLOCKS)).blocks.map(withCycles)

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`account history on ${engine.name}, seed ${seed}`, () => {
    let database: Database
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(scenario, 0)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const history = collectHistory(scenario)

    for (const kind of KINDS) {
      test(`${kind}: a page of history equals the result of filtering and sorting all rows`, () => {
        assert.ok(history[kind].length > 20, `${history[kind].length} rows`)
        return fc.assert(
          fc.asyncProperty(queries(kind, history), async (query) => {
            const rows = naivePage(kind, history[kind], query)
            assert.deepEqual((await store.history.rows(kind, query)).rows, rows)
            const { lines } = (await store.history.lines(kind, query)).rows
            const written = lines.map((line) => decodeWrittenLine<HistoryKind>(kind, line))
            assert.deepEqual(written, rows.map(writeDigits))
          }),
          { seed, numRuns: RUNS },
        )
      })

      test(`${kind}: the count of history equals the number of rows of the filter`, () =>
        fc.assert(
          fc.asyncProperty(queries(kind, history), async (query) => {
            const all = history[kind].filter(matchesFilter(kind, query))
            assert.deepEqual((await store.history.count(kind, query)).rows, {
              rows: all.length,
              isExact: true,
            })
          }),
          { seed, numRuns: RUNS },
        ))

      test(`${kind}: a scan of history by cursors in either direction visits every row once`, async () => {
        for (const isAscending of [true, false]) {
          const account = busiest(history[kind])
          const accountRows = history[kind].filter((row) => row.account === account)
          const limit = Math.ceil(accountRows.length / 7)
          const filter = { ...wholeHistory(account, history), isAscending, limit }
          const scanned: HistoryRow[typeof kind][] = []
          for (
            let last: CursorPosition | undefined;
            ;
            last = cursorPosition(kind, scanned.at(-1) as never)
          ) {
            const page = (await store.history.rows(kind, { ...filter, after: last })).rows
            scanned.push(...page)
            if (page.length < filter.limit) break
          }
          assert.deepEqual(scanned, naivePage(kind, history[kind], { ...filter, limit: 1e6 }))
          assert.ok(scanned.length > limit)
        }
      })

      test(`${kind}: new rows do not change those beyond a cursor, and a reorg removes new rows`, async () => {
        const early = collectHistory(scenario.slice(0, -UNDONE))
        const late = history[kind].filter(({ blockNumber }) => blockNumber > BLOCKS - UNDONE)
        const account = busiest(early[kind], new Set(late.map((row) => row.account)))
        const query = { ...wholeHistory(account, history), isAscending: false, limit: 2 }
        const rows = async (of: HistoryQuery) => (await store.history.rows(kind, of)).rows
        assert.deepEqual(await rows(query), naivePage(kind, history[kind], query))
        await store.writer.undoTo(BLOCKS - UNDONE)
        const first = await rows(query)
        assert.deepEqual(first, naivePage(kind, early[kind], query))
        const beyond = { ...query, after: cursorPosition(kind, first.at(-1) as never), limit: 1000 }
        const second = await rows(beyond)
        assert.ok(second.length > 0)
        await store.writer.commit(scenario.slice(-UNDONE), 0)
        // An order that was open may have been added at the place of its creation.
        const keys = (of: typeof second) => of.map((row) => sortKey(kind, row).join())
        const secondKeys = new Set(keys(second))
        const now = await rows(beyond)
        assert.deepEqual(
          keys(now).filter((key) => secondKeys.has(key)),
          keys(second),
        )
        if (kind !== 'order') assert.deepEqual(now, second)
        assert.notDeepEqual(await rows(query), first)
      })
    }

    test('an open order joins the order history only once it is partly filled or ended', () => {
      const statuses = new Set(collectRows<Order>(scenario, 'order').map(({ status }) => status))
      assert.deepEqual([...statuses].sort(), ['cancelled', 'filled', 'open', 'partial'])
      assert.ok(history.order.every(({ status }) => status !== 'open'))
    })

    test('more markets than a statement takes are merged into one page of history', async () => {
      const strangers = Array.from({ length: 140 }, (_, index) => `0xstranger${index}`)
      const markets = history.markets.flatMap((market, index) => [
        ...strangers.slice(index * 20, index * 20 + 20),
        market,
      ])
      for (const isAscending of [true, false]) {
        const account = busiest(history.fill)
        const query = { ...wholeHistory(account, history), markets, isAscending, limit: 40 }
        assert.deepEqual(
          (await store.history.rows('fill', query)).rows,
          naivePage('fill', history.fill, query),
        )
      }
    })

    test('a cursor of history with an invalid id sorts at the beginning of its second', async () => {
      for (const kind of KINDS) {
        const account = busiest(history[kind])
        const { seconds } = cursorPosition(kind, history[kind][history[kind].length >> 1] as never)
        const query = { ...wholeHistory(account, history), isAscending: true, limit: 5 }
        const expected = naivePage(kind, history[kind], { ...query, fromSeconds: seconds })
        for (const id of ['', 'zzz', `'; --`, '\0', '\ud800', '9'.repeat(40)]) {
          assert.deepEqual(
            (await store.history.rows(kind, { ...query, after: { seconds, id } })).rows,
            expected,
          )
        }
      }
    })
  })
}

type History = { [K in HistoryKind]: readonly HistoryRow[K][] } & { markets: readonly string[] }

function collectHistory(blocks: readonly BlockChanges[]): History {
  return {
    fill: collectRows(blocks, 'fill'),
    order: collectRows<Order>(blocks, 'order').filter(({ status }) => status !== 'open'),
    closedCycle: collectRows(blocks, 'closedCycle'),
    markets: collectRows<{ id: string }>(blocks, 'market').map(({ id }) => id),
  }
}

const sortKey = <K extends HistoryKind>(kind: K, row: HistoryRow[K]): Key => {
  const { seconds, id } = cursorPosition(kind, row)
  return [seconds, id]
}

function isOfSet(row: object, kind: HistoryKind, { fills }: HistoryFilter): boolean {
  if (kind !== 'fill' || fills === undefined) return true
  return ((row as Fill).kind === 'trade') === (fills === 'trades')
}

const matchesFilter =
  <K extends HistoryKind>(kind: K, filter: HistoryFilter) =>
  (row: HistoryRow[K]) => {
    const [seconds] = sortKey(kind, row)
    return (
      row.account === filter.account &&
      filter.markets.includes(String(row.market)) &&
      seconds >= filter.fromSeconds &&
      seconds <= filter.toSeconds &&
      isOfSet(row, kind, filter)
    )
  }

function naivePage<K extends HistoryKind>(
  kind: K,
  all: readonly HistoryRow[K][],
  query: HistoryQuery,
): HistoryRow[K][] {
  const { after: position, isAscending, limit } = query
  const sign = isAscending ? 1 : -1
  return all
    .filter(matchesFilter(kind, query))
    .filter(
      (row) => !position || sign * compare(sortKey(kind, row), [position.seconds, position.id]) > 0,
    )
    .sort((a, b) => sign * compare(sortKey(kind, a), sortKey(kind, b)))
    .slice(0, limit)
}

const wholeHistory = (account: number, { markets }: History): HistoryFilter => ({
  account,
  markets,
  fromSeconds: 0,
  toSeconds: 2 ** 40,
})

/** Filters, cursors and directions; a cursor may be a row of another account, market or time. */
function queries(kind: HistoryKind, history: History): fc.Arbitrary<HistoryQuery> {
  const positions = (history[kind] as readonly HistoryRow[typeof kind][]).map((row) =>
    cursorPosition(kind, row as never),
  )
  const accounts = [...new Set(history.fill.map(({ account }) => account)), 999]
  const markets = [...history.markets, ...history.markets.slice(0, 1), '0xunknown']
  return fc
    .record({
      account: fc.constantFrom(...accounts),
      fills: fc.constantFrom<(FillSet | undefined)[]>(undefined, 'trades', 'forced'),
      markets: fc.oneof(fc.shuffledSubarray(markets), fc.constant(history.markets)),
      times: fc.tuple(
        fc.constantFrom(...edgeSeconds(positions)),
        fc.constantFrom(...edgeSeconds(positions)),
      ),
      after: fc.option(fc.constantFrom(...positions), { nil: undefined }),
      isAscending: fc.boolean(),
      limit: fc.constantFrom(1, 2, 10, 1001),
    })
    .map(({ times, ...query }) => ({
      ...query,
      fromSeconds: Math.min(...times),
      toSeconds: Math.max(...times),
    }))
}
