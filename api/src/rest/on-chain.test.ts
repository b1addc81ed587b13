// Registration of signing keys on the chain: on_chain of POST /register.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { REGISTER_GAS_MAX, WALLET_UNFINISHED_MAX } from '@openvenue/store/identity/key-relays'
import { Problem } from '@openvenue/wire/field'
import { Registered } from '@openvenue/wire/registration'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { decodeFunctionData, encodeErrorResult, type Hex, parseAbi } from 'viem'
import {
  CONTRACT,
  headersOf,
  type KeyNode,
  keyNode,
  NOW_MS,
  NOW_SECONDS,
  newWallet,
  type RegistrationInput,
  type Reply,
  registrationBody,
} from '../../test/key-node.ts'
import { CallReverted } from '../identity/eth-call.ts'
import { REGISTER_ABI } from '../identity/on-chain.ts'

const HASH = `0x${'ab'.repeat(32)}`
const ONE = `0x${'1'.padStart(64, '0')}`

/** The answer of the node; a test may change it. */
let answer: (call: Readonly<{ to?: string; data: string }>) => Promise<string>
let node: KeyNode
before(async () => {
  node = await keyNode({
    settings: { accountsContract: CONTRACT },
    call: (call) => answer(call),
  })
})
after(() => node.close())

const isProblem = (body: unknown): boolean => Value.Check(Problem, body)
const takes = async () => ONE
const silent = () => Promise.reject(new Error('no answer'))
type ErrorName = 'KeyExpiryPassed' | 'KeyDead' | 'KeyTaken' | 'SignatureInvalid' | 'WalletZero'
const reverts = (errorName: ErrorName, args: readonly unknown[]) => {
  const data = encodeErrorResult({ abi: accountsAbi, errorName, args } as never)
  return () => Promise.reject(new CallReverted('execution reverted', data))
}

const register = (given: RegistrationInput = {}, at = node) =>
  at.register({ ...given, members: { on_chain: true, ...given.members } })
const listed = async (reply: Reply, at = node): Promise<Reply> =>
  at.send({ url: '/api-keys', headers: headersOf(reply) })
const rows = async (account: string) => {
  const [keys, relays] = await Promise.all([
    node.store.db.primary.query('SELECT 1 FROM registrations WHERE account = $1', [account]),
    node.store.keyRelays.ofWallet(account, 10),
  ])
  return [keys.length, relays.length]
}

