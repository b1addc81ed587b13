// A store opened to read, as an edge node does: on a standby, which sends no notifications, and on
// the primary as a user who may write.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStore, openToRead } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { yearBlock } from '@openvenue/store/test/years'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 60_000
const START_SECONDS = 1_700_000_000
const UNUSED = { signature: 'ab'.repeat(32), expiresMs: Date.now() + 60_000, nowMs: Date.now() }

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('a store opened to read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-standby-'))
    let primary: Postgres
    let standby: Postgres
    let store: Store
    let block = 0

    const commit = () => {
      block += 1
      const newBlock = yearBlock(block, START_SECONDS + block, () => 0.5)
      return store.writer.commit([newBlock], Number.MAX_SAFE_INTEGER)
    }

    before(async () => {
      // PostgreSQL runs as another user.
      chmodSync(folder, 0o755)
      for (const name of ['primary', 'standby']) mkdirSync(join(folder, name))
      primary = await Postgres.primary(join(folder, 'primary'), join(folder, 'primary.log'))
      store = await openStore({ databaseUrl: primary.url() })
      await commit()
      standby = await Postgres.startReplica(
        primary,
        join(folder, 'standby'),
        join(folder, 'standby.log'),
      )
    })
    after(async () => {
      await store?.close()
      await standby?.stop()
      await primary?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    for (const name of ['standby', 'primary'])
      test(`a store opened to read on the ${name} follows the feed, and writes nothing`, async () => {
        const server = name === 'standby' ? standby : primary
        const reading = await openToRead({ databaseUrl: server.url() })
        let signals = 0
        const stop = reading.reader.onSignal(() => {
          signals += 1
        })
        const before = block
        const newest = async () => (await reading.reader.feedAfter(0, 500)).at(-1)?.header.number
        await until('the feed is there', async () => (await newest()) === before, WITHIN_MS)
        const seen = signals
        await commit()
        await until('the block is there', async () => (await newest()) === before + 1, WITHIN_MS)
        await until('its signal came', async () => signals > seen, WITHIN_MS)
        assert.equal(await reading.identity.find('00'.repeat(16), Date.now()), undefined)
        await assert.rejects(reading.identity.useSignature(UNUSED), /read-only/)
        stop()
        await reading.close()
      })
  })
