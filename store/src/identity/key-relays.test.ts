// Relays of signing keys, on each database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import type { Store } from '../store.ts'
import type { Registration } from './identity.ts'
import { KEY_RELAY_SQL } from './key-relay-rows.ts'
import {
  KEPT_FINISHED_MS,
  type KeyRegistration,
  type KeyRelay,
  UNFINISHED_MAX,
  WALLET_DAILY_MAX,
  WALLET_UNFINISHED_MAX,
} from './key-relays.ts'

const NOW_MS = 1_800_000_000_000
const DAY_MS = 24 * 3_600_000
const KEY = `0x${'51'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`

let made = 0
const freshWallet = () => `0x${(++made).toString(16).padStart(40, 'a')}`

const makeRegistration = (
  wallet: string,
  given: Partial<KeyRegistration> = {},
): KeyRegistration => ({
  wallet,
  signingKey: KEY,
  expiry: 1_800_003_600n,
  walletSignature: '0x01',
  signingKeySignature: '0x02',
  ...given,
})

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`key relays on ${engine.name}`, () => {
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

    const enqueue = (wallet: string, given?: Partial<KeyRegistration>, nowMs = NOW_MS) =>
      store.keyRelays.enqueue(makeRegistration(wallet, given), nowMs)
    const queued = async (...given: Parameters<typeof enqueue>): Promise<KeyRelay> => {
      const result = await enqueue(...given)
      assert.ok('relay' in result)
      return result.relay
    }
    const newest = async (wallet: string) => (await store.keyRelays.of(wallet, KEY))[0]
    const isUnfinished = async (id: string) =>
      (await store.keyRelays.unfinished(UNFINISHED_MAX)).some((relay) => relay.id === id)
    test('no step of a key relay is dated before the previous one, whichever clock it has', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      const times = async () => {
        const { createdMs, updatedMs } = (await newest(wallet)) as KeyRelay
        return [createdMs - NOW_MS, updatedMs - NOW_MS]
      }
      await store.keyRelays.sent(id, HASH, NOW_MS - 5000)
      assert.deepEqual(await times(), [0, 0])
      await store.keyRelays.done(id, NOW_MS + 10, HASH)
      assert.deepEqual(await times(), [0, 10])
      await store.keyRelays.again(id, NOW_MS - 5000)
      assert.deepEqual(await times(), [0, 10])
      await store.keyRelays.failed(id, 'KeyDead', NOW_MS + 20)
      assert.deepEqual(await times(), [0, 20])
    })

    const clear = () => store.db.primary.query('DELETE FROM key_relays')

    test('a registration is queued with all its fields, whatever its expiry', async () => {
      const wallet = freshWallet()
      const registration = makeRegistration(wallet, { expiry: 2n ** 256n - 1n })
      const relay = await queued(wallet, registration)
      assert.deepEqual(relay, {
        ...registration,
        id: relay.id,
        kind: 'key',
        status: 'pending',
        txHash: undefined,
        reason: undefined,
        createdMs: NOW_MS,
        updatedMs: NOW_MS,
      })
      assert.deepEqual(await store.keyRelays.of(wallet, KEY), [relay])
    })

    test('an allowance is queued once, after the keys of its wallet, and is not one of them', async () => {
      const wallet = freshWallet()
      const key = await queued(wallet)
      const allowance = { wallet, canceller: HASH.slice(0, 42), expiry: 1_800_000_100n }
      const ask = async (signature: string) => {
        const result = await store.keyRelays.enqueueAllowance({ ...allowance, signature }, NOW_MS)
        assert.ok('relay' in result)
        return result.relay
      }
      const relay = await ask('0x07')
      assert.deepEqual(
        [relay.kind, relay.signingKey, relay.walletSignature, relay.status],
        ['canceller', allowance.canceller, '0x07', 'pending'],
      )
      assert.deepEqual(await ask('0x08'), relay)
      assert.deepEqual(await store.keyRelays.newestAllowance(wallet), relay)
      assert.deepEqual(await store.keyRelays.ofWallet(wallet, 9), [key])
      assert.ok(Number(relay.id) > Number(key.id))
    })

    test('keys and allowances of a wallet share one maximum of unfinished relays', async () => {
      await clear()
      const wallet = freshWallet()
      await queued(wallet)
      const ask = (expiry: number) =>
        store.keyRelays.enqueueAllowance(
          { wallet, canceller: KEY, expiry: BigInt(expiry), signature: '0x07' },
          NOW_MS,
        )
      for (let count = 1; count < WALLET_UNFINISHED_MAX; count += 1)
        assert.ok('relay' in (await ask(count)))
      assert.deepEqual(await ask(99), { refused: 'wallet_full' })
      assert.deepEqual(await enqueue(wallet, { expiry: 7n }), { refused: 'wallet_full' })
    })

    test('a repeated registration returns the same relay in its current state', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      assert.equal((await queued(wallet, { walletSignature: '0x09' })).walletSignature, '0x01')
      await store.keyRelays.sent(id, HASH, NOW_MS + 1)
      assert.equal((await queued(wallet)).status, 'sent')
      await store.keyRelays.done(id, NOW_MS + 2)
      const repeated = await queued(wallet, {}, NOW_MS + 3)
      assert.deepEqual([repeated.id, repeated.status, repeated.txHash], [id, 'done', HASH])
      assert.equal((await store.keyRelays.of(wallet, KEY)).length, 1)
    })

    test('a registration of another key or expiry is a separate relay, newest first', async () => {
      const wallet = freshWallet()
      const first = await queued(wallet)
      const two = await queued(wallet, { expiry: 9n })
      const three = await queued(wallet, { signingKey: HASH })
      assert.deepEqual(await store.keyRelays.of(wallet, KEY), [two, first])
      assert.deepEqual(await store.keyRelays.ofWallet(wallet, 9), [three, two, first])
      assert.deepEqual(await store.keyRelays.ofWallet(wallet, 1), [three])
    })

    test('a failed relay is pending again when its registration is repeated, with new signatures', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      await store.keyRelays.failed(id, 'SignatureInvalid', NOW_MS + 1)
      assert.equal((await newest(wallet))?.reason, 'SignatureInvalid')
      const repeated = await queued(wallet, { walletSignature: '0x09' }, NOW_MS + 2)
      assert.deepEqual(
        [repeated.id, repeated.status, repeated.reason, repeated.walletSignature],
        [id, 'pending', undefined, '0x09'],
      )
    })

    test('unfinished relays are those pending or sent, oldest first, not done or failed ones', async () => {
      await clear()
      const relays = []
      for (let count = 0; count < 4; count += 1) relays.push(await queued(freshWallet()))
      const [first, second, third, fourth] = relays.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ]
      await store.keyRelays.sent(first, HASH, NOW_MS)
      await store.keyRelays.done(second, NOW_MS)
      await store.keyRelays.failed(third, 'KeyDead', NOW_MS)
      const ids = async (limit: number) =>
        (await store.keyRelays.unfinished(limit)).map(({ id }) => id)
      assert.deepEqual(await ids(9), [first, fourth])
      assert.deepEqual(await ids(1), [first])
    })

    test('the new transaction of a relay replaces the previous one; finished relays do not change', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      const other = `0x${'cd'.repeat(32)}`
      await store.keyRelays.sent(id, HASH, NOW_MS + 1)
      await store.keyRelays.sent(id, other, NOW_MS + 2)
      assert.equal((await newest(wallet))?.txHash, other)
      await store.keyRelays.done(id, NOW_MS + 3)
      await store.keyRelays.failed(id, 'KeyDead', NOW_MS + 4)
      await store.keyRelays.sent(id, HASH, NOW_MS + 5)
      const relay = await newest(wallet)
      assert.deepEqual(
        [relay?.status, relay?.txHash, relay?.reason, relay?.updatedMs],
        ['done', other, undefined, NOW_MS + 3],
      )
    })

    test('a relay that the chain already had is done without a transaction of ours', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      await store.keyRelays.done(id, NOW_MS)
      assert.deepEqual(
        [(await newest(wallet))?.status, (await newest(wallet))?.txHash],
        ['done', undefined],
      )
    })

    test('a relay undone by a reorg is pending again; a failed one is not', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      await store.keyRelays.done(id, NOW_MS, HASH)
      assert.equal((await newest(wallet))?.txHash, HASH)
      await store.keyRelays.again(id, NOW_MS + 1)
      assert.equal(await isUnfinished(id), true)
      assert.equal((await newest(wallet))?.txHash, undefined)
      await store.keyRelays.failed(id, 'KeyDead', NOW_MS + 2)
      await store.keyRelays.again(id, NOW_MS + 3)
      assert.equal(await isUnfinished(id), false)
    })

    test('the reason of a failed relay is cut, so that a node cannot fill the table', async () => {
      const wallet = freshWallet()
      const { id } = await queued(wallet)
      await store.keyRelays.failed(id, 'x'.repeat(1000), NOW_MS)
      assert.equal((await newest(wallet))?.reason?.length, 200)
    })

    test(`a wallet has at most ${WALLET_UNFINISHED_MAX} unfinished relays, however many it queues`, async () => {
      const wallet = freshWallet()
      const expiries = Array.from({ length: 3 * WALLET_UNFINISHED_MAX }, (_, at) => BigInt(at))
      const results = await Promise.all(expiries.map((expiry) => enqueue(wallet, { expiry })))
      const taken = results.filter((result) => 'relay' in result)
      assert.equal(taken.length, WALLET_UNFINISHED_MAX)
      assert.ok(results.every((result) => 'relay' in result || result.refused === 'wallet_full'))
      // A repeat takes no capacity, and another wallet has its own.
      const [first] = await store.keyRelays.of(wallet, KEY)
      assert.equal((await queued(wallet, { expiry: first?.expiry ?? 0n })).id, first?.id)
      assert.ok('relay' in (await enqueue(freshWallet())))
      await store.keyRelays.done(first?.id ?? '', NOW_MS)
      assert.ok('relay' in (await enqueue(wallet, { expiry: 99n })))
    })

    test(`a wallet has at most ${WALLET_DAILY_MAX} relays a day, finished or not`, async () => {
      const wallet = freshWallet()
      for (let at = 0; at < WALLET_DAILY_MAX; at += 1) {
        const { id } = await queued(wallet, { expiry: BigInt(at) })
        await store.keyRelays.done(id, NOW_MS)
      }
      const later = (nowMs: number) => enqueue(wallet, { expiry: 99n }, nowMs)
      assert.deepEqual(await later(NOW_MS + DAY_MS - 1), { refused: 'wallet_full' })
      assert.ok('relay' in (await later(NOW_MS + DAY_MS)))
    })

    test('a relay that fails and is queued again counts each time in the day', async () => {
      const wallet = freshWallet()
      const again = async (nowMs: number) => {
        const result = await enqueue(wallet, {}, nowMs)
        if ('relay' in result) await store.keyRelays.failed(result.relay.id, 'KeyDead', nowMs)
        return result
      }
      for (let at = 0; at < WALLET_DAILY_MAX; at += 1) assert.ok('relay' in (await again(NOW_MS)))
      assert.deepEqual(await again(NOW_MS + DAY_MS - 1), { refused: 'wallet_full' })
      assert.ok('relay' in (await again(NOW_MS + DAY_MS)))
      for (let at = 1; at < WALLET_DAILY_MAX; at += 1)
        assert.ok('relay' in (await again(NOW_MS + DAY_MS)))
      assert.deepEqual(await again(NOW_MS + DAY_MS), { refused: 'wallet_full' })
    })

    test(`all wallets have at most ${UNFINISHED_MAX} unfinished relays`, async () => {
      await clear()
      await store.db.primary.query(
        `INSERT INTO key_relays (wallet, signing_key, expiry, wallet_signature,
            signing_key_signature, status, times, created_ms, updated_ms)
          SELECT number, 'k', 1, '', '', 'pending', 1, 1, 1 FROM generate_series(2, $1::int) AS number`,
        [UNFINISHED_MAX],
      )
      assert.ok('relay' in (await enqueue(freshWallet())))
      assert.deepEqual(await enqueue(freshWallet()), { refused: 'full' })
      await clear()
    })

    test('finished relays are deleted after a week, as others come; unfinished relays are not', async () => {
      await clear()
      const [old, recent, pending] = [freshWallet(), freshWallet(), freshWallet()]
      for (const [wallet, ms] of [
        [old, NOW_MS],
        [recent, NOW_MS + 1],
      ] as const)
        await store.keyRelays.done((await queued(wallet)).id, ms)
      await queued(pending)
      await queued(freshWallet(), {}, NOW_MS + KEPT_FINISHED_MS)
      const left = await Promise.all([old, recent, pending].map(newest))
      assert.deepEqual(
        left.map((relay) => relay?.status),
        [undefined, 'done', 'pending'],
      )
    })

    test('a listener of key relays is signalled for each queued relay until it stops', async () => {
      let woken = 0
      const stop = store.keyRelays.onQueued(() => {
        woken += 1
      })
      await queued(freshWallet())
      assert.ok(woken > 0)
      stop()
      const before = woken
      await queued(freshWallet())
      assert.equal(woken, before)
    })

    if (engine.name === 'PostgreSQL')
      test('a process is signalled for a relay that another one queues', async () => {
        const other = await database.open()
        const signals: (() => void)[] = []
        const stop = other.keyRelays.onQueued(() => {
          for (const signal of signals) signal()
        })
        const woken = () => new Promise<void>((resolve) => void signals.push(resolve))
        const connected = woken()
        await connected
        const wokenAgain = woken()
        await enqueue(freshWallet())
        await wokenAgain
        stop()
        await other.close()
      })

    test('a wipe of the chain keeps relays', async () => {
      const { id } = await queued(freshWallet())
      await store.writer.wipeChain()
      assert.equal(await isUnfinished(id), true)
    })

    describe('with a registration', () => {
      const registrationOf = (
        account: string,
        given: Partial<Registration> = {},
      ): Registration => ({
        account,
        signingKey: KEY,
        expiry: 7n,
        referralCode: undefined,
        inviteHash: undefined,
        isInviteOnly: false,
        apiKey: {
          key: (++made).toString(16).padStart(32, '0'),
          secretHash: 'ab'.repeat(32),
          expiresMs: NOW_MS + DAY_MS,
        },
        isKeyKept: false,
        keysMax: 5,
        relayed: { walletSignature: '0x0c', signingKeySignature: '0x0d' },
        nowMs: NOW_MS,
        ...given,
      })

      test('a repeated pair of signatures is queued with a new API key or without one', async () => {
        const wallet = freshWallet()
        const registered = await store.identity.register(registrationOf(wallet))
        assert.ok('relay' in registered)
        const { relay } = registered
        assert.deepEqual(
          [relay?.wallet, relay?.signingKey, relay?.expiry, relay?.status],
          [wallet, KEY, 7n, 'pending'],
        )
        assert.deepEqual([relay?.walletSignature, relay?.signingKeySignature], ['0x0c', '0x0d'])
        const repeated = await store.identity.register(registrationOf(wallet, { isKeyKept: true }))
        assert.deepEqual(repeated, { result: 'kept', revoked: [], relay })
      })

      test('a registration without a request to relay queues nothing', async () => {
        const wallet = freshWallet()
        await store.identity.register(registrationOf(wallet, { relayed: undefined }))
        assert.deepEqual(await store.keyRelays.of(wallet, KEY), [])
      })

      test('a registration that cannot be queued issues no key and does not use up its invite', async () => {
        const wallet = freshWallet()
        for (let at = 0; at < WALLET_UNFINISHED_MAX; at += 1)
          await queued(wallet, { expiry: BigInt(at + 100) })
        const invite = 'invite-of-one-that-cannot'
        await store.identity.addInvites([invite], NOW_MS)
        const invited = { isInviteOnly: true, inviteHash: invite }
        const refused = await store.identity.register(registrationOf(wallet, invited))
        assert.deepEqual(refused, { result: 'relay_refused', refused: 'wallet_full' })
        assert.deepEqual(await store.identity.liveKeys(wallet, NOW_MS), [])
        const other = await store.identity.register(registrationOf(freshWallet(), invited))
        assert.equal(other.result, 'issued')
      })

      test('a registration without a required invite queues nothing', async () => {
        const wallet = freshWallet()
        const refused = await store.identity.register(
          registrationOf(wallet, { isInviteOnly: true }),
        )
        assert.equal(refused.result, 'invite_required')
        assert.deepEqual(await store.keyRelays.of(wallet, KEY), [])
      })

      test('a listener of key relays is signalled for a registration', async () => {
        let woken = 0
        const stop = store.keyRelays.onQueued(() => {
          woken += 1
        })
        await store.identity.register(registrationOf(freshWallet()))
        stop()
        assert.ok(woken > 0)
      })
    })

    for (const [name, args] of [
      ['find', `'w', 'k', 1`],
      ['countWallet', `'w', 1`],
      ['countAll', ''],
      ['deleteOld', '1'],
      ['unfinished', '10'],
      ['sent', `1, 'h', 1`],
      ['of', `'w', 'k'`],
      ['ofWallet', `'w', 10`],
    ] as const)
      test(`the key relay statement ${name} reads by an index`, async () => {
        const plan = await store.db.writeTransaction(async (sql) => {
          for (const way of ['seqscan', 'bitmapscan'])
            await sql.query(`SELECT set_config('enable_${way}', 'off', true)`)
          let text: string = KEY_RELAY_SQL[name]
          for (const [at, value] of args.split(', ').entries())
            text = text.replaceAll(`$${at + 1}`, value)
          return (await sql.query(`EXPLAIN ${text}`)).join('\n')
        })
        assert.ok(plan.includes('Index') && !plan.includes('Seq Scan'), plan)
      })
  })
}
