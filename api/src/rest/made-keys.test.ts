// POST, PATCH and DELETE /api-keys: creating, naming, narrowing and revoking keys with keys.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { KeyIssued } from '@openvenue/wire/api-keys'
import { ApiKeyItem, ApiKeys } from '@openvenue/wire/registration'
import { Value } from 'typebox/value'
import { headersOf, type KeyNode, keyNode, NOW_MS, NOW_SECONDS } from '../../test/key-node.ts'
import { type IssuedKey, issueKey, issueNarrowKey } from '../../test/keyed.ts'
import { SecretSeal } from '../identity/secret-seal.ts'

const END_SECONDS = NOW_SECONDS + 3600
const ALL = ['read', 'trade', 'cancel']

let node: KeyNode
let wallet = ''
let made = 0
before(async () => {
  node = await keyNode({ settings: { secretSeal: new SecretSeal(randomBytes(32)) } })
})
beforeEach(() => {
  wallet = `0x${(++made).toString(16).padStart(40, '0')}`
})
after(() => node.close())

type KeyHeaders = Pick<IssuedKey, 'headers'>
const issue = () => issueKey(node.store, wallet, NOW_MS)
const narrow = (rights: Parameters<typeof issueNarrowKey>[3]) =>
  issueNarrowKey(node.store, wallet, NOW_MS, rights)
const make = ({ headers }: KeyHeaders, body: unknown, at = node) =>
  at.send({ method: 'POST', url: '/api-keys', headers, body })
const change = ({ headers }: KeyHeaders, prefix: string, body: unknown) =>
  node.send({ method: 'PATCH', url: `/api-keys/${prefix}`, headers, body })
const list = async ({ headers }: KeyHeaders) =>
  (await node.send({ url: '/api-keys', headers })).body
const remove = ({ headers }: KeyHeaders, body: unknown) =>
  node.send({ method: 'DELETE', url: '/api-key', headers, body })
const isLive = async ({ key }: IssuedKey) =>
  (await node.store.identity.find(key, NOW_MS)) !== undefined

