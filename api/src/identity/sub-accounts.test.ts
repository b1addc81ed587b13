// Registration for a sub-account: its owner signs a message that names it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hashTypedData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  headersOf,
  type KeyNode,
  keyNode,
  newWallet,
  type RegistrationInput,
  registrationBody,
} from '../../test/key-node.ts'

const CONTRACT = `0x${'ac'.repeat(20)}`

let node: KeyNode
let calls = 0
before(async () => {
  node = await keyNode({
    settings: { accountsContract: CONTRACT },
    call: async () => {
      calls += 1
      return '0x00'
    },
  })
  sub = await openSub(owner)
})
after(() => node.close())

let accounts = 0
/** Opens a sub-account of `owner` as the indexer writes it; returns its address. */
async function openSub(owner: PrivateKeyAccount): Promise<string> {
  const number = ++accounts
  const address = `0x${number.toString(16).padStart(40, '5')}`
  const { query } = node.store.db.primary
  await query('INSERT INTO accounts (account, wallet, opened_seconds) VALUES ($1, $2, 1)', [
    number,
    address,
  ])
  await query(
    'INSERT INTO sub_accounts (account, owner, index, opened_seconds) VALUES ($1, $2, 0, 1)',
    [number, owner.address.toLowerCase()],
  )
  return address
}

const owner = newWallet()
let sub = ''
const register = (given: RegistrationInput) =>
  node.register({ wallet: owner, account: sub, ...given })

describe('POST /register for a sub-account', () => {
  test('POST /register for a sub-account takes the signature of its owner, and its key reads the sub-account', async () => {
    calls = 0
    const reply = await register({ isSub: true })
    assert.deepEqual([reply.status, reply.body.account], [201, sub])
    const found = await node.store.identity.find(reply.body.api_key, 0)
    assert.equal(found?.account, sub)
    const { status } = await node.send({ url: '/api-keys', headers: headersOf(reply) })
    assert.equal(status, 200)
    assert.equal(calls, 0, 'the chain is not asked about a plain wallet')
  })

  test('POST /register for a sub-account is 401 with a Register of the owner, which names no account, and returns the data to sign', async () => {
    const signingKey = newWallet()
    const given = { wallet: owner, account: sub, signingKey }
    const { status, body } = await node.register(given)
    assert.deepEqual([status, body.error], [401, 'INVALID_SIGNATURE'])
    const [detail] = body.details
    assert.equal(
      detail.message.split(', ')[1],
      `expected the EIP-712 signature of RegisterFor by ${owner.address.toLowerCase()}`,
    )
    assert.deepEqual(detail.typed_data.types.RegisterFor, [
      { name: 'account', type: 'address' },
      { name: 'key', type: 'address' },
      { name: 'expiry', type: 'uint256' },
    ])
    assert.equal(detail.typed_data.message.account, sub)
    assert.equal(detail.digest, hashTypedData(detail.typed_data))
    // A client that signs exactly the returned data is accepted.
    const members = { account_signature: await owner.signTypedData(detail.typed_data) }
    assert.equal((await node.register({ ...given, members })).status, 201)
  })

  test('POST /register for a sub-account is 401 with the signature for another sub-account, or for the owner itself', async () => {
    const other = await openSub(owner)
    const body = await registrationBody({ wallet: owner, account: sub, isSub: true })
    for (const account of [other, owner.address]) {
      const { signing_key_signature } = await registrationBody({ wallet: owner, account })
      const sent = { ...body, account, signing_key_signature }
      const reply = await node.send({ method: 'POST', url: '/register', body: sent })
      assert.deepEqual([reply.status, reply.body.details[0].field], [401, 'account_signature'])
    }
  })

  test('POST /register for a sub-account is 401 where the key signed for the owner and not for the sub-account', async () => {
    const signingKey = newWallet()
    const { signing_key_signature } = await registrationBody({ wallet: owner, signingKey })
    const { status, body } = await register({
      isSub: true,
      signingKey,
      members: { signing_key_signature },
    })
    assert.deepEqual([status, body.details[0].field], [401, 'signing_key_signature'])
    assert.deepEqual(body.details[0].typed_data.message, { account: sub })
  })

  test('POST /register for a sub-account is 401 with the signature of a wallet that does not own it', async () => {
    const { status, body } = await register({ wallet: newWallet(), isSub: true })
    assert.deepEqual([status, body.error], [401, 'INVALID_SIGNATURE'])
  })

  test('POST /register for a sub-account is 401 for an address that was never opened', async () => {
    const { status, body } = await register({ account: `0x${'77'.repeat(20)}`, isSub: true })
    assert.deepEqual([status, body.details[0].typed_data.primaryType], [401, 'Register'])
  })

  test('POST /register for a sub-account asks the contract wallet that owns it', async () => {
    const asked: string[] = []
    const call = async ({ data }: Readonly<{ data: string }>) => {
      asked.push(data)
      return '0x01'
    }
    const at = await keyNode({ call }, node.store)
    const contract = newWallet()
    const account = await openSub(contract)
    const given = { wallet: newWallet(), account, isSub: true }
    assert.equal((await at.register(given)).status, 201)
    assert.equal(asked.length, 1)
    assert.ok(asked[0]?.includes(contract.address.slice(2).toLowerCase()))
    await at.close()
  })

  test('POST /register for a sub-account with on_chain queues it under the address of the sub-account', async () => {
    const at = await keyNode(
      { settings: { accountsContract: CONTRACT }, call: async () => `0x${'0'.repeat(64)}` },
      node.store,
    )
    const given = { wallet: owner, account: sub, isSub: true, members: { on_chain: true } }
    const { status, body } = await at.register(given)
    assert.equal(status, 201)
    const [relay] = await node.store.keyRelays.of(sub, body.signing_key)
    assert.equal(relay?.status, 'pending')
    await at.close()
  })

  test('POST /register for a sub-account is 503 while the owner cannot be read; plain wallets still register', async () => {
    const history = {
      ...node.store.history,
      ownerOf: () => Promise.reject(new Error('down')),
    }
    const at = await keyNode({ history, call: async () => '0x00' }, node.store)
    const { status, body, headers } = await at.register({
      wallet: owner,
      account: sub,
      isSub: true,
    })
    assert.deepEqual([status, body.error, headers['retry-after']], [503, 'AUTH_UNAVAILABLE', '1'])
    assert.equal((await at.register()).status, 201)
    await at.close()
  })
})
