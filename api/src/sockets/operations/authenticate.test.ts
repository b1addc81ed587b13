// Identity of a connection: interface 3.4 and 5.4, sentence by sentence, over each transport.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type Client, TRANSPORTS } from '../../../test/socket-client.ts'
import { ALICE, BOB, type SocketNode, socketNode } from '../../../test/socket-node.ts'

/** Microtask turns that a check takes, and some more. */
const MOMENTS = 16

const EXPIRED = {
  data: {
    success: false,
    code: 'AUTH_EXPIRED',
    message: 'the API key has expired or was revoked: authenticate and subscribe again',
  },
  error: 'AUTH_EXPIRED',
}

/** The answer of `status` without an identity, apart from subscriptions. */
const NOBODY = { account: null, trading: 'live' }

for (const transport of TRANSPORTS)
  describe(`authentication over ${transport}`, () => {
    let node: SocketNode
    let client: Client
    const status = async () => (await client.ask('status')).data
    beforeEach(async () => {
      node = await socketNode()
      client = await node.connect(transport)
    })
    afterEach(() => node.close())

    test('a key and its secret give the account, lower case, and when the key expires', async () => {
      client.send({ op: 'auth', data: node.keys.issue(ALICE, 'a', 1500) })
      assert.deepEqual(await client.next(), {
        data: { success: true, account: ALICE, expires_timestamp: '1500000000' },
      })
      assert.equal((await status()).account, ALICE)
    })

    test('after auth the own private channels carry only data of the account', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      assert.deepEqual((await client.ask('subscribe', ['mine'])).data, ['mine'])
      assert.equal((await client.next()).data, 'snapshot')
      const other = await node.connect(transport)
      await other.ask('auth', node.keys.issue(BOB, 'b'))
      await other.ask('subscribe', ['mine'])
      assert.equal((await other.next()).data, 'snapshot')
      node.channels.publish('mine', 'for alice', ALICE)
      node.channels.publish('mine', 'for bob', BOB)
      assert.equal((await client.next()).data, 'for alice')
      assert.equal((await other.next()).data, 'for bob')
      const heard = [...client.frames, ...other.frames].filter(({ channel }) => channel === 'mine')
      assert.equal(heard.length, 4)
    })

    const key = 'a'.repeat(32)
    for (const [what, data] of [
      ['a wrong secret', { key, secret: 'b'.repeat(64) }],
      ['a wrong key', { key: 'c'.repeat(32), secret: 'a'.repeat(64) }],
      ['no secret', { key }],
      ['no key', { secret: 'a'.repeat(64) }],
      ['nothing', undefined],
      ['a key that is no text', { key: 1, secret: 'a'.repeat(64) }],
      ['an endless key', { key: 'a'.repeat(257), secret: 'a'.repeat(64) }],
    ] as const)
      test(`${what} is AUTH_INVALID and takes identity and private channels`, async () => {
        await client.ask('auth', node.keys.issue(ALICE, 'a'))
        await client.ask('subscribe', ['wall', 'mine'])
        const { error, data: reply } = await client.ask('auth', data)
        assert.equal(error, 'AUTH_INVALID')
        assert.equal(reply.success, false)
        assert.equal(reply.code, 'AUTH_INVALID')
        node.channels.publish('mine', 'unheard', ALICE)
        assert.deepEqual(await status(), { ...NOBODY, subscriptions: ['wall'] })
        assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
      })

    test('an expired key is AUTH_INVALID', async () => {
      node.clock.nowMs = 1000
      const { error } = await client.ask('auth', node.keys.issue(ALICE, 'a', 1000))
      assert.equal(error, 'AUTH_INVALID')
    })

    test('a database that is down is AUTH_UNAVAILABLE and takes identity and private channels', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      await client.ask('subscribe', ['wall', 'mine'])
      const other = node.keys.issue(BOB, 'b')
      node.keys.isDown = true
      const { error, data } = await client.ask('auth', other)
      assert.equal(error, 'AUTH_UNAVAILABLE')
      assert.equal(data.code, 'AUTH_UNAVAILABLE')
      assert.deepEqual(await status(), { ...NOBODY, subscriptions: ['wall'] })
    })

    test('the sixth attempt in a minute is AUTH_RATE_LIMITED and keeps the identity', async () => {
      const credentials = node.keys.issue(ALICE, 'a')
      for (let attempt = 0; attempt < 5; attempt++) {
        node.clock.nowMs = attempt * 1000
        assert.equal((await client.ask('auth', credentials)).error, undefined)
      }
      await client.ask('subscribe', ['mine'])
      node.clock.nowMs = 10_000
      const { error, data } = await client.ask('auth', { key: 'x', secret: 'y' })
      assert.equal(error, 'AUTH_RATE_LIMITED')
      assert.deepEqual([data.success, data.code], [false, 'AUTH_RATE_LIMITED'])
      assert.equal(data.retryAfterMs, 50_000)
      assert.deepEqual(await status(), { ...NOBODY, account: ALICE, subscriptions: ['mine'] })
      node.clock.nowMs = 10_000 + data.retryAfterMs - 1
      assert.equal((await client.ask('auth', credentials)).error, 'AUTH_RATE_LIMITED')
      node.clock.nowMs += 1
      assert.equal((await client.ask('auth', credentials)).error, undefined)
    })

    test('AUTH_EXPIRED is pushed when the key expires, and ends identity and private channels', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a', 60_000))
      await client.ask('subscribe', ['wall', 'mine'])
      node.clock.nowMs = 59_999
      node.sockets.sweep()
      assert.equal((await status()).account, ALICE)
      node.clock.nowMs = 60_000
      node.sockets.sweep()
      assert.deepEqual(await client.next(({ error }) => error !== undefined), EXPIRED)
      node.channels.publish('mine', 'unheard', ALICE)
      assert.deepEqual(await status(), { ...NOBODY, subscriptions: ['wall'] })
      assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
    })

    test('an operation after the expiry finds no identity, swept or not', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a', 60_000))
      node.clock.nowMs = 60_000
      assert.equal((await client.ask('subscribe', ['mine'])).error, 'AUTH_REQUIRED')
      assert.ok(client.frames.some(({ error }) => error === 'AUTH_EXPIRED'))
    })

    test('AUTH_EXPIRED is pushed once when the key is revoked, and not to other keys', async () => {
      const other = await node.connect(transport)
      const credentials = node.keys.issue(ALICE, 'a')
      await client.ask('auth', credentials)
      await client.ask('subscribe', ['mine'])
      await other.ask('auth', node.keys.issue(ALICE, 'b'))
      node.keys.revoke(credentials.key)
      node.sockets.sweep()
      assert.deepEqual(await client.next(({ error }) => error !== undefined), EXPIRED)
      assert.deepEqual(await status(), { ...NOBODY, subscriptions: [] })
      assert.equal((await other.ask('status')).data.account, ALICE)
      const expired = [...client.frames, ...other.frames].filter(({ error }) => error !== undefined)
      assert.equal(expired.length, 1)
    })

    test('after AUTH_EXPIRED the client may authenticate and subscribe again', async () => {
      const credentials = node.keys.issue(ALICE, 'a')
      await client.ask('auth', credentials)
      node.keys.revoke(credentials.key)
      await client.ask('auth', node.keys.issue(ALICE, 'b'))
      assert.deepEqual((await client.ask('subscribe', ['mine'])).data, ['mine'])
    })

    test('a key revoked while it is checked is AUTH_INVALID', async () => {
      const admission = Promise.withResolvers<void>()
      node.keys.before = admission.promise
      const credentials = node.keys.issue(ALICE, 'a')
      const reply = client.ask('auth', credentials)
      await until('the key is looked up', () => node.keys.lookups > 0)
      node.keys.revoke(credentials.key)
      admission.resolve()
      assert.equal((await reply).error, 'AUTH_INVALID')
    })

    test('a key revoked at any moment of its check leaves no identity', async () => {
      for (let moment = 0; moment < MOMENTS; moment++) {
        const admission = Promise.withResolvers<void>()
        node.keys.before = admission.promise
        const credentials = node.keys.issue(ALICE, moment.toString(16))
        const asked = node.keys.lookups
        const own = await node.connect(transport)
        const reply = own.ask('auth', credentials)
        await until('the key is looked up', () => node.keys.lookups > asked)
        admission.resolve()
        const revoke = (left: number) =>
          left === 0
            ? node.keys.revoke(credentials.key)
            : queueMicrotask(() => {
                revoke(left - 1)
              })
        revoke(moment)
        const isIn = (await reply).error === undefined
        assert.equal((await own.ask('status')).data.account, null, `at moment ${moment}`)
        // A client that received success must receive AUTH_EXPIRED after it.
        const last = own.frames.findLast(({ data }) => data.success !== undefined)
        if (isIn) assert.equal(last?.error, 'AUTH_EXPIRED', `at moment ${moment}`)
        own.close()
      }
    })

    test('while notifications of revocations may be missing, every key is looked up', async () => {
      const credentials = node.keys.issue(ALICE, 'a')
      const other = await node.connect(transport)
      await client.ask('auth', credentials)
      await other.ask('auth', node.keys.issue(BOB, 'b'))
      node.keys.live.delete(credentials.key)
      node.keys.isDown = true
      node.keys.say(undefined)
      assert.equal((await status()).account, ALICE)
      node.keys.isDown = false
      node.sockets.sweep()
      assert.deepEqual(await client.next(), EXPIRED)
      assert.equal((await other.ask('status')).data.account, BOB)
    })

    test('another account drops the private channels of the former; the same one keeps them', async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      await client.ask('subscribe', ['wall', 'mine'])
      await client.ask('auth', node.keys.issue(ALICE, 'c'))
      assert.deepEqual(await status(), {
        ...NOBODY,
        account: ALICE,
        subscriptions: ['wall', 'mine'],
      })
      await client.ask('auth', node.keys.issue(BOB, 'b'))
      node.channels.publish('mine', 'unheard', ALICE)
      assert.deepEqual(await status(), { ...NOBODY, account: BOB, subscriptions: ['wall'] })
      assert.ok(client.frames.every(({ data }) => data !== 'unheard'))
    })

    test('wallets with an authenticated connection are listed as long as it lasts', async () => {
      assert.deepEqual([...node.sockets.openPrivateAccounts()], [])
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      const other = await node.connect(transport)
      await other.ask('auth', node.keys.issue(BOB, 'b'))
      assert.deepEqual([...node.sockets.openPrivateAccounts()], [ALICE, BOB])
      await other.ask('logout')
      assert.deepEqual([...node.sockets.openPrivateAccounts()], [ALICE])
    })
  })

