// What the doctor says of a PostgreSQL. Without one (`npm test`) there is nothing to look at.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postgresEngine } from '@openvenue/store/test/engines'
import { readPlan } from './plan.ts'
import { checkDatabase } from './service-checks.ts'

const engines = [postgresEngine(process.env.DATABASE_URL)].filter((one) => one !== undefined)

for (const engine of engines)
  describe(`the doctor at a database of ${engine.name}`, () => {
    const look = async (databaseUrl: string | undefined, nowMs = Date.now) => {
      const { plan } = readPlan({ DATABASE_URL: databaseUrl }, nowMs)
      assert.ok(plan !== undefined)
      const findings = await checkDatabase(plan)()
      return findings.map(({ what, isOk, says }) => `${isOk ? 'ok' : 'bad'} ${what}: ${says}`)
    }

    test('finds that no migration has run, then that one is missing, then that nothing is indexed', async () => {
      const database = await engine.createDatabase()
      try {
        const { databaseUrl } = database.options
        assert.match(
          (await look(databaseUrl)).join(),
          /^ok database: .*bad migrations: none has run/,
        )
        const store = await database.open()
        try {
          assert.match(
            (await look(databaseUrl)).join(),
            /ok migrations: .*bad indexed: no block yet/,
          )
          await store.db.primary.query("DELETE FROM migrations WHERE name = '0006-safeguards.sql'")
          assert.match((await look(databaseUrl)).join(), /bad migrations: not yet run: 0006-safe/)
        } finally {
          await store.close()
        }
      } finally {
        await database.remove()
      }
    })

    test('finds clocks that differ, and blocks that are old', async () => {
      const database = await engine.createDatabase()
      const store = await database.open()
      try {
        const later = () => Date.now() + 3_600_000
        await store.db.primary.query('UPDATE checkpoint SET number = 7, seconds = 1')
        const found = (await look(database.options.databaseUrl, later)).join()
        assert.match(found, /bad clock of the database: 36\d\d\.\d s/)
        assert.doesNotMatch(found, /relayer/)
        await store.db.primary.query('UPDATE checkpoint SET restored_to = 9')
        const waiting = (await look(database.options.databaseUrl, later)).join()
        assert.match(waiting, /bad relayer: no orders are taken before block 9 is read; it is at 7/)
        assert.match(found, /bad indexed: block 7 is \d+ s old/)
      } finally {
        await store.close()
        await database.remove()
      }
    })
  })
