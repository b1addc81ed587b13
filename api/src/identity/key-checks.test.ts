// Keys are checked quickly, and never after they end.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { ApiKey, Identity } from '@openvenue/store/identity/identity'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { NOW_MS } from '../../test/key-node.ts'
import { issueKey } from '../../test/keyed.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import { ALL_RIGHTS } from '../../test/socket-node.ts'
import { type KeyCheckDeps, KeyChecks } from './key-checks.ts'
import { hashText } from './new-key.ts'

const WALLET = `0x${'ab'.repeat(20)}`
const KEY = 'a'.repeat(32)
const LIVE_MS = 5000
const UNKNOWN_MS = 1000
const USES_WRITTEN_MS = 60_000

const makeKey = (given: Partial<ApiKey> = {}): ApiKey => ({
  key: KEY,
  secretHash: hashText('secret'),
  account: WALLET,
  signingKey: WALLET,
  createdMs: NOW_MS,
  expiresMs: NOW_MS + 3_600_000,
  lastUsedMs: undefined,
  ...ALL_RIGHTS,
  ...given,
})

/** A key database that counts its queries, and answers when released. */
function calls(keys: readonly ApiKey[], isHeld = false) {
  const rows = new Map(keys.map((key) => [key.key, key]))
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const used: ReadonlyMap<string, number>[] = []
  let hear: Parameters<Identity['onRevoked']>[0] = () => {}
  let failure: Error | undefined
  const identity: Identity = {
    ...BROKEN_ACCOUNTS.identity,
    find: async (key) => {
      asked.push(key)
      const row = rows.get(key)
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      if (failure !== undefined) throw failure
      return row
    },
    markUsed: async (uses) => {
      if (failure !== undefined) throw failure
      used.push(uses)
    },
    onRevoked: (listener) => {
      hear = listener
      return () => {
        hear = () => {}
      }
    },
  }
  return {
    identity,
    rows,
    asked,
    used,
    notify: (revoked: readonly string[] | undefined) => hear(revoked),
    fail: (error: Error | undefined) => {
      failure = error
    },
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

function makeChecks(identity: Identity, delay?: KeyCheckDeps['delay']) {
  const time = { nowMs: NOW_MS }
  const nowMs = () => time.nowMs
  const deps = { identity, nowMs, monotonicMs: nowMs, ...(delay === undefined ? {} : { delay }) }
  return { time, checks: new KeyChecks(deps) }
}

describe('a check of a key', () => {
  test('a check of a key returns the account, and undefined for a wrong secret, an unknown key or an odd one', async () => {
    const { identity, asked } = calls([makeKey()])
    const { checks } = makeChecks(identity)
    assert.equal((await checks.check(KEY, 'secret'))?.account, WALLET)
    assert.equal(await checks.check(KEY, 'Secret'), undefined)
    assert.equal(await checks.check(KEY, ''), undefined)
    assert.equal(await checks.check('b'.repeat(32), 'secret'), undefined)
    const questions = asked.length
    for (const odd of ['', 'x', KEY.toUpperCase(), `${KEY}a`, `${KEY}\n`, '\u0000'.repeat(32)])
      assert.equal(await checks.check(odd, 'secret'), undefined)
    assert.equal(asked.length, questions, 'the database is not asked for what is no key')
  })

  test('a check of a key remembers a live key for 5 s and an unknown one for 1 s, then asks again', async () => {
    const { identity, asked } = calls([makeKey()])
    const { time, checks } = makeChecks(identity)
    const questionsAt = async (key: string, ms: number) => {
      time.nowMs = NOW_MS + ms
      await checks.check(key, 'secret')
      return asked.filter((each) => each === key).length
    }
    assert.deepEqual([await questionsAt(KEY, 0), await questionsAt(KEY, LIVE_MS - 1)], [1, 1])
    assert.equal(await questionsAt(KEY, LIVE_MS), 2)
    const other = 'b'.repeat(32)
    assert.equal(await questionsAt(other, 0), 1)
    assert.equal(await questionsAt(other, UNKNOWN_MS - 1), 1)
    assert.equal(await questionsAt(other, UNKNOWN_MS), 2)
  })

  test('a check of a key ends with the life of the key to the millisecond, remembered or not', async () => {
    const { identity } = calls([makeKey({ expiresMs: NOW_MS + 1000 })])
    const { time, checks } = makeChecks(identity)
    assert.ok(await checks.check(KEY, 'secret'))
    time.nowMs = NOW_MS + 999
    assert.ok(await checks.check(KEY, 'secret'))
    time.nowMs = NOW_MS + 1000
    assert.equal(await checks.check(KEY, 'secret'), undefined)
  })

  test('concurrent checks of a key query the database once', async () => {
    const { identity, asked, answer } = calls([makeKey()], true)
    const { checks } = makeChecks(identity)
    const pending = Array.from({ length: 50 }, () => checks.check(KEY, 'secret'))
    await turn()
    answer()
    assert.ok((await Promise.all(pending)).every((caller) => caller?.account === WALLET))
    assert.equal(asked.length, 1)
  })

  test('a check of a key rejects while the database does not answer, and asks again afterwards', async () => {
    const { identity, fail } = calls([makeKey()])
    const { checks } = makeChecks(identity)
    fail(new Error('down'))
    await assert.rejects(checks.check(KEY, 'secret'), /down/)
    fail(undefined)
    assert.ok(await checks.check(KEY, 'secret'))
  })

  test('a check of a key remembers at most 10,000 live keys and 1,000 unknown ones, which do not push those out', async () => {
    const nth = (at: number) => at.toString(16).padStart(32, '0')
    const live = Array.from({ length: 10_001 }, (_, at) => makeKey({ key: nth(at) }))
    const { identity, asked } = calls(live)
    const { checks } = makeChecks(identity)
    for (const { key } of live) await checks.check(key, 'secret')
    for (let at = 0; at < 1001; at++) await checks.check(nth(20_000 + at), 'secret')
    asked.length = 0
    for (const at of [1, 10_000, 20_001, 21_000]) await checks.check(nth(at), 'secret')
    assert.deepEqual(asked, [])
    await checks.check(nth(0), 'secret')
    await checks.check(nth(20_000), 'secret')
    assert.deepEqual(asked, [nth(0), nth(20_000)])
  })
})

describe('a revoked key', () => {
  test('a revoked key is dropped as soon as the revocation is published, and listeners are notified', async () => {
    const { identity, rows, notify } = calls([makeKey()])
    const { checks } = makeChecks(identity)
    const revocations: unknown[] = []
    const stop = checks.onRevoked((keys) => revocations.push(keys))
    await checks.check(KEY, 'secret')
    rows.clear()
    notify([KEY])
    assert.equal(await checks.check(KEY, 'secret'), undefined)
    notify(undefined)
    stop()
    notify(['x'])
    assert.deepEqual(revocations, [[KEY], undefined])
  })

  test('the revocation of a key may have been missed: then every key is looked up again', async () => {
    const { identity, asked, notify } = calls([makeKey()])
    const { checks } = makeChecks(identity)
    await checks.check(KEY, 'secret')
    notify(undefined)
    await checks.check(KEY, 'secret')
    assert.equal(asked.length, 2)
  })

  for (const [how, revocations] of [
    ['by name', [KEY]],
    ['as missed news', undefined],
  ] as const)
    test(`a revoked key is not let in by an answer that was read before the revocation arrived ${how}`, async () => {
      const { identity, rows, asked, notify, answer } = calls([makeKey()], true)
      const { checks } = makeChecks(identity)
      const pending = checks.check(KEY, 'secret')
      await turn()
      rows.clear()
      notify(revocations)
      answer()
      await turn()
      answer()
      assert.equal(await pending, undefined)
      assert.equal(asked.length, 2)
    })

  test('the lookup of a revoked key ends even while notifications go missing at every attempt', async () => {
    const { identity, asked, notify } = calls([makeKey()])
    const { find } = identity
    const missing = {
      ...identity,
      find: async (key: string, nowMs: number) => {
        const row = await find(key, nowMs)
        if (asked.length < 10) notify(undefined)
        return row
      },
    }
    const { checks } = makeChecks(missing)
    await assert.rejects(checks.check(KEY, 'secret'), /news of revocations may be missing/)
    assert.equal(asked.length, 3)
  })
})

describe('the last use of a key', () => {
  test('the last use of a key is written a minute after the first use, once for all uses, and then again', async () => {
    const { identity, used } = calls([makeKey()])
    const waits: { ms: number; end: () => void }[] = []
    const delay = (ms: number) => new Promise<void>((end) => waits.push({ ms, end }))
    const { time, checks } = makeChecks(identity, delay)
    await checks.check(KEY, 'wrong')
    assert.equal(waits.length, 0, 'a wrong secret is no use')
    for (const ms of [0, 10, 20]) {
      time.nowMs = NOW_MS + ms
      await checks.check(KEY, 'secret')
    }
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [USES_WRITTEN_MS],
    )
    assert.equal(checks.lastUsedMs(makeKey()), NOW_MS + 20)
    assert.deepEqual(used, [])
    waits[0]?.end()
    await until('it is written', () => used.length === 1)
    assert.deepEqual([...(used[0] ?? [])], [[KEY, NOW_MS + 20]])
    await turn()
    assert.equal(checks.lastUsedMs(makeKey({ lastUsedMs: 5 })), 5)
    await checks.check(KEY, 'secret')
    assert.equal(waits.length, 2)
  })

  test('the last use of a key is kept while the database is down', async () => {
    const { identity, used, fail } = calls([makeKey()])
    const waits: (() => void)[] = []
    const { checks } = makeChecks(identity, () => new Promise<void>((end) => waits.push(end)))
    await checks.check(KEY, 'secret')
    fail(new Error('down'))
    waits[0]?.()
    await turn()
    fail(undefined)
    await checks.check(KEY, 'secret')
    waits[1]?.()
    await until('it is written', () => used.length === 1)
  })

  test('the last use of a key is written when the checks end', async () => {
    const { identity, used } = calls([makeKey()])
    const { checks } = makeChecks(identity)
    await checks.check(KEY, 'secret')
    await checks.close()
    assert.deepEqual([...(used[0] ?? [])], [[KEY, NOW_MS]])
  })

  test('the last use of a key is not written when the key was not used', async () => {
    const { identity, used } = calls([])
    await makeChecks(identity).checks.close()
    assert.deepEqual(used, [])
  })
})

const postgres = postgresEngine(process.env.DATABASE_URL)

if (postgres !== undefined)
  describe(`two nodes on ${postgres.name}`, () => {
    let database: TestDatabase
    let here: Store
    let there: Store
    before(async () => {
      database = await postgres.createDatabase()
      ;[here, there] = await Promise.all([openStore(database.options), openStore(database.options)])
    })
    after(async () => {
      await Promise.all([here.close(), there.close()])
      await database.remove()
    })

    test('a key revoked at one node is refused at the other long before its cache entry expires', async () => {
      const revocations: (readonly string[] | undefined)[] = []
      const checks = new KeyChecks({
        identity: there.identity,
        nowMs: () => NOW_MS,
        monotonicMs: () => NOW_MS,
      })
      checks.onRevoked((keys) => revocations.push(keys))
      await until('it listens', () => revocations.includes(undefined))
      const revokes = [
        (account: string, key: string) => here.identity.revoke(account, key, NOW_MS),
        (account: string) => here.identity.revokeAll(account, NOW_MS),
        async (account: string) => {
          for (let at = 0; at < 5; at++) await issueKey(here, account, NOW_MS)
        },
      ]
      for (const [at, revoke] of revokes.entries()) {
        const account = `0x${`${at}`.repeat(40)}`
        const { key, secret } = await issueKey(here, account, NOW_MS)
        assert.equal((await checks.check(key, secret))?.account, account)
        await revoke(account, key)
        await until('it is heard of', () => revocations.some((keys) => keys?.includes(key)))
        // The clock of this node is frozen: only the notification made it drop the key.
        assert.equal(await checks.check(key, secret), undefined)
      }
      await checks.close()
    })

    test('notifications missed while the connection was lost make every key be looked up again', async () => {
      let missed = 0
      const checks = new KeyChecks({
        identity: there.identity,
        nowMs: () => NOW_MS,
        monotonicMs: () => NOW_MS,
      })
      checks.onRevoked((keys) => {
        if (keys === undefined) missed += 1
      })
      await until('it listens', () => missed === 1)
      const { key, secret } = await issueKey(here, WALLET, NOW_MS)
      assert.ok(await checks.check(key, secret))
      // Deletes the key without a notification, as a node that missed it would see it.
      await here.db.primary.query('DELETE FROM api_keys WHERE key = $1', [key])
      assert.ok(await checks.check(key, secret))
      await here.db.primary.query(
        `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
          WHERE application_name = 'openvenue listener' AND datname = current_database()`,
      )
      await until('it listens again', () => missed === 2)
      assert.equal(await checks.check(key, secret), undefined)
      await checks.close()
    })
  })
