import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSalts } from './salts.ts'

const SALTS = 10_000
/** The contract stores one bit per salt. */
const SALTS_PER_WORD = 256

const take = (next: () => bigint) => Array.from({ length: SALTS }, () => next())

test('consecutive salts of a program share few storage words of the contract', () => {
  const salts = take(makeSalts())
  assert.equal(new Set(salts).size, SALTS)
  const words = new Set(salts.map((salt) => salt / BigInt(SALTS_PER_WORD)))
  assert.ok(words.size <= Math.ceil(SALTS / SALTS_PER_WORD) + 1, `${words.size} words`)
})

test('a restarted program reuses no salt', () => {
  const before = new Set(take(makeSalts()))
  assert.ok(take(makeSalts()).every((salt) => !before.has(salt)))
})
