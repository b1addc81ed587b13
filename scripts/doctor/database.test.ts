// The doctor's checks of a PostgreSQL. Without one (`npm test`) they are skipped.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Environment } from '@openvenue/runtime/environment'
import { postgresEngine } from '@openvenue/store/test/engines'
import { readPlan } from './plan.ts'
import { checkDatabase, checkVersion, judgeConnections, judgeQueue } from './service-checks.ts'

const engines = [postgresEngine(process.env.DATABASE_URL)].filter((engine) => engine !== undefined)

test('the doctor finds a PostgreSQL older than 14', () => {
  assert.equal(checkVersion(140_000).isOk, true)
  const { isOk, text, advice } = checkVersion(130_021)
  assert.deepEqual([isOk, text, advice], [false, 'PostgreSQL 13', 'use PostgreSQL 14 or newer'])
})

for (const engine of engines)
  describe(`the doctor at a database of ${engine.name}`, () => {
    const look = async (DATABASE_URL: string | undefined, nowMs = Date.now, also?: Environment) => {
      const { plan } = readPlan({ DATABASE_URL, ...also }, nowMs)
      assert.ok(plan !== undefined)
      const findings = await checkDatabase(plan)()
      return findings.map(({ item, isOk, text }) => `${isOk ? 'ok' : 'bad'} ${item}: ${text}`)
    }

    test('the doctor finds missing migrations, a missing script, and an empty index', async () => {
      const database = await engine.createBareDatabase()
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
          await store.db.primary.query(
            "UPDATE migrations SET name = '9999-later.sql' WHERE name LIKE '0001-%'",
          )
          assert.match((await look(databaseUrl)).join(), /bad migrations: not yet run: 0001-schema/)
        } finally {
          await store.close()
        }
      } finally {
        await database.remove()
      }
    })

    test('the doctor finds clocks that differ, and old blocks', async () => {
      const database = await engine.createDatabase()
      const store = await database.open()
      try {
        const later = () => Date.now() + 3_600_000
        await store.db.primary.query('UPDATE checkpoint SET number = 7, seconds = 1')
        const findings = (await look(database.options.databaseUrl, later)).join()
        assert.match(findings, /bad clock of the database: 36\d\d\.\d s/)
        assert.doesNotMatch(findings, /relayer/)
        await store.db.primary.query('UPDATE checkpoint SET restored_to = 9')
        const restoring = (await look(database.options.databaseUrl, later)).join()
        assert.match(
          restoring,
          /bad relayer: accepts no orders before block 9 is indexed; indexed: 7/,
        )
        assert.match(findings, /bad indexed: block 7 is \d+ s old/)
      } finally {
        await store.close()
        await database.remove()
      }
    })

    test('the doctor finds a replica that lags, and one that is down', async () => {
      const [database, other] = [await engine.createDatabase(), await engine.createDatabase()]
      const [store, behind] = [await database.open(), await other.open()]
      try {
        await store.db.primary.query('UPDATE checkpoint SET seq = 50')
        const at = async (seq: number) => {
          await behind.db.primary.query(`UPDATE checkpoint SET seq = ${seq}`)
          const also = { DATABASE_READ_URL: other.options.databaseUrl }
          return (await look(database.options.databaseUrl, Date.now, also)).join()
        }
        assert.match(await at(20), /ok replica: 30 blocks behind/)
        assert.match(await at(19), /bad replica: 31 blocks behind/)
        const also = { DATABASE_READ_URL: 'postgres://127.0.0.1:1/venue' }
        const away = await look(database.options.databaseUrl, Date.now, also)
        assert.match(away.join(), /bad replica: .*ECONNREFUSED/)
      } finally {
        for (const opened of [store, behind]) await opened.close()
        for (const created of [database, other]) await created.remove()
      }
    })

    test('the doctor finds more missing blocks than INDEXER_LAG_MAX', async () => {
      const node = createServer(async (request, response) => {
        const { id } = JSON.parse((await request.toArray()).join('')) as { id: number }
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { number: '0x64' } }))
      }).listen(0, '127.0.0.1')
      await once(node, 'listening')
      const RPC_URL = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
      const database = await engine.createDatabase()
      const store = await database.open()
      try {
        const nowMs = () => 1_700_000_000_000
        await store.db.primary.query('UPDATE checkpoint SET number = 90, seconds = 1699999999')
        const { databaseUrl } = database.options
        const findings = (await look(databaseUrl, nowMs, { RPC_URL, INDEXER_LAG_MAX: '10' })).join()
        assert.match(findings, /ok indexed: block 90, 1 s old/)
        const short = (await look(databaseUrl, nowMs, { RPC_URL, INDEXER_LAG_MAX: '9' })).join()
        assert.match(short, /bad indexed: block 90 is 1 s old, 10 blocks behind the chain/)
      } finally {
        node.close()
        node.closeAllConnections()
        await store.close()
        await database.remove()
      }
    })
  })

test('doctor reports processes that may open more connections than the server has', () => {
  assert.equal(judgeConnections(247, 30).isOk, true)
  const { isOk, text, advice } = judgeConnections(97, 13)
  assert.equal(isOk, false)
  assert.equal(text, '13 running processes may open 104 of 97')
  assert.equal(advice, 'raise max_connections of PostgreSQL')
})

test('doctor reports a kernel that lets fewer connections wait than a port asks for', () => {
  assert.equal(judgeQueue(4_096).isOk, true)
  assert.equal(judgeQueue(undefined).isOk, true)
  const { isOk, text, advice } = judgeQueue(128)
  assert.equal(isOk, false)
  assert.equal(text, 'net.core.somaxconn is 128')
  assert.match(advice ?? '', /somaxconn=4096/)
})
