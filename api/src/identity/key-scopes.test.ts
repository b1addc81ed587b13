// Restrictions of keys over REST: scopes, and networks of use.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Scope } from '@openvenue/core/scopes'
import { type KeyNode, keyNode, NOW_MS } from '../../test/key-node.ts'
import { type IssuedKey, issueKey, issueNarrowKey } from '../../test/keyed.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import { createAuthenticate } from './authenticate.ts'
import { KeyChecks } from './key-checks.ts'

const ALICE = `0x${'a1'.repeat(20)}`
const NEEDS: readonly (Scope | 'any' | undefined)[] = [undefined, 'read', 'trade', 'cancel', 'any']

let node: KeyNode
before(async () => {
  node = await keyNode()
  const keys = new KeyChecks({
    identity: node.store.identity,
    nowMs: () => NOW_MS,
    monotonicMs: () => NOW_MS,
  })
  const onRequest = createAuthenticate(keys, ACCOUNT_SETTINGS.headerBrands)
  for (const scope of NEEDS) {
    const config = scope === undefined ? {} : { scope }
    node.host.get(`/needs/${scope}`, { onRequest, config }, async (request) => ({
      isLegacy: request.caller?.isLegacy,
    }))
  }
  node.host.post('/needs/undefined', { onRequest }, async () => ({}))
  node.host.addHook('onClose', () => keys.close())
})
after(() => node.close())

const ask = async ({ headers }: Pick<IssuedKey, 'headers'>, url: string, from?: string) => {
  const forwarded = from === undefined ? {} : { 'x-forwarded-for': from }
  return node.send({ url, headers: { ...headers, ...forwarded } })
}
const keyWith = (rights: Parameters<typeof issueNarrowKey>[3]) =>
  issueNarrowKey(node.store, ALICE, NOW_MS, rights)

describe('the scopes of a key', () => {
  for (const scopes of [['read'], ['trade'], ['cancel'], ['read', 'cancel']] as const)
    test(`the scopes ${scopes.join(' and ')} open the routes that need them, and no others`, async () => {
      const key = await keyWith({ scopes })
      for (const needed of NEEDS) {
        const { status, body } = await ask(key, `/needs/${needed}`)
        const missing = needed ?? 'read'
        const isOpen = missing === 'any' || (scopes as readonly string[]).includes(missing)
        assert.equal(status, isOpen ? 200 : 403, `${needed}`)
        if (isOpen) continue
        assert.equal(body.error, 'SCOPE_MISSING')
        assert.deepEqual(body.details, [
          {
            field: 'API-KEY',
            code: 'SCOPE_MISSING',
            message: `API key lacks the scope ${missing}: its scopes are ${scopes.join(', ')}`,
            nearest: missing,
          },
        ])
      }
    })

  test('the scopes of a key that a sign-in made are all scopes', async () => {
    const key = await issueKey(node.store, ALICE, NOW_MS)
    for (const needed of NEEDS) assert.equal((await ask(key, `/needs/${needed}`)).status, 200)
  })

  test('a key that is narrowed has fewer scopes at once', async () => {
    const key = await issueKey(node.store, ALICE, NOW_MS)
    assert.equal((await ask(key, '/needs/read')).status, 200)
    const found = await node.store.identity.find(key.key, NOW_MS)
    assert.ok(found !== undefined)
    const amendment = { ...found, scopes: ['cancel'] as const, isNarrower: true }
    await node.store.identity.amend(found, amendment, NOW_MS)
    assert.equal((await ask(key, '/needs/read')).status, 403)
    assert.equal((await ask(key, '/needs/cancel')).status, 200)
  })

  test('a writing route needs the scope trade, unless the route sets another', async () => {
    const [reader, trader] = [
      await keyWith({ scopes: ['read'] }),
      await keyWith({ scopes: ['trade'] }),
    ]
    const post = async ({ headers }: IssuedKey) =>
      (await node.send({ method: 'POST', url: '/needs/undefined', headers })).status
    assert.deepEqual([await post(reader), await post(trader)], [403, 200])
  })

  test('the scopes of a key guard every read of the account', async () => {
    const key = await keyWith({ scopes: ['cancel', 'trade'] })
    for (const url of ['/account', '/orders', '/positions', '/api-keys', '/notifications'])
      assert.equal((await ask(key, url)).body.error, 'SCOPE_MISSING', url)
  })
})

describe('the addresses of a key', () => {
  const LISTED = ['203.0.113.7', '10.0.0.0/8', '2001:db8:1::/48', '2001:db8:2::5']
  for (const [from, isAllowed] of [
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['10.200.3.4', true],
    ['::ffff:10.1.1.1', true],
    ['[2001:db8:1:ffff::1]:443', true],
    ['203.0.113.7:5000', true],
    ['2001:db8:2::5', true],
    ['2001:db8:2::6', false],
    ['unknown', false],
    ['10.0.0.1.2', false],
  ] as const)
    test(`a key with a list of addresses ${isAllowed ? 'accepts' : 'refuses'} ${from}`, async () => {
      const key = await keyWith({ ipAddresses: LISTED })
      const { status, body } = await ask(key, '/needs/read', from)
      assert.deepEqual([status, body.error], isAllowed ? [200, undefined] : [403, 'IP_NOT_ALLOWED'])
    })

  test('the address of a key is the one reported by trusted proxies, not one that a client forges', async () => {
    const key = await keyWith({ ipAddresses: ['10.0.0.0/8'] })
    assert.equal((await ask(key, '/needs/read', '10.0.0.1, 203.0.113.8')).status, 403)
    assert.equal((await ask(key, '/needs/read', '203.0.113.8, 10.0.0.1')).status, 200)
    const direct = await keyNode({ rates: { proxyHops: 0 } }, node.store)
    const headers = { ...key.headers, 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1' }
    const { status, body } = await direct.send({ url: '/api-keys', headers })
    await direct.close()
    assert.deepEqual([status, body.error], [403, 'IP_NOT_ALLOWED'])
    assert.ok(!JSON.stringify(body).includes('10.0.0.0'), 'the list is not shown')
  })

  test('the addresses of a key are checked before the account is counted: a thief elsewhere uses up nothing', async () => {
    const key = await keyWith({ ipAddresses: ['10.0.0.0/8'] })
    const counted: string[] = []
    const rate = { points: 100, seconds: 1 }
    const consume = async (bucket: string) => {
      counted.push(bucket)
      return { allowed: true, remaining: 1, resetMs: 0 }
    }
    const at = await keyNode(
      { rates: { consume, publicRate: rate, privateRate: rate } },
      node.store,
    )
    await at.send({ url: '/api-keys', headers: { ...key.headers, 'x-forwarded-for': '1.1.1.1' } })
    assert.deepEqual(counted, ['public'])
    await at.send({ url: '/api-keys', headers: { ...key.headers, 'x-forwarded-for': '10.1.1.1' } })
    await at.close()
    assert.deepEqual(counted, ['public', 'private'])
  })
})

test('a caller is of the family when the header of a brand names the key', async () => {
  const { key, secret, headers } = await issueKey(node.store, ALICE, NOW_MS)
  assert.deepEqual((await node.send({ url: '/needs/read', headers })).body, { isLegacy: false })
  const branded = { 'AEVO-KEY': key, 'AEVO-SECRET': secret }
  assert.deepEqual((await node.send({ url: '/needs/read', headers: branded })).body, {
    isLegacy: true,
  })
})
