import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSalts } from './salts.ts'

const START_MS = 1_800_000_000_000
const SALTS = 10_000
/** The contract has a bit for each in a word of its storage. */
const SALTS_PER_WORD = 256

test('the salts of a bot are neighbours, however far apart its orders are: few words hold them', () => {
  const next = makeSalts(START_MS)
  const salts = Array.from({ length: SALTS }, () => next())
  assert.equal(new Set(salts).size, SALTS)
  const words = new Set(salts.map((salt) => salt / BigInt(SALTS_PER_WORD)))
  assert.ok(words.size <= Math.ceil(SALTS / SALTS_PER_WORD) + 1, `${words.size} words`)
})

test('a bot that starts again has none that it had before', () => {
  const [first, second] = [makeSalts(START_MS), makeSalts(START_MS + 1_000)]
  const last = Array.from({ length: SALTS }, () => first()).at(-1) ?? 0n
  assert.ok(second() > last)
})
