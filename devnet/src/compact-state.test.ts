import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactState } from './compact-state.ts'

test('compacting a chain state drops zero storage, transaction steps and blocks without transactions', () => {
  const state = {
    best_block_number: 6_000,
    accounts: { a: { balance: '0x0', storage: { '0x1': '0x00', '0x2': '0x10', '0x3': '0x0' } } },
    blocks: [{ header: { number: '0x3e8' } }, { header: { number: '0x3e9' } }],
    transactions: [{ info: { traces: [{ depth: 1 }], hash: '0xaa' }, block_number: 6_000 }],
    block: { number: '0x1770' },
  }
  compactState(state)
  assert.deepEqual(state, {
    best_block_number: 6_000,
    accounts: { a: { balance: '0x0', storage: { '0x2': '0x10' } } },
    blocks: [{ header: { number: '0x3e9' } }],
    transactions: [{ info: { traces: [], hash: '0xaa' }, block_number: 6_000 }],
    block: { number: '0x1770' },
  })
})
