// The primary reports its standbys and their lag, for the metrics.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openPostgres } from '@openvenue/store/db/postgres'
import { readStandbys } from '@openvenue/store/db/standbys'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 60_000

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('standbys', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-standbys-'))
    let primary: Postgres
    let replica: Postgres | undefined
    before(async () => {
      // PostgreSQL runs as another user.
      chmodSync(folder, 0o755)
      for (const name of ['primary', 'replica']) mkdirSync(join(folder, name))
      primary = await Postgres.primary(join(folder, 'primary'), join(folder, 'primary.log'))
    })
    after(async () => {
      await replica?.stop()
      await primary?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a standby is reported with its lag, to other roles than monitors without it', async () => {
      const db = openPostgres(primary.url(), undefined)
      assert.deepEqual(await readStandbys(db), [])
      replica = await Postgres.startReplica(
        primary,
        join(folder, 'replica'),
        join(folder, 'replica.log'),
      )
      const isReported = async () =>
        (await readStandbys(db)).some(
          ({ state, lagBytes }) => state === 'streaming' && lagBytes === 0,
        )
      await until('it has replayed the log', isReported, WITHIN_MS)
      await db.close()
      await primary.query('CREATE ROLE other LOGIN')
      const other = openPostgres(primary.url().replace('postgres@', 'other@'), undefined)
      const unknown = { name: 'walreceiver', state: undefined, lagBytes: undefined }
      assert.deepEqual(await readStandbys(other), [unknown])
      await other.close()
    })
  })
