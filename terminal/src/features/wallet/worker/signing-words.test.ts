import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signingWords } from './signing-words.ts'

const domain = { name: 'openvenue', version: '1', chainId: 31337 }

describe('the description of what is signed', () => {
  test('the description of a message to sign has every member, with expiries as dates', () => {
    const message = { account: '0xaa', key: '0xbb', expiry: 1_700_000_000n }
    const words = signingWords({ domain, types: {}, primaryType: 'RegisterKey', message })
    assert.match(words.title, /cannot withdraw/)
    assert.deepEqual(words.lines, [
      ['Account', '0xaa'],
      ['Signing key', '0xbb'],
      ['Until', '2023-11-14 22:13:20 UTC'],
      ['Chain', '31337'],
    ])
  })

  test('the description of an unknown message has its own member names and the contract', () => {
    const data = { domain: { ...domain, verifyingContract: '0xcc' as const }, types: {} }
    const words = signingWords({ ...data, primaryType: 'Other', message: { colour: 3n } })
    assert.deepEqual(words, {
      title: 'Other',
      lines: [
        ['colour', '3'],
        ['Contract', '0xcc'],
        ['Chain', '31337'],
      ],
    })
  })
})
