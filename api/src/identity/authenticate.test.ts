// Authentication and access to accounts. Interface 5 and 4.4.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openCache } from '@openvenue/store/db/cache'
import type { Identity } from '@openvenue/store/identity/identity'
import { Problem } from '@openvenue/wire/field'
import type { InjectOptions } from 'fastify'
import { Value } from 'typebox/value'
import { type KeyNode, keyNode, NOW_MS } from '../../test/key-node.ts'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import { type Rate, rateBuckets } from '../http/limits.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import { createAuthenticate } from './authenticate.ts'
import { requireCaller } from './caller.ts'
import { KeyChecks } from './key-checks.ts'

const ALICE = `0x${'aB'.repeat(20)}`
const BOB = `0x${'b0'.repeat(20)}`

let node: KeyNode
let alice: IssuedKey
let bob: IssuedKey
before(async () => {
  node = await keyNode()
  alice = await issueKey(node.store, ALICE, NOW_MS)
  bob = await issueKey(node.store, BOB, NOW_MS)
})
after(() => node.close())

type Headers = Readonly<Record<string, string>>
const readCode = async (headers: Headers, url = '/api-keys') => {
  const { status, body } = await node.send({ url, headers })
  if (status !== 200) assert.ok(Value.Check(Problem, body))
  return [status, body.error]
}

