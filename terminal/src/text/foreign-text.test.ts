import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foreignName } from './foreign-text.ts'

describe('a third-party name', () => {
  test('a third-party name is shown unchanged, including markup and all scripts', () => {
    for (const name of ['USD₮0', '<img src=x onerror=alert(1)>', '"\'&amp;', 'イーサ', '🦄'])
      assert.equal(foreignName(name), name)
  })

  test('a third-party name cannot reverse text beside it, break a line or hide anything', () => {
    assert.equal(foreignName('A\u202eB'), 'A�B')
    assert.equal(foreignName('A\u2066B\u200fC\u200bD'), 'A�B�C�D')
    assert.equal(foreignName('A\r\nB\u2028C\tD\u0000E'), 'A��B�C�D�E')
    assert.equal(foreignName('A\ud83e'), 'A�')
  })

  test('a third-party name is cut to 32 characters, without splitting a character', () => {
    assert.equal(foreignName('x'.repeat(32)), 'x'.repeat(32))
    assert.equal(foreignName('🦄'.repeat(33)), `${'🦄'.repeat(31)}…`)
    assert.equal([...foreignName('x'.repeat(100_000))].length, 32)
  })
})
