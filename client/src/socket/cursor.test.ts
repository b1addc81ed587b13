import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Cursor, type Message } from './cursor.ts'

const message = (seq: number, prev_seq: number | null, more: Partial<Message> = {}): Message => ({
  ...{ channel: 'c', type: prev_seq === null ? 'snapshot' : 'update', seq, prev_seq },
  ...{ block_number: 1, ts: 1, data: null },
  ...more,
})
const part = (seq: number, prev: number, at: number, parts = 3) =>
  message(seq, prev, { part: at, parts })

describe('a cursor', () => {
  test('a cursor accepts successive messages once, and none before a snapshot', () => {
    const cursor = new Cursor()
    assert.equal(cursor.fromSeq, undefined)
    assert.equal(cursor.take(message(4, 3)), 'known')
    assert.equal(cursor.take(message(5, null)), 'new')
    assert.equal(cursor.take(message(5, 4)), 'known')
    assert.equal(cursor.take(message(9, 5)), 'new')
    assert.equal(cursor.take(message(9, 5)), 'known')
    assert.equal(cursor.take(message(7, 5)), 'known')
    // A node that sent fewer messages in between.
    assert.equal(cursor.take(message(12, 8)), 'new')
    assert.equal(cursor.fromSeq, 12)
  })

  test('a cursor detects a gap and recovers with a snapshot', () => {
    const cursor = new Cursor()
    cursor.begin(5)
    assert.equal(cursor.take(message(9, 7)), 'gap')
    assert.equal(cursor.fromSeq, 5)
    cursor.lose()
    assert.equal(cursor.take(message(10, 9)), 'known')
    assert.equal(cursor.take(message(11, null)), 'new')
    assert.equal(cursor.take(message(12, 11)), 'new')
  })

  test('a cursor accepts a continuation with the same sequence number', () => {
    const cursor = new Cursor()
    cursor.begin(5)
    assert.equal(cursor.take(message(6, 5)), 'new')
    assert.equal(cursor.take(message(6, 6)), 'new')
    assert.equal(cursor.take(message(6, 5)), 'known')
  })

  test('a cursor accepts the parts of an entry in order and resumes before them if one is missing', () => {
    const cursor = new Cursor()
    cursor.begin(5)
    assert.equal(cursor.take(part(8, 5, 1)), 'new')
    assert.equal(cursor.take(part(8, 8, 2)), 'new')
    assert.equal(cursor.fromSeq, 5)
    assert.equal(cursor.take(message(9, 8)), 'gap')
    for (const at of [1, 2]) assert.equal(cursor.take(part(8, at === 1 ? 5 : 8, at)), 'known')
    assert.equal(cursor.take(part(8, 8, 3)), 'new')
    assert.equal(cursor.fromSeq, 8)
    assert.equal(cursor.take(message(9, 8)), 'new')
    assert.equal(cursor.take(part(12, 9, 2)), 'gap')
    assert.equal(cursor.take(part(12, 9, 1)), 'new')
    assert.equal(cursor.take(part(12, 12, 3)), 'gap')
  })
})