describe('POST /api-keys', () => {
  test('POST /api-keys makes another key of the account, whose secret is shown once', async () => {
    const parent = await issue()
    const wanted = {
      name: 'bot',
      scopes: ['cancel', 'read', 'read'],
      ip_addresses: ['10.0.0.0/8', '2001:DB8::5/128', '10.0.0.0/8'],
      expiry: END_SECONDS - 1,
      hmac: true,
    }
    const reply = await make(parent, wanted)
    const { status, body } = reply
    assert.equal(status, 201)
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.ok(Value.Check(KeyIssued, body))
    const { api_key, api_secret, signing_key, ...shown } = body
    assert.deepEqual(shown, {
      account: wallet,
      prefix: api_key.slice(0, 8),
      name: 'bot',
      scopes: ['read', 'cancel'],
      ip_addresses: ['10.0.0.0/8', '2001:db8::5'],
      hmac: true,
      expires_timestamp: `${END_SECONDS - 1}000000000`,
    })
    const headers = { ...headersOf(reply), 'x-forwarded-for': '10.1.2.3' }
    const listed = await list({ headers } as never)
    assert.ok(Value.Check(ApiKeys, listed))
    assert.equal(listed.api_keys[0]?.name, 'bot')
    assert.deepEqual(listed.api_keys[0]?.scopes, ['read', 'cancel'])
    assert.equal(listed.api_keys[0]?.hmac, true)
    assert.ok(!JSON.stringify(listed).includes(api_secret))
    assert.equal(listed.api_keys[1]?.signing_key, signing_key)
  })

  test('POST /api-keys gives by default all that the key of the request has', async () => {
    const parent = await narrow({ scopes: ['trade'], ipAddresses: ['127.0.0.1'] })
    const { body } = await make(parent, { name: 'x' })
    assert.deepEqual(
      [body.scopes, body.ip_addresses, body.expires_timestamp, body.hmac],
      [['trade'], ['127.0.0.1'], `${END_SECONDS}000000000`, false],
    )
  })

  for (const [what, body, status, field, nearest] of [
    ['a scope that it has not', { scopes: ['read', 'trade'] }, 403, 'scopes', 'trade'],
    ['a wider network', { ip_addresses: ['127.0.0.0/8'] }, 400, 'ip_addresses', undefined],
    [
      'another network',
      { ip_addresses: ['127.0.0.1', '10.0.0.1'] },
      400,
      'ip_addresses',
      undefined,
    ],
    ['any address', { ip_addresses: [] }, 400, 'ip_addresses', undefined],
    ['a longer life', { expiry: END_SECONDS + 1 }, 400, 'expiry', `${END_SECONDS}`],
  ] as const)
    test(`POST /api-keys refuses ${what}: a key grants no more than it has`, async () => {
      const parent = await narrow({ scopes: ['read'], ipAddresses: ['127.0.0.0/30'] })
      const reply = await make(parent, { name: 'more', ...body })
      assert.equal(reply.status, status)
      const [detail] = reply.body.details
      assert.equal(detail.field, field)
      assert.equal(detail.nearest, nearest)
      assert.equal(reply.body.error, status === 403 ? 'SCOPE_MISSING' : 'INVALID_PARAMETER')
      assert.equal((await list(parent)).api_keys.length, 1)
    })

  for (const [what, body, code, field, extra] of [
    ['no name', {}, 'MISSING_PARAMETER', 'name', {}],
    ['no body', undefined, 'MISSING_PARAMETER', 'name', {}],
    ['an empty name', { name: ' ' }, 'INVALID_PARAMETER', 'name', {}],
    ['an endless name', { name: 'x'.repeat(65) }, 'INVALID_PARAMETER', 'name', {}],
    ['a control character', { name: 'a\u0000' }, 'INVALID_PARAMETER', 'name', {}],
    ['no scope', { name: 'x', scopes: [] }, 'INVALID_PARAMETER', 'scopes', { allowed: ALL }],
    ['an unknown scope', { name: 'x', scopes: ['all'] }, 'INVALID_PARAMETER', 'scopes', {}],
    ['scopes as text', { name: 'x', scopes: 'read' }, 'INVALID_PARAMETER', 'scopes', {}],
    [
      'addresses as text',
      { name: 'x', ip_addresses: '::1' },
      'INVALID_PARAMETER',
      'ip_addresses',
      {},
    ],
    [
      'a network with host bits',
      { name: 'x', ip_addresses: ['::1', '10.0.0.1/8'] },
      'INVALID_PARAMETER',
      'ip_addresses[1]',
      { nearest: '10.0.0.0/8' },
    ],
    [
      'too many addresses',
      { name: 'x', ip_addresses: Array(21).fill('::1') },
      'INVALID_PARAMETER',
      'ip_addresses',
      {},
    ],
    [
      'a past expiry',
      { name: 'x', expiry: NOW_SECONDS },
      'KEY_EXPIRY_PASSED',
      'expiry',
      { nearest: `${END_SECONDS}` },
    ],
    ['no number', { name: 'x', expiry: 'soon' }, 'INVALID_PARAMETER', 'expiry', {}],
    ['hmac that is no flag', { name: 'x', hmac: 1 }, 'INVALID_PARAMETER', 'hmac', {}],
    ['an unknown member', { name: 'x', scope: 'read' }, 'INVALID_PARAMETER', 'scope', {}],
  ] as const)
    test(`POST /api-keys is 400 for ${what}`, async () => {
      const { status, body: problem } = await make(await issue(), body)
      assert.deepEqual([status, problem.error], [400, code])
      const { message, ...detail } = problem.details[0]
      assert.ok(message.startsWith(field) || message.includes(` ${field} `), message)
      for (const [name, value] of Object.entries({ field, code, ...extra }))
        assert.deepEqual(detail[name], value)
    })

  test('POST /api-keys refuses hmac by the name of the variable where the operator has set none', async () => {
    const at = await keyNode({}, node.store)
    const refused = await make(await issue(), { name: 'x', hmac: true }, at)
    const registered = await at.send({
      method: 'POST',
      url: '/register',
      body: {
        account: wallet,
        signing_key: wallet,
        expiry: END_SECONDS,
        account_signature: '0x00',
        signing_key_signature: '0x00',
        hmac: true,
      },
    })
    await at.close()
    for (const { status, body } of [refused, registered]) {
      assert.deepEqual([status, body.error], [400, 'HMAC_NOT_OFFERED'])
      assert.equal(body.details[0].field, 'hmac')
      assert.match(body.details[0].message, /KEY_ENCRYPTION_KEY/)
    }
  })

  test('POST /api-keys counts among the five: the oldest of sign-ins goes, else it is 409', async () => {
    const parent = await issue()
    const signIns = [await issue(), await issue()]
    for (const name of ['a', 'b']) assert.equal((await make(parent, { name })).status, 201)
    assert.equal((await make(parent, { name: 'c' })).status, 201)
    assert.deepEqual(await Promise.all(signIns.map(isLive)), [false, true])
    assert.equal((await make(parent, { name: 'd' })).status, 201)
    const { status, body } = await make(parent, { name: 'e' })
    assert.deepEqual([status, body.error], [409, 'API_KEYS_FULL'])
    assert.equal((await list(parent)).api_keys.length, 5)
  })

  test('POST /api-keys needs a key', async () => {
    assert.equal((await make({ headers: {} as never }, { name: 'x' })).status, 401)
  })
})

