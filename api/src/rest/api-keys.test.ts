// GET /api-keys and DELETE /api-key: every form, status and body of interface 4.5, and 5.3.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@openvenue/store/identity/identity'
import { ApiKeys, KeyRemoved } from '@openvenue/wire/registration'
import { Value } from 'typebox/value'
import {
  headersOf,
  type KeyNode,
  keyNode,
  NOW_MS,
  newWallet,
  type Reply,
} from '../../test/key-node.ts'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'

const HOUR_MS = 3_600_000
/** The entry of a key with default name, scopes and addresses. */
const OF_SIGN_INS = {
  name: null,
  scopes: ['read', 'trade', 'cancel'],
  ip_addresses: [],
  hmac: false,
}
/** The signing key of every API key in these tests. */
const SIGNING_KEY = `0x${'51'.repeat(20)}`

let node: KeyNode
let wallet = ''
before(async () => {
  node = await keyNode()
})
after(() => node.close())

const issue = (nowMs = NOW_MS) => issueKey(node.store, wallet, nowMs)
const fresh = async () => {
  wallet = newWallet().address
  return issue()
}
const list = async ({ headers }: Pick<IssuedKey, 'headers'>, at = node): Promise<Reply> =>
  at.send({ url: '/api-keys', headers })
const remove = ({ headers }: Pick<IssuedKey, 'headers'>, body?: unknown, at = node) =>
  at.send({ method: 'DELETE', url: '/api-key', headers, body })
const isLive = async (key: IssuedKey) => (await list(key)).status === 200

describe('GET /api-keys', () => {
  test('GET /api-keys lists the live keys of the account, newest first: how they begin, and never a whole one', async () => {
    const first = await fresh()
    node.setNowMs(NOW_MS + 1)
    const second = await issue(NOW_MS + 1)
    const { status, body } = await list(second)
    assert.equal(status, 200)
    assert.ok(Value.Check(ApiKeys, body))
    assert.deepEqual(body.api_keys, [
      {
        prefix: second.key.slice(0, 8),
        ...OF_SIGN_INS,
        signing_key: SIGNING_KEY,
        created_timestamp: `${NOW_MS + 1}000000`,
        expires_timestamp: `${NOW_MS + 1 + HOUR_MS}000000`,
        last_used_timestamp: `${NOW_MS + 1}000000`,
        is_current: true,
      },
      {
        prefix: first.key.slice(0, 8),
        ...OF_SIGN_INS,
        signing_key: SIGNING_KEY,
        created_timestamp: `${NOW_MS}000000`,
        expires_timestamp: `${NOW_MS + HOUR_MS}000000`,
        last_used_timestamp: null,
        is_current: false,
      },
    ])
    node.setNowMs(NOW_MS)
    for (const text of [first.key, first.secret, second.key, second.secret])
      assert.ok(!JSON.stringify(body).includes(text))
  })

  test('GET /api-keys leaves out expired and revoked keys, and those of other accounts', async () => {
    await fresh()
    const key = await fresh()
    const gone = await issue()
    await issueKey(node.store, wallet, NOW_MS, -1)
    await remove(gone)
    assert.equal((await list(key)).body.api_keys.length, 1)
  })

  test('GET /api-keys reports a use that another node recorded', async () => {
    const [key, other] = [await fresh(), await issue()]
    await node.store.identity.markUsed(new Map([[other.key, NOW_MS + 5]]))
    const used = (await list(key)).body.api_keys.map(
      (each: { last_used_timestamp: string | null }) => each.last_used_timestamp,
    )
    assert.deepEqual(used, [`${NOW_MS + 5}000000`, `${NOW_MS}000000`])
  })

  test('GET /api-keys needs a key', async () => {
    assert.equal((await node.send({ url: '/api-keys' })).status, 401)
  })
})

