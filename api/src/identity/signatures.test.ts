// The signatures of POST /register: signers, messages, and the answer to a wrong one. Interface
// 5.2.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Problem } from '@openvenue/wire/field'
import { Value } from 'typebox/value'
import {
  hashData,
  highS,
  type KeyNode,
  keyNode,
  newWallet,
  type RegistrationInput,
  type Reply,
  registrationBody,
} from '../../test/key-node.ts'
import { CallReverted } from './eth-call.ts'

let node: KeyNode
before(async () => {
  node = await keyNode({ call: async () => '0x00' })
})
after(() => node.close())

const post = (body: unknown) => node.send({ method: 'POST', url: '/register', body })

describe('a signature of POST /register', () => {
  const refused = async (given: RegistrationInput, field: string): Promise<Reply['body']> => {
    const { status, body } = await node.register(given)
    assert.equal(status, 401)
    assert.ok(Value.Check(Problem, body))
    assert.equal(body.error, 'INVALID_SIGNATURE')
    const found = body.details?.find((detail) => detail.field === field)
    assert.ok(found, JSON.stringify(body))
    return found
  }

  for (const field of ['account_signature', 'signing_key_signature'])
    for (const [name, value] of [
      ['missing', undefined],
      ['null', null],
      ['empty', ''],
      ['0x', '0x'],
      ['not hex', '0xzz'],
      ['a number', 5],
      ['of 64 bytes', `0x${'11'.repeat(64)}`],
      ['on no curve', `0x${'ff'.repeat(64)}1b`],
      ['of zeros', `0x${'00'.repeat(65)}`],
      ['with a v of 29', `0x${'11'.repeat(64)}1d`],
    ] as const)
      test(`a signature that is ${name} (${field}) is 401 at POST /register`, async () => {
        await refused({ members: { [field]: value } }, field)
      })

  for (const [name, given, field] of [
    ["the wallet's over another name", { domainName: 'other' }, 'account_signature'],
    ["the signing key's over another name", { domainName: 'other' }, 'signing_key_signature'],
    ["the wallet's over another chain", { chainId: 1 }, 'account_signature'],
    ["the signing key's over another chain", { chainId: 1 }, 'signing_key_signature'],
    ["the wallet's over another expiry", { members: { expiry: 1 } }, 'account_signature'],
    [
      "the wallet's over another key",
      { members: { signing_key: newWallet().address } },
      'account_signature',
    ],
    [
      "the key's over another wallet",
      { members: { account: newWallet().address } },
      'signing_key_signature',
    ],
  ] as const)
    test(`a signature of ${name} is 401 at POST /register`, async () => {
      await refused(given, field)
    })

  test('signatures of the other type are 401 for both', async () => {
    const wallet = newWallet()
    const body = await registrationBody({ wallet, signingKey: wallet })
    const { account_signature, signing_key_signature } = body
    const swapped = {
      ...body,
      account_signature: signing_key_signature,
      signing_key_signature: account_signature,
    }
    const { status, body: problem } = await post(swapped)
    assert.equal(status, 401)
    assert.equal(problem.details.length >= 1, true)
  })

  test('a signature with a high s is 401, though it recovers to the signer and the chain would accept it', async () => {
    const at = await keyNode({ call: async () => '0x01' }, node.store)
    const body = await registrationBody()
    for (const field of ['account_signature', 'signing_key_signature']) {
      const { status, body: problem } = await at.send({
        method: 'POST',
        url: '/register',
        body: { ...body, [field]: highS(String(body[field])) },
      })
      assert.equal(status, 401)
      const [detail] = problem.details
      assert.equal(detail.field, field)
      assert.match(detail.message, /high s/)
      const signer = field === 'account_signature' ? body.account : body.signing_key
      assert.equal(detail.recovered, String(signer).toLowerCase())
    }
    await at.close()
  })

  test('a wrong signature is answered with its signer, the typed data that was hashed, and the hash', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const signingKey = newWallet()
    const expiry = 2n ** 200n
    const given = { wallet: stranger, account: wallet.address, signingKey, expiry }
    const { recovered, typed_data, digest } = await refused(given, 'account_signature')
    assert.equal(recovered, stranger.address.toLowerCase())
    assert.deepEqual(typed_data, {
      domain: { name: 'openvenue', version: '1', chainId: 5042002 },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Register: [
          { name: 'key', type: 'address' },
          { name: 'expiry', type: 'uint256' },
        ],
      },
      primaryType: 'Register',
      message: { key: signingKey.address.toLowerCase(), expiry: expiry.toString() },
    })
    // A client that signs exactly the returned data is accepted.
    assert.equal(digest, hashData(typed_data))
    const members = { account_signature: await wallet.signTypedData(typed_data as never) }
    assert.equal((await node.register({ ...given, members })).status, 201)
  })

  test('a wrong signature of the signing key is answered with the typed data of SignKey', async () => {
    const members = { signing_key_signature: `0x${'11'.repeat(64)}1b` }
    const wallet = newWallet()
    const { typed_data, message } = await refused({ wallet, members }, 'signing_key_signature')
    assert.equal(typed_data.primaryType, 'SignKey')
    assert.deepEqual(typed_data.types.SignKey, [{ name: 'account', type: 'address' }])
    assert.deepEqual(typed_data.message, { account: wallet.address.toLowerCase() })
    assert.match(
      message,
      /^signing_key_signature is .* expected the EIP-712 signature of SignKey by 0x/,
    )
  })

  describe('of a contract wallet', () => {
    const account = newWallet().address
    const given = { account, members: { account_signature: `0x${'ab'.repeat(100)}` } }
    const answering = async (answer: () => Promise<string>) => {
      const asked: string[] = []
      const at = await keyNode(
        {
          call: async ({ to, data }) => {
            assert.equal(to, undefined)
            asked.push(data)
            return answer()
          },
        },
        node.store,
      )
      const reply = await at.register(given)
      await at.close()
      return { ...reply, asked }
    }

    test('the signature of a contract wallet is valid when the validator accepts it, called once with the wallet and the signature', async () => {
      const { status, asked } = await answering(async () => '0x01')
      assert.equal(status, 201)
      assert.equal(asked.length, 1)
      assert.ok(asked[0]?.includes(account.slice(2).toLowerCase()))
      assert.ok(asked[0]?.includes('ab'.repeat(100)))
    })

    for (const answer of ['0x00', '0x', '0x02', `0x${'0'.repeat(64)}`])
      test(`the signature of a contract wallet is 401 when the validator answers ${answer.slice(0, 8)}`, async () => {
        assert.equal((await answering(async () => answer)).status, 401)
      })

    test('the signature of a contract wallet is 401 when the validator reverts', async () => {
      const revert = () => Promise.reject(new CallReverted('execution reverted'))
      assert.equal((await answering(revert)).status, 401)
    })

    test('the signature of a contract wallet is 503 with a time to retry when the chain does not answer', async () => {
      const { status, body, headers } = await answering(() => Promise.reject(new Error('timeout')))
      assert.deepEqual([status, body.error], [503, 'CHAIN_UNAVAILABLE'])
      assert.equal(body.retry_after, '1000000000')
      assert.equal(headers['retry-after'], '1')
    })

    test('the signature of a contract wallet is not checked when the signing key did not sign: 401 without the chain', async () => {
      const call = () => Promise.reject(new Error('asked'))
      const at = await keyNode({ call }, node.store)
      const { status, body } = await at.register({
        account,
        members: { ...given.members, signing_key_signature: '0x' },
      })
      await at.close()
      assert.equal(status, 401)
      assert.equal(body.details.at(-1).field, 'signing_key_signature')
    })
  })

  test('the signature of a plain wallet needs no call', async () => {
    const asked = () => Promise.reject(new Error('asked'))
    const history = { ...node.store.history, ownerOf: asked }
    const at = await keyNode({ call: asked, history }, node.store)
    assert.equal((await at.register()).status, 201)
    await at.close()
  })

  test('a signature of POST /register is over the name and the chain that the operator set', async () => {
    const at = await keyNode({ settings: { domainName: 'venue', chainId: 31337 } }, node.store)
    assert.equal((await at.register({ domainName: 'venue', chainId: 31337 })).status, 201)
    await at.close()
  })
})
