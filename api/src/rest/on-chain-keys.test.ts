// Checks the pending on-chain registrations in GET /api-keys, and DELETE /api-key with on_chain,
// which only a wallet can do.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { KEPT_FINISHED_MS } from '@openvenue/store/identity/key-relays'
import { Problem } from '@openvenue/wire/field'
import { ApiKeys, RELAYS_MAX } from '@openvenue/wire/registration'
import { Value } from 'typebox/value'
import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import {
  headersOf,
  type KeyNode,
  keyNode,
  NOW_MS,
  NOW_SECONDS,
  newWallet,
  type RegistrationInput,
  type Reply,
} from '../../test/key-node.ts'
import { issueKey } from '../../test/keyed.ts'
import { REVOKE_SELECTOR } from '../identity/on-chain.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

const CONTRACT = `0x${'ac'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`

let node: KeyNode
before(async () => {
  const call = async () => `0x${'1'.padStart(64, '0')}`
  node = await keyNode({ settings: { accountsContract: CONTRACT }, call })
})
after(() => node.close())

const isProblem = (body: unknown): boolean => Value.Check(Problem, body)
const register = (given: RegistrationInput = {}) =>
  node.register({ ...given, members: { on_chain: true, ...given.members } })
const listed = async (reply: Reply, at = node): Promise<Reply> =>
  at.send({ url: '/api-keys', headers: headersOf(reply) })

describe('GET /api-keys', () => {
  test('GET /api-keys reports the registrations on their way to the chain, newest first, and of no others', async () => {
    const wallet = newWallet()
    const account = wallet.address.toLowerCase()
    await register()
    const expiry = BigInt(NOW_SECONDS + 60)
    const first = await register({ wallet, expiry })
    const [one] = await node.store.keyRelays.ofWallet(account, 9)
    await node.store.keyRelays.failed(one?.id ?? '', 'KeyDead', NOW_MS + 5)
    node.setNowMs(NOW_MS + 9)
    const second = await register({ wallet, expiry })
    node.setNowMs(NOW_MS)
    const [two] = await node.store.keyRelays.ofWallet(account, 9)
    await node.store.keyRelays.done(two?.id ?? '', NOW_MS + 9, HASH)
    const { status, body } = await listed(first)
    assert.equal(status, 200)
    assert.ok(Value.Check(ApiKeys, body))
    const common = { expiry: expiry.toString() }
    assert.deepEqual(body.on_chain, [
      {
        ...common,
        signing_key: second.body.signing_key,
        status: 'done',
        transaction_hash: HASH,
        reason: null,
        created_timestamp: `${NOW_MS + 9}000000`,
        timestamp: `${NOW_MS + 9}000000`,
      },
      {
        ...common,
        signing_key: first.body.signing_key,
        status: 'failed',
        transaction_hash: null,
        reason: 'KeyDead',
        created_timestamp: `${NOW_MS}000000`,
        timestamp: `${NOW_MS + 5}000000`,
      },
    ])
  })

  test('GET /api-keys has no registrations for an account without any', async () => {
    assert.deepEqual((await listed(await node.register())).body.on_chain, [])
  })

  test('GET /api-keys drops registrations that ended a week ago, and no pending ones', async () => {
    const wallet = newWallet()
    await register({ wallet })
    await register({ wallet })
    const { headers } = await issueKey(node.store, wallet.address, NOW_MS, 2 * NOW_MS)
    const account = wallet.address.toLowerCase()
    const [sent, done] = await node.store.keyRelays.ofWallet(account, 9)
    const countAt = async (nowMs: number) => {
      node.setNowMs(nowMs)
      const { body } = await node.send({ url: '/api-keys', headers })
      node.setNowMs(NOW_MS)
      return body.on_chain.length
    }
    await node.store.keyRelays.done(done?.id ?? '', NOW_MS + 1)
    await node.store.keyRelays.sent(sent?.id ?? '', HASH, NOW_MS)
    const weekLaterMs = NOW_MS + KEPT_FINISHED_MS
    assert.deepEqual([await countAt(weekLaterMs), await countAt(weekLaterMs + 1)], [2, 1])
  })

  test(`GET /api-keys reports the newest ${RELAYS_MAX} only`, async () => {
    const wallet = newWallet()
    const reply = await node.register({ wallet })
    await node.store.db.primary.query(
      `INSERT INTO key_relays (wallet, signing_key, expiry, wallet_signature,
          signing_key_signature, status, times, created_ms, updated_ms)
        SELECT $1::text, $2::text, number, '', '', 'done', 1, $3::bigint, $3::bigint
        FROM generate_series(0, $4::int) AS number`,
      [wallet.address.toLowerCase(), CONTRACT, NOW_MS, RELAYS_MAX],
    )
    const { on_chain } = (await listed(reply)).body
    assert.deepEqual(
      [on_chain.length, on_chain[0].expiry, on_chain.at(-1).expiry],
      [RELAYS_MAX, String(RELAYS_MAX), '1'],
    )
  })

  test('GET /api-keys is 503 while they cannot be read', async () => {
    const down = () => Promise.reject(new Error('down'))
    const keyRelays = { ...node.store.keyRelays, ofWallet: down }
    const at = await keyNode({ keyRelays }, node.store)
    const { headers } = await issueKey(node.store, newWallet().address, NOW_MS)
    const reply = await at.send({ url: '/api-keys', headers })
    assert.deepEqual([reply.status, reply.body.error], [503, 'AUTH_UNAVAILABLE'])
    await at.close()
  })
})

