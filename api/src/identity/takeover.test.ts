// Checks that a stranger with observed signatures, and an owner with used ones, can do nothing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { Problem } from '@openvenue/wire/field'
import { Value } from 'typebox/value'
import { decodeFunctionData, encodeFunctionData, type Hex, hashTypedData } from 'viem'
import {
  CONTRACT,
  hashData,
  headersOf,
  highS,
  type KeyNode,
  keyNode,
  makeTypedData,
  NOW_MS,
  NOW_SECONDS,
  newWallet,
  type RegistrationInput,
  type Reply,
  registrationBody,
} from '../../test/key-node.ts'

let node: KeyNode
before(async () => {
  const call = async () => `0x${'0'.repeat(63)}3`
  node = await keyNode({ settings: { accountsContract: CONTRACT }, call })
})
after(() => node.close())

const isProblem = (body: unknown): boolean => Value.Check(Problem, body)

const post = (body: unknown, at = node): Promise<Reply> =>
  at.send({ method: 'POST', url: '/register', body })
const isUsed = ({ status, body }: Reply) => {
  assert.deepEqual([status, body.error], [401, 'SIGNATURES_USED'])
  assert.ok(isProblem(body))
  assert.equal('api_secret' in body, false)
}
const readKeys = async (reply: Reply, at = node) =>
  (await at.send({ url: '/api-keys', headers: headersOf(reply) })).body.api_keys

/** Returns the signatures that the newest relay's transaction reveals. */
async function published(wallet: string) {
  const [relay] = await node.store.keyRelays.ofWallet(wallet.toLowerCase(), 1)
  assert.ok(relay)
  const { walletSignature, signingKeySignature, expiry } = relay
  const [account, key] = [relay.wallet as Hex, relay.signingKey as Hex]
  const args = [account, key, expiry, walletSignature as Hex, signingKeySignature as Hex] as const
  const data = encodeFunctionData({ abi: accountsAbi, functionName: 'register', args })
  return decodeFunctionData({ abi: accountsAbi, data }).args as unknown as typeof args
}

describe('what Accounts.register publishes opens nothing at POST /register', () => {
  const nothingOpens = async (given: RegistrationInput) => {
    const wallet = newWallet()
    const body = await registrationBody({ wallet, members: { on_chain: true }, ...given })
    assert.equal((await post(body)).status, 201)
    const [account, signing_key, expiry, byWallet, byKey] = await published(wallet.address)
    const stolen = { account, signing_key, expiry: expiry.toString() }
    // Neither in place of the API's signatures, nor with one of them guessed right.
    for (const signatures of [
      { account_signature: byWallet, signing_key_signature: byKey },
      { account_signature: byWallet, signing_key_signature: body.signing_key_signature },
      { account_signature: body.account_signature, signing_key_signature: byKey },
      { account_signature: byKey, signing_key_signature: byWallet },
    ])
      for (const members of [{}, { no_api_key: true }, { expiry: '0' }]) {
        const reply = await post({ ...stolen, ...signatures, ...members })
        assert.deepEqual([reply.status, reply.body.error], [401, 'INVALID_SIGNATURE'])
      }
  }

  test('signatures that Accounts.register publishes register nothing at POST /register', () =>
    nothingOpens({}))
  test('signatures without an expiry that Accounts.register publishes register nothing at POST /register', () =>
    nothingOpens({ expiry: 2n ** 256n - 1n }))

  test('no message of Accounts.register has the digest of one of POST /register', () => {
    const [wallet, signingKey] = [newWallet(), newWallet()]
    const digests = [false, true].flatMap((isSub) => {
      const data = makeTypedData({ account: wallet.address, signingKey, isSub })
      return [data.register, data.signKey, data.registerKey, data.acceptKey].map(hashData)
    })
    // SignKey, RegisterKey and AcceptKey are the same for a sub-account.
    assert.equal(new Set(digests).size, 5)
    const { registerKey, register } = makeTypedData({ account: wallet.address, signingKey })
    const bare = { ...registerKey, domain: register.domain, types: { ...registerKey.types } }
    bare.types.EIP712Domain = register.types.EIP712Domain ?? []
    assert.notEqual(hashTypedData(bare as never), hashData(registerKey))
  })
})

