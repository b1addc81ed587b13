// Deletion of data of accounts that never came to the chain, on each database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Registration } from './identity.ts'
import { KEPT_EXPIRED_MS, SWEEP_SQL, SWEPT_MAX } from './sweep.ts'

const NOW_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000
const END_MS = NOW_MS + HOUR_MS
const GONE_MS = END_MS + KEPT_EXPIRED_MS

let made = 0
const freshAccount = () => `0x${(++made).toString(16).padStart(40, '0')}`

type RegistrationInput = Partial<Omit<Registration, 'apiKey'>> & { expiresMs?: number }

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`the sweep of registrations on ${engine.name}`, () => {
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
    beforeEach(() => store.db.script('TRUNCATE registrations, api_keys, accounts, invites'))

    const register = (account: string, given: RegistrationInput = {}) => {
      const { expiresMs = END_MS, ...rest } = given
      const key = (++made).toString(16).padStart(32, '0')
      return store.identity.register({
        account,
        signingKey: `0x${'51'.repeat(20)}`,
        expiry: BigInt(made),
        referralCode: undefined,
        inviteHash: undefined,
        isInviteOnly: false,
        apiKey: { key, secretHash: 'ab'.repeat(32), expiresMs },
        isKeyKept: false,
        keysMax: 5,
        relayed: undefined,
        nowMs: NOW_MS,
        ...rest,
      })
    }
    const open = (wallet: string, account: number) =>
      store.db.primary.query(
        'INSERT INTO accounts (account, wallet, opened_seconds) VALUES ($1, $2, 1)',
        [account, wallet],
      )
    const left = async (table = 'registrations', column = 'account') =>
      (await store.db.primary.query(`SELECT ${column} FROM ${table} ORDER BY 1`)).map(
        ([key]) => key,
      )
    const sweep = (nowMs = GONE_MS) => store.identity.sweep(nowMs)

    test('a wallet that never did anything is deleted a day after the end of its key', async () => {
      const account = freshAccount()
      await register(account)
      await store.notifications.changePreferences(account, { inApp: false })
      assert.equal(await sweep(GONE_MS - 1), 0)
      assert.deepEqual([await left(), await left('api_keys')], [[account], [account]])
      assert.equal(await sweep(), 1)
      assert.deepEqual([await left(), await left('api_keys')], [[], []])
      assert.deepEqual(await left('notification_preferences', 'wallet'), [])
    })

    test('a swept pair of signatures stays used', async () => {
      const account = freshAccount()
      const pair = { expiry: 0n }
      await register(account, pair)
      await sweep()
      assert.deepEqual(await left(), [])
      const again = await register(account, { ...pair, nowMs: GONE_MS, expiresMs: GONE_MS + 1 })
      assert.deepEqual(again, { result: 'signatures_used' })
      assert.deepEqual(await left(), [])
    })

    test('the sweep waits for the last key of the account, whatever its signing key', async () => {
      const account = freshAccount()
      await register(account)
      const signingKey = `0x${'52'.repeat(20)}`
      await register(account, { signingKey, expiresMs: END_MS + HOUR_MS })
      assert.equal(await sweep(), 0)
      assert.equal((await left()).length, 2)
      assert.equal(await sweep(GONE_MS + HOUR_MS), 2)
    })

    test('the sweep depends on existing keys: revoked ones have no end to wait for', async () => {
      const account = freshAccount()
      await register(account)
      await store.identity.revokeAll(account, NOW_MS)
      assert.equal(await sweep(GONE_MS - 1), 0)
      assert.equal(await sweep(), 1)
    })

    test('the first registration of a wallet on the chain is kept, and not checked again', async () => {
      const account = freshAccount()
      await register(account, { referralCode: 'friend' })
      for (const [at, nowMs] of [NOW_MS, NOW_MS + 1].entries())
        await register(account, { signingKey: `0x${'52'.repeat(19)}0${at}`, nowMs })
      await open(account, 3)
      assert.equal(await sweep(), 2)
      const rows = await store.db.primary.query('SELECT referral_code, look_ms FROM registrations')
      assert.deepEqual(rows, [['friend', null]])
      assert.deepEqual(await left('api_keys'), [], 'its keys have ended all the same')
      assert.equal(await sweep(GONE_MS * 2), 0)
    })

    test('the sweep does not cost an account a second invite', async () => {
      const account = freshAccount()
      await store.identity.addInvites(['h'], NOW_MS)
      const invited = { isInviteOnly: true, inviteHash: 'h' }
      assert.equal((await register(account, invited)).result, 'issued')
      assert.equal(await sweep(), 1)
      const again = { isInviteOnly: true, nowMs: GONE_MS, expiresMs: GONE_MS + HOUR_MS }
      assert.equal((await register(account, again)).result, 'issued')
    })

    test(`the sweep checks at most ${SWEPT_MAX} accounts, then continues; two at once share them`, async () => {
      const count = SWEPT_MAX + 700
      await store.db.script(`INSERT INTO registrations
          (account, signing_key, expiry, created_ms, updated_ms, look_ms)
        SELECT '0x' || lpad(to_hex(n), 40, '0'), '0x', 1, 1, 1, n FROM generate_series(1, ${count}) n`)
      const isShared = engine.name === 'PostgreSQL'
      const other = isShared ? await database.open() : store
      const swept = await Promise.all([sweep(), other.identity.sweep(GONE_MS)])
      if (isShared) await other.close()
      const gone = swept[0] + swept[1]
      assert.ok(gone >= SWEPT_MAX && gone <= count, `${swept}`)
      assert.equal((await left()).length, count - gone)
      assert.equal(await sweep(), count - gone)
    })

    for (const [name, args] of [
      ['due', '1'],
      ['keep', `'{a}', '{k}', '{1}'`],
      ['drop', `'{a}', '{k}'`],
      ['dropPreferences', `'{a}'`],
      ['dropKeys', '1'],
    ] as const)
      test(`the sweep statement ${name} reads by an index`, async () => {
        const plan = await store.db.writeTransaction(async (sql) => {
          for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
            await sql.query(`SELECT set_config('enable_${way}', 'off', true)`)
          let text: string = SWEEP_SQL[name]
          for (const [at, value] of args.split(', ').entries())
            text = text.replaceAll(`$${at + 1}`, value)
          return (await sql.query(`EXPLAIN ${text}`)).join('\n')
        })
        assert.ok(plan.includes('Index') && !plan.includes('Seq Scan'), plan)
      })
  })
}
