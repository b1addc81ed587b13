import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ReorgCounter } from './reorg-counter.ts'

const counted = (
  ...messages: readonly (readonly ['update' | 'undo' | 'snapshot', number, number])[]
) => {
  const counter = new ReorgCounter()
  for (const [type, seq, block_number] of messages) counter.take({ type, seq, block_number })
  return counter.count
}

describe('the count of reorganisations', () => {
  test('the count of reorganisations is zero while blocks follow each other', () => {
    assert.equal(counted(['snapshot', 1, 10], ['update', 2, 11], ['update', 3, 12]), 0)
  })

  test('the count of reorganisations rises once for an undo that several channels report', () => {
    assert.equal(counted(['update', 5, 11], ['undo', 6, 10], ['undo', 6, 10], ['update', 7, 11]), 1)
  })

  test('undone blocks count as one reorganisation, or as two with new blocks in between', () => {
    const deep = [
      ['update', 5, 11],
      ['undo', 6, 10],
      ['undo', 7, 9],
      ['undo', 8, 8],
      ['update', 9, 9],
    ] as const
    assert.equal(counted(...deep), 1)
    assert.equal(counted(...deep, ['update', 10, 10], ['undo', 11, 9]), 2)
  })

  test('the count of reorganisations rises if a block number goes back', () => {
    assert.equal(counted(['update', 5, 11], ['update', 6, 10], ['update', 7, 11]), 1)
  })

  test('a late channel or repeated old messages do not count as a reorganisation', () => {
    assert.equal(counted(['update', 5, 11], ['snapshot', 6, 9], ['update', 3, 8]), 0)
  })
})
