import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as viem from 'viem'
import type { Hex } from '../../http/signature-hex.ts'
import { keccak256, keccak256OfText } from './signed-order.ts'

test('the hash of bytes in pieces is that of the bytes together', () => {
  const pieces: Hex[] = ['0x', '0x1901', `0x${'ab'.repeat(32)}`, `0x${'00'.repeat(136)}`]
  assert.equal(keccak256(...pieces), viem.keccak256(viem.concat(pieces)))
  assert.equal(keccak256(), viem.keccak256('0x'))
})

test('the hash of a text is that of its UTF-8', () => {
  for (const text of ['', 'openvenue', 'é – 漢'])
    assert.equal(keccak256OfText(text), viem.keccak256(viem.stringToBytes(text)))
})
