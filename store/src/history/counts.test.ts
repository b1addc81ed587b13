import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { Fill, Order } from '@openvenue/core/records'
import fc from 'fast-check'
import { createRandom, makeCycle, makeFill } from '../../test/chain-rows.ts'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { naiveCounts } from '../../test/replay.ts'
import { tableDump } from '../maintenance/dump.ts'
import type { Store } from '../store.ts'
import type { HistoryFilter, HistoryKind } from './account-history.ts'
import { EDGE_ROWS_MAX } from './counts.ts'

const seed = Number(process.env.SEED ?? 1)
const DAY = 86_400
const START = 20_000 * DAY
const MARKETS = ['0xm1', '0xm2'] as const
const ACCOUNTS = [7, 8] as const
/** Number of random history rows, and of the days that they cover. */
const ROWS = 400
const DAYS = 6

/** Returns the rows of one moment: a fill, a cycle that ends with it, an order of any status. */
function rowsAt(index: number, seconds: number, pick: <T>(of: readonly T[]) => T): Change[] {
  const [account, market] = [pick(ACCOUNTS), pick(MARKETS)]
  const status = pick(['open', 'filled', 'partial', 'cancelled'] as const)
  const kind = pick(['trade', 'trade', 'liquidation', 'absorption'] as const)
  const at = { number: index, index: 0, seconds }
  const fill = makeFill(at, { account, market }, kind)
  const cycle = makeCycle(at, { account, market })
  const order: Order = {
    market,
    number: index,
    ref: null,
    account,
    isBuy: true,
    tick: 1,
    lots: 1n,
    restingLots: 0n,
    filledLots: 0n,
    filledUnits: 0n,
    fees: 0n,
    timeInForce: 'GTC',
    isReduceOnly: false,
    isForced: false,
    goodTilSeconds: 0,
    status,
    reason: null,
    txHash: '0xt',
    blockNumber: 1,
    logIndex: 0,
    createdSeconds: seconds,
    updatedSeconds: seconds,
    isMarket: false,
    clientOrderId: null,
    parentRef: null,
    triggerKind: null,
    triggerPrice: null,
    replaces: null,
    replacedBy: null,
  }
  return [
    { what: 'fill', key: fill.id, before: undefined, after: fill },
    { what: 'closedCycle', key: cycle.id, before: undefined, after: cycle },
    { what: 'order', key: `${market}|${index}`, before: undefined, after: order },
  ]
}

/** Returns blocks of one moment each, in order. */
function historyFrom(start: number): BlockChanges[] {
  const random = createRandom(start)
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const times = Array.from({ length: ROWS }, () => START + Math.floor(random() * DAYS * DAY))
  return times
    .sort((a, b) => a - b)
    .map((seconds, index) => makeBlock(index + 1, seconds, rowsAt(index, seconds, pick)))
}

const makeBlock = (number: number, seconds: number, changes: Change[]): BlockChanges => ({
  header: { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, seconds },
  changes,
})