describe('PATCH /api-keys/{prefix}', () => {
  test('PATCH /api-keys/{prefix} renames a key, which works as before', async () => {
    const key = await issue()
    const { status, body } = await change(key, key.key.slice(0, 8), { name: 'laptop' })
    assert.equal(status, 200)
    assert.ok(Value.Check(ApiKeyItem, body))
    assert.deepEqual([body.name, body.scopes, body.is_current], ['laptop', ALL, true])
    assert.deepEqual((await list(key)).api_keys, [body])
  })

  test('PATCH /api-keys/{prefix} narrows a key, at once', async () => {
    const [key, other] = [await issue(), await issue()]
    assert.equal((await node.send({ url: '/api-keys', headers: other.headers })).status, 200)
    const less = { scopes: ['trade', 'read'], ip_addresses: ['127.0.0.1'], expiry: END_SECONDS - 9 }
    const { body } = await change(key, other.key, less)
    assert.deepEqual(
      [body.scopes, body.ip_addresses, body.expires_timestamp, body.is_current],
      [['read', 'trade'], ['127.0.0.1'], `${END_SECONDS - 9}000000000`, false],
    )
    const from = { ...other.headers, 'x-forwarded-for': '10.0.0.1' }
    assert.equal((await node.send({ url: '/api-keys', headers: from })).status, 403)
  })

  for (const [what, body, status] of [
    ['a scope more', { scopes: ['read', 'trade'] }, 403],
    ['a wider network', { ip_addresses: ['127.0.0.0/8'] }, 400],
    ['no list at all', { ip_addresses: [] }, 400],
    ['a longer life', { expiry: END_SECONDS + 1 }, 400],
    ['an unknown member', { hmac: true }, 400],
  ] as const)
    test(`PATCH /api-keys/{prefix} refuses ${what}, even from a key with as many rights`, async () => {
      const whole = await issue()
      const key = await narrow({ scopes: ['read'], ipAddresses: ['127.0.0.1'] })
      assert.equal((await change(whole, key.key.slice(0, 8), body)).status, status)
      const [listed] = (await list(whole)).api_keys
      assert.deepEqual([listed.scopes, listed.ip_addresses], [['read'], ['127.0.0.1']])
    })

  test('PATCH /api-keys/{prefix} is 403 SCOPE_MISSING for a key with more rights than that of the request', async () => {
    const [whole, reader] = [await issue(), await narrow({ scopes: ['read'] })]
    const { status, body } = await change(reader, whole.key.slice(0, 8), { scopes: ['read'] })
    assert.deepEqual([status, body.error], [403, 'SCOPE_MISSING'])
  })

  test('PATCH /api-keys/{prefix} is 404 for a prefix of no live key of the account', async () => {
    const key = await issue()
    const other = await issueKey(node.store, `0x${'0f'.repeat(20)}`, NOW_MS)
    for (const prefix of [other.key.slice(0, 8), key.key.slice(0, 7), '%20', 'zzzzzzzz'])
      assert.equal(
        (await change(key, prefix, { name: 'x' })).body.error,
        'API_KEY_NOT_FOUND',
        prefix,
      )
  })

  test('PATCH /api-keys/{prefix} is 503 while the database is down', async () => {
    const key = await issue()
    const down = () => Promise.reject(new Error('down'))
    const { identity } = node.store
    const at = await keyNode({ identity: { ...identity, issue: down, amend: down } }, node.store)
    const { headers } = key
    const url = `/api-keys/${key.key}`
    const changed = await at.send({ method: 'PATCH', url, headers, body: { name: 'x' } })
    const issued = await make(key, { name: 'x' }, at)
    await at.close()
    for (const { status, body } of [changed, issued])
      assert.deepEqual([status, body.error], [503, 'AUTH_UNAVAILABLE'])
  })
})