describe('a pair of signatures makes one key', () => {
  test('a repeated pair of signatures is 401, whenever it comes and whatever comes with it', async () => {
    const body = await registrationBody({ expiry: 2n ** 256n - 1n })
    const first = await post(body)
    assert.equal(first.status, 201)
    isUsed(await post(body))
    isUsed(await post({ ...body, referral_code: 'x', on_chain: false }))
    isUsed(await post({ ...body, account: String(body.account).toUpperCase().replace('X', 'x') }))
    node.setNowMs(NOW_MS + 40 * 24 * 3600 * 1000)
    isUsed(await post(body))
    isUsed(await post({ ...body, no_api_key: true }))
    node.setNowMs(NOW_MS)
    assert.equal((await readKeys(first)).length, 1)
  })

  test('a pair of signatures makes no key after its key was revoked: a captured request restores no access', async () => {
    const body = await registrationBody()
    const first = await post(body)
    await node.send({ method: 'DELETE', url: '/api-key', headers: headersOf(first) })
    isUsed(await post(body))
    isUsed(await post({ ...body, no_api_key: true }))
  })

  test('a pair of signatures makes one key in any encoding: without 0x, with v as 0, with the other s', async () => {
    const body = await registrationBody()
    assert.equal((await post(body)).status, 201)
    for (const field of ['account_signature', 'signing_key_signature']) {
      const text = String(body[field])
      const v = text.endsWith('1b') ? '00' : '01'
      for (const form of [text.slice(2), text.toUpperCase(), `${text.slice(0, -2)}${v}`])
        isUsed(await post({ ...body, [field]: form }))
      assert.equal((await post({ ...body, [field]: highS(text) })).status, 401)
    }
  })

  test('a pair of signatures makes one key in any bytes that a contract wallet accepts', async () => {
    const at = await keyNode({ call: async () => '0x01' }, node.store)
    const body = await registrationBody({ account: newWallet().address })
    assert.equal((await post({ ...body, account_signature: '0x01' }, at)).status, 201)
    for (const account_signature of ['0x02', `0x01${'6492'.repeat(16)}`, body.account_signature])
      isUsed(await post({ ...body, account_signature }, at))
    await at.close()
  })

  test('a pair of signatures makes one key for a sub-account as well', async () => {
    const owner = newWallet()
    const account = `0x${'5b'.repeat(20)}`
    const { query } = node.store.db.primary
    await query(
      `INSERT INTO accounts (account, wallet, opened_seconds) VALUES (9, '${account}', 1)`,
    )
    await query(
      'INSERT INTO sub_accounts (account, owner, index, opened_seconds) VALUES (9, $1, 0, 1)',
      [owner.address.toLowerCase()],
    )
    const body = await registrationBody({ wallet: owner, account, isSub: true })
    assert.equal((await post(body)).status, 201)
    isUsed(await post(body))
  })

  test('a pair of signatures makes one key even when two nodes are asked at once, ten times', async () => {
    const other = await keyNode({}, node.store)
    const body = await registrationBody()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => post(body, at % 2 === 0 ? node : other)),
    )
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(9).fill(401)])
    await other.close()
  })

  test('a retry needs new signatures: another expiry is another pair', async () => {
    const [wallet, signingKey] = [newWallet(), newWallet()]
    for (const life of [60, 61])
      for (const status of [201, 401]) {
        const expiry = BigInt(NOW_SECONDS + life)
        assert.equal((await node.register({ wallet, signingKey, expiry })).status, status)
      }
  })

  test('a registration with no_api_key does not use up its signatures while a key is kept', async () => {
    const wallet = newWallet()
    await node.register({ wallet })
    const body = await registrationBody({ wallet })
    for (const members of [{ no_api_key: true }, { no_api_key: true }, {}])
      assert.equal((await post({ ...body, ...members })).status, 201)
    isUsed(await post(body))
  })

  test('a registration that the chain refuses does not use up its signatures', async () => {
    const body = await registrationBody({ members: { on_chain: true } })
    assert.equal((await post({ ...body, chain_signing_key_signature: '0x' })).status, 401)
    assert.equal((await post(body)).status, 201)
  })
})

test('an expiry of 1970 gives one 60 s key, once', async () => {
  const body = await registrationBody({ expiry: 0n })
  const reply = await post(body)
  assert.equal(reply.status, 201)
  const [key] = await readKeys(reply)
  assert.equal(key.expires_timestamp, `${NOW_MS + 60_000}000000`)
  isUsed(await post(body))
  for (const days of [0.01, 2, 400]) {
    node.setNowMs(NOW_MS + days * 24 * 3600 * 1000)
    await node.store.identity.sweep(NOW_MS + days * 24 * 3600 * 1000)
    isUsed(await post(body))
  }
  node.setNowMs(NOW_MS)
})

describe('a revoked key registers no more', () => {
  test('a revoked key registers no more, with on_chain or without, with no_api_key or without', async () => {
    const [wallet, signingKey] = [newWallet(), newWallet()]
    const first = await node.register({ wallet, signingKey })
    assert.equal(first.status, 201)
    await node.store.db.primary.query(
      'INSERT INTO signing_keys (key, account, expiry_seconds, is_revoked) VALUES ($1, 3, 1, true)',
      [signingKey.address.toLowerCase()],
    )
    for (const members of [{}, { no_api_key: true }, { on_chain: true }]) {
      const expiry = BigInt(NOW_SECONDS + 7200)
      const { status, body } = await node.register({ wallet, signingKey, expiry, members })
      assert.deepEqual([status, body.error], [409, 'KEY_REVOKED'])
      assert.ok(isProblem(body))
      assert.equal(body.details[0].field, 'signing_key')
    }
    assert.equal((await node.register({ wallet })).status, 201, 'another key does')
  })
})
