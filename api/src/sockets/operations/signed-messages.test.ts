// Signatures as proof of identity, and keys with fewer scopes, over each transport.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type SigningKey, sign } from '../../../test/signing.ts'
import { type Client, TRANSPORTS } from '../../../test/socket-client.ts'
import { ALICE, BOB, type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { requireCallerFor } from './authenticate.ts'

const NS_PER_MS = 1_000_000n

for (const transport of TRANSPORTS)
  describe(`signatures over ${transport}`, () => {
    let node: SocketNode
    let client: Client
    let key: SigningKey
    let at = 0n
    beforeEach(async () => {
      node = await socketNode()
      node.clock.nowMs = 60_000
      client = await node.connect(transport)
      key = node.keys.issue(ALICE, 'a')
    })
    afterEach(() => node.close())
    const proof = (op: string, data = '', by = key, offMs = 0) => {
      at += 1n
      const timestamp = (BigInt(node.clock.nowMs + offMs) * NS_PER_MS + at).toString()
      const signature = sign(by, timestamp, 'ws', op, data)
      return { key: by.key, timestamp, signature }
    }
    const status = async () => (await client.ask('status')).data
    const send = async (message: Readonly<{ op: string; data?: unknown; auth: unknown }>) => {
      at += 1n
      const id = `signed ${at}`
      client.send({ ...message, id })
      return client.next((frame) => frame.id === id)
    }

    test('auth by a signature is as auth by the secret', async () => {
      const { data } = await client.ask('auth', proof('auth'))
      assert.deepEqual([data.success, data.account], [true, ALICE])
      assert.equal((await status()).account, ALICE)
    })

    test('a signature identifies one connection, once', async () => {
      const once = proof('auth')
      await client.ask('auth', once)
      const other = await node.connect(transport)
      assert.equal((await other.ask('auth', once)).error, 'AUTH_REPLAYED')
      assert.equal((await other.ask('status')).data.account, null)
      assert.equal((await client.ask('auth', once)).error, 'AUTH_REPLAYED')
      assert.equal((await status()).account, null, 'a failed auth takes the identity')
    })

    for (const [what, code, change] of [
      ['another operation', 'AUTH_INVALID', () => proof('subscribe')],
      ['data', 'AUTH_INVALID', () => proof('auth', '{}')],
      [
        'another key',
        'AUTH_INVALID',
        () => ({ ...proof('auth'), key: node.keys.issue(BOB, 'b').key }),
      ],
      ['half of it', 'AUTH_INVALID', () => ({ ...proof('auth'), signature: 'ab' })],
      [
        'no timestamp',
        'AUTH_INVALID',
        () => ({ ...proof('auth'), timestamp: undefined, secret: key.secret }),
      ],
      ['the past', 'AUTH_TIMESTAMP_INVALID', () => proof('auth', '', key, -30_001)],
      ['the future', 'AUTH_TIMESTAMP_INVALID', () => proof('auth', '', key, 30_001)],
    ] as const)
      test(`a signature of ${what} is ${code}`, async () => {
        const { error, data } = await client.ask('auth', change())
        assert.deepEqual([error, data.success], [code, false])
        assert.equal((await status()).account, null)
      })

    test('a message that is signed identifies the connection, and is performed after it', async () => {
      const auth = proof('subscribe', '["mine"]')
      const { data } = await send({ op: 'subscribe', data: ['mine'], auth })
      assert.deepEqual(data, ['mine'])
      assert.equal((await status()).account, ALICE)
      const bare = await send({ op: 'status', auth: proof('status') })
      assert.equal(bare.data.account, ALICE)
    })

    test('an order may be signed: its integers with every digit that was sent', async () => {
      const data = '{"salt":12345678901234567890123}'
      const ask = async (auth: object) => {
        at += 1n
        const id = `digits ${at}`
        client.send(
          `{"op":"create_order","id":"${id}","data":${data},"auth":${JSON.stringify(auth)}}`,
        )
        return client.next((frame) => frame.id === id)
      }
      const other = await ask(proof('create_order', data.replace('123}', '124}')))
      assert.equal(other.error, 'AUTH_INVALID')
      assert.equal((await status()).account, null)
      assert.equal((await ask(proof('create_order', data))).error, 'MISSING_PARAMETER')
      assert.equal((await status()).account, ALICE)
    })

    test('a message with a signature of other data, another operation, or a used one is not performed', async () => {
      const used = proof('subscribe', '["wall"]')
      await send({ op: 'subscribe', data: ['wall'], auth: used })
      for (const [auth, code] of [
        [proof('subscribe', '["wall"]'), 'AUTH_INVALID'],
        [proof('unsubscribe', '["mine"]'), 'AUTH_INVALID'],
        [proof('subscribe', ''), 'AUTH_INVALID'],
      ] as const) {
        const { error } = await send({ op: 'subscribe', data: ['mine'], auth })
        assert.equal(error, code)
      }
      const again = await send({ op: 'subscribe', data: ['wall'], auth: used })
      assert.equal(again.error, 'AUTH_REPLAYED')
      const { account, subscriptions } = await status()
      assert.deepEqual([account, subscriptions], [ALICE, ['wall']], 'the identity stays')
    })

    test('failed messages are attempts: the sixth in a minute waits, and nothing is looked up', async () => {
      for (const auth of [null, 'x', [], { key: 'x' }, { ...key }])
        assert.equal((await send({ op: 'status', auth })).error, 'AUTH_INVALID')
      const lookups = node.keys.lookups
      const auth = { ...proof('status'), key: 'f'.repeat(32) }
      assert.equal((await send({ op: 'status', auth })).error, 'AUTH_RATE_LIMITED')
      assert.equal(node.keys.lookups, lookups)
    })

    test('valid signed messages do not count as attempts', async () => {
      await client.ask('auth', proof('auth'))
      for (let n = 0; n < 8; n++)
        assert.equal((await send({ op: 'status', auth: proof('status') })).error, undefined)
    })

    test('a key that is revoked while the connection is open ends it, and signs no more', async () => {
      await client.ask('auth', proof('auth'))
      await client.ask('subscribe', ['mine'])
      node.keys.revoke(key.key)
      assert.equal((await client.next(({ error }) => error !== undefined)).error, 'AUTH_EXPIRED')
      assert.equal((await status()).account, null)
      assert.equal((await send({ op: 'status', auth: proof('status') })).error, 'AUTH_INVALID')
      assert.equal((await client.ask('auth', proof('auth'))).error, 'AUTH_INVALID')
    })

    test('a key that is revoked while it is checked yields no identity', async () => {
      let answer = () => {}
      node.keys.before = new Promise((resolve) => {
        answer = () => resolve(undefined)
      })
      const asked = client.ask('auth', proof('auth'))
      while (node.keys.lookups === 0) await new Promise((resolve) => setImmediate(resolve))
      node.keys.revoke(key.key)
      answer()
      assert.equal((await asked).error, 'AUTH_INVALID')
      assert.equal((await status()).account, null)
    })
  })

for (const transport of TRANSPORTS)
  describe(`keys with less power over ${transport}`, () => {
    let node: SocketNode
    let client: Client
    beforeEach(async () => {
      node = await socketNode({
        host: {
          rates: {
            consume: async () => ({ allowed: true, remaining: 1, resetMs: 0 }),
            publicRate: undefined,
            proxyHops: 1,
          },
        },
      })
    })
    afterEach(() => node.close())
    const connect = async (from: string) => {
      client = await node.connect(transport, { 'x-forwarded-for': from })
    }
    const status = async () => (await client.ask('status')).data

    test('without the scope read there are no private channels', async () => {
      await connect('10.0.0.1')
      await client.ask('auth', node.keys.issue(ALICE, 'a', 9e9, { scopes: ['cancel', 'trade'] }))
      const { data, rejected } = await client.ask('subscribe', ['wall', 'mine'])
      assert.deepEqual([data, rejected], [['wall'], [{ channel: 'mine', code: 'SCOPE_MISSING' }]])
    })

    for (const [from, isAllowed] of [
      ['10.1.2.3', true],
      ['2001:db8::5', true],
      ['2001:db8::6', false],
      ['11.0.0.1', false],
      ['10.0.0.1, 11.0.0.1', false],
    ] as const)
      test(`a key with a list of addresses is ${isAllowed ? 'taken' : 'refused'} from ${from}`, async () => {
        await connect(from)
        const rights = { ipAddresses: ['10.0.0.0/8', '2001:db8::5'] }
        const { error } = await client.ask('auth', node.keys.issue(ALICE, 'a', 9e9, rights))
        assert.equal(error, isAllowed ? undefined : 'IP_NOT_ALLOWED')
        assert.equal((await status()).account, isAllowed ? ALICE : null)
      })

    test('a key that is narrowed while the connection is open must authenticate again', async () => {
      await connect('10.0.0.1')
      const key = node.keys.issue(ALICE, 'a')
      await client.ask('auth', key)
      await client.ask('subscribe', ['mine'])
      node.keys.narrow(key.key, { scopes: ['cancel'] })
      assert.equal((await client.next(({ error }) => error !== undefined)).error, 'AUTH_EXPIRED')
      await client.ask('auth', key)
      const { error } = await client.ask('subscribe', ['mine'])
      assert.equal(error, 'SCOPE_MISSING')
    })

    test('a missed narrowing is detected once notifications may have been missed', async () => {
      await connect('10.0.0.1')
      const [key, other] = [node.keys.issue(ALICE, 'a'), node.keys.issue(BOB, 'b')]
      await client.ask('auth', key)
      const bystander = await node.connect(transport)
      await bystander.ask('auth', other)
      const before = node.keys.live.get(key.key)
      assert.ok(before !== undefined)
      node.keys.live.set(key.key, { ...before, scopes: ['cancel'], version: 1 })
      node.keys.say(undefined)
      assert.equal((await client.next(({ error }) => error !== undefined)).error, 'AUTH_EXPIRED')
      assert.equal((await bystander.ask('status')).data.account, BOB)
    })
  })

test('operations that place orders need trade, those that cancel cancel, a preview read', () => {
  const needs = {
    read: ['preview_order'],
    trade: ['create_order', 'edit_order'],
    cancel: ['cancel_order', 'cancel_orders', 'cancel_all_orders', 'cancel_after'],
  } as const
  for (const held of ['read', 'trade', 'cancel'] as const) {
    const connection = { caller: { account: ALICE, key: { scopes: [held] } } } as never
    for (const [scope, ops] of Object.entries(needs))
      for (const op of ops) {
        const ask = () => requireCallerFor(connection, op)
        if (scope === held) assert.equal(ask().account, ALICE)
        else assert.throws(ask, { code: 'SCOPE_MISSING' }, `${held} ${op}`)
        assert.throws(() => requireCallerFor({ caller: undefined }, op), {
          code: 'AUTH_REQUIRED',
        })
      }
  }
})
