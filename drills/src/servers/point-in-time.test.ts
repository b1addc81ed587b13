// The database is destroyed and recovered to a point in time from pgBackRest's archive, with the
// configuration of ops/pgbackrest: changes before the point are there, later ones are a loss.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeIntent } from '@openvenue/api/test/made-intents'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { blocksAfter, Followers } from '../../test/followers.ts'
import { findOwner, Postgres } from './postgres.ts'
import { until } from './until.ts'

const CONFIG = join(import.meta.dirname, '../../../ops/pgbackrest')
const WITHIN_MS = 60_000
const NOW_MS = 1_800_000_000_000
const WALLET = `0x${'51'.repeat(20)}`
const program = process.env.BACKREST_PROGRAM

/** A server with the settings of ops/pgbackrest, except for folders and the port. */
class Archived {
  readonly #folder = mkdtempSync(join(tmpdir(), 'openvenue-backrest-'))
  #server: Postgres | undefined

  get server(): Postgres {
    return this.#server as Postgres
  }

  async start(): Promise<void> {
    const { uid, gid } = findOwner() ?? {
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
    }
    chmodSync(this.#folder, 0o755)
    for (const name of ['server', 'repository', 'log', 'lock', 'spool']) {
      mkdirSync(join(this.#folder, name))
      chownSync(join(this.#folder, name), uid, gid)
    }
    this.#server = await Postgres.primary(this.#at('server'), this.#at('postgres.log'))
    this.#configure()
    for (const [name, value] of archiveSettings()) {
      const own = value.replace('pgbackrest --stanza=openvenue', this.#command.join(' '))
      await this.server.query(`ALTER SYSTEM SET ${name} = '${own}'`)
    }
    await this.server.stop()
    await this.server.start()
    this.backrest('stanza-create')
    this.backrest('check')
  }

  #at(name: string): string {
    return join(this.#folder, name)
  }

  get #command(): readonly string[] {
    return [String(program), `--config=${this.#at('pgbackrest.conf')}`, '--stanza=openvenue']
  }

  /** Writes the configuration, with the folders and the port of this server. */
  #configure(): void {
    const text = readFileSync(join(CONFIG, 'pgbackrest.conf'), 'utf8')
    const folders = ['log', 'lock', 'spool'].map((name) => `${name}-path=${this.#at(name)}`)
    const own = text
      .replace(/^repo1-path=.*$/m, [`repo1-path=${this.#at('repository')}`, ...folders].join('\n'))
      .replace(/^pg1-path=.*$/m, `pg1-path=${this.server.dataDir}\npg1-port=${this.server.port}`)
    writeFileSync(this.#at('pgbackrest.conf'), own)
  }

  backrest(...args: readonly string[]): void {
    const [command = '', ...options] = this.#command
    // The server of a drill has no socket in the file system.
    const env = { ...process.env, PGHOST: '127.0.0.1' }
    const run = { env, cwd: '/', ...findOwner() }
    const { status, stdout, stderr } = spawnSync(command, [...options, ...args], run)
    assert.equal(status, 0, `pgbackrest ${args.join(' ')}: ${stdout}${stderr}`)
  }

  /** Waits until all that was written is in the archive. */
  async archive(): Promise<void> {
    const segment = await this.server.query('SELECT pg_walfile_name(pg_switch_wal())')
    const last = `SELECT last_archived_wal >= '${segment}' FROM pg_stat_archiver`
    const isArchived = async () => (await this.server.query(last)) === 'true'
    await until('the log is archived', isArchived, WITHIN_MS)
  }

  /** Loses the server's data, and recovers it to `time`. */
  async recover(time: string): Promise<void> {
    await this.server.kill()
    for (const name of readdirSync(this.server.dataDir))
      rmSync(join(this.server.dataDir, name), { recursive: true })
    this.backrest('--type=time', `--target=${time}`, '--target-action=promote', 'restore')
    await this.server.start()
    const isOpen = async () => (await this.server.query('SELECT pg_is_in_recovery()')) === 'false'
    await until('recovery has ended', isOpen, WITHIN_MS)
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Returns the settings of ops/pgbackrest/openvenue-archive.conf. */
function archiveSettings(): readonly (readonly [name: string, value: string])[] {
  const text = readFileSync(join(CONFIG, 'openvenue-archive.conf'), 'utf8')
  return [...text.matchAll(/^(\w+) = '?([^'\n]+)'?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
}

if (program !== undefined && process.env.DATABASE_URL !== undefined)
  describe('a recovery to a point in time', () => {
    const cluster = new Archived()
    let store: Store
    const given: number[] = []
    before(async () => {
      await cluster.start()
      store = await openStore({ databaseUrl: cluster.server.url() })
    })
    after(async () => {
      await store?.close()
      await cluster.stop()
    })

    /** Accepts held orders; returns their ids. */
    const accept = async (count: number) => {
      const results = await store.intents.add(
        Array.from({ length: count }, () => makeIntent({ state: 'received', includeByBlock: 0 })),
      )
      const intents = results.flatMap((result) => ('added' in result ? [result.added] : []))
      given.push(...intents.map(({ seq }) => seq))
      return intents.map(({ id }) => id)
    }
    const mine = async (count: number) => {
      const { head } = await store.writer.loadState()
      await store.writer.commit(blocksAfter(head, count), 0)
    }
    const headNumber = async () => (await store.writer.loadState()).head?.number
    const addKey = (key: string) =>
      store.db.keys.query(
        `INSERT INTO api_keys (key, secret_hash, account, signing_key, created_ms, expires_ms)
          VALUES ($1, 'hash', $2, '0xkey', 1, $3)`,
        [key, WALLET, NOW_MS * 2],
      )
    const isLive = async (key: string) => (await store.identity.find(key, NOW_MS)) !== undefined
    const states = async (ids: readonly string[]) =>
      (await store.intents.find(ids)).map(({ state, reason }) => [state, reason])

    test('what was before the point is there, and what came after is handled as a loss', async () => {
      await addKey('before')
      const backedUp = await accept(3)
      await mine(3)
      cluster.backrest('--type=full', 'backup')
      const archived = await accept(2)
      await mine(2)
      cluster.backrest('--type=diff', 'backup')
      const late = await accept(2)
      await mine(2)
      const head = await headNumber()
      const time = await cluster.server.query('SELECT clock_timestamp()::text')
      const lost = await accept(4)
      await store.identity.revoke(WALLET, 'before', NOW_MS)
      await mine(4)
      await cluster.archive()
      await store.close()

      await cluster.recover(time)
      store = await openStore({ databaseUrl: cluster.server.url() })
      const followers = new Followers()
      await followers.start(cluster.server.url())
      try {
        assert.equal(await headNumber(), head)
        const kept = [...backedUp, ...archived, ...late]
        assert.deepEqual(
          await states(kept),
          kept.map(() => ['refused', 'RESTORED']),
        )
        assert.deepEqual(await states(lost), [])
        assert.equal(await isLive('before'), false, 'its revocation was lost')
        const fresh = await accept(5)
        await mine(9)
        assert.deepEqual(
          await states(fresh),
          fresh.map(() => ['received', undefined]),
        )
        assert.equal(new Set(given).size, given.length, 'a receipt number was given twice')
        const live = (await store.intents.live()).intents.map(({ id }) => id)
        assert.deepEqual(live.toSorted(), fresh.toSorted())
        const now = await headNumber()
        for (const [name, view] of followers.views) {
          const isCurrent = () =>
            name === 'blocks' ? view()[0]?.startsWith(`${now} `) : view().length === fresh.length
          await until(name, () => isCurrent() === true, WITHIN_MS)
        }
      } finally {
        await followers.stop()
      }
    })
  })
