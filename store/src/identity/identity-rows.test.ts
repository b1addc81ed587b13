// Registrations, keys and invites, on each database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCOPES } from '@openvenue/core/scopes'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Registration } from './identity.ts'
import { IDENTITY_SQL, REGISTRATIONS_MAX } from './identity-rows.ts'

const NOW_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000
const ISSUED = { result: 'issued', relay: undefined }

let made = 0
const freshAccount = () => `0x${(++made).toString(16).padStart(40, '0')}`
const freshKey = () => (++made).toString(16).padStart(32, '0')

type RegistrationInput = Partial<Omit<Registration, 'apiKey'>> & {
  expiresMs?: number
  key?: string
}

/** Returns a registration of `account` with defaults. */
const makeRegistration = (account: string, given: RegistrationInput = {}): Registration => {
  const { expiresMs = NOW_MS + HOUR_MS, key = freshKey(), ...rest } = given
  return {
    account,
    signingKey: `0x${'51'.repeat(20)}`,
    // Each key needs its own pair of signatures.
    expiry: 2n ** 256n - 1n - BigInt(++made),
    referralCode: undefined,
    inviteHash: undefined,
    isInviteOnly: false,
    apiKey: { key, secretHash: 'ab'.repeat(32), expiresMs },
    isKeyKept: false,
    keysMax: 5,
    relayed: undefined,
    nowMs: NOW_MS,
    ...rest,
  }
}

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`identities on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })
    const register = (account: string, given?: RegistrationInput) =>
      store.identity.register(makeRegistration(account, given))
    const liveKeys = async (account: string, nowMs = NOW_MS) =>
      (await store.identity.liveKeys(account, nowMs)).map(({ key }) => key)

    test('a registration issues a key, which is found with all its fields', async () => {
      const account = freshAccount()
      const registration = makeRegistration(account)
      assert.deepEqual(await store.identity.register(registration), {
        result: 'issued',
        revoked: [],
        relay: undefined,
      })
      const { key, secretHash, expiresMs } = registration.apiKey
      const { signingKey } = registration
      const expected = { key, secretHash, account, signingKey, createdMs: NOW_MS, expiresMs }
      const rights = { name: undefined, scopes: SCOPES, ipAddresses: [], sealedSecret: undefined }
      const stored = await store.identity.find(key, NOW_MS)
      assert.deepEqual(stored, { ...expected, lastUsedMs: undefined, ...rights, version: 0 })
    })

    test('an API key that is unknown, expired or revoked is not found', async () => {
      const account = freshAccount()
      const { apiKey } = makeRegistration(account)
      const { key, expiresMs } = apiKey
      await register(account, { key, expiresMs })
      const isFound = async (nowMs: number) => (await store.identity.find(key, nowMs)) !== undefined
      assert.equal(await store.identity.find('no such key', NOW_MS), undefined)
      assert.deepEqual([await isFound(expiresMs - 1), await isFound(expiresMs)], [true, false])
      await store.identity.revoke(account, key, NOW_MS)
      assert.equal(await isFound(NOW_MS), false)
    })

    test('the live keys among thousands are found', async () => {
      const account = freshAccount()
      const [live, expired, revoked] = [freshKey(), freshKey(), freshKey()]
      await register(account, { key: live })
      await register(account, { key: expired, expiresMs: NOW_MS })
      await register(account, { key: revoked })
      await store.identity.revoke(account, revoked, NOW_MS)
      const keys = [...Array.from({ length: 2500 }, freshKey), expired, revoked, live]
      assert.deepEqual([...(await store.identity.liveAmong(keys, NOW_MS))], [[live, 0]])
      assert.deepEqual([...(await store.identity.liveAmong([], NOW_MS))], [])
    })

    test('the live keys of an account are listed newest first, without keys of other accounts', async () => {
      const account = freshAccount()
      await register(freshAccount())
      await register(account, { key: 'one', expiresMs: NOW_MS + 1 })
      await register(account, { key: 'two' })
      await register(account, { key: 'three' })
      assert.deepEqual(await liveKeys(account), ['three', 'two', 'one'])
      assert.deepEqual(await liveKeys(account, NOW_MS + 1), ['three', 'two'])
    })

    test('the sixth live key of an account revokes the oldest; expired keys do not count', async () => {
      const account = freshAccount()
      const keys = Array.from({ length: 6 }, freshKey)
      await register(account, { expiresMs: NOW_MS })
      for (const key of keys.slice(0, 5))
        assert.deepEqual(await register(account, { key }), { ...ISSUED, revoked: [] })
      const sixth = await register(account, { key: keys[5] as string })
      assert.deepEqual(sixth, { ...ISSUED, revoked: [keys[0]] })
      assert.deepEqual(await liveKeys(account), keys.slice(1).reverse())
    })

    test('a lower maximum of keys applies at the next registration', async () => {
      const account = freshAccount()
      const keys = Array.from({ length: 4 }, freshKey)
      for (const key of keys) await register(account, { key })
      const registered = await register(account, { key: 'last', keysMax: 2 })
      assert.deepEqual('revoked' in registered && [...registered.revoked].sort(), keys.slice(0, 3))
      assert.deepEqual(await liveKeys(account), ['last', keys[3]])
    })

    test('20 registrations at once each get a key, and five are live in the end', async () => {
      const account = freshAccount()
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => register(account)))
      assert.ok(outcomes.every(({ result }) => result === 'issued'))
      const revoked = outcomes.flatMap((outcome) => ('revoked' in outcome ? outcome.revoked : []))
      assert.equal(new Set(revoked).size, 15)
      assert.equal(revoked.length, 15)
      assert.equal((await liveKeys(account)).length, 5)
    })

    test('a registration keeps a live key on request, and issues a key when there is none', async () => {
      const account = freshAccount()
      const keepKey = { isKeyKept: true }
      assert.equal(
        (await register(account, { ...keepKey, expiresMs: NOW_MS + 1 })).result,
        'issued',
      )
      assert.deepEqual(await register(account, keepKey), {
        result: 'kept',
        revoked: [],
        relay: undefined,
      })
      assert.equal((await liveKeys(account)).length, 1)
      const later = { ...keepKey, nowMs: NOW_MS + 1 }
      assert.equal((await register(account, later)).result, 'issued')
    })

    test('a registration is stored once per signing key, without signatures', async () => {
      const account = freshAccount()
      const other = `0x${'52'.repeat(20)}`
      await register(account, { referralCode: 'first', nowMs: 1 })
      await register(account, { expiry: 5n, nowMs: 2 })
      await register(account, { signingKey: other, expiry: 2n ** 256n - 1n, nowMs: 3 })
      const rows = await store.db.primary.query(
        `SELECT signing_key, expiry, referral_code, created_ms, updated_ms
          FROM registrations WHERE account = $1 ORDER BY created_ms`,
        [account],
      )
      assert.deepEqual(rows, [
        [`0x${'51'.repeat(20)}`, '5', 'first', '1', '2'],
        [other, (2n ** 256n - 1n).toString(), null, '3', '3'],
      ])
      const columns = await store.db.primary.query(
        "SELECT 1 FROM information_schema.columns WHERE column_name LIKE '%account_signature%'",
      )
      assert.deepEqual(columns, [])
    })

    test(`an account with endless new keys keeps its first registration, and ${REGISTRATIONS_MAX}`, async () => {
      const account = freshAccount()
      const keys = Array.from({ length: REGISTRATIONS_MAX + 5 }, freshAccount)
      for (const [at, signingKey] of keys.entries())
        await register(account, { signingKey, nowMs: at + 1, isKeyKept: at % 2 === 1 })
      const rows = await store.db.primary.query(
        'SELECT signing_key FROM registrations WHERE account = $1 ORDER BY created_ms',
        [account],
      )
      const expected = [keys[0], ...keys.slice(-REGISTRATIONS_MAX)]
      assert.deepEqual(
        rows,
        expected.map((key) => [key]),
      )
    })

    test('one live key of the account is revoked, once, and no expired key or key of others', async () => {
      const [account, other] = [freshAccount(), freshAccount()]
      const [key, expired, foreign] = [freshKey(), freshKey(), freshKey()]
      await register(account, { key })
      await register(account, { key: expired, expiresMs: NOW_MS })
      await register(other, { key: foreign })
      const revoke = (apiKey: string) => store.identity.revoke(account, apiKey, NOW_MS)
      const done = [await revoke(expired), await revoke(foreign), await revoke('none')]
      assert.deepEqual(done, [false, false, false])
      assert.deepEqual([await revoke(key), await revoke(key)], [true, false])
      assert.deepEqual(await liveKeys(other), [foreign])
    })

    test('all live keys of the account are revoked, and no others', async () => {
      const [account, other] = [freshAccount(), freshAccount()]
      const keys = [freshKey(), freshKey()]
      for (const key of keys) await register(account, { key })
      await register(account, { expiresMs: NOW_MS })
      await register(other)
      assert.deepEqual([...(await store.identity.revokeAll(account, NOW_MS))].sort(), keys)
      assert.deepEqual(await store.identity.revokeAll(account, NOW_MS), [])
      assert.equal((await liveKeys(other)).length, 1)
    })

    test('the time of last use of a key only moves forward, for existing keys', async () => {
      const account = freshAccount()
      const [first, second] = [freshKey(), freshKey()]
      for (const key of [first, second]) await register(account, { key })
      const usedMs = async (key: string) => (await store.identity.find(key, NOW_MS))?.lastUsedMs
      await store.identity.markUsed(new Map())
      await store.identity.markUsed(new Map([['none', 5]]))
      await store.identity.markUsed(new Map([[first, NOW_MS + 7]]))
      await store.identity.markUsed(
        new Map([
          [first, NOW_MS],
          [second, NOW_MS + 1],
        ]),
      )
      assert.deepEqual([await usedMs(first), await usedMs(second)], [NOW_MS + 7, NOW_MS + 1])
    })

    describe('where accounts register by invitation', () => {
      const invited = (inviteHash?: string) => ({ isInviteOnly: true, inviteHash })
      const freshInvite = async () => {
        const hash = freshKey()
        await store.identity.addInvites([hash], NOW_MS)
        return hash
      }

      test('a new account needs an existing, unused invite', async () => {
        const account = freshAccount()
        const hash = await freshInvite()
        assert.deepEqual(await register(account, invited()), { result: 'invite_required' })
        assert.deepEqual(await register(account, invited('x')), { result: 'invite_invalid' })
        assert.deepEqual(await liveKeys(account), [])
        assert.equal((await register(account, invited(hash))).result, 'issued')
        const refused = await register(freshAccount(), invited(hash))
        assert.deepEqual(refused, { result: 'invite_used' })
      })

      test('a refused registration leaves nothing behind', async () => {
        const account = freshAccount()
        await register(account, invited('x'))
        const rows = await store.db.primary.query(
          'SELECT 1 FROM registrations WHERE account = $1',
          [account],
        )
        assert.deepEqual(rows, [])
      })

      test('an account that is registered needs no invite, and uses up none', async () => {
        const account = freshAccount()
        const hash = await freshInvite()
        await register(account)
        assert.equal((await register(account, invited())).result, 'issued')
        assert.equal((await register(account, invited(hash))).result, 'issued')
        assert.equal((await register(freshAccount(), invited(hash))).result, 'issued')
      })

      test('of 20 accounts at once with one invite, one registers', async () => {
        const hash = await freshInvite()
        const accounts = Array.from({ length: 20 }, freshAccount)
        const outcomes = await Promise.all(accounts.map((each) => register(each, invited(hash))))
        const counted = (result: string) => outcomes.filter((each) => each.result === result).length
        assert.deepEqual([counted('issued'), counted('invite_used')], [1, 19])
      })

      test('one account that registers 5 times at once uses one of two invites', async () => {
        const account = freshAccount()
        const hashes = [await freshInvite(), await freshInvite()]
        const given = [0, 1, 0, 1, 0].map((at) => invited(hashes[at]))
        await Promise.all(given.map((each) => register(account, each)))
        const used = await store.db.primary.query(
          'SELECT count(*) FROM invites WHERE account = $1',
          [account],
        )
        assert.deepEqual(used, [['1']])
      })

      test('an invite is not used up where accounts register freely', async () => {
        const hash = await freshInvite()
        await register(freshAccount(), { inviteHash: hash })
        assert.equal((await register(freshAccount(), invited(hash))).result, 'issued')
      })
    })

    test('revocations of keys are published in this process at once, whatever their cause', async () => {
      const account = freshAccount()
      const [first, second, third, fourth] = Array.from({ length: 4 }, freshKey) as [
        string,
        string,
        string,
        string,
      ]
      const revocations: (readonly string[] | undefined)[] = []
      const stop = store.identity.onRevoked((keys) => revocations.push(keys))
      const wasAnnounced = (key: string) => revocations.some((keys) => keys?.includes(key))
      for (const key of [first, second]) await register(account, { key })
      await store.identity.revoke(account, first, NOW_MS)
      assert.deepEqual([wasAnnounced(first), wasAnnounced(second)], [true, false])
      await register(account, { key: third, keysMax: 1 })
      assert.deepEqual([wasAnnounced(second), wasAnnounced(third)], [true, false])
      await register(account, { key: fourth })
      await store.identity.revokeAll(account, NOW_MS)
      assert.deepEqual([wasAnnounced(third), wasAnnounced(fourth)], [true, true])
      stop()
      const count = revocations.length
      await register(account)
      await store.identity.revokeAll(account, NOW_MS)
      assert.equal(revocations.length, count)
    })

    if (engine.name === 'PostgreSQL')
      test('last uses are written without waiting for keys that another process has locked', async () => {
        const account = freshAccount()
        const [locked, free] = [freshKey(), freshKey()]
        for (const key of [locked, free]) await register(account, { key })
        await store.db.writeTransaction(async (sql) => {
          await sql.query(`SELECT key FROM api_keys WHERE key = '${locked}' FOR UPDATE`)
          await store.identity.markUsed(new Map([locked, free].map((key) => [key, NOW_MS + 1])))
        })
        const live = await store.identity.liveKeys(account, NOW_MS)
        assert.deepEqual(
          live.map(({ key, lastUsedMs }) => [key, lastUsedMs]),
          [
            [free, NOW_MS + 1],
            [locked, undefined],
          ],
        )
      })

    test('a wipe of the chain keeps registrations, keys and invites', async () => {
      const account = freshAccount()
      await register(account)
      await store.writer.wipeChain()
      assert.equal((await liveKeys(account)).length, 1)
    })

    for (const [name, args] of [
      ['isRegistered', `'a'`],
      ['useInvite', `'h', 1, 'a'`],
      ['hasInvite', `'h'`],
      ['find', `'k', 1`],
      ['liveAmong', `'{k,l}', 1`],
      ['liveKeys', `'a', 1`],
      ['revoke', `'a', 'k', 1`],
      ['revokeAll', `'a', 1`],
      ['revokeOldest', `'a', 1, 5, 'k'`],
      ['countLive', `'a', 1`],
      ['revokeUnnamed', `'a', 1, 2, 'k', 'read'`],
      ['isUnchanged', `'k', 0, 1`],
      ['amend', `'k', 0, 1, NULL, 'read', '', 2, 1`],
      ['isRevokedOnChain', `'k'`],
      ['boundRegistrations', `'a'`],
    ] as const)
      test(`the identity statement ${name} reads by an index`, async () => {
        const plan = await store.db.writeTransaction(async (sql) => {
          for (const way of ['seqscan', 'bitmapscan'])
            await sql.query(`SELECT set_config('enable_${way}', 'off', true)`)
          let text: string = IDENTITY_SQL[name]
          for (const [at, value] of args.split(', ').entries())
            text = text.replaceAll(`$${at + 1}`, value)
          return (await sql.query(`EXPLAIN ${text}`)).join('\n')
        })
        assert.ok(plan.includes('Index') && !plan.includes('Seq Scan'), plan)
      })
  })
}
