// POST /register: every status and body of interface 4.5, and the rules of keys in 5.2 and 5.3.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Problem } from '@openvenue/wire/field'
import { Registered } from '@openvenue/wire/registration'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import {
  headersOf,
  type KeyNode,
  keyNode,
  NOW_MS,
  NOW_SECONDS,
  newWallet,
  type Reply,
  registrationBody,
} from '../../test/key-node.ts'
import { hashText } from '../identity/new-key.ts'

const NS = '000000'
const MAX = 2n ** 256n - 1n

let node: KeyNode
before(async () => {
  node = await keyNode({ call: async () => '0x00' })
})
after(() => node.close())

const post = (body: unknown, at: KeyNode = node) =>
  at.send({ method: 'POST', url: '/register', body })
const listed = (reply: Reply, at: KeyNode = node) =>
  at.send({ url: '/api-keys', headers: headersOf(reply) })

/** Returns the lifetime of a registration's key, ms after NOW_MS. */
async function readLife(reply: Reply): Promise<number> {
  const [key] = (await listed(reply)).body.api_keys
  return Number(key.expires_timestamp.slice(0, -NS.length)) - NOW_MS
}

describe('POST /register', () => {
  test('POST /register answers 201 with a key and its secret, which work, and both addresses in lower case', async () => {
    const [wallet, signingKey] = [newWallet(), newWallet()]
    const reply = await node.register({ wallet, signingKey })
    assert.deepEqual([reply.status, reply.headers['cache-control']], [201, 'no-store'])
    assert.ok(Value.Check(Registered, reply.body))
    assert.deepEqual(Object.keys(reply.body), ['api_key', 'api_secret', 'account', 'signing_key'])
    assert.equal(reply.body.account, wallet.address.toLowerCase())
    assert.equal(reply.body.signing_key, signingKey.address.toLowerCase())
    assert.equal((await listed(reply)).status, 200)
  })

  test('POST /register keeps the hash of the secret and not the secret', async () => {
    const { body } = await node.register()
    const found = await node.store.identity.find(body.api_key, NOW_MS)
    assert.equal(found?.secretHash, hashText(body.api_secret))
    const rows = await node.store.db.primary.query('SELECT k::text FROM api_keys AS k')
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(body.api_secret))
  })

  test('POST /register gives every registration another key and another secret', async () => {
    const wallet = newWallet()
    const [one, two] = [await node.register({ wallet }), await node.register({ wallet })]
    assert.notEqual(one.body.api_key, two.body.api_key)
    assert.notEqual(one.body.api_secret, two.body.api_secret)
    assert.deepEqual([(await listed(one)).status, (await listed(two)).status], [200, 200])
  })

  test('POST /register takes signatures with and without 0x, v as 0 or 27, and addresses in any case', async () => {
    for (const form of [
      (bare: string) => bare,
      (bare: string) => `0X${bare.toUpperCase()}`,
      (bare: string) => `0x${bare.slice(0, -2)}${bare.endsWith('1b') ? '00' : '01'}`,
    ]) {
      const body = await registrationBody()
      const account_signature = form(String(body.account_signature).slice(2))
      assert.equal((await post({ ...body, account_signature })).status, 201, account_signature)
    }
    const body = await registrationBody()
    const account = `0x${String(body.account).slice(2).toUpperCase()}`
    const signing_key = String(body.signing_key).toLowerCase()
    assert.equal((await post({ ...body, account, signing_key })).status, 201)
  })

  test('POST /register ignores members that it does not know', async () => {
    const members = { name: 'x', __proto__: null, constructor: 1, referral: {} }
    assert.equal((await node.register({ members })).status, 201)
  })

  test('POST /register keeps what was signed, and the referral code', async () => {
    const wallet = newWallet()
    const { body } = await node.register({
      wallet,
      expiry: MAX,
      members: { referral_code: 'friend' },
    })
    const [row] = await node.store.db.primary.query(
      'SELECT signing_key, expiry, referral_code FROM registrations WHERE account = $1',
      [body.account],
    )
    assert.deepEqual(row, [body.signing_key, MAX.toString(), 'friend'])
  })

  describe('no_api_key', () => {
    test('no_api_key true answers with both addresses only when the account has a live key, which stays', async () => {
      const wallet = newWallet()
      const first = await node.register({ wallet })
      const signingKey = newWallet()
      const second = await node.register({ wallet, signingKey, members: { no_api_key: true } })
      assert.equal(second.status, 201)
      assert.deepEqual(second.body, {
        account: wallet.address.toLowerCase(),
        signing_key: signingKey.address.toLowerCase(),
      })
      assert.equal((await listed(first)).body.api_keys.length, 1)
      const rows = await node.store.db.primary.query(
        'SELECT 1 FROM registrations WHERE account = $1',
        [second.body.account],
      )
      assert.equal(rows.length, 2)
    })

    test('no_api_key true issues a key when the account has none', async () => {
      const { status, body } = await node.register({ members: { no_api_key: true } })
      assert.equal(status, 201)
      assert.ok(body.api_key && body.api_secret)
    })

    test('no_api_key false, null or absent issues another key', async () => {
      const wallet = newWallet()
      for (const no_api_key of [false, null, undefined]) {
        const { body } = await node.register({ wallet, members: { no_api_key } })
        assert.ok(body.api_key)
      }
    })
  })

  describe('expiry', () => {
    const DAY_MS = 24 * 3600 * 1000
    for (const [expiry, lifeMs, what] of [
      [BigInt(NOW_SECONDS + 90), 90_000, 'the time that was signed'],
      [BigInt(NOW_SECONDS + 1), 1000, 'a second'],
      [BigInt(NOW_SECONDS), 60_000, '60 seconds: now is not in the future'],
      [BigInt(NOW_SECONDS - 1), 60_000, '60 seconds: it is past'],
      [0n, 60_000, '60 seconds: it is long past'],
      [BigInt(NOW_SECONDS + 30 * 24 * 3600 - 1), 30 * DAY_MS - 1000, 'just under 30 days'],
      [BigInt(NOW_SECONDS + 30 * 24 * 3600 + 1), 30 * DAY_MS, '30 days, the longest'],
      [2n ** 53n, 30 * DAY_MS, '30 days'],
      [MAX, 30 * DAY_MS, '30 days'],
    ] as const)
      test(`the expiry ${expiry} gives a key that lives ${what}`, async () => {
        assert.equal(await readLife(await node.register({ expiry })), lifeMs)
      })

    test('an expiry later than the operator allows is cut to the latest allowed', async () => {
      const settings = { keyTtlMaxSeconds: 120 }
      const strictNode = await keyNode({ settings }, node.store)
      const reply = await strictNode.register()
      assert.equal(await readLife(reply), 120_000)
      await strictNode.close()
    })

    test('the expiry of a registration is taken as a JSON integer of any size, no digit lost, and as text', async () => {
      for (const expiry of [BigInt(NOW_SECONDS + 90), 2n ** 53n + 1n, MAX]) {
        const text = JSON.stringify(await registrationBody({ expiry }))
        assert.equal((await post(text)).status, 201, text)
        const other = JSON.stringify(await registrationBody({ expiry }))
        const number = other.replace(`"expiry":"${expiry}"`, `"expiry":${expiry}`)
        assert.equal((await post(number)).status, 201, number)
      }
    })

    for (const [expiry, nearest] of [
      ['1.5', undefined],
      [1.5, undefined],
      ['-1', undefined],
      [-1, '0'],
      ['1e9', undefined],
      [1e30, undefined],
      ['0x10', undefined],
      ['soon', undefined],
      [true, undefined],
      [{}, undefined],
      [[1], undefined],
      [(MAX + 1n).toString(), MAX.toString()],
      ['9'.repeat(101), undefined],
    ] as const)
      test(`expiry ${JSON.stringify(expiry).slice(0, 90)} is 400 with the rule`, async () => {
        const { status, body } = await node.register({ members: { expiry } })
        assert.equal(status, 400)
        const [detail] = body.details
        assert.equal(detail.field, 'expiry')
        assert.equal(detail.code, 'INVALID_PARAMETER')
        assert.match(
          detail.message,
          /^expiry is invalid: .*Unix seconds, an integer from 0 to 2\^256 - 1/,
        )
        assert.equal(detail.nearest, nearest)
      })
  })

  describe('answers 400, before it looks at any signature, to', () => {
    for (const [name, members, code, field] of [
      ['no account', { account: undefined }, 'MISSING_PARAMETER', 'account'],
      ['a null account', { account: null }, 'MISSING_PARAMETER', 'account'],
      ['an empty account', { account: '' }, 'MISSING_PARAMETER', 'account'],
      ['a short account', { account: '0x12' }, 'MALFORMED_ADDRESS', 'account'],
      ['an account without 0x', { account: 'a'.repeat(42) }, 'MALFORMED_ADDRESS', 'account'],
      ['an account that is a number', { account: 7 }, 'MALFORMED_ADDRESS', 'account'],
      ['no signing key', { signing_key: undefined }, 'MISSING_PARAMETER', 'signing_key'],
      [
        'a long signing key',
        { signing_key: `0x${'1'.repeat(41)}` },
        'MALFORMED_ADDRESS',
        'signing_key',
      ],
      ['no expiry', { expiry: undefined }, 'MISSING_PARAMETER', 'expiry'],
      ['an empty expiry', { expiry: '' }, 'MISSING_PARAMETER', 'expiry'],
      [
        'a referral code that is a number',
        { referral_code: 7 },
        'INVALID_PARAMETER',
        'referral_code',
      ],
      [
        'a referral code of 65 characters',
        { referral_code: 'x'.repeat(65) },
        'INVALID_PARAMETER',
        'referral_code',
      ],
      [
        'a referral code with a NUL',
        { referral_code: 'a\u0000b' },
        'INVALID_PARAMETER',
        'referral_code',
      ],
      ['half a character', { referral_code: '\ud800' }, 'INVALID_PARAMETER', 'referral_code'],
      [
        'an invite code of 65 characters',
        { invite_code: 'x'.repeat(65) },
        'INVALID_PARAMETER',
        'invite_code',
      ],
      ['an invite code that is a list', { invite_code: [] }, 'INVALID_PARAMETER', 'invite_code'],
      ['no_api_key as text', { no_api_key: 'true' }, 'INVALID_PARAMETER', 'no_api_key'],
    ] as const)
      test(name, async () => {
        const signatures = { account_signature: '0x', signing_key_signature: '0x' }
        const { status, body } = await node.register({ members: { ...signatures, ...members } })
        assert.equal(status, 400)
        assert.ok(Value.Check(Problem, body))
        assert.equal(body.error, code)
        assert.deepEqual([body.details?.[0]?.code, body.details?.[0]?.field], [code, field])
      })

    test('POST /register answers 400 to several wrong members, naming each', async () => {
      const { status, body } = await post({ account: 'x' })
      assert.equal(status, 400)
      const named = body.details.map((detail: { field: string }) => detail.field)
      assert.deepEqual(named, ['account', 'signing_key', 'expiry'])
    })

    for (const [name, text, code] of [
      ['no JSON', '{"account":', 'MALFORMED_JSON'],
      ['a list', '[]', 'INVALID_PARAMETER'],
      ['text', '"x"', 'INVALID_PARAMETER'],
      ['null', 'null', 'INVALID_PARAMETER'],
    ] as const)
      test(`POST /register answers 400 to a body that is ${name}`, async () => {
        const { status, body } = await post(text)
        assert.deepEqual([status, body.error], [400, code])
      })

    test('POST /register answers 400 to a missing body', async () => {
      const { status, body } = await node.send({ method: 'POST', url: '/register' })
      assert.deepEqual([status, body.error], [400, 'INVALID_PARAMETER'])
    })
  })

  test('POST /register never fails on a malformed body: any values of its members, any text', async () => {
    const good = await registrationBody()
    const odd = fc.oneof(
      fc.anything({ withBigInt: false, maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
      fc.bigInt().map(String),
      fc.constantFrom('0x', `0x${'00'.repeat(65)}`, '\u0000', '__proto__', 1e308, -0, Number.NaN),
    )
    const some = fc.dictionary(fc.constantFrom(...Object.keys(good), 'no_api_key', 'x'), odd)
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.integer({ min: 1, max: 30_000 }).map((depth) => '['.repeat(depth)),
      fc
        .integer({ min: 1, max: 30_000 })
        .map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
      fc.integer({ min: 1, max: 60_000 }).map((digits) => `{"expiry":${'9'.repeat(digits)}}`),
    )
    const body = fc.oneof(
      some.map((members) => ({ ...good, ...members })),
      text,
    )
    const run = fc.asyncProperty(body, async (sent) => {
      const { status, body: answered } = await post(sent)
      assert.ok(status < 500, `${status} ${JSON.stringify(answered)}`)
      assert.ok(status === 201 || Value.Check(Problem, answered))
    })
    await fc.assert(run, { numRuns: 300 })
  })

  test('POST /register answers 415 to a body that is not JSON, and 413 to one that is too large', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = { method: 'POST', url: '/register', headers, body: 'account=0x' } as const
    assert.equal((await node.send(form)).status, 415)
    assert.equal((await post({ account: 'x'.repeat(70_000) })).status, 413)
  })
})

