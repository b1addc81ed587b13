import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TokenFacts } from './pool-events.ts'
import { TOKEN_NAME_MAX, TOKEN_SYMBOL_MAX, toPoolToken } from './pool-tokens.ts'

describe('a token of a pool', () => {
  const address = '0x00000000000000000000000000000000000000a5'
  const facts: TokenFacts = { address, symbol: 'SYM', name: 'Name', decimals: 18, totalSupply: 5n }

  test('a token of a pool is stored as reported', () => {
    assert.deepEqual(toPoolToken(facts), facts)
  })

  test('a token of a pool without a symbol is named by its address, without a name by its symbol', () => {
    assert.equal(toPoolToken({ ...facts, symbol: '' }).symbol, '0x0000…00a5')
    assert.equal(toPoolToken({ ...facts, symbol: ' \u0000\u200b ' }).symbol, '0x0000…00a5')
    assert.equal(toPoolToken({ ...facts, name: '' }).name, 'SYM')
    assert.equal(toPoolToken({ ...facts, symbol: '', name: '' }).name, '0x0000…00a5')
  })

  test('a token of a pool loses characters that stored text may not have: control, bidirectional and lone surrogates', () => {
    assert.equal(
      toPoolToken({ ...facts, name: 'A\u0000B\u202eC\ud800D\nE  F' }).name,
      'A B C D E F',
    )
    assert.equal(toPoolToken({ ...facts, name: 'é 漢 \u{1f600}' }).name, 'é 漢 \u{1f600}')
  })

  test('a token of a pool has a symbol and a name of bounded length, cut between characters', () => {
    const long = '\u{1f600}'.repeat(1000)
    assert.equal(
      toPoolToken({ ...facts, symbol: long }).symbol,
      '\u{1f600}'.repeat(TOKEN_SYMBOL_MAX),
    )
    assert.equal(toPoolToken({ ...facts, name: long }).name, '\u{1f600}'.repeat(TOKEN_NAME_MAX))
  })

  test('a token of a pool has no space at the end of a truncated symbol', () => {
    const first = 'A'.repeat(TOKEN_SYMBOL_MAX - 1)
    assert.equal(toPoolToken({ ...facts, symbol: `${first} B` }).symbol, first)
  })

  for (const [decimals, expected] of [
    [0, 0],
    [255, 255],
    [256, null],
    [-1, null],
    [1.5, null],
    [Number.NaN, null],
    [null, null],
  ] as const)
    test(`a token of a pool that reports ${decimals} decimals is stored with ${expected}`, () => {
      assert.equal(toPoolToken({ ...facts, decimals }).decimals, expected)
    })

  test('may have an unknown supply', () => {
    assert.equal(toPoolToken({ ...facts, totalSupply: null }).totalSupply, null)
  })
})
