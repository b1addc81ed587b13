import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SigningVenue } from 'openvenue/signing'
import { keyHandlers, readKeyForm, viewKey } from './keys.ts'

const ACCOUNT = '0x00000000000000000000000000000000000000a1'
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337, rpc_urls: [] },
    contracts: { accounts: { address: '0x00000000000000000000000000000000000000c1' } },
    tokens: [],
  } as never,
  [],
)

test('cancellers are read once after a change, at the block of the transaction', async () => {
  const reads: unknown[] = []
  let isBehind = false
  const rest = {
    call: async (endpoint: string, _: unknown, options?: object) => {
      if (endpoint !== 'GET /account/cancellers') return { api_keys: [] }
      reads.push(options)
      if (isBehind) throw new Error('block 77 is not reached')
      return { cancellers: [], venue_canceller: ACCOUNT }
    },
  }
  const session = {
    rest,
    venue: VENUE,
    account: ACCOUNT,
    signer: async () => ({ address: ACCOUNT }),
  }
  const handlers = keyHandlers(
    { require: () => session as never },
    {
      sendPlanned: async () => 77,
      forgetKeys: async () => {},
    },
  )
  await handlers.readKeys(null)
  await handlers.revokeCanceller({ address: ACCOUNT })
  assert.deepEqual(reads, [{ minBlock: undefined }])
  isBehind = true
  await assert.rejects(handlers.readKeys(null) as Promise<unknown>, /not reached/)
  isBehind = false
  await handlers.readKeys(null)
  await handlers.readKeys(null)
  assert.deepEqual(
    reads.slice(1),
    [77, 77, undefined].map((minBlock) => ({ minBlock })),
  )
})

const form = { name: ' bot ', scopes: ['read'], networks: '', hours: '' } as const
const NOW_MS = 1_700_000_000_999

describe('the form of an API key', () => {
  test("the form of an API key requests only chosen scopes, and the parent's lifetime", () => {
    assert.deepEqual(readKeyForm(form, NOW_MS), { name: 'bot', scopes: ['read'] })
    assert.deepEqual(readKeyForm({ ...form, hours: '24' }, NOW_MS).expiry, 1_700_086_400)
  })

  test('the form of an API key accepts networks in common notations', () => {
    const networks = ' 10.0.0.0/8, 2001:db8::5\n192.0.2.1;;'
    assert.deepEqual(readKeyForm({ ...form, networks }, NOW_MS).ip_addresses, [
      '10.0.0.0/8',
      '2001:db8::5',
      '192.0.2.1',
    ])
  })

  test('the form of an API key is rejected without a name or a permission', () => {
    assert.throws(() => readKeyForm({ ...form, name: '  ' }, NOW_MS), /enter a name/)
    assert.throws(() => readKeyForm({ ...form, scopes: [] }, NOW_MS), /at least one permission/)
  })
})

test('an API key is listed with its allowed networks and its last use', () => {
  const row = viewKey({
    ...{ prefix: '5d1f0c2a', name: null, scopes: ['read', 'trade'], ip_addresses: [] },
    ...{ hmac: false, signing_key: '0x', created_timestamp: '1700000000000000000' },
    ...{ expires_timestamp: '1700000000000000000', last_used_timestamp: null, is_current: true },
  })
  assert.deepEqual(
    [row.name, row.scopes, row.networks, row.lastUsed],
    ['Sign-in', 'read, place and replace', 'any', 'never'],
  )
})
