// Registrations, keys and invites, on each database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Registration } from './identity.ts'
import type { Store } from './store.ts'
import { enginesOf, type Place } from './testing/engines.ts'

const NOW_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000

let made = 0
const freshAccount = () => `0x${(++made).toString(16).padStart(40, 'a')}`
const freshKey = () => (++made).toString(16).padStart(32, '0')

/** A registration of `account`, in everything that the test does not say. */
const registrationOf = (
  account: string,
  given: Partial<Omit<Registration, 'apiKey'>> & { expiresMs?: number; key?: string } = {},
): Registration => {
  const { expiresMs = NOW_MS + HOUR_MS, key = freshKey(), ...rest } = given
  return {
    account,
    signingKey: `0x${'51'.repeat(20)}`,
    expiry: 2n ** 256n - 1n,
    accountSignature: '0x01',
    signingKeySignature: '0x02',
    referralCode: undefined,
    inviteHash: undefined,
    isInviteOnly: false,
    apiKey: { key, secretHash: 'ab'.repeat(32), expiresMs },
    isKeyKept: false,
    keysMax: 5,
    nowMs: NOW_MS,
    ...rest,
  }
}

for (const engine of enginesOf(process.env.DATABASE_URL)) {
  describe(`identities on ${engine.name}`, () => {
    let place: Place
    let store: Store
    before(async () => {
      place = await engine.place()
      store = await place.open()
    })
    after(async () => {
      await store.close()
      await place.remove()
    })
    const register = (account: string, given?: Parameters<typeof registrationOf>[1]) =>
      store.identity.register(registrationOf(account, given))
    const liveKeys = async (account: string, nowMs = NOW_MS) =>
      (await store.identity.liveKeys(account, nowMs)).map(({ key }) => key)

    test('a registration issues a key, which is found with everything about it', async () => {
      const account = freshAccount()
      const registration = registrationOf(account)
      assert.deepEqual(await store.identity.register(registration), {
        result: 'issued',
        revoked: [],
      })
      const { key, secretHash, expiresMs } = registration.apiKey
      const { signingKey } = registration
      const expected = { key, secretHash, account, signingKey, createdMs: NOW_MS, expiresMs }
      const found = await store.identity.find(key, NOW_MS)
      assert.deepEqual(found, { ...expected, lastUsedMs: undefined })
    })
  })
}
