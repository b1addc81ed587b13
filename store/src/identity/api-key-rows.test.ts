// Keys that other keys create, name and narrow, on each database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCOPES } from '@openvenue/core/scopes'
import { until } from '@openvenue/core/test/until'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { ApiKey, NamedKey } from './identity.ts'

const NOW_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000
const SIGNING_KEY = `0x${'51'.repeat(20)}`

let made = 0
const freshAccount = () => `0x${(++made).toString(16).padStart(40, '0')}`
const freshKey = () => (++made).toString(16).padStart(32, '0')

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`keys made by keys on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    let account = ''
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const find = async (key: string): Promise<ApiKey> => {
      const apiKey = await store.identity.find(key, NOW_MS)
      assert.ok(apiKey !== undefined, `${key} is live`)
      return apiKey
    }
    /** Registers like a sign-in; returns its key. */
    const signIn = async (keysMax = 5): Promise<ApiKey> => {
      const apiKey = { key: freshKey(), secretHash: 'ab'.repeat(32), expiresMs: NOW_MS + HOUR_MS }
      await store.identity.register({
        account,
        signingKey: SIGNING_KEY,
        expiry: BigInt(++made),
        referralCode: undefined,
        inviteHash: undefined,
        isInviteOnly: false,
        apiKey,
        isKeyKept: false,
        keysMax,
        relayed: undefined,
        nowMs: NOW_MS,
      })
      return find(apiKey.key)
    }
    const named = (parent: ApiKey, given: Partial<NamedKey> = {}): NamedKey => ({
      key: freshKey(),
      secretHash: 'cd'.repeat(32),
      account,
      signingKey: SIGNING_KEY,
      createdMs: NOW_MS,
      expiresMs: NOW_MS + HOUR_MS,
      name: 'bot',
      scopes: SCOPES,
      ipAddresses: [],
      sealedSecret: undefined,
      parent,
      keysMax: 5,
      ...given,
    })
    const fresh = () => {
      account = freshAccount()
      return signIn()
    }
    const liveKeys = async () =>
      (await store.identity.liveKeys(account, NOW_MS)).map(({ key }) => key)

    test('a key is created with all its fields', async () => {
      const parent = await fresh()
      const namedKey = named(parent, {
        name: 'a "bot", ü',
        scopes: ['read', 'cancel'],
        ipAddresses: ['10.0.0.0/8', '2001:db8::/32'],
        sealedSecret: 'sealed',
      })
      assert.deepEqual(await store.identity.issue(namedKey), { result: 'issued', revoked: [] })
      const { parent: _parent, keysMax: _max, ...expected } = namedKey
      assert.deepEqual(await find(namedKey.key), { ...expected, lastUsedMs: undefined, version: 0 })
      assert.deepEqual(await liveKeys(), [namedKey.key, parent.key])
    })

    test('a named key replaces the oldest sign-in key, never its parent or a named one', async () => {
      const parent = await fresh()
      const first = named(parent)
      await store.identity.issue(first)
      const signIns = [await signIn(), await signIn(), await signIn()]
      const second = named(parent)
      const gone = { result: 'issued', revoked: [signIns[0]?.key] }
      assert.deepEqual(await store.identity.issue(second), gone)
      await store.identity.issue(named(parent))
      await store.identity.issue(named(parent))
      assert.deepEqual(await store.identity.issue(named(parent)), { result: 'full' })
      const live = await liveKeys()
      assert.equal(live.length, 5)
      for (const { key } of [parent, first, second]) assert.ok(live.includes(key))
    })

    test('a key never replaces one with more scopes than its parent', async () => {
      const whole = await fresh()
      const reader = named(whole, { scopes: ['read'] })
      await store.identity.issue(reader)
      const parent = await find(reader.key)
      const namedKey = named(parent, { scopes: ['read'], keysMax: 2 })
      assert.deepEqual(await store.identity.issue(namedKey), { result: 'full' })
      assert.deepEqual(await liveKeys(), [reader.key, whole.key])
    })

    test('a sign-in replaces a named key only when there is no other', async () => {
      const parent = await fresh()
      const keys = [named(parent), named(parent), named(parent)]
      for (const key of keys) await store.identity.issue(key)
      const names = keys.map(({ key }) => key)
      const second = await signIn()
      const third = await signIn()
      assert.deepEqual(await liveKeys(), [third.key, second.key, ...names.toReversed()])
      const fourth = await signIn()
      assert.deepEqual(await liveKeys(), [fourth.key, third.key, ...names.toReversed()])
      const { key } = await signIn(3)
      assert.deepEqual(await liveKeys(), [key, names[2], names[1]], 'the oldest named one went')
    })

    test('a parent key that was narrowed, revoked or has expired meanwhile creates no key', async () => {
      const parent = await fresh()
      const amendment = { ...parent, scopes: ['read'] as const, isNarrower: true }
      await store.identity.amend(parent, amendment, NOW_MS)
      assert.deepEqual(await store.identity.issue(named(parent)), { result: 'parent_gone' })
      const late = { createdMs: NOW_MS + HOUR_MS }
      const narrowed = await find(parent.key)
      assert.deepEqual(await store.identity.issue(named(narrowed, late)), { result: 'parent_gone' })
      await store.identity.revoke(account, parent.key, NOW_MS)
      assert.deepEqual(await store.identity.issue(named(narrowed)), { result: 'parent_gone' })
      assert.deepEqual(await liveKeys(), [])
    })

    test('of 20 keys created at once the maximum number is live, including their parent', async () => {
      const parent = await fresh()
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store.identity.issue(named(parent))),
      )
      assert.equal(outcomes.filter(({ result }) => result === 'issued').length, 4)
      const live = await liveKeys()
      assert.ok(live.length === 5 && live.includes(parent.key))
    })

    test('narrowing a key changes its version and is published; renaming does neither', async () => {
      const key = await fresh()
      const other = await signIn()
      const revokedKeys: string[] = []
      const stop = store.identity.onRevoked((keys) => revokedKeys.push(...(keys ?? [])))
      const renamed = await store.identity.amend(
        key,
        { ...key, name: 'ui', isNarrower: false },
        NOW_MS,
      )
      assert.deepEqual(renamed, { ...key, name: 'ui' })
      await store.identity.amend(other, { ...other, isNarrower: true }, NOW_MS)
      await until('the news came', () => revokedKeys.includes(other.key))
      assert.ok(!revokedKeys.includes(key.key))
      const less = { ...key, name: 'ui', ipAddresses: ['10.0.0.1'], expiresMs: NOW_MS + 1 }
      const narrowed = await store.identity.amend(key, { ...less, isNarrower: true }, NOW_MS)
      assert.deepEqual(narrowed, { ...less, version: 1 })
      await until('the news came', () => revokedKeys.includes(key.key))
      assert.deepEqual([...(await store.identity.liveAmong([key.key], NOW_MS))], [[key.key, 1]])
      stop()
    })

    test('a key that changed since it was read is not amended', async () => {
      const key = await fresh()
      const change = { ...key, isNarrower: true }
      await store.identity.amend(key, change, NOW_MS)
      assert.equal(await store.identity.amend(key, change, NOW_MS), undefined)
      const now = await find(key.key)
      assert.equal(await store.identity.amend(now, change, NOW_MS + HOUR_MS), undefined)
      await store.identity.revoke(account, key.key, NOW_MS)
      assert.equal(await store.identity.amend(now, change, NOW_MS), undefined)
    })

    test('a new key notifies its account, and so does one that it replaced', async () => {
      const parent = await fresh()
      await signIn()
      const namedKey = named(parent, { keysMax: 2 })
      const issued = await store.identity.issue(namedKey)
      assert.equal(issued.result, 'issued')
      const page = await store.db.primary.query(
        'SELECT type FROM notifications WHERE wallet = $1 ORDER BY id',
        [account],
      )
      assert.deepEqual(page.flat().sort(), [
        'api_key_created',
        'api_key_created',
        'api_key_created',
        'api_key_revoked',
      ])
    })
  })
}
