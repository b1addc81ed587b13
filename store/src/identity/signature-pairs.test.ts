// Refusal of used signatures, and of keys revoked on the chain.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Registration } from './identity.ts'

const NOW_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000

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
  describe(`registrations that are refused on ${engine.name}`, () => {
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

    describe('a pair of signatures', () => {
      const pair = { expiry: 7n }
      const used = { result: 'signatures_used' }

      test('a pair of signatures issues one key, and another expiry, key or account is another pair', async () => {
        const account = freshAccount()
        const signingKey = `0x${'53'.repeat(20)}`
        assert.equal((await register(account, pair)).result, 'issued')
        assert.deepEqual(await register(account, pair), used)
        assert.equal((await liveKeys(account)).length, 1)
        assert.equal((await register(account, { expiry: 8n })).result, 'issued')
        assert.equal((await register(account, { ...pair, signingKey })).result, 'issued')
        assert.equal((await register(freshAccount(), pair)).result, 'issued')
      })

      test('a pair of signatures issues one key although 20 calls arrive at once on two nodes', async () => {
        const account = freshAccount()
        const isShared = engine.name === 'PostgreSQL'
        const other = isShared ? await database.open() : store
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            (at % 2 === 0 ? store : other).identity.register(makeRegistration(account, pair)),
          ),
        ).finally(() => (isShared ? other.close() : undefined))
        const results = outcomes.map(({ result }) => result).sort()
        assert.deepEqual(results, ['issued', ...Array(19).fill('signatures_used')])
      })

      test('a pair of signatures is not used up when a live key is kept or nothing is done', async () => {
        const account = freshAccount()
        await register(account)
        const keepKey = { ...pair, isKeyKept: true }
        assert.equal((await register(account, keepKey)).result, 'kept')
        assert.equal((await register(account, keepKey)).result, 'kept')
        const invited = { ...pair, isInviteOnly: true }
        const stranger = freshAccount()
        assert.equal((await register(stranger, invited)).result, 'invite_required')
        for (const each of [account, stranger])
          assert.equal((await register(each, pair)).result, 'issued')
        assert.equal((await register(account, keepKey)).result, 'kept')
        await store.identity.revokeAll(account, NOW_MS)
        assert.deepEqual(await register(account, keepKey), used)
      })

      test('a used pair of signatures leaves an invite unused', async () => {
        const account = freshAccount()
        const inviteHash = freshKey()
        await store.identity.addInvites([inviteHash], NOW_MS)
        await register(account, pair)
        await store.db.primary.query('DELETE FROM registrations WHERE account = $1', [account])
        const invited = { ...pair, isInviteOnly: true, inviteHash }
        assert.deepEqual(await register(account, invited), used)
        const other = { isInviteOnly: true, inviteHash }
        assert.equal((await register(freshAccount(), other)).result, 'issued')
      })
    })

    test('a key revoked on the chain cannot register until the revocation is undone', async () => {
      const account = freshAccount()
      const signingKey = freshAccount()
      const { query } = store.db.primary
      await query(
        'INSERT INTO signing_keys (key, account, expiry_seconds, is_revoked) VALUES ($1, 9, 1, true)',
        [signingKey],
      )
      const inviteHash = freshKey()
      await store.identity.addInvites([inviteHash], NOW_MS)
      for (const given of [{}, { isKeyKept: true }, { isInviteOnly: true, inviteHash }])
        assert.deepEqual(await register(account, { signingKey, ...given }), {
          result: 'key_revoked',
        })
      assert.deepEqual(await query('SELECT 1 FROM registrations WHERE account = $1', [account]), [])
      await query('UPDATE signing_keys SET is_revoked = false WHERE key = $1', [signingKey])
      const again = await register(account, { signingKey, isInviteOnly: true, inviteHash })
      assert.equal(again.result, 'issued')
    })
  })
}