describe('POST /register where accounts register by invitation', () => {
  let at: KeyNode
  before(async () => {
    at = await keyNode({ settings: { isInviteOnly: true } }, node.store)
    await node.store.identity.addInvites(CODES.map(hashText), NOW_MS)
  })
  after(() => at.close())
  const CODES = ['first-code', 'second-code']
  const invited = (invite_code: unknown, wallet = newWallet()) =>
    at.register({ wallet, members: { invite_code } })

  for (const [name, code, error] of [
    ['missing', undefined, 'INVITE_REQUIRED'],
    ['null', null, 'INVITE_REQUIRED'],
    ['empty', '', 'INVITE_REQUIRED'],
    ['unknown', 'no-code', 'INVITE_INVALID'],
    ['in another case', 'First-Code', 'INVITE_INVALID'],
  ] as const)
    test(`POST /register by invitation is 403 with an invite code that is ${name}`, async () => {
      const { status, body } = await invited(code)
      assert.equal(status, 403)
      assert.ok(Value.Check(Problem, body))
      assert.deepEqual([body.error, body.details?.[0]?.field], [error, 'invite_code'])
    })

  test('POST /register by invitation accepts a code once, answers 409 to a second use, and knows the account then', async () => {
    const wallet = newWallet()
    assert.equal((await invited('first-code', wallet)).status, 201)
    const { status, body } = await invited('first-code')
    assert.deepEqual([status, body.error], [409, 'INVITE_USED'])
    assert.equal((await invited(undefined, wallet)).status, 201)
    assert.equal((await invited('first-code', wallet)).status, 201)
    assert.equal((await invited('no-code', wallet)).status, 201)
  })

  test('POST /register by invitation admits one of ten concurrent requests with the same code', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => invited('second-code')))
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(9).fill(409)])
  })

  test('POST /register by invitation checks the body first, then the signatures, then the code', async () => {
    const members = { account_signature: '0x' }
    const malformed = await at.register({ members: { ...members, expiry: 'x' } })
    const unsigned = await at.register({ members })
    assert.deepEqual([malformed.status, unsigned.status], [400, 401])
  })

  test('POST /register without invitations needs no code, and ignores a wrong one', async () => {
    assert.equal((await node.register({ members: { invite_code: 'no-code' } })).status, 201)
  })
})