describe('DELETE /api-key with on_chain', () => {
  const remove = (reply: Reply, body: unknown, at = node) =>
    at.send({ method: 'DELETE', url: '/api-key', headers: headersOf(reply), body })
  const callFor = (signingKey: string) => ({
    to: CONTRACT,
    data: encodeFunctionData({
      abi: accountsAbi,
      functionName: 'revoke',
      args: [signingKey as Hex],
    }),
    value: '0',
    chain_id: ACCOUNT_SETTINGS.chainId,
  })

  test('DELETE /api-key with on_chain true is refused with the call that the wallet must send, and nothing is revoked', async () => {
    const reply = await node.register()
    const { status, body } = await remove(reply, { on_chain: true })
    assert.deepEqual([status, body.error], [409, 'ON_CHAIN_REVOKE_BY_WALLET'])
    assert.match(body.message, /No API key was revoked/)
    assert.ok(isProblem(body))
    assert.deepEqual(
      body.details.map(({ call }: { call: unknown }) => call),
      [callFor(reply.body.signing_key)],
    )
    assert.equal((await listed(reply)).status, 200)
  })

  test('DELETE /api-key with on_chain names the signing key of the API key that is named', async () => {
    const wallet = newWallet()
    const [one, two] = [await node.register({ wallet }), await node.register({ wallet })]
    const { body } = await remove(one, { on_chain: true, api_key: two.body.api_key })
    assert.deepEqual(body.details[0].call, callFor(two.body.signing_key))
  })

  test('DELETE /api-key with on_chain and all true returns one call for each signing key', async () => {
    const [wallet, signingKey] = [newWallet(), newWallet()]
    const [one] = [
      await node.register({ wallet, signingKey }),
      await node.register({ wallet, signingKey, expiry: BigInt(NOW_SECONDS + 60) }),
      await node.register({ wallet }),
    ]
    await node.register()
    const { status, body } = await remove(one, { on_chain: true, all: true })
    assert.equal(status, 409)
    const keys = (await listed(one)).body.api_keys.map(
      (key: { signing_key: string }) => key.signing_key,
    )
    assert.equal(keys.length, 3)
    assert.deepEqual(
      body.details.map(({ call }: { call: unknown }) => call),
      [...new Set<string>(keys)].map(callFor),
    )
    assert.equal(body.details.length, 2)
  })

  test('DELETE /api-key with on_chain is 404 for an API key that is unknown or of another account', async () => {
    const [reply, foreign] = [await node.register(), await node.register()]
    for (const api_key of ['0'.repeat(32), foreign.body.api_key, 'x'])
      assert.equal((await remove(reply, { on_chain: true, api_key })).status, 404)
    assert.equal((await remove(reply, { on_chain: true, api_key: 5 })).status, 400)
  })

  for (const on_chain of ['true', 1, 0, '', [], {}])
    test(`DELETE /api-key with on_chain ${JSON.stringify(on_chain)} is 400, and revokes nothing`, async () => {
      const reply = await node.register()
      const { status, body } = await remove(reply, { on_chain })
      assert.deepEqual([status, body.error], [400, 'INVALID_PARAMETER'])
      assert.equal(body.details[0].field, 'on_chain')
      assert.equal((await listed(reply)).status, 200)
    })

  test('DELETE /api-key with on_chain is 400 where the operator names no contract', async () => {
    const at = await keyNode({}, node.store)
    const reply = await at.register()
    const { status, body } = await remove(reply, { on_chain: true }, at)
    assert.deepEqual([status, body.error], [400, 'ON_CHAIN_NOT_OFFERED'])
    await at.close()
  })

  test('an on-chain revocation calls revoke(address) of the contract', () => {
    assert.equal(REVOKE_SELECTOR, toFunctionSelector('revoke(address)'))
  })
})