describe('POST /register with on_chain', () => {
  test('POST /register with on_chain true queues the signatures that the contract takes, and reports their progress', async () => {
    answer = takes
    const [wallet, signingKey] = [newWallet(), newWallet()]
    const body = await registrationBody({ wallet, signingKey, members: { on_chain: true } })
    const reply = await node.send({ method: 'POST', url: '/register', body })
    assert.equal(reply.status, 201)
    assert.ok(Value.Check(Registered, reply.body))
    assert.deepEqual(Object.keys(reply.body), [
      'api_key',
      'api_secret',
      'account',
      'signing_key',
      'on_chain',
    ])
    assert.deepEqual(reply.body.on_chain, { status: 'pending', transaction_hash: null })
    const [relay] = await node.store.keyRelays.ofWallet(wallet.address.toLowerCase(), 9)
    assert.deepEqual(
      [relay?.signingKey, relay?.expiry, relay?.walletSignature, relay?.signingKeySignature],
      [
        signingKey.address.toLowerCase(),
        BigInt(String(body.expiry)),
        body.chain_account_signature,
        body.chain_signing_key_signature,
      ],
    )
  })

  for (const on_chain of [false, null, undefined])
    test(`POST /register with on_chain ${on_chain} queues nothing and answers without it`, async () => {
      answer = () => Promise.reject(new Error('nobody asks the chain'))
      const wallet = newWallet()
      const reply = await register({ wallet, members: { on_chain } })
      assert.equal(reply.status, 201)
      assert.equal('on_chain' in reply.body, false)
      assert.deepEqual(await rows(wallet.address.toLowerCase()), [1, 0])
    })

  for (const [on_chain, shown] of [
    ['true', '"true"'],
    [1, '1'],
    [0, '0'],
    ['', '""'],
    [[], 'a list of 0'],
    [{}, 'an object'],
    [[true], 'a list of 1'],
  ] as const)
    test(`POST /register with on_chain ${JSON.stringify(on_chain)} is 400: it must be true or false`, async () => {
      answer = takes
      const wallet = newWallet()
      const { status, body } = await register({ wallet, members: { on_chain } })
      assert.deepEqual([status, body.error], [400, 'INVALID_PARAMETER'])
      assert.deepEqual(body.details, [
        {
          field: 'on_chain',
          code: 'INVALID_PARAMETER',
          message: `on_chain is invalid: got ${shown}, expected true or false`,
        },
      ])
      assert.deepEqual(await rows(wallet.address.toLowerCase()), [0, 0])
    })

  test('POST /register with on_chain and no_api_key queues a new signing key and keeps the API key', async () => {
    answer = takes
    const wallet = newWallet()
    const first = await node.register({ wallet })
    const second = await register({ wallet, members: { no_api_key: true } })
    assert.equal(second.status, 201)
    assert.deepEqual(Object.keys(second.body), ['account', 'signing_key', 'on_chain'])
    const { body } = await listed(first)
    assert.equal(body.api_keys.length, 1)
    assert.equal(body.on_chain[0].signing_key, second.body.signing_key)
  })

  test('POST /register with on_chain and no_api_key, repeated, answers the progress of the same registration', async () => {
    answer = takes
    const wallet = newWallet()
    const sent = await registrationBody({ wallet, members: { on_chain: true } })
    const post = (members: object) =>
      node.send({ method: 'POST', url: '/register', body: { ...sent, ...members } })
    await post({})
    const [relay] = await node.store.keyRelays.ofWallet(wallet.address.toLowerCase(), 9)
    await node.store.keyRelays.sent(relay?.id ?? '', HASH, NOW_MS)
    const { body } = await post({ no_api_key: true })
    assert.deepEqual(body.on_chain, { status: 'sent', transaction_hash: HASH })
    assert.equal((await post({})).body.error, 'SIGNATURES_USED')
    assert.equal((await node.store.keyRelays.ofWallet(relay?.wallet ?? '', 9)).length, 1)
  })

  test('POST /register with on_chain gives the contract v as 27 or 28, and bytes with 0x, however they were sent', async () => {
    answer = takes
    for (let at = 0; at < 4; at += 1) {
      const wallet = newWallet()
      const body = await registrationBody({ wallet, members: { on_chain: true } })
      const bare = (text: unknown) =>
        `${String(text).slice(2, -2)}${String(text).endsWith('1b') ? '00' : '01'}`.toUpperCase()
      const sent = {
        ...body,
        chain_account_signature: bare(body.chain_account_signature),
        chain_signing_key_signature: `0X${bare(body.chain_signing_key_signature)}`,
      }
      const { status } = await node.send({ method: 'POST', url: '/register', body: sent })
      assert.equal(status, 201)
      const [relay] = await node.store.keyRelays.ofWallet(wallet.address.toLowerCase(), 9)
      assert.equal(relay?.walletSignature, body.chain_account_signature)
      assert.equal(relay?.signingKeySignature, body.chain_signing_key_signature)
    }
  })

  test('POST /register with on_chain leaves the bytes of a contract wallet as they are', async () => {
    const signature = `0x${'22'.repeat(70)}00`
    answer = takes
    const account = newWallet().address
    const members = { account_signature: signature, chain_account_signature: signature }
    assert.equal((await register({ account, members })).status, 201)
    const [relay] = await node.store.keyRelays.ofWallet(account.toLowerCase(), 9)
    assert.equal(relay?.walletSignature, signature)
  })

  describe('simulates the transaction of the keeper on the node', () => {
    test('POST /register with on_chain simulates a call with the arguments of Accounts.register', async () => {
      const asked: Readonly<{ to?: string; data: string; gas?: string }>[] = []
      answer = async (call) => {
        asked.push(call)
        return ONE
      }
      const body = await registrationBody({ members: { on_chain: true } })
      await node.send({ method: 'POST', url: '/register', body })
      assert.deepEqual(
        asked.map(({ to, gas }) => [to, Number(gas)]),
        [[CONTRACT, REGISTER_GAS_MAX]],
      )
      const { functionName, args } = decodeFunctionData({
        abi: accountsAbi,
        data: asked[0]?.data as Hex,
      })
      assert.equal(functionName, 'register')
      assert.deepEqual(args, [
        body.account,
        body.signing_key,
        BigInt(String(body.expiry)),
        body.chain_account_signature,
        body.chain_signing_key_signature,
      ])
    })

    test('POST /register with on_chain simulates a call as in the ABI of the contract, errors included', () => {
      const own = parseAbi(REGISTER_ABI)
      const of = (abi: readonly { type: string; name?: string; inputs?: readonly object[] }[]) =>
        new Map(
          abi
            .filter(({ name }) => own.some((each) => each.name === name))
            .map(({ type, name, inputs = [] }) => [
              `${type} ${name}`,
              inputs.map(
                (input) => `${'type' in input && input.type} ${'name' in input && input.name}`,
              ),
            ]),
        )
      assert.deepEqual(of(own), of(accountsAbi))
    })

    const now = BigInt(NOW_SECONDS)
    const signingKey = newWallet()
    const wallet = newWallet()
    for (const [name, args, status, code, field] of [
      ['KeyDead', [signingKey.address], 409, 'KEY_REVOKED', 'signing_key'],
      ['KeyTaken', [signingKey.address, 7], 409, 'KEY_TAKEN', 'signing_key'],
      ['KeyTaken', [wallet.address, 7], 409, 'KEY_TAKEN', 'account'],
      ['KeyExpiryPassed', [now + 60n, now + 61n], 400, 'KEY_EXPIRY_PASSED', 'expiry'],
      ['KeyExpiryPassed', [now - 9n, now], 400, 'KEY_EXPIRY_PASSED', 'expiry'],
      [
        'SignatureInvalid',
        [wallet.address],
        400,
        'SIGNATURE_NOT_ON_CHAIN',
        'chain_account_signature',
      ],
      [
        'SignatureInvalid',
        [signingKey.address],
        400,
        'SIGNATURE_NOT_ON_CHAIN',
        'chain_signing_key_signature',
      ],
      ['WalletZero', [], 409, 'ON_CHAIN_REFUSED', 'on_chain'],
    ] as const)
      test(`POST /register with on_chain is ${status} ${code} for ${name}(${args.map((each) => (each === now - 9n ? 'an end before' : String(each).slice(0, 6))).join(', ')}), with nothing made`, async () => {
        answer = reverts(name, args)
        const reply = await register({ wallet, signingKey, expiry: now + 60n })
        assert.deepEqual([reply.status, reply.body.error], [status, code])
        assert.ok(isProblem(reply.body))
        assert.equal(reply.body.details[0].field, field)
        assert.equal(
          reply.body.details[0].nearest,
          args[0] === now + 60n ? (now + 62n).toString() : undefined,
        )
        assert.deepEqual(await rows(wallet.address.toLowerCase()), [0, 0])
      })

    for (const data of [undefined, '0x', '0x12345678', 'no hex'])
      test(`a registration is 409 ON_CHAIN_REFUSED for a revert with ${data}`, async () => {
        answer = () => Promise.reject(new CallReverted('execution reverted', data))
        const { status, body } = await register()
        assert.deepEqual([status, body.error], [409, 'ON_CHAIN_REFUSED'])
      })

    test('a registration is queued even while no node answers: nothing is lost', async () => {
      answer = silent
      const wallet = newWallet()
      const { status, body } = await register({ wallet })
      assert.deepEqual([status, body.on_chain.status], [201, 'pending'])
      assert.deepEqual(await rows(wallet.address.toLowerCase()), [1, 1])
    })
  })

  for (const [past, seconds] of [
    ['now', 0n],
    ['a second ago', -1n],
    ['long past', BigInt(-NOW_SECONDS)],
  ] as const)
    test(`POST /register with on_chain is 400 for an expiry that is ${past}, which only an API key may have`, async () => {
      answer = () => Promise.reject(new Error('nobody asks the chain'))
      const wallet = newWallet()
      const expiry = BigInt(NOW_SECONDS) + seconds
      const { status, body } = await register({ wallet, expiry })
      assert.deepEqual([status, body.error], [400, 'KEY_EXPIRY_PASSED'])
      assert.deepEqual(body.details, [
        {
          field: 'expiry',
          code: 'KEY_EXPIRY_PASSED',
          message: `expiry has passed: expected at least ${NOW_SECONDS + 1}, as on_chain is true`,
          nearest: String(NOW_SECONDS + 1),
        },
      ])
      assert.deepEqual(await rows(wallet.address.toLowerCase()), [0, 0])
      assert.equal((await node.register({ wallet, expiry })).status, 201)
    })

  test('POST /register with on_chain takes an expiry beyond 30 days, which the contract cuts', async () => {
    answer = takes
    const { status } = await register({ expiry: 2n ** 256n - 1n })
    assert.equal(status, 201)
  })

  test('POST /register with on_chain is 400 for the signature of a wallet that is yet to be deployed (EIP-6492)', async () => {
    answer = takes
    const account = newWallet().address
    const account_signature = `0x${'11'.repeat(96)}${'6492'.repeat(16)}`
    const members = { account_signature, chain_account_signature: account_signature }
    const refused = await register({ account, members })
    assert.deepEqual([refused.status, refused.body.error], [400, 'SIGNATURE_NOT_ON_CHAIN'])
    assert.equal(refused.body.details[0].field, 'chain_account_signature')
    assert.deepEqual(await rows(account.toLowerCase()), [0, 0])
    const offChain = await node.register({ account, members: { account_signature } })
    assert.equal(offChain.status, 201)
  })

  test('POST /register with on_chain is 401 first where a signature is wrong', async () => {
    answer = async () => '0x00'
    const { status, body } = await register({ account: newWallet().address })
    assert.deepEqual([status, body.error], [401, 'INVALID_SIGNATURE'])
  })

  test('POST /register with on_chain is 400 where the operator names no contract', async () => {
    const at = await keyNode({ call: takes }, node.store)
    const { status, body } = await register({}, at)
    assert.deepEqual([status, body.error], [400, 'ON_CHAIN_NOT_OFFERED'])
    assert.equal((await at.register()).status, 201)
    await at.close()
  })

  test(`POST /register with on_chain is 429 while an account has ${WALLET_UNFINISHED_MAX} on their way, and makes nothing`, async () => {
    answer = takes
    const wallet = newWallet()
    for (let at = 0; at < WALLET_UNFINISHED_MAX; at += 1)
      assert.equal((await register({ wallet })).status, 201)
    const { status, body, headers } = await register({ wallet })
    assert.deepEqual([status, body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.match(body.message, /an account may have 5 pending, and 20 per day/)
    assert.equal(headers['retry-after'], '60')
    const registered = WALLET_UNFINISHED_MAX
    assert.deepEqual(await rows(wallet.address.toLowerCase()), [registered, registered])
    assert.equal((await node.register({ wallet })).status, 201)
  })

  test('POST /register with on_chain is 503 while too many wait', async () => {
    const at = await keyNode(
      {
        settings: { accountsContract: CONTRACT },
        call: takes,
        identity: {
          ...node.store.identity,
          register: async () => ({ result: 'relay_refused', refused: 'full' }),
        },
      },
      node.store,
    )
    const { status, body, headers } = await register({}, at)
    assert.deepEqual([status, body.error, headers['retry-after']], [503, 'CHAIN_UNAVAILABLE', '60'])
    await at.close()
  })
})

describe('POST /register with on_chain and anything else', () => {
  const odd = fc.oneof(
    fc.anything({ withBigInt: false, maxDepth: 2 }),
    fc.bigInt({ min: -(2n ** 260n), max: 2n ** 260n }).map(String),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    fc.constantFrom('0x', `0x${'6492'.repeat(16)}`, '6492'.repeat(16), true, null),
  )
  const answers = fc.oneof(
    fc.constantFrom(
      takes,
      silent,
      async () => '0x',
      async () => '0x1',
    ),
    fc
      .oneof(
        fc.string(),
        fc.uint8Array().map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      )
      .map((data) => () => Promise.reject(new CallReverted('execution reverted', data))),
  )

  test('a registration never fails: any values of its members, any answer of the node', async () => {
    const good = await registrationBody({ members: { on_chain: true } })
    const some = fc.dictionary(fc.constantFrom(...Object.keys(good)), odd)
    const run = fc.asyncProperty(some, answers, async (members, said) => {
      answer = said
      const body = { ...good, ...members }
      const reply = await node.send({ method: 'POST', url: '/register', body })
      assert.notEqual(reply.status, 500)
      assert.ok(reply.status === 201 || isProblem(reply.body), JSON.stringify(reply.body))
    })
    await fc.assert(run, { numRuns: 200 })
  })
})