describe('DELETE /api-key', () => {
  const empty = { method: 'DELETE', url: '/api-key' } as const

  for (const [name, body, headers] of [
    ['without a body', undefined, {}],
    ['with an empty body of JSON', '', { 'content-type': 'application/json' }],
    ['with an empty object', {}, {}],
    ['with null', 'null', {}],
    ['with api_key null', { api_key: null }, {}],
    ['with all false', { all: false }, {}],
    ['with all as text', { all: 'true' }, {}],
    ['with all as 1', { all: 1 }, {}],
    ['with on_chain false', { on_chain: false }, {}],
    ['with on_chain null', { on_chain: null }, {}],
    ['with members that it does not know', { chain: true, other: 1 }, {}],
  ] as const)
    test(`${name} revokes the key of the request only`, async () => {
      const [key, other] = [await fresh(), await issue()]
      const sent = { ...empty, headers: { ...key.headers, ...headers }, body }
      const { status, body: answered } = await node.send(sent)
      assert.equal(status, 200)
      assert.deepEqual(answered, { success: true })
      assert.ok(Value.Check(KeyRemoved, answered))
      assert.deepEqual([await isLive(key), await isLive(other)], [false, true])
    })

  test('DELETE /api-key takes a JSON body without a content type, and no other type', async () => {
    const [key, other] = [await fresh(), await issue()]
    const payload = JSON.stringify({ api_key: other.key })
    const { headers } = key
    const typed = { ...headers, 'content-type': 'text/plain' }
    const refused = await node.host.inject({ ...empty, headers: typed, payload })
    assert.equal(refused.statusCode, 415)
    assert.equal(await isLive(other), true)
    const done = await node.host.inject({ ...empty, headers, payload: Buffer.from(payload) })
    assert.equal(done.statusCode, 200)
    assert.deepEqual([await isLive(key), await isLive(other)], [true, false])
  })

  test('DELETE /api-key with api_key revokes that key of the same account', async () => {
    const [key, other] = [await fresh(), await issue()]
    const { status, body } = await remove(key, { api_key: other.key })
    assert.deepEqual([status, body], [200, { success: true }])
    assert.deepEqual([await isLive(key), await isLive(other)], [true, false])
  })

  test('DELETE /api-key with api_key and all false revokes that key', async () => {
    const [key, other] = [await fresh(), await issue()]
    await remove(key, { api_key: other.key, all: false })
    assert.deepEqual([await isLive(key), await isLive(other)], [true, false])
  })

  test('DELETE /api-key with all true revokes every key of the account and reports their number', async () => {
    const bystander = await fresh()
    const keys = [await fresh(), await issue(), await issue()]
    const { status, body } = await remove(keys[0] as IssuedKey, { all: true, api_key: 'ignored' })
    assert.deepEqual([status, body], [200, { success: true, revoked: 3 }])
    assert.deepEqual(await Promise.all(keys.map(isLive)), [false, false, false])
    assert.equal(await isLive(bystander), true)
  })

  test('DELETE /api-key is 404 for a key that is unknown, revoked, expired, of another account, or no key', async () => {
    const foreign = await fresh()
    const [key, gone] = [await fresh(), await issue()]
    const expired = await issueKey(node.store, wallet, NOW_MS, -1)
    await remove(gone)
    for (const api_key of [
      '0'.repeat(32),
      gone.key,
      expired.key,
      foreign.key,
      key.key.slice(0, 8),
      key.key.toUpperCase(),
      '',
      'a\u0000b',
    ]) {
      const { status, body } = await remove(key, { api_key })
      assert.deepEqual([status, body.error], [404, 'API_KEY_NOT_FOUND'], api_key)
      assert.equal(body.details[0].field, 'api_key')
    }
    assert.deepEqual([await isLive(key), await isLive(foreign)], [true, true])
  })

  for (const [name, body, code] of [
    ['api_key that is a number', '{"api_key":5}', 'INVALID_PARAMETER'],
    ['a list', '[]', 'INVALID_PARAMETER'],
    ['text', '"all"', 'INVALID_PARAMETER'],
    ['no JSON', '{', 'MALFORMED_JSON'],
  ] as const)
    test(`DELETE /api-key is 400 for ${name}`, async () => {
      const key = await fresh()
      const { status, body: problem } = await remove(key, body)
      assert.deepEqual([status, problem.error], [400, code])
      assert.equal(await isLive(key), true)
    })

  test('DELETE /api-key needs a key', async () => {
    assert.equal((await node.send(empty)).status, 401)
  })

  test('DELETE /api-key may be called by a page of another origin', async () => {
    const headers = {
      origin: 'https://a.example',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'api-key,api-secret',
    }
    const answer = await node.host.inject({ method: 'OPTIONS', url: '/api-key', headers })
    assert.equal(answer.statusCode, 204)
    assert.match(String(answer.headers['access-control-allow-methods']), /DELETE/)
    assert.equal(answer.headers['access-control-allow-headers'], 'api-key,api-secret')
  })
})

describe('the life of keys', () => {
  test('the sixth registration revokes the oldest of five live keys', async () => {
    const owner = newWallet()
    const replies: Reply[] = []
    for (let at = 0; at < 6; at++) replies.push(await node.register({ wallet: owner }))
    const statuses = await Promise.all(
      replies.map(async (reply) => (await list({ headers: headersOf(reply) })).status),
    )
    assert.deepEqual(statuses, [401, 200, 200, 200, 200, 200])
  })

  test('20 registrations at once leave five live keys', async () => {
    const owner = newWallet()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => node.register({ wallet: owner })),
    )
    assert.ok(replies.every(({ status }) => status === 201))
    const live = await node.store.identity.liveKeys(owner.address.toLowerCase(), NOW_MS)
    assert.equal(live.length, 5)
  })

  test('the operator sets the maximum number of keys of an account', async () => {
    const at = await keyNode({ settings: { keysPerAccountMax: 1 } }, node.store)
    const owner = newWallet()
    const first = await at.register({ wallet: owner })
    const second = await at.register({ wallet: owner })
    assert.equal((await list({ headers: headersOf(first) }, at)).status, 401)
    assert.equal((await list({ headers: headersOf(second) }, at)).status, 200)
    await at.close()
  })

  test('while the database is down, keys are neither issued, listed nor revoked: 503', async () => {
    const key = await fresh()
    const down = () => Promise.reject(new Error('down'))
    const identity: Identity = {
      ...node.store.identity,
      register: down,
      liveKeys: down,
      revoke: down,
      revokeAll: down,
    }
    const at = await keyNode({ identity }, node.store)
    for (const reply of [
      await at.register(),
      await list(key, at),
      await remove(key, undefined, at),
      await remove(key, { all: true }, at),
    ]) {
      assert.deepEqual([reply.status, reply.body.error], [503, 'AUTH_UNAVAILABLE'])
      assert.equal(reply.headers['retry-after'], '1')
    }
    await at.close()
    assert.equal(await isLive(key), true)
  })
})
