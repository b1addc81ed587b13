import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foreignName } from './foreign-text.ts'

describe('a name that somebody else chose', () => {
  test('is the text that it is, markup and signs of all scripts included', () => {
    for (const name of ['USD₮0', '<img src=x onerror=alert(1)>', '"\'&amp;', 'イーサ', '🦄'])
      assert.equal(foreignName(name), name)
  })

  test('turns no text beside it, breaks no line and hides nothing', () => {
    assert.equal(foreignName('A\u202eB'), 'A�B')
    assert.equal(foreignName('A\u2066B\u200fC\u200bD'), 'A�B�C�D')
    assert.equal(foreignName('A\r\nB\u2028C\tD\u0000E'), 'A��B�C�D�E')
    assert.equal(foreignName('A\ud83e'), 'A�')
  })

  test('is as long as a name is: a longer one is cut, and no character in two', () => {
    assert.equal(foreignName('x'.repeat(32)), 'x'.repeat(32))
    assert.equal(foreignName('🦄'.repeat(33)), `${'🦄'.repeat(31)}…`)
    assert.equal([...foreignName('x'.repeat(100_000))].length, 32)
  })
})
