import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Channel, type ChannelFrame } from './channel.ts'
import { Book, blockInId, Rows } from './folds.ts'

const row = (
  seq: number,
  before: number | null,
  more: Partial<ChannelFrame> = {},
): ChannelFrame => ({
  channel: 'fills',
  type: 'update',
  seq,
  prev_seq: before,
  block_number: seq,
  data: { fill: { trade_id: `${String(seq).padStart(12, '0')}-000001-m` } },
  ...more,
})
const snapshot = (seq: number, ids: readonly string[] = []): ChannelFrame => ({
  channel: 'fills',
  type: 'snapshot',
  seq,
  prev_seq: null,
  block_number: seq,
  data: { fills: ids.map((trade_id) => ({ trade_id })) },
})
const newRows = (filled: readonly string[] = []) =>
  new Rows({
    inSnapshot: ({ data }) => data.fills.map((fill: { trade_id: string }) => fill.trade_id),
    inUpdate: ({ data }) => data.fill.trade_id,
    fillIn: async () => filled,
  })

describe('Channel', () => {
  test('a channel of a user resumes after the last message, and skips repeated messages', () => {
    const rows = newRows()
    const channel = new Channel('fills', rows)
    assert.deepEqual(channel.resume(), { channel: 'fills', snapshot: true })
    channel.take(snapshot(1))
    assert.equal(channel.take(row(3, 1)), 'applied')
    assert.deepEqual(channel.resume(), { channel: 'fills', from_seq: 3, snapshot: true })
    assert.equal(channel.take(row(3, 1)), 'skipped')
    assert.equal(channel.take(row(4, 3)), 'applied')
    assert.equal(rows.ids.size, 2)
    assert.deepEqual(rows.doubled, [])
  })

  test('a channel of a user detects a gap in the sequence once, and restarts with the snapshot', () => {
    const channel = new Channel('fills', newRows())
    channel.take(snapshot(1))
    assert.equal(channel.take(row(5, 3)), 'gap')
    assert.equal(channel.take(row(6, 5)), 'skipped')
    assert.equal(channel.take(snapshot(6)), 'applied')
    assert.equal(channel.take(row(7, 6)), 'applied')
    assert.deepEqual(channel.counted, { snapshots: 2, gaps: 1 })
  })

  test('a channel of a user resumes before the first of several parts, and takes the missing ones', () => {
    const rows = newRows()
    const channel = new Channel('fills', rows)
    const part = (number: number, before: number) =>
      row(4, before, {
        part: number,
        parts: 3,
        data: { fill: { trade_id: `000000000004-00000${number}-m` } },
      })
    channel.take(snapshot(1))
    channel.take(part(1, 1))
    channel.take(part(2, 4))
    assert.deepEqual(channel.resume(), { channel: 'fills', from_seq: 1, snapshot: true })
    const results = [part(1, 1), part(2, 4), part(3, 4)].map((frame) => channel.take(frame))
    assert.deepEqual(results, ['skipped', 'skipped', 'applied'])
    assert.equal(rows.ids.size, 3)
    assert.deepEqual(rows.doubled, [])
    assert.deepEqual(channel.resume(), { channel: 'fills', from_seq: 4, snapshot: true })
  })

  test('rows of a channel remove undone ids, count duplicates, and fill a gap over REST', async () => {
    const ids = [4, 3, 2].map((block) => `${String(block).padStart(12, '0')}-000001-m`)
    const rows = newRows(['000000000009-000001-m', ...ids])
    rows.snapshot(snapshot(1))
    rows.update(row(2, 1))
    rows.update(row(2, 1))
    assert.equal(rows.doubled.length, 1)
    rows.undo(row(3, 2, { type: 'undo', data: { ids: ['000000000002-000001-m'] } }))
    assert.equal(rows.ids.size, 0)
    rows.snapshot(snapshot(5, ids.slice(0, 1)))
    await rows.filling
    assert.deepEqual([...rows.ids].sort(), [...ids].sort())
    assert.equal(blockInId(ids[0] ?? ''), 4)
  })

  test('a book of a channel counts checksums that do not match its levels', () => {
    const book = new Book()
    const data = { bids: [['10', '1', '1']], asks: [['11', '2', '1']], checksum: '4067066603' }
    const frame: ChannelFrame = { ...snapshot(1), data }
    book.snapshot(frame)
    assert.equal(book.texts.get(1), '10:1 | 11:2')
    assert.equal(book.wrongChecksums, 0)
    book.update({ ...row(2, 1), data: { bids: [['10', '0', '0']], asks: [], checksum: '1' } })
    assert.equal(book.texts.get(2), ' | 11:2')
    assert.equal(book.wrongChecksums, 1)
  })
})
