import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelMessage, ChannelPosition } from './channel-position.ts'

const message = (seq: number, prev_seq: number | null, rest: Partial<ChannelMessage> = {}) =>
  ({
    channel: 'x',
    type: 'update',
    seq,
    prev_seq,
    block_number: 1,
    ts: 1,
    data: {},
    ...rest,
  }) as const

test('a state channel starts with its snapshot and reports gaps until the next one', () => {
  const position = new ChannelPosition(true)
  assert.equal(position.take(message(4, 3)), 'known')
  assert.equal(position.take(message(5, null, { type: 'snapshot' })), 'new')
  assert.equal(position.take(message(5, 4)), 'known')
  assert.equal(position.take(message(7, 5)), 'new')
  assert.equal(position.take(message(7, 7)), 'new', 'a continuation of the previous message is new')
  assert.equal(position.take(message(9, 8)), 'gap')
  position.lose()
  assert.equal(position.take(message(10, 9)), 'known')
  assert.equal(position.take(message(10, null, { type: 'snapshot' })), 'new')
  assert.equal(position.fromSeq, 10)
})

test('an event channel starts with the first event and resumes after the last complete entry', () => {
  const position = new ChannelPosition(false)
  assert.equal(position.fromSeq, undefined)
  assert.equal(position.take(message(5, 3, { part: 1, parts: 2 })), 'new')
  assert.equal(position.fromSeq, 3)
  assert.equal(position.take(message(5, 3, { part: 1, parts: 2 })), 'known')
  assert.equal(position.take(message(5, 5, { part: 2, parts: 2 })), 'new')
  assert.equal(position.fromSeq, 5)
})

test('an event channel with missing parts resumes before the first part of the entry', () => {
  const position = new ChannelPosition(false)
  position.take(message(5, 3, { part: 1, parts: 3 }))
  position.take(message(5, 5, { part: 2, parts: 3 }))
  assert.equal(position.fromSeq, 3, 'the third part is missing')
  assert.equal(position.take(message(6, 5)), 'gap')
  for (const part of [1, 2])
    assert.equal(position.take(message(5, part === 1 ? 3 : 5, { part, parts: 3 })), 'known')
  assert.equal(position.take(message(5, 5, { part: 3, parts: 3 })), 'new')
  assert.equal(position.take(message(6, 5)), 'new')
})

test('an event channel resumes at the position of the reply before its first event', () => {
  const position = new ChannelPosition(false)
  position.begin(7)
  assert.equal(position.fromSeq, 7)
  assert.equal(position.take(message(10, 9)), 'gap')
  assert.equal(position.take(message(9, 7)), 'new')
})
