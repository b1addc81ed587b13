// The load of idle processes on PostgreSQL: many nodes share one server.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { countStatements, type StatementCounter } from '@openvenue/store/test/statement-counter'
import { KeeperProcess } from '../test/keeper-process.ts'
import { derivePrivateKey } from '../test/live-sender.ts'
import { LiveVenue, OWNER } from '../test/live-venue.ts'

const STATEMENTS_PER_S_MAX = 5
const WRITES_PER_S_MAX = 0.5
const CONNECTIONS_MAX = 8
/** Length of a measurement in beats of a listener, a second each. */
const BEATS = 12
const READY_MS_MAX = 60_000
const LINES_SHOWN = 5

const mainOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const isWrite = (text: string) => /^\s*(?:WITH\b.*\b)?(?:INSERT|UPDATE|DELETE)\b/is.test(text)

type IdleProcess = Readonly<{ counter: StatementCounter; program: KeeperProcess }>

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('idle processes', () => {
    let live: LiveVenue
    let database: TestDatabase
    let folder: string
    const processes = new Map<string, IdleProcess>()

    const start = async (name: string, main: string, more: Readonly<Record<string, string>>) => {
      const counter = await countStatements(new URL(database.options.databaseUrl ?? ''))
      const program = new KeeperProcess(
        {
          DATABASE_URL: counter.url,
          DATA_DIR: folder,
          RPC_URL: live.venue.url,
          DEPLOYMENT_FILE: join(folder, 'deployment.json'),
          ...more,
        },
        mainOf(main),
      )
      processes.set(name, { counter, program })
      const says = (text: string) => program.lines.some((line) => line.includes(text))
      return (text: string) =>
        until(`${name}: ${text}`, () => says(text), READY_MS_MAX).catch((error: Error) => {
          throw new Error(`${error.message}\n${program.lines.slice(-LINES_SHOWN).join('\n')}`)
        })
    }
    before(async () => {
      database = await postgres.createDatabase()
      live = await LiveVenue.start({ isRealTime: true })
      folder = mkdtempSync(join(tmpdir(), 'openvenue-idle-'))
      writeFileSync(
        join(folder, 'deployment.json'),
        JSON.stringify({ ...live.deployment, startBlock: 0 }),
      )
      const indexer = { RPC_WS_URL: live.venue.wsUrl, INDEXER_PORT: '0' }
      await (await start('indexer', 'indexer/src/main.ts', indexer))('state loaded')
      await (await start('indexer on standby', 'indexer/src/main.ts', indexer))('on standby')
      const api = {
        PORT: '0',
        TYPED_DATA_DOMAIN: 'test',
        RELAY_RECEIPT_KEY: derivePrivateKey(5),
      }
      await (await start('API node', 'api/src/node/main.ts', api))('model loaded')
      const keeper = {
        KEEPER_KEY: derivePrivateKey(OWNER),
        RELAY_KEYS: [6, 7].map(derivePrivateKey).join(),
        KEEPER_PRICES: 'off',
      }
      const leads = await start('keeper', 'keeper/src/main.ts', keeper)
      await leads('this relayer leads')
      await leads('this keeper leads')
      const waits = await start('keeper on standby', 'keeper/src/main.ts', keeper)
      await waits('another relayer leads')
      await waits('another keeper leads')
    })
    after(async () => {
      for (const { counter, program } of processes.values()) {
        await program.end('SIGKILL')
        counter.close()
      }
      await live.stop()
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    test('an idle process runs at most five statements a second, and hardly writes', async (t) => {
      const beats = () => processes.get('API node')?.counter.count('SELECT 1') ?? 0
      await until('the start is over', () => beats() >= 2, READY_MS_MAX)
      for (const { counter } of processes.values()) counter.take()
      const startMs = performance.now()
      await until('it has idled', () => beats() >= BEATS, READY_MS_MAX)
      const seconds = (performance.now() - startMs) / 1000
      for (const [name, { counter }] of processes) {
        const texts = counter.take()
        const counts = new Map<string, number>()
        for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
        const list = [...counts].sort(([, a], [, b]) => b - a)
        const lines = list.map(([text, count]) => `${count} ${text.slice(0, 90)}`)
        t.diagnostic(`${name}: ${(texts.length / seconds).toFixed(1)} statements a second`)
        const perSecond = texts.length / seconds
        assert.ok(
          perSecond <= STATEMENTS_PER_S_MAX,
          `${name} in ${seconds} s:\n${lines.join('\n')}`,
        )
        const writes = texts.filter(isWrite).length / seconds
        assert.ok(writes <= WRITES_PER_S_MAX, `${name} writes ${writes} times a second`)
      }
    })

    test('a process opens at most eight connections', (t) => {
      for (const [name, { counter }] of processes) {
        t.diagnostic(`${name}: ${counter.connectionsMax()} connections`)
        assert.ok(counter.connectionsMax() <= CONNECTIONS_MAX, name)
      }
    })
  })
