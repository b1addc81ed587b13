import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requirePrefix, type Variable } from './storage-layout.ts'

const OWNER: Variable = { label: 'owner', slot: '0', offset: 0, type: 't_address' }
const COUNT: Variable = { label: 'count', slot: '0', offset: 20, type: 't_uint32' }
const BOOKS: Variable = { label: '_books', slot: '1', offset: 0, type: 't_struct(Book)12_storage' }

const check = (part: readonly Variable[], whole: readonly Variable[]): void =>
  requirePrefix('Part', 'Whole', (contract) => (contract === 'Part' ? part : whole))

test('a contract that has the first variables of the other passes', () => {
  check([], [OWNER])
  check([OWNER, COUNT], [OWNER, COUNT, BOOKS])
})

test('the number that the compiler assigns to a type is ignored', () => {
  check([BOOKS], [{ ...BOOKS, type: 't_struct(Book)99_storage' }])
})

test('another name, position or type is rejected, and so is an extra variable', () => {
  for (const other of [
    { ...COUNT, label: 'counted' },
    { ...COUNT, slot: '1' },
    { ...COUNT, offset: 24 },
    { ...COUNT, type: 't_uint64' },
  ]) {
    assert.throws(() => check([OWNER, COUNT], [OWNER, other]), /^Error: Part has count of t_uint32/)
  }
  assert.throws(() => check([OWNER, COUNT], [OWNER]), /where Whole has nothing$/)
})
