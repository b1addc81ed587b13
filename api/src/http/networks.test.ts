// The text form of networks of keys, and membership.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalNetwork, isInNetworks, isWithin } from './networks.ts'

describe('a network', () => {
  for (const [text, expected] of [
    ['10.0.0.0/8', { network: '10.0.0.0/8' }],
    ['0.0.0.0/0', { network: '0.0.0.0/0' }],
    ['203.0.113.7', { network: '203.0.113.7' }],
    ['203.0.113.7/32', { network: '203.0.113.7' }],
    ['2001:DB8:0::/32', { network: '2001:db8::/32' }],
    ['2001:db8::1/128', { network: '2001:db8::1' }],
    ['::ffff:10.1.2.0/120', { network: '10.1.2.0/24' }],
    ['::ffff:10.1.2.3', { network: '10.1.2.3' }],
    ['10.1.2.3/8', { nearest: '10.0.0.0/8' }],
    ['2001:db8::1/32', { nearest: '2001:db8::/32' }],
    ['10.0.0.0/33', { nearest: '10.0.0.0' }],
    ['::ffff:10.0.0.0/8', {}],
    ['010.0.0.1', {}],
    ['10.1', {}],
    ['fe80::1%eth0', {}],
    ['10.0.0.0/', {}],
    ['10.0.0.0/-1', {}],
    ['localhost', {}],
    ['', {}],
  ] as const)
    test(`the canonical form of the network "${text}" is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(canonicalNetwork(text), expected)
    })
})

test('an empty list of networks allows every address, and any other only those in it', () => {
  assert.equal(isInNetworks('whatever', []), true)
  assert.equal(isInNetworks('whatever', ['0.0.0.0/0', '::/0']), false)
  assert.equal(isInNetworks('1.2.3.4', ['0.0.0.0/0']), true)
  assert.equal(isInNetworks('::1', ['0.0.0.0/0']), false)
})

test('a list of networks is within another when each of its networks is', () => {
  const outer = ['10.0.0.0/8', '2001:db8::/32']
  assert.equal(isWithin(['10.1.0.0/16', '10.0.0.1', '2001:db8:5::/48'], outer), true)
  assert.equal(isWithin(['10.0.0.0/8'], outer), true)
  assert.equal(isWithin(['10.0.0.0/7'], outer), false)
  assert.equal(isWithin(['10.0.0.1', '11.0.0.1'], outer), false)
  assert.equal(isWithin(['::/0'], outer), false)
})
