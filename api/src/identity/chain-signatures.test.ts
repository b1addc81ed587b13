// The on-chain signatures of POST /register: signers, messages, and the time of their check.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { Problem } from '@openvenue/wire/field'
import { SIGNATURE_BYTES_MAX } from '@openvenue/wire/registration'
import { Value } from 'typebox/value'
import { encodeErrorResult, hashTypedData } from 'viem'
import {
  CONTRACT,
  highS,
  type KeyNode,
  keyNode,
  newWallet,
  type RegistrationInput,
  registrationBody,
} from '../../test/key-node.ts'
import type { EthCall } from './eth-call.ts'
import { CallReverted } from './eth-call.ts'

/** The answer of the node; a test may change it. */
let answer: EthCall
let node: KeyNode
before(async () => {
  const call: EthCall = (...args) => answer(...args)
  node = await keyNode({ settings: { accountsContract: CONTRACT }, call })
})
after(() => node.close())

const isProblem = (body: unknown): boolean => Value.Check(Problem, body)

const refuses = (signer: string): EthCall => {
  const args = [signer]
  const data = encodeErrorResult({ abi: accountsAbi, errorName: 'SignatureInvalid', args } as never)
  return () => Promise.reject(new CallReverted('execution reverted', data))
}
const register = (given: RegistrationInput = {}) =>
  node.register({ ...given, members: { on_chain: true, ...given.members } })
const rows = async (account: string) => {
  const [registered, relays] = await Promise.all([
    node.store.db.primary.query('SELECT 1 FROM registrations WHERE account = $1', [account]),
    node.store.keyRelays.ofWallet(account, 10),
  ])
  return [registered.length, relays.length]
}

describe('POST /register with on_chain has signatures of its own, and', () => {
  describe('is 401 and makes nothing', () => {
    const wallet = newWallet()
    const signingKey = newWallet()
    const refused = async (
      members: Record<string, unknown>,
      field: string,
      given: RegistrationInput = {},
    ) => {
      answer = refuses(wallet.address)
      const reply = await register({ wallet, signingKey, ...given, members })
      assert.deepEqual([reply.status, reply.body.error], [401, 'INVALID_SIGNATURE'])
      assert.ok(isProblem(reply.body))
      assert.deepEqual(await rows(wallet.address.toLowerCase()), [0, 0])
      const found = reply.body.details.find((detail: { field: string }) => detail.field === field)
      assert.ok(found, JSON.stringify(reply.body))
      return found
    }
    for (const field of ['chain_account_signature', 'chain_signing_key_signature'])
      for (const [what, value] of [
        ['without', undefined],
        ['with text for', 'signed'],
        ['with a number for', 7],
        ['with one by nobody for', `0x${'11'.repeat(65)}`],
        ['with one too long for', `0x${'11'.repeat(SIGNATURE_BYTES_MAX + 1)}`],
      ] as const)
        test(`POST /register with on_chain is 401 ${what} ${field}`, async () => {
          const detail = await refused({ [field]: value }, field)
          const type = field === 'chain_account_signature' ? 'RegisterKey' : 'AcceptKey'
          assert.equal(detail.typed_data.primaryType, type)
          assert.deepEqual(detail.typed_data.domain, {
            name: 'openvenue',
            version: '1',
            chainId: 5042002,
            verifyingContract: CONTRACT,
          })
          assert.equal(detail.digest, hashTypedData(detail.typed_data))
        })

    test('POST /register with on_chain is 401 with the API signatures in place of those for the contract', async () => {
      const { account_signature, signing_key_signature } = await registrationBody({
        wallet,
        signingKey,
      })
      await refused(
        { chain_signing_key_signature: signing_key_signature },
        'chain_signing_key_signature',
      )
      await refused({ chain_account_signature: account_signature }, 'chain_account_signature')
    })

    test('POST /register with on_chain is 401 with signatures for another contract', async () => {
      const given = { contract: `0x${'ad'.repeat(20)}` }
      await refused({}, 'chain_account_signature', given)
      await refused({}, 'chain_signing_key_signature', given)
    })

    test('POST /register with on_chain is 401 with a signature of high s', async () => {
      const body = await registrationBody({ wallet, signingKey, members: { on_chain: true } })
      for (const field of ['chain_account_signature', 'chain_signing_key_signature']) {
        const detail = await refused({ [field]: highS(String(body[field])) }, field)
        assert.match(detail.message, /one with a high s/)
      }
    })
  })

  test('POST /register with on_chain is 503 for a contract wallet while no node answers: only the chain can judge it', async () => {
    const account = newWallet().address
    answer = async ({ to }) => (to === undefined ? '0x01' : Promise.reject(new Error('no answer')))
    const members = { account_signature: '0x1234', chain_account_signature: '0x1234' }
    const { status, body } = await register({ account, members })
    assert.deepEqual([status, body.error], [503, 'CHAIN_UNAVAILABLE'])
    assert.deepEqual(await rows(account.toLowerCase()), [0, 0])
  })
})
