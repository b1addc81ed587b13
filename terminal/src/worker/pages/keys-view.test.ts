import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readKeyForm, viewKey } from './keys-view.ts'

const form = { name: ' bot ', scopes: ['read'], networks: '', hours: '' } as const
const NOW_MS = 1_700_000_000_999

describe('the form of a key', () => {
  test('asks for no more than was chosen, and for the life of its parent unless given', () => {
    assert.deepEqual(readKeyForm(form, NOW_MS), { name: 'bot', scopes: ['read'] })
    assert.deepEqual(readKeyForm({ ...form, hours: '24' }, NOW_MS).expiry, 1_700_086_400)
  })

  test('takes networks as people write them', () => {
    const networks = ' 10.0.0.0/8, 2001:db8::5\n192.0.2.1;;'
    assert.deepEqual(readKeyForm({ ...form, networks }, NOW_MS).ip_addresses, [
      '10.0.0.0/8',
      '2001:db8::5',
      '192.0.2.1',
    ])
  })

  test('is refused without a name, and where the key could do nothing', () => {
    assert.throws(() => readKeyForm({ ...form, name: '  ' }, NOW_MS), /a key has a name/)
    assert.throws(() => readKeyForm({ ...form, scopes: [] }, NOW_MS), /choose what/)
  })
})

test('a key is shown with where it may be used from, and when it last was', () => {
  const row = viewKey({
    ...{ prefix: '5d1f0c2a', name: null, scopes: ['read', 'trade'], ip_addresses: [] },
    ...{ hmac: false, signing_key: '0x', created_timestamp: '1700000000000000000' },
    ...{ expires_timestamp: '1700000000000000000', last_used_timestamp: null, is_current: true },
  })
  assert.deepEqual(
    [row.name, row.scopes, row.networks, row.lastUsed],
    ['of a sign-in', 'read, place and replace', 'anywhere', 'never'],
  )
})
