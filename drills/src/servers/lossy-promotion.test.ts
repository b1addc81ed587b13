// A standby that lags is promoted after the primary was lost: the newest commits are gone. Every
// process must then show what the database has, and no receipt number may be given twice.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import { makeIntent } from '@openvenue/api/test/made-intents'
import { openDatabase, openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { blocksAfter, Followers } from '../../test/followers.ts'
import { TcpProxy } from '../net/tcp-proxy.ts'
import { Postgres } from './postgres.ts'
import { until } from './until.ts'

const WITHIN_MS = 30_000
/** Within this time after a promotion, every process shows what the database has. */
const CURRENT_MS = 5_000
const NOW_MS = 1_800_000_000_000
const WALLET = `0x${'51'.repeat(20)}`

/** A primary with an asynchronous standby, and the address by which processes reach the venue's. */
class Cluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'openvenue-promotion-'))
  #servers: Postgres[] = []
  #proxy: TcpProxy | undefined

  get primary(): Postgres {
    return this.#servers.at(-2) as Postgres
  }

  get standby(): Postgres {
    return this.#servers.at(-1) as Postgres
  }

  get url(): string {
    return this.primary.url(this.#proxy?.port)
  }

  async start(): Promise<void> {
    chmodSync(this.#folder, 0o755)
    for (const name of ['one', 'two']) mkdirSync(join(this.#folder, name))
    const log = (name: string) => join(this.#folder, `${name}.log`)
    const primary = await Postgres.primary(join(this.#folder, 'one'), log('one'))
    const standby = await Postgres.startReplica(primary, join(this.#folder, 'two'), log('two'))
    this.#servers = [primary, standby]
    this.#proxy = await TcpProxy.open(primary.port)
  }

  /** Waits until the standby has all that was committed. */
  async catchUp(): Promise<void> {
    const lsn = await this.primary.query('SELECT pg_current_wal_lsn()')
    const has = `SELECT pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn`
    const isThere = async () => (await this.standby.query(has)) === 'true'
    await until('the standby has caught up', isThere, WITHIN_MS)
  }

  /** Ends replication: later commits are on the primary only. */
  async holdBack(): Promise<void> {
    await this.standby.query(`ALTER SYSTEM SET primary_conninfo = ''`)
    await this.standby.query('SELECT pg_reload_conf()')
    const receivers = 'SELECT count(*) FROM pg_stat_wal_receiver'
    const isOver = async () => (await this.standby.query(receivers)) === '0'
    await until('nothing is replicated', isOver, WITHIN_MS)
  }

  /** Kills the primary, and promotes the standby under its address. */
  async failOver(): Promise<void> {
    await this.primary.kill()
    await this.standby.query('SELECT pg_promote()')
    this.#proxy?.redirect(this.standby.port)
  }

  async stop(): Promise<void> {
    await this.#proxy?.close()
    for (const server of this.#servers) await server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

// PostgreSQL's programs are installed where there are services.
if (process.env.DATABASE_URL !== undefined)
  describe('a standby that was promoted without the newest commits', () => {
    let cluster: Cluster
    let followers: Followers
    let store: Store
    /** Numbers of all receipts. */
    let given: number[]
    beforeEach(async () => {
      cluster = new Cluster()
      followers = new Followers()
      given = []
      await cluster.start()
      store = await openStore({ databaseUrl: cluster.url })
      await followers.start(cluster.url)
    })
    const stop = async () => {
      await followers.stop()
      await store.close()
      await cluster.stop()
    }

    /** Accepts held orders; returns their ids. */
    const accept = async (count: number) => {
      const results = await store.intents.add(
        Array.from({ length: count }, () => makeIntent({ state: 'received', includeByBlock: 0 })),
      )
      const intents = results.flatMap((result) => ('added' in result ? [result.added] : []))
      given.push(...intents.map(({ seq }) => seq))
      return intents.map(({ id }) => id)
    }
    /** Like `accept`, as clients that try again while the database is away. */
    const acceptAgain = async (count: number) => {
      let ids: readonly string[] = []
      const isAccepted = async () => {
        ids = await accept(count)
        return true
      }
      await until('orders are accepted again', isAccepted, WITHIN_MS)
      return ids
    }
    const mine = async (count: number, branch?: string) => {
      const { head } = await store.writer.loadState()
      await store.writer.commit(blocksAfter(head, count, branch), 0)
    }
    const liveIds = async () => (await store.intents.live()).intents.map(({ id }) => id).sort()
    /** Checks that every process has what the database has, within the time. */
    const areCurrent = async () => {
      const { head } = await store.writer.loadState()
      const live = await liveIds()
      for (const [name, view] of followers.views) {
        const expected = name === 'blocks' ? [`${head?.number} ${head?.hash}`] : live
        const isCurrent = () => JSON.stringify(view()) === JSON.stringify(expected)
        const found = () => `${name}: ${view().join(' ')}, not ${expected.join(' ')}`
        await until(name, isCurrent, CURRENT_MS).catch(() => assert.fail(found()))
      }
    }

    test('every process shows what the database has, and each receipt has its own number', async () => {
      try {
        await accept(5)
        await mine(5)
        await cluster.catchUp()
        await cluster.holdBack()
        const lost = await accept(10)
        await mine(10)
        await areCurrent()
        await cluster.failOver()
        await until('blocks are read again', () => mine(12, 'b').then(() => true), WITHIN_MS)
        await areCurrent()
        const accepted = await acceptAgain(12)
        await areCurrent()
        const live = await liveIds()
        assert.ok(accepted.every((id) => live.includes(id)))
        assert.ok(lost.every((id) => !live.includes(id)))
        assert.equal(new Set(given).size, given.length, 'a receipt number was given twice')
      } finally {
        await stop()
      }
    })

    /** Adds an API key. */
    const addKey = (key: string) =>
      store.db.keys.query(
        `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
          VALUES ($1, 'hash', $2, '0xkey', 1, $3)`,
        [key, WALLET, NOW_MS * 2],
      )
    const isLive = async (key: string) => (await store.identity.find(key, NOW_MS)) !== undefined
    const states = async (ids: readonly string[]) =>
      (await store.intents.find(ids)).map(({ state, reason }) => [state, reason])

    test('a loss revokes every API key and ends the orders that waited', async () => {
      try {
        await addKey('revoked')
        const kept = await accept(3)
        await cluster.catchUp()
        await cluster.holdBack()
        await store.identity.revoke(WALLET, 'revoked', NOW_MS)
        const lost = await accept(2)
        await cluster.failOver()
        const accepted = await acceptAgain(1)
        assert.equal(await isLive('revoked'), false)
        assert.deepEqual(await states(lost), [])
        assert.deepEqual(
          await states(kept),
          kept.map(() => ['refused', 'RESTORED']),
        )
        assert.deepEqual(await states(accepted), [['received', undefined]])
        await areCurrent()
        await addKey('new')
        const other = await openStore({ databaseUrl: cluster.url })
        await other.identity.sweep(1)
        await other.close()
        assert.ok(await isLive('new'), 'a loss is announced once')
        assert.deepEqual(await states(accepted), [['received', undefined]])
      } finally {
        await stop()
      }
    })

    test('a promotion without a loss keeps keys and orders', async () => {
      try {
        await addKey('kept')
        const kept = await accept(3)
        await mine(3)
        await areCurrent()
        await cluster.catchUp()
        const standby = await openDatabase({ databaseUrl: cluster.standby.url() })
        assert.equal(await standby.lease('relayer'), undefined, 'a standby gives no lease')
        await standby.close()
        await cluster.failOver()
        await acceptAgain(1)
        assert.ok(await isLive('kept'))
        assert.deepEqual(
          await states(kept),
          kept.map(() => ['received', undefined]),
        )
        await areCurrent()
        const [before = 0, after = 0] = given.slice(-2)
        assert.ok(after > before + 1, 'a gap: the loss of a process that is gone is unknown')
      } finally {
        await stop()
      }
    })

    test('processes that remember nothing assume a loss and give no number twice', async () => {
      try {
        await addKey('revoked')
        await accept(3)
        await cluster.catchUp()
        await cluster.holdBack()
        await store.identity.revoke(WALLET, 'revoked', NOW_MS)
        await accept(5)
        await followers.stop()
        await store.close()
        await cluster.failOver()
        const open = async () => {
          store = await openStore({ databaseUrl: cluster.url })
          return true
        }
        await until('the store is open again', open, WITHIN_MS)
        followers = new Followers()
        await followers.start(cluster.url)
        await acceptAgain(9)
        assert.equal(await isLive('revoked'), false)
        assert.equal(new Set(given).size, given.length, 'a receipt number was given twice')
        await areCurrent()
      } finally {
        await stop()
      }
    })
  })