describe('attempts to authenticate from one address', () => {
  const asked: string[] = []
  let node: SocketNode
  let left = 30
  before(async () => {
    const consume = async (bucket: string, address: string, weight: number) => {
      asked.push(`${bucket} ${address} ${weight}`)
      left -= 1
      return { allowed: left >= 0, remaining: Math.max(0, left), resetMs: 42_000.5 }
    }
    node = await socketNode({ host: { rates: { consume, publicRate: undefined, proxyHops: 1 } } })
  })
  after(() => node.close())

  test('attempts are counted with those of other nodes, for the client behind the trusted proxy', async () => {
    for (let count = 0; count < 6; count++) {
      const client = await node.connect(TRANSPORTS[count % 3] ?? 'websocket', {
        'x-forwarded-for': 'forged, 10.1.2.3',
      })
      for (let attempt = 0; attempt < 5; attempt++) await client.ask('auth', {})
    }
    assert.equal(asked.length, 30)
    assert.deepEqual(new Set(asked), new Set(['socket-auth 10.1.2.3 1']))
    const client = await node.connect('websocket', { 'x-forwarded-for': '10.1.2.3' })
    const { error, data } = await client.ask('auth', {})
    assert.equal(error, 'AUTH_RATE_LIMITED')
    assert.equal(data.retryAfterMs, 42_001)
  })

  test('attempts are AUTH_UNAVAILABLE when they cannot be counted', async () => {
    const consume = () => Promise.reject(new Error('no cache'))
    const broken = await socketNode({
      host: { rates: { consume, publicRate: undefined, proxyHops: 0 } },
    })
    const client = await broken.connect('websocket')
    assert.equal((await client.ask('auth', {})).error, 'AUTH_UNAVAILABLE')
    await broken.close()
  })
})
