// Snapshots of accounts' equity.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { registerAt } from '../../test/notifications.ts'
import type { Store } from '../store.ts'
import type { EquityRange } from './equity.ts'
import { THINNED_ROWS_MAX } from './equity-rows.ts'

const [ALICE, BOB] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const HOUR = 3600
const DAY = 24 * HOUR
/** A full hour. */
const NOW = 500_000 * HOUR

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`equity snapshots on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(() => store.db.script('TRUNCATE equity_snapshots, registrations, api_keys'))
    after(async () => {
      await store.close()
      await database.remove()
    })
    const add = (...seconds: readonly number[]) =>
      store.equity.add(
        seconds.map((at) => ({ wallet: ALICE, seconds: at, equity: BigInt(at - NOW) })),
      )
    const read = async (given: Partial<EquityRange> = {}) => {
      const range = { wallet: ALICE, fromSeconds: 0, toSeconds: 1e12, resolutionSeconds: 1 }
      return (await store.equity.range({ ...range, ...given })).map(({ seconds }) => seconds - NOW)
    }

    test('equity snapshots are read back exactly, oldest first, even negative or beyond 64 bits', async () => {
      const points = [
        { seconds: NOW, equity: -(10n ** 30n) },
        { seconds: NOW + 60, equity: 10n ** 40n + 1n },
      ]
      await store.equity.add(points.map((point) => ({ wallet: ALICE, ...point })).reverse())
      const range = { wallet: ALICE, fromSeconds: NOW, toSeconds: NOW + 60, resolutionSeconds: 60 }
      assert.deepEqual(await store.equity.range(range), points)
      assert.deepEqual(await store.equity.range({ ...range, wallet: BOB }), [])
    })

    test('a second equity snapshot of a slot changes nothing', async () => {
      await store.equity.add([{ wallet: ALICE, seconds: NOW, equity: 1n }])
      await store.equity.add([{ wallet: ALICE, seconds: NOW, equity: 2n }])
      const range = { wallet: ALICE, fromSeconds: 0, toSeconds: 1e12, resolutionSeconds: 60 }
      assert.deepEqual(await store.equity.range(range), [{ seconds: NOW, equity: 1n }])
    })

    test('an equity slot is claimed once, and has no point until a snapshot is added', async () => {
      assert.deepEqual((await store.equity.claim([ALICE, BOB], NOW)).toSorted(), [ALICE, BOB])
      assert.deepEqual(await store.equity.claim([ALICE, BOB], NOW), [])
      assert.deepEqual(await store.equity.claim([ALICE], NOW + 60), [ALICE])
      assert.deepEqual(await store.equity.claim([], NOW), [])
      assert.deepEqual(await read(), [])
      await add(NOW)
      assert.deepEqual(await read(), [0])
    })

    test('concurrent claims of an equity slot succeed once', async () => {
      const claims = await Promise.all([
        store.equity.claim([ALICE, BOB], NOW),
        store.equity.claim([BOB, ALICE], NOW),
      ])
      assert.deepEqual(claims.flat().toSorted(), [ALICE, BOB])
    })

    test('the last equity point of each period is read, with periods from multiples since 1970', async () => {
      await add(NOW - 1, NOW, NOW + 60, NOW + HOUR - 1, NOW + HOUR, NOW + 3 * HOUR + 5)
      assert.deepEqual(await read({ resolutionSeconds: HOUR }), [-1, HOUR - 1, HOUR, 3 * HOUR + 5])
      assert.deepEqual(await read({ resolutionSeconds: 60 }), [
        -1,
        0,
        60,
        HOUR - 1,
        HOUR,
        3 * HOUR + 5,
      ])
    })

    test('equity points are read within a range, both bounds inclusive', async () => {
      await add(NOW, NOW + 60, NOW + 120, NOW + 180)
      const range = { fromSeconds: NOW + 60, toSeconds: NOW + 120 }
      assert.deepEqual(await read({ ...range, resolutionSeconds: 60 }), [60, 120])
      // The last of the hour within the range, not of the hour.
      assert.deepEqual(await read({ ...range, resolutionSeconds: HOUR }), [120])
    })

    test('equity points older than 8 days are thinned to the last of each hour and account', async () => {
      const old = NOW - 8 * DAY
      const minutes = [-120, -61, -60, -1, 0, 1].map((minute) => old + 60 * minute)
      await add(...minutes)
      await store.equity.add([{ wallet: BOB, seconds: old - 7200, equity: 1n }])
      assert.equal(await store.equity.thin(NOW), 2)
      const remaining = [-61, -1, 0, 1].map((minute) => 60 * minute - 8 * DAY)
      assert.deepEqual(await read(), remaining)
      assert.equal(await store.equity.thin(NOW), 0, 'what was thinned is left alone')
      assert.equal((await read({ wallet: BOB })).length, 1)
      // An hour is left until all of it is old.
      assert.equal(await store.equity.thin(NOW + HOUR - 1), 0)
      assert.equal(await store.equity.thin(NOW + HOUR), 1)
      assert.deepEqual(await read(), [remaining[0], remaining[1], remaining[3]])
    })

    test('claimed equity slots without a point are deleted when old', async () => {
      await store.equity.claim([ALICE], NOW - 9 * DAY)
      await add(NOW - 9 * DAY - 60)
      assert.equal(await store.equity.thin(NOW), 1)
      const [row] = await store.db.primary.query('SELECT count(*) FROM equity_snapshots')
      assert.deepEqual(row, ['1'])
    })

    test('an hour whose last equity slot has no point keeps its last point', async () => {
      const hour = NOW - 9 * DAY
      await add(hour, hour + 60)
      await store.equity.claim([ALICE], hour + 120)
      await store.equity.thin(NOW)
      assert.deepEqual(await read(), [hour + 60 - NOW])
    })

    test('equity points older than 400 days are deleted', async () => {
      await add(NOW - 400 * DAY - 1, NOW - 400 * DAY)
      assert.equal(await store.equity.thin(NOW), 1)
      assert.deepEqual(await read(), [-400 * DAY])
      assert.equal(await store.equity.thin(NOW + 1), 1, 'hourly ones as well')
    })

    test('equity points are thinned in bounded steps', async () => {
      await store.db.script(`INSERT INTO equity_snapshots (wallet, seconds, equity)
        SELECT '${ALICE}', ${NOW - 20 * DAY} + n, 1 FROM generate_series(1, ${THINNED_ROWS_MAX + 50}) n`)
      const counts = [await store.equity.thin(NOW), await store.equity.thin(NOW)]
      assert.ok((counts[0] ?? 0) <= THINNED_ROWS_MAX)
      assert.ok((counts[1] ?? 0) > 0)
    })

    test('accounts with a live key are listed once each for equity snapshots', async () => {
      const nowMs = NOW * 1000
      await registerAt(store, ALICE, nowMs, 'key-one')
      await registerAt(store, ALICE, nowMs, 'key-two')
      await registerAt(store, BOB, nowMs - 1000, 'key-three')
      assert.deepEqual((await store.equity.liveAccounts(nowMs)).toSorted(), [ALICE, BOB])
      assert.deepEqual(await store.equity.liveAccounts(nowMs + HOUR * 1000 - 1), [ALICE])
      assert.deepEqual(await store.equity.liveAccounts(nowMs + HOUR * 1000), [])
      await store.identity.revokeAll(ALICE, nowMs)
      assert.deepEqual(await store.equity.liveAccounts(nowMs), [BOB])
    })
  })
}
