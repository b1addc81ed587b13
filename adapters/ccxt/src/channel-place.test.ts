import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelMessage, ChannelPlace } from './channel-place.ts'

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

test('a state begins with its snapshot, and shows what is missing until the next', () => {
  const place = new ChannelPlace(true)
  assert.equal(place.take(message(4, 3)), 'known')
  assert.equal(place.take(message(5, null, { type: 'snapshot' })), 'new')
  assert.equal(place.take(message(5, 4)), 'known')
  assert.equal(place.take(message(7, 5)), 'new')
  assert.equal(place.take(message(7, 7)), 'new', 'it continues the message before')
  assert.equal(place.take(message(9, 8)), 'gap')
  place.lose()
  assert.equal(place.take(message(10, 9)), 'known')
  assert.equal(place.take(message(10, null, { type: 'snapshot' })), 'new')
  assert.equal(place.fromSeq, 10)
})

test('events begin with the first, and go on from the entry of which all parts are there', () => {
  const place = new ChannelPlace(false)
  assert.equal(place.fromSeq, undefined)
  assert.equal(place.take(message(5, 3, { part: 1, parts: 2 })), 'new')
  assert.equal(place.fromSeq, 3)
  assert.equal(place.take(message(5, 3, { part: 1, parts: 2 })), 'known')
  assert.equal(place.take(message(5, 5, { part: 2, parts: 2 })), 'new')
  assert.equal(place.fromSeq, 5)
})

test('events of which some parts are missing go on from the entry before all parts', () => {
  const place = new ChannelPlace(false)
  place.take(message(5, 3, { part: 1, parts: 3 }))
  place.take(message(5, 5, { part: 2, parts: 3 }))
  assert.equal(place.fromSeq, 3, 'the third part is not there')
  assert.equal(place.take(message(6, 5)), 'gap')
  for (const part of [1, 2])
    assert.equal(place.take(message(5, part === 1 ? 3 : 5, { part, parts: 3 })), 'known')
  assert.equal(place.take(message(5, 5, { part: 3, parts: 3 })), 'new')
  assert.equal(place.take(message(6, 5)), 'new')
})

test('events go on from where the reply says, before the first one has come', () => {
  const place = new ChannelPlace(false)
  place.begin(7)
  assert.equal(place.fromSeq, 7)
  assert.equal(place.take(message(10, 9)), 'gap')
  assert.equal(place.take(message(9, 7)), 'new')
})