const blocks = historyFrom(seed)
const gatherChanges = (of: readonly BlockChanges[]) => of.flatMap(({ changes }) => changes)

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`kept counts on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(() => store.writer.wipeChain())
    after(async () => {
      await store.close()
      await database.remove()
    })
    const countLines = async () =>
      (await tableDump(store)).split('\n').filter((line) => line.startsWith('history_counts'))

    test('a total over any time range equals the number of rows, wherever days are cut', async () => {
      await store.writer.commit(blocks, 0)
      const edges = [0, START, START + DAY, START + DAY - 1, START + 3 * DAY, START + 3 * DAY - 1]
      const time = fc.oneof(
        fc.constantFrom(...edges, 2 ** 40),
        fc.integer({ min: START - DAY, max: START + (DAYS + 1) * DAY }),
      )
      const filter = fc.record({
        kind: fc.constantFrom<HistoryKind>('fill', 'order', 'closedCycle'),
        account: fc.constantFrom(...ACCOUNTS, 9),
        markets: fc.subarray([...MARKETS, '0xother']),
        times: fc.tuple(time, time),
        fills: fc.constantFrom<HistoryFilter['fills'][]>(undefined, 'trades', 'forced'),
      })
      await fc.assert(
        fc.asyncProperty(filter, async ({ kind, times, ...rest }) => {
          const range = { fromSeconds: Math.min(...times), toSeconds: Math.max(...times) }
          const query = { ...rest, ...range }
          const rows = naiveCount(kind, query)
          assert.deepEqual((await store.history.count(kind, query)).rows, { rows, isExact: true })
        }),
        { seed, numRuns: 300 },
      )
    })

    test('a reorg removes its rows from the counts, and leaves no count of zero', async () => {
      for (const block of blocks) await store.writer.commit([block], 0)
      assert.deepEqual(await countLines(), naiveCounts(gatherChanges(blocks)))
      for (const number of [ROWS - 1, ROWS / 2, 1]) {
        await store.writer.undoTo(number)
        assert.deepEqual(await countLines(), naiveCounts(gatherChanges(blocks.slice(0, number))))
      }
      await store.writer.commit(blocks.slice(1), 0)
      assert.deepEqual(await countLines(), naiveCounts(gatherChanges(blocks)))
    })

    test('an order counts in the order history once it is more than open, not when it is placed', async () => {
      const { changes } = blocks[0] as BlockChanges
      const order = changes.find(({ what }) => what === 'order') as Change & { what: 'order' }
      const open: Order = { ...(order.after as Order), status: 'open' }
      const steps: Change[] = [
        { what: 'order', key: order.key, before: undefined, after: open },
        { what: 'order', key: order.key, before: open, after: { ...open, status: 'partial' } },
        {
          what: 'order',
          key: order.key,
          before: { ...open, status: 'partial' },
          after: { ...open, status: 'filled' },
        },
      ]
      const filter = { ...open, markets: [open.market], fromSeconds: 0, toSeconds: 2 ** 40 }
      const counted: number[] = []
      for (const [index, step] of steps.entries()) {
        await store.writer.commit([makeBlock(index + 1, START, [step])], 0)
        counted.push((await store.history.count('order', filter)).rows.rows)
      }
      assert.deepEqual(counted, [0, 1, 1])
    })

    test('a wipe of the chain deletes all kept counts', async () => {
      await store.writer.commit(blocks, 0)
      assert.notEqual((await countLines()).length, 0)
      await store.writer.wipeChain()
      assert.deepEqual(await countLines(), [])
    })

    test('a day cut by a range with very many rows is counted up to a bound, as inexact', async () => {
      const many = EDGE_ROWS_MAX + 10
      const [first] = blocks as [BlockChanges]
      const [{ after: fill }] = first.changes as [Change & { what: 'fill' }]
      const fills = Array.from({ length: many }, (_, index): Change => {
        const id = `${String(index).padStart(12, '0')}-000001`
        const after: Fill = { ...(fill as Fill), id, seconds: START + 10, kind: 'trade' }
        return { what: 'fill', key: id, before: undefined, after }
      })
      await store.writer.commit([makeBlock(1, START, fills)], 0)
      const { account, market } = fill as Fill
      const ofMarket = { account, markets: [market], toSeconds: 2 ** 40 }
      const ask = async (fromSeconds: number) =>
        (await store.history.count('fill', { ...ofMarket, fromSeconds })).rows
      assert.deepEqual(await ask(0), { rows: many, isExact: true })
      assert.deepEqual(await ask(START), { rows: many, isExact: true })
      assert.deepEqual(await ask(START + 1), { rows: EDGE_ROWS_MAX, isExact: false })
      assert.deepEqual(await ask(START + 11), { rows: 0, isExact: true })
    })
  })
}

function naiveCount(kind: HistoryKind, filter: HistoryFilter): number {
  const { account, markets, fromSeconds, toSeconds, fills } = filter
  return gatherChanges(blocks).filter(({ what, after: row }) => {
    if (what !== kind || row === undefined) return false
    const { status = '', createdSeconds, kind: origin = '' } = row as Partial<Order & Fill>
    const seconds = createdSeconds ?? (row as Fill).seconds
    const isInSet = kind !== 'fill' || !fills || (origin === 'trade') === (fills === 'trades')
    return (
      isInSet &&
      status !== 'open' &&
      (row as Fill).account === account &&
      markets.includes((row as Fill).market) &&
      seconds >= fromSeconds &&
      seconds <= toSeconds
    )
  }).length
}
