import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LedgerEntry, ledgerLine, ledgerText } from './ledger.ts'

const PROMISE: LedgerEntry = {
  seq: 7,
  id: '0xab',
  kind: 'order',
  lane: 'orders-0',
  state: 'queued',
  atNs: 1_800_000_000_000_000_001n,
  includeByBlock: 12,
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
}

test('a line has every field, with a dash for an absent one', () => {
  assert.equal(ledgerLine(PROMISE), '7 0xab order orders-0 queued 1800000000000000001 12 - - -')
  const end = { ...PROMISE, state: 'refused', txHash: '0xcd', blockNumber: 11, reason: 'A word' }
  assert.equal(
    ledgerLine(end),
    '7 0xab order orders-0 refused 1800000000000000001 12 0xcd 11 A word',
  )
})

test('the text of a commit begins with the hash of the previous commit', () => {
  assert.equal(ledgerText('00', [PROMISE, PROMISE]).split('\n').length, 3)
  assert.match(ledgerText('00', [PROMISE]), /^00\n7 /)
})
