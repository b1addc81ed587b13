import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StepError } from 'openvenue'
import { readTyped } from './typed-number.ts'

const refusal = (typed: string): StepError => {
  try {
    readTyped(typed)
  } catch (error) {
    if (error instanceof StepError) return error
    throw error
  }
  throw new Error(`${typed} was read`)
}

describe('a typed number', () => {
  test('a typed number is read with commas, spaces and currency signs as pasted', () => {
    const typed = ['1,234.5', ' 1 234.50 ', '$1,234,567', '.5', '5.', '007', '+3', '0.10', '1_000']
    const read = ['1234.5', '1234.50', '1234567', '0.5', '5', '7', '3', '0.10', '1000']
    assert.deepEqual(typed.map(readTyped), read)
  })

  test('an ambiguous typed number is rejected with its possible readings', () => {
    assert.deepEqual(refusal('1234,5').nearest, ['1234.5'])
    assert.deepEqual(refusal('1,5').nearest, ['1.5'])
    assert.deepEqual(refusal('0,123').nearest, ['0.123'])
    assert.deepEqual(refusal('1.234,5').nearest, ['1234.5'])
  })

  test('a typed number has no sign, no exponent, no word and no second point', () => {
    for (const typed of ['', ' ', '-1', '1e5', 'Infinity', '1.2.3', '0x10', '.', ',', '12,34.5'])
      assert.ok(refusal(typed) instanceof StepError, typed)
  })
})