describe('DELETE /api-key of a key with less power', () => {
  test('DELETE /api-key of a key with less power revokes itself, whatever it is for', async () => {
    const key = await narrow({ scopes: ['cancel'] })
    assert.equal((await remove(key, undefined)).status, 200)
    assert.equal(await isLive(key), false)
  })

  test('DELETE /api-key of a key with less power revokes those that may do no more than it, and no others', async () => {
    const whole = await issue()
    const [reader, other] = [await narrow({ scopes: ['read'] }), await narrow({ scopes: ['read'] })]
    for (const body of [{ api_key: whole.key }, { all: true }]) {
      const refused = await remove(reader, body)
      assert.deepEqual([refused.status, refused.body.error], [403, 'SCOPE_MISSING'])
    }
    assert.equal((await remove(reader, { api_key: other.key })).status, 200)
    assert.deepEqual([await isLive(whole), await isLive(other)], [true, false])
    assert.equal((await remove(reader, { api_key: '0'.repeat(32) })).status, 404)
  })
})

describe('DELETE /api-keys/{prefix}', () => {
  const revoke = ({ headers }: KeyHeaders, prefix: string) =>
    node.send({ method: 'DELETE', url: `/api-keys/${prefix}`, headers })

  test('DELETE /api-keys/{prefix} revokes a key that the list shows, without the whole of it', async () => {
    const [key, other] = [await issue(), await issue()]
    const { status, body } = await revoke(key, other.key.slice(0, 8))
    assert.deepEqual([status, body], [200, { success: true }])
    assert.deepEqual([await isLive(other), await isLive(key)], [false, true])
    const again = await revoke(key, other.key.slice(0, 8))
    assert.deepEqual([again.status, again.body.error], [404, 'API_KEY_NOT_FOUND'])
  })

  test('DELETE /api-keys/{prefix} revokes itself, whatever it is for, and none that may do more', async () => {
    const whole = await issue()
    const reader = await narrow({ scopes: ['read'] })
    const refused = await revoke(reader, whole.key.slice(0, 8))
    assert.deepEqual([refused.status, refused.body.error], [403, 'SCOPE_MISSING'])
    assert.equal((await revoke(reader, reader.key.slice(0, 8))).status, 200)
    assert.deepEqual([await isLive(whole), await isLive(reader)], [true, false])
  })

  test('DELETE /api-keys/{prefix} revokes no key of another account, and none by a few of its characters', async () => {
    const key = await issue()
    const stranger = await issueKey(node.store, `0x${'e'.repeat(40)}`, NOW_MS)
    for (const prefix of [stranger.key.slice(0, 8), key.key.slice(0, 7)])
      assert.equal((await revoke(key, prefix)).status, 404)
    assert.ok((await isLive(key)) && (await isLive(stranger)))
  })
})

describe('a sign-in', () => {
  test('a sign-in never pushes out a named key while there is another', async () => {
    const parent = await issue()
    const named = await make(parent, { name: 'bot' })
    await change(parent, parent.key.slice(0, 8), { name: 'laptop' })
    for (let n = 0; n < 6; n++) await issue()
    const { api_keys } = await list(parent)
    const names = api_keys.map(({ name }: { name: string | null }) => name)
    assert.deepEqual(names, [null, null, null, 'bot', 'laptop'])
    assert.ok(await node.store.identity.find(named.body.api_key, NOW_MS))
  })
})
