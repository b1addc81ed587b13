// Turns of the writer: a process that hangs anywhere is replaced, and a live one keeps its turn.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { LEASE_ENDED_MS } from '@openvenue/runtime/lease'
import { Client } from 'pg'
import { terminate } from '../../test/backends.ts'
import { startBetween } from '../../test/between.ts'
import { postgresEngine, type TestDatabase } from '../../test/engines.ts'
import { replay } from '../../test/replay.ts'
import { within } from '../../test/waits.ts'
import { tableDump } from '../maintenance/dump.ts'
import { openStore } from '../open.ts'
import { type Store, WriterBusy } from '../store.ts'

/** 10 s until detection, 10 s until the session is given up, and extra for a loaded machine. */
const SILENT_MS_MAX = 45_000
const WRITER_LOCK = 0x6f76_656e
const engine = postgresEngine(process.env.DATABASE_URL)
const { blocks } = replay(randomScenario(3, 40))

if (engine !== undefined)
  describe('the writer of a PostgreSQL', () => {
    let database: TestDatabase
    let store: Store
    let other: Store
    const hung: Client[] = []
    before(async () => {
      database = await engine.createDatabase()
    })
    beforeEach(async () => {
      ;[store, other] = [await database.open(), await database.open()]
    })
    afterEach(async () => {
      for (const client of hung.splice(0)) await client.end().catch(() => {})
      // A session that has just ended may hold the lease for a moment.
      await until('the chain is wiped', async () => (await wipe(store)) || (await wipe(other)))
      await Promise.all([store.close(), other.close()])
    })
    after(() => database.remove())

    const wipe = ({ writer }: Store) =>
      writer.wipeChain().then(
        () => true,
        () => false,
      )
    /** A session with the writer's lock whose process has lost its lease. */
    const lockHolder = async () => {
      const client = new Client({ connectionString: database.options.databaseUrl ?? '' })
      client.on('error', () => {})
      await client.connect()
      await client.query(`SELECT pg_advisory_lock(${WRITER_LOCK})`)
      hung.push(client)
      return client
    }
    const untilState = async (client: Client, text: string) => {
      const { processID } = client as unknown as { processID: number }
      await until(`it is ${text}`, async () => {
        const rows = await store.db.primary.query(
          'SELECT state FROM pg_stat_activity WHERE pid = $1',
          [processID],
        )
        return rows[0]?.[0] === text
      })
    }

    const hangs: readonly (readonly [string, (client: Client) => Promise<void>])[] = [
      ['between two commits', (client) => untilState(client, 'idle')],
      [
        'in the middle of a transaction',
        async (client) => {
          await client.query('BEGIN')
          await client.query('UPDATE checkpoint SET seq = 1000000')
          await untilState(client, 'idle in transaction')
        },
      ],
      [
        'in the middle of a COPY',
        async (client) => {
          await client.query('CREATE TABLE IF NOT EXISTS halves (n int)')
          const copying = new HalfCopy('COPY halves FROM STDIN')
          client.query(copying)
          await untilState(client, 'active')
        },
      ],
    ]
    for (const [where, hang] of hangs)
      test(`a writer that hangs ${where} is replaced, and leaves no partial data`, async () => {
        await hang(await lockHolder())
        await store.writer.commit(blocks, 0)
        const { seq } = await store.reader.snapshot(NO_WINDOWS)
        assert.ok(seq < 1_000_000)
      })

    test('a live writer keeps its turn, however long it is idle or busy', async () => {
      await store.writer.commit(blocks.slice(0, 10), 0)
      for (let tries = 0; tries < 3; tries++)
        await assert.rejects(other.writer.loadState(), WriterBusy)
      await store.writer.commit(blocks.slice(10), 0)
    })

    test('a writer that only loses its lease takes it again and continues', async () => {
      let losses = 0
      const session = await store.db.session(() => {
        losses += 1
      })
      const pids = () =>
        other.db.primary.query(`SELECT pid FROM pg_stat_activity JOIN pg_locks USING (pid)
          WHERE application_name = 'openvenue writer lease' AND datname = current_database()
            AND locktype = 'advisory' AND granted`)
      const [[before] = []] = await pids()
      await terminate(other.db.primary, 'openvenue writer lease')
      // The ended connection holds it for a moment.
      await until('it has it again', async () => {
        const [[pid] = [], ...more] = await pids()
        return pid !== undefined && pid !== before && more.length === 0
      })
      assert.equal(await other.db.session(() => {}), undefined)
      assert.deepEqual([session?.isOpen(), losses], [true, 0])
      await session?.close()
      const next = await other.db.session(() => {})
      assert.equal(next?.isOpen(), true, 'and gives both back in the end')
      await next?.close()
    })

    test('a writer that processes a large state keeps its lease meanwhile', async () => {
      const pids = () =>
        other.db.primary.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'openvenue writer lease'`,
        )
      await store.writer.loadState()
      const before = await pids()
      assert.equal(before.length, 1)
      // The process is busy: no timers or answers are processed meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_ENDED_MS + 1000)
      assert.deepEqual(await pids(), before)
      await store.writer.commit(blocks, 0)
    })

    test('calls of a writer fail when the database falls silent, and it recovers', async () => {
      const between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      const behind = await openStore({ databaseUrl: between.url })
      await behind.writer.commit(blocks.slice(0, 10), 0)
      between.freeze()
      for (const name of ['writer', 'writer lease']) between.freeze(`openvenue ${name}`)
      await assert.rejects(
        within(SILENT_MS_MAX, behind.writer.commit(blocks.slice(10), 0)),
        /terminated/,
      )
      between.thaw()
      await until('it can write again', () =>
        behind.writer.loadState().then(
          () => true,
          () => false,
        ),
      )
      await behind.writer.commit(blocks.slice(10), 0)
      await behind.close()
      between.close()
    })

    test('a writer that cannot keep its lease writes nothing under another', async () => {
      await store.writer.commit(blocks.slice(0, 10), 0)
      await terminate(other.db.primary, 'openvenue writer%')
      await until('the other writes', () =>
        other.writer.loadState().then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof WriterBusy)
            return false
          },
        ),
      )
      await other.writer.commit(blocks.slice(10, 20), 0)
      await assert.rejects(store.writer.commit(blocks.slice(10, 20), 0), WriterBusy)
      await other.writer.commit(blocks.slice(20), 0)
      const whole = await engine.createDatabase()
      const twin = await whole.open()
      await twin.writer.commit(blocks, 0)
      assert.equal(await tableDump(other), await tableDump(twin))
      await twin.close()
      await whole.remove()
    })
  })

const NO_WINDOWS = { trades: 0, candles: {}, settlements: 0, priceSeconds: 0, poolHoursFrom: 0 }

/** Sends a COPY without its rows, like a process suspended in between. */
class HalfCopy {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  submit(connection: { query: (text: string) => void }): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(): void {}
  handleReadyForQuery(): void {}
  handleError(): void {}
}
