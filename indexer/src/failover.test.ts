// Two indexers on one PostgreSQL: one writes, and the other takes over if it hangs or dies.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { tableDump } from '@openvenue/store/maintenance/dump'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { FakeChain } from '../test/chain.ts'
import { IndexerProcess } from '../test/indexer-process.ts'
import { type ServedChain, serveChain } from '../test/server.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'

const SEED = Number(process.env.FAILOVER_SEED ?? 5)
const START_BLOCKS = 50
const BLOCK_MS = 40
/** Goal: 5 s, doubled for a loaded machine. */
const TAKEN_OVER_MS_MAX = 10_000

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe(`two indexers, seed ${SEED}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-failover-'))
    const chain = new FakeChain(SEED)
    let served: ServedChain
    let database: TestDatabase
    const running: IndexerProcess[] = []

    before(async () => {
      chain.mine({ blocks: START_BLOCKS, actions: 4 })
      served = await serveChain(chain)
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(FAKE_DEPLOYMENT))
      database = await postgres.createBareDatabase()
    })
    afterEach(async () => {
      for (const indexer of running.splice(0)) {
        indexer.signal('SIGCONT')
        await indexer.end('SIGKILL')
      }
    })
    after(async () => {
      await served.close()
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const start = (at: TestDatabase = database) => {
      const more = { DATABASE_URL: at.options.databaseUrl ?? '' }
      const indexer = new IndexerProcess(folder, served, more)
      running.push(indexer)
      return indexer
    }
    const isAtHead = (indexer: IndexerProcess) => () => indexer.synced === chain.head.number
    const pair = async () => {
      const first = start()
      await first.reaches(isAtHead(first))
      const second = start()
      await second.reaches(() => second.isStandby)
      return { first, second }
    }
    const mineUntil = async (signal: AbortSignal) => {
      for (let block = 1; !signal.aborted; block++) {
        if (block % 20 === 0) chain.reorg(2, { blocks: 3, actions: 4 })
        else chain.mine({ blocks: 1, actions: 4 })
        served.announce()
        await delay(BLOCK_MS, undefined, { signal }).catch(() => undefined)
      }
    }
    /** Returns the time until `heir` had written. */
    const takesOver = async (heir: IndexerProcess) => {
      const startMs = performance.now()
      await heir.reaches(() => heir.synced > 0 && !heir.isStandby)
      const from = heir.synced
      await heir.reaches(() => heir.synced > from)
      return performance.now() - startMs
    }
    const dumpTables = async (at: TestDatabase) => {
      const store = await at.open()
      try {
        const seqs = await store.db.primary.query(
          'SELECT count(*) = max(seq) - min(seq) + 1 FROM feed',
        )
        assert.deepEqual(seqs, [['t']], 'the feed has neither a gap nor a double')
        return await tableDump(store)
      } finally {
        await store.close()
      }
    }
    /** Returns the tables of an indexer without any failure. */
    const uninterrupted = async () => {
      const other = await postgres.createBareDatabase()
      const indexer = start(other)
      await indexer.reaches(isAtHead(indexer))
      const dump = await dumpTables(other)
      await indexer.end('SIGTERM')
      await other.remove()
      return dump
    }

    test('a hung writer is replaced within seconds, and writes nothing when it resumes', async (t) => {
      const { first, second } = await pair()
      const mining = new AbortController()
      const mined = mineUntil(mining.signal)
      const from = first.synced
      await first.reaches(() => first.synced > from + 5)
      first.signal('SIGSTOP')
      const tookMs = await takesOver(second)
      t.diagnostic(`SIGSTOP: the other wrote after ${tookMs.toFixed(0)} ms`)
      assert.ok(tookMs < TAKEN_OVER_MS_MAX, `${tookMs} ms`)
      first.signal('SIGCONT')
      await first.reaches(() => first.isStandby)
      const stood = first.synced
      const reached = second.synced
      await second.reaches(() => second.synced > reached + 10)
      assert.ok(first.isStandby)
      assert.equal(first.synced, stood, 'it wrote nothing after it went on')
      mining.abort()
      await mined
      await second.reaches(isAtHead(second))
      assert.equal(await dumpTables(database), await uninterrupted())
    })

    test('a writer whose database lost its newest blocks reads them again', async () => {
      const [venue, other] = [await postgres.createBareDatabase(), await postgres.createDatabase()]
      const name = new URL(venue.options.databaseUrl ?? '').pathname.slice(1)
      const admin = await other.open()
      const run = async (...texts: readonly string[]) => {
        for (const text of texts) await admin.db.maintain((statement) => statement(text))
      }
      const whileClosed = async (...texts: readonly string[]) =>
        run(
          `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
          ...texts,
          `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
        )
      const indexer = start(venue)
      const mine = async (blocks: number) => {
        chain.mine({ blocks, actions: 4 })
        served.announce()
        await indexer.reaches(isAtHead(indexer))
      }
      await mine(3)
      await whileClosed(`CREATE DATABASE ${name}_standby TEMPLATE ${name}`)
      await mine(9)
      chain.reorg(2, { blocks: 3, actions: 4 })
      await mine(3)
      await whileClosed(
        `ALTER DATABASE ${name} RENAME TO ${name}_lost`,
        `ALTER DATABASE ${name}_standby RENAME TO ${name}`,
      )
      await mine(4)
      const store = await venue.open()
      assert.equal(await tableDump(store), await uninterrupted())
      await store.close()
      await indexer.end('SIGTERM')
      await run(`DROP DATABASE ${name}_lost`)
      await admin.close()
      for (const database of [venue, other]) await database.remove()
    })

    test('a killed writer is replaced within seconds', async (t) => {
      const { first, second } = await pair()
      await first.end('SIGKILL')
      chain.mine({ blocks: 2, actions: 4 })
      served.announce()
      const startMs = performance.now()
      await second.reaches(isAtHead(second))
      const tookMs = performance.now() - startMs
      t.diagnostic(`SIGKILL: the other wrote after ${tookMs.toFixed(0)} ms`)
      assert.ok(tookMs < TAKEN_OVER_MS_MAX, `${tookMs} ms`)
    })
  })