describe('a request with a key', () => {
  test('a request with a key is 401 AUTH_REQUIRED without key or secret', async () => {
    const { key, secret } = alice
    for (const headers of [
      {},
      { 'api-key': key },
      { 'api-secret': secret },
      { 'api-key': '', 'api-secret': '' },
      { 'api-key': key, 'aevo-secret': secret },
      { 'other-key': key, 'other-secret': secret },
      { authorization: `Bearer ${secret}` },
    ] as Headers[])
      assert.deepEqual(await readCode(headers), [401, 'AUTH_REQUIRED'], JSON.stringify(headers))
    const url = `/api-keys?api-key=${key}&api-secret=${secret}`
    assert.deepEqual(await readCode({}, url), [401, 'AUTH_REQUIRED'])
  })

  test('a request without a valid key is answered with the scheme in WWW-Authenticate, and no other answer is', async () => {
    const challenge = async (options: InjectOptions) => {
      const { statusCode, headers } = await node.host.inject(options)
      return [statusCode, headers['www-authenticate']]
    }
    const scheme = 'ApiKey realm="openvenue", headers="API-KEY API-SECRET"'
    const wrong = { 'api-key': alice.key, 'api-secret': 'x' }
    assert.deepEqual(await challenge({ url: '/account' }), [401, scheme])
    assert.deepEqual(await challenge({ url: '/account', headers: wrong }), [401, scheme])
    const unsigned = { account: ALICE, signing_key: BOB, expiry: 1 }
    const register = { url: '/register', method: 'POST', payload: unsigned } as const
    assert.deepEqual(await challenge(register), [401, 'EIP712 realm="openvenue"'])
    const { headers } = alice
    assert.deepEqual(await challenge({ url: '/api-keys', headers }), [200, undefined])
    assert.deepEqual(await challenge({ url: '/nowhere' }), [404, undefined])
  })

  test('a request with a key is 401 AUTH_INVALID with a wrong key or secret, or those of two keys', async () => {
    for (const [key, secret] of [
      ['nothing', alice.secret],
      ['0'.repeat(32), alice.secret],
      [alice.key, 'nothing'],
      [alice.key, alice.secret.toUpperCase()],
      [alice.key, bob.secret],
      [alice.secret, alice.key],
    ] as const)
      assert.deepEqual(await readCode({ 'api-key': key, 'api-secret': secret }), [
        401,
        'AUTH_INVALID',
      ])
  })

  test('a request with a key is 401 AUTH_INVALID from the moment the key expires', async () => {
    const { headers } = await issueKey(node.store, ALICE, NOW_MS, 1000)
    node.setNowMs(NOW_MS + 999)
    assert.equal((await readCode(headers))[0], 200)
    node.setNowMs(NOW_MS + 1000)
    assert.deepEqual(await readCode(headers), [401, 'AUTH_INVALID'])
    node.setNowMs(NOW_MS)
  })

  test('a request with a key is 401 AUTH_INVALID as soon as the key is revoked', async () => {
    const { headers, key } = await issueKey(node.store, BOB, NOW_MS)
    assert.equal((await readCode(headers))[0], 200)
    await node.store.identity.revoke(BOB, key, NOW_MS)
    assert.deepEqual(await readCode(headers), [401, 'AUTH_INVALID'])
  })

  test('a request with a key is 503 AUTH_UNAVAILABLE with a time to come back while the database is down', async () => {
    const down = await keyNode({ identity: BROKEN_ACCOUNTS.identity }, node.store)
    const { status, body, headers } = await down.send({ url: '/api-keys', headers: alice.headers })
    await down.close()
    assert.deepEqual(
      [status, body.error, body.retry_after],
      [503, 'AUTH_UNAVAILABLE', '1000000000'],
    )
    assert.equal(headers['retry-after'], '1')
  })

  test('a request with a key may name its headers in any case, and by the brand of the operator', async () => {
    const { key, secret } = alice
    for (const headers of [
      { 'API-KEY': key, 'API-SECRET': secret },
      { 'AEVO-KEY': key, 'AEVO-SECRET': secret },
      { 'aevo-key': key, 'aevo-secret': secret },
    ] as Headers[])
      assert.equal((await readCode(headers))[0], 200)
    const branded = await keyNode({ settings: { headerBrands: ['ACME', 'OLD'] } }, node.store)
    const readStatus = async (headers: Headers) =>
      (await branded.send({ url: '/api-keys', headers })).status
    assert.equal(await readStatus({ 'ACME-KEY': key, 'ACME-SECRET': secret }), 200)
    assert.equal(await readStatus({ 'OLD-KEY': key, 'OLD-SECRET': secret }), 200)
    assert.equal(await readStatus({ 'AEVO-KEY': key, 'AEVO-SECRET': secret }), 401)
    await branded.close()
  })

  test('a response to a request with a key may not be cached', async () => {
    for (const headers of [alice.headers, {}] as Headers[]) {
      const answer = await node.send({ url: '/api-keys', headers })
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  })

  test("a request with a key is the key's account, whatever x-account-address and ?account= claim", async () => {
    const seen: string[] = []
    const at = await guarded((account) => seen.push(account))
    const claims = { 'x-account-address': BOB, 'x-account': BOB, account: BOB }
    const url = `/whoami?account=${BOB}&address=${BOB}`
    const { status } = await at.send({ url, headers: { ...alice.headers, ...claims } })
    assert.deepEqual([status, seen], [200, [ALICE.toLowerCase()]])
    const claimed = await at.send({ url, headers: claims })
    await at.close()
    assert.deepEqual([claimed.status, claimed.body.error], [401, 'AUTH_REQUIRED'])
  })
})

describe('an endpoint with an address in its path', () => {
  let at: KeyNode
  let seen: string[]
  before(async () => {
    at = await guarded((account) => seen.push(account))
  })
  after(() => at.close())
  const statusAndCode = async (address: string, headers: Headers) => {
    seen = []
    const { status, body } = await at.send({ url: `/account/${address}/whoami`, headers })
    assert.equal(seen.length, status === 200 ? 1 : 0, 'nobody sees what is not theirs')
    return [status, body.error]
  }

  test('an endpoint with an address answers the owner, whatever the case of the address', async () => {
    for (const address of [ALICE, ALICE.toLowerCase(), `0X${ALICE.slice(2).toUpperCase()}`])
      assert.deepEqual(await statusAndCode(address, alice.headers), [200, undefined])
  })

  test('an endpoint with an address in its path is 403 FORBIDDEN_ACCOUNT for another account', async () => {
    assert.deepEqual(await statusAndCode(ALICE, bob.headers), [403, 'FORBIDDEN_ACCOUNT'])
  })

  test('an endpoint with an address is 400 MALFORMED_ADDRESS for an invalid address, naming the rule', async () => {
    for (const address of ['0x12', 'alice', ALICE.slice(2), `${ALICE}0`, '0x%20', '__proto__'])
      assert.deepEqual(await statusAndCode(address, bob.headers), [400, 'MALFORMED_ADDRESS'])
    const { body } = await at.send({ url: '/account/x/whoami', headers: bob.headers })
    assert.deepEqual(body.details, [
      {
        field: 'address',
        code: 'MALFORMED_ADDRESS',
        message: 'address is malformed: got "x", expected 0x and 40 hex digits',
      },
    ])
  })

  test('an endpoint with an address is 401 without a valid key before any other check', async () => {
    for (const address of [ALICE, BOB, 'x']) {
      assert.deepEqual(await statusAndCode(address, {}), [401, 'AUTH_REQUIRED'])
      const wrong = { ...alice.headers, 'api-secret': 'x' }
      assert.deepEqual(await statusAndCode(address, wrong), [401, 'AUTH_INVALID'])
    }
  })
})

describe('requests with a key are counted', () => {
  const RATE: Rate = { points: 3, seconds: 60 }
  type Rates = Readonly<{ publicRate?: Rate; privateRate?: Rate; registerRate?: Rate }>
  const limited = async (rates: Rates): Promise<KeyNode> => {
    const { publicRate, privateRate, registerRate } = rates
    const all = { publicRate, privateRate, registerRate }
    const { consume } = await openCache({
      buckets: rateBuckets({ ...all, settings: ACCOUNT_SETTINGS }),
    })
    return guarded(() => {}, { consume, ...rates })
  }
  const from = (address: string, headers: Headers = {}) => ({
    url: '/whoami',
    headers: { ...headers, 'x-forwarded-for': address },
  })

  test('requests with a key are counted by account, wherever they come from, and are answered so', async () => {
    const at = await limited({ publicRate: RATE, privateRate: RATE })
    const first = await at.send(from('1.1.1.1', alice.headers))
    assert.equal(first.headers['ratelimit-policy'], '"private";q=3;w=60')
    assert.equal(first.headers.ratelimit, '"private";r=2;t=60')
    const second = await issueKey(node.store, ALICE, NOW_MS)
    await at.send(from('2.2.2.2', second.headers))
    await at.send(from('3.3.3.3', alice.headers))
    const { status, body, headers } = await at.send(from('4.4.4.4', second.headers))
    assert.deepEqual([status, body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.equal(headers['ratelimit-policy'], '"private";q=3;w=60')
    assert.match(String(headers['retry-after']), /^(59|60)$/)
    assert.equal((await at.send(from('1.1.1.1', bob.headers))).status, 200)
    await at.close()
  })

  test('requests with a key are not counted against the public reads of their address', async () => {
    const at = await limited({ publicRate: RATE, privateRate: { points: 9, seconds: 60 } })
    for (let i = 0; i < 5; i++)
      assert.equal((await at.send(from('1.1.1.1', alice.headers))).status, 200)
    const { headers } = await at.send({ ...from('1.1.1.1'), url: '/version' })
    assert.match(String(headers.ratelimit), /^"public";r=2;/)
    await at.close()
  })

  test('requests with a missing or wrong key are counted against their address, up to a 429', async () => {
    const at = await limited({ publicRate: RATE, privateRate: RATE })
    const wrong = { ...alice.headers, 'api-secret': 'x' }
    const replies = []
    for (const headers of [{}, wrong, wrong, wrong])
      replies.push(await at.send(from('1.1.1.1', headers)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401, 429],
    )
    assert.match(String(replies[0]?.headers.ratelimit), /^"public";r=2;/)
    assert.equal((await at.send(from('1.1.1.1', alice.headers))).status, 200)
    await at.close()
  })

  test('guessing keys stops reaching the database, while keys in use go on', async () => {
    const asked: string[] = []
    const find: Identity['find'] = (key, nowMs) => {
      asked.push(key)
      return node.store.identity.find(key, nowMs)
    }
    const buckets = rateBuckets({
      publicRate: RATE,
      privateRate: undefined,
      registerRate: undefined,
      settings: ACCOUNT_SETTINGS,
    })
    const { consume } = await openCache({ buckets })
    const identity = { ...node.store.identity, find }
    const at = await keyNode({ identity, rates: { consume, publicRate: RATE } }, node.store)
    const carol = await issueKey(node.store, `0x${'ca'.repeat(20)}`, NOW_MS)
    const guess = async (n: number, address = '1.1.1.1') => {
      const headers = { 'api-key': `${n}`.padStart(32, '0'), 'api-secret': 'x' }
      return (await at.send({ ...from(address, headers), url: '/api-keys' })).status
    }
    const list = async ({ headers }: IssuedKey, address = '1.1.1.1') =>
      (await at.send({ ...from(address, headers), url: '/api-keys' })).status
    assert.equal(await list(alice), 200)
    for (let n = 0; n < 9; n++) await at.send({ ...from('3.3.3.3'), url: '/version' })
    assert.equal(await list(carol, '3.3.3.3'), 200, 'public reads that ran out are no guesses')
    const statuses: number[] = []
    for (let n = 0; n < 9; n++) statuses.push(await guess(n))
    assert.deepEqual(statuses, [401, 401, 401, ...Array(6).fill(429)])
    assert.equal(asked.length, 2 + 4, 'the fourth guess was the last that was looked up')
    assert.equal(await list(alice), 200)
    assert.equal(await list(bob), 429, 'a key that this node does not know waits as well')
    assert.equal(await list(bob, '2.2.2.2'), 200)
    assert.equal(await list(bob), 200)
    assert.equal(await guess(99, '2.2.2.2'), 401)
    await at.close()
  })

  test('requests with a key are counted even when they are refused: another account, a malformed address', async () => {
    const at = await limited({ publicRate: RATE, privateRate: RATE })
    const { headers } = await at.send({
      ...from('1.1.1.1', alice.headers),
      url: `/account/${BOB}/whoami`,
    })
    assert.match(String(headers.ratelimit), /^"private";r=2;/)
    await at.close()
  })

  test('requests with a key are not counted, and have no headers, where private reads have no limit', async () => {
    const at = await limited({ publicRate: RATE })
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await at.send(from('1.1.1.1', alice.headers))
      assert.deepEqual([status, headers.ratelimit], [200, undefined])
    }
    await at.close()
  })

  test('registrations are counted by address, in a bucket of their own', async () => {
    const at = await limited({ publicRate: RATE, registerRate: { points: 2, seconds: 60 } })
    const post = (address: string) =>
      at.send({ ...from(address), method: 'POST', url: '/register' })
    const [first, second, third] = [
      await post('1.1.1.1'),
      await post('1.1.1.1'),
      await post('1.1.1.1'),
    ]
    assert.equal(first.headers['ratelimit-policy'], '"register";q=2;w=60')
    assert.match(String(second.headers.ratelimit), /^"register";r=0;/)
    assert.deepEqual(
      [first.status, third.status, third.body.error],
      [400, 429, 'RATE_LIMIT_EXCEEDED'],
    )
    assert.equal((await post('2.2.2.2')).status, 400)
    const { headers } = await at.send({ ...from('1.1.1.1'), url: '/version' })
    assert.match(String(headers.ratelimit), /^"public";r=2;/)
    await at.close()
  })
})

/** A node with two more endpoints that need a key. */
async function guarded(
  see: (account: string) => void,
  rates: Partial<ApiHostDeps['rates']> = {},
): Promise<KeyNode> {
  const at = await keyNode({ rates }, node.store)
  const keys = new KeyChecks({
    identity: node.store.identity,
    nowMs: () => NOW_MS,
    monotonicMs: () => NOW_MS,
  })
  const onRequest = createAuthenticate(keys, ACCOUNT_SETTINGS.headerBrands)
  for (const url of ['/whoami', '/account/:address/whoami'])
    at.host.get(url, { onRequest }, async (request) => {
      see(requireCaller(request).account)
      return {}
    })
  at.host.addHook('onClose', () => keys.close())
  return at
}
