import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireOneAnswer } from './selectors.ts'

test('functions of one contract, and those of the common base, pass', () => {
  requireOneAnswer({
    First: { 'owner()': '8da5cb5b', 'place()': '00000001' },
    Second: { 'owner()': '8da5cb5b', 'list()': '00000002' },
    Third: { 'owner()': '8da5cb5b' },
  })
})

test('a function that only some contracts have is rejected', () => {
  const two = { First: { 'list()': '00000002' }, Second: { 'list()': '00000002' } }
  assert.throws(
    () => requireOneAnswer({ ...two, Third: {} }),
    /^Error: selector 00000002 is shared by First\.list\(\) and Second\.list\(\)$/,
  )
})

test('two signatures with one selector are rejected, also in different contracts', () => {
  const first = { 'burn(uint256)': '42966c68' }
  const second = { 'collate_propagate_storage(bytes16)': '42966c68' }
  assert.throws(() => requireOneAnswer({ First: first, Second: second }), /^Error: selector/)
})
