import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Fill } from '@openvenue/core/records'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { replay, rowsOfKind } from '../../test/replay.ts'
import type { Store } from '../store.ts'

const seed = Number(process.env.SEED ?? 1)
const DAY = 86_400
const SUMMED = `SELECT account, market, day, rows, fills, tick_lots, off_book, realised, fees, funding
  FROM account_days ORDER BY account, market, day`
/** The same sums, computed from the rows. */
const NAIVE = `SELECT account, market, seconds / ${DAY} AS day, count(*), sum(fills), sum(tick_lots),
    sum(off_book), sum(realised), sum(fees), sum(funding)
  FROM (
    SELECT account, market, seconds, 1 AS fills, coalesce(tick * lots, 0) AS tick_lots,
      abs(coalesce(unit * lots, 0)) AS off_book, coalesce(realised, 0) AS realised,
      fee + liquidation_fee AS fees, 0 AS funding FROM fills
    UNION ALL SELECT account, market, seconds, 0, 0, 0, 0, 0, amount FROM funding_payments
  ) rows GROUP BY 1, 2, 3 ORDER BY account, market, day`

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`sums of accounts by day on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    const { blocks } = replay(randomScenario(seed + 70, 250))
    const fills = rowsOfKind(
      blocks.flatMap(({ changes }) => changes),
      'fill',
    ) as Fill[]
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(() => store.writer.wipeChain())
    after(async () => {
      await store.close()
      await database.remove()
    })
    const rows = async (text: string) => store.db.primary.query(text)

    test('daily sums equal those of the rows, in batches of any size, undone and committed again', async () => {
      for (let at = 0; at < blocks.length; at += 13)
        await store.writer.commit(blocks.slice(at, at + 13), 0)
      const all = await rows(SUMMED)
      assert.ok(all.length > 5)
      assert.deepEqual(all, await rows(NAIVE))
      await store.writer.undoTo(blocks[99]?.header.number ?? 0)
      const fewer = await rows(SUMMED)
      assert.deepEqual(fewer, await rows(NAIVE))
      assert.notDeepEqual(fewer, all)
      await store.writer.commit(blocks.slice(100), 0)
      assert.deepEqual(await rows(SUMMED), all)
    })

    test('daily sums are deleted with the chain when it is wiped', async () => {
      await store.writer.commit(blocks, 0)
      await store.writer.wipeChain()
      assert.deepEqual(await rows(SUMMED), [])
    })

    test('daily sums of an account are found by market, from each requested day on', async () => {
      await store.writer.commit(blocks, 0)
      const account = Number(fills[0]?.account)
      const accountFills = fills.filter((fill) => fill.account === account)
      const last = Math.floor((accountFills.at(-1)?.seconds ?? 0) / DAY)
      const { rows: daySums, head } = await store.history.daySums(account, [last, 0, last + 1])
      assert.equal(head?.number, blocks.at(-1)?.header.number)
      const all = daySums.reduce((sum, { since }) => sum + (since[1]?.fills ?? 0), 0)
      assert.equal(all, accountFills.length)
      for (const { market, since } of daySums) {
        const [today, ever, later] = since
        const here = accountFills.filter((fill) => fill.market === market)
        const fees = here.reduce((sum, { fee, liquidationFee }) => sum + fee + liquidationFee, 0n)
        assert.equal(ever?.fees, fees)
        const ofToday = here.filter(({ seconds }) => Math.floor(seconds / DAY) >= last)
        assert.deepEqual([today?.fills, later?.fills], [ofToday.length, 0])
      }
      assert.deepEqual((await store.history.daySums(4_000_000, [0])).rows, [])
    })

    test('daily sums of an account are found day by day, oldest first', async () => {
      await store.writer.commit(blocks, 0)
      const account = Number(fills[0]?.account)
      const accountFills = fills.filter((fill) => fill.account === account)
      const dayOf = ({ seconds }: (typeof accountFills)[number]) => Math.floor(seconds / DAY)
      const since = [0]
      const read = await store.history.days(account, { since, day: 0 })
      const { sums, days: found } = read.rows
      assert.deepEqual(sums, (await store.history.daySums(account, since)).rows)
      assert.deepEqual(
        found.map(({ day }) => day),
        found.map(({ day }) => day).toSorted((a, b) => a - b),
      )
      for (const { market, day, fills: count, fees } of found) {
        const here = accountFills.filter((fill) => fill.market === market && dayOf(fill) === day)
        assert.equal(count, here.length)
        const paid = here.reduce((sum, { fee, liquidationFee }) => sum + fee + liquidationFee, 0n)
        assert.equal(fees, paid)
      }
      const last = found.at(-1)?.day ?? 0
      const daysSince = async (day: number) =>
        (await store.history.days(account, { since, day })).rows.days
      assert.deepEqual(
        await daysSince(last),
        found.filter(({ day }) => day === last),
      )
      assert.deepEqual(await daysSince(last + 1), [])
    })
  })
}
