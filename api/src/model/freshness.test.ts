import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Change } from '@openvenue/core/changes'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { CHAIN_SILENCE_MS_MAX, FEED_SILENCE_MS_MAX, Freshness, watchHead } from './freshness.ts'
import { VenueModel } from './venue-model.ts'

const NO_CHANGES: readonly Change[] = []
const LAG_MAX = 3

/** A model that receives blocks by number, one a second from time 0, and its clock. */
function fresh() {
  let ms = 0
  const model = new VenueModel()
  model.load(emptySnapshot())
  const clock = { nowMs: () => ms, monotonicMs: () => ms }
  const freshness = new Freshness({ model, clock, lagMax: LAG_MAX })
  const hash = (number: number) => `0x${number}`
  const seeBlock = (number: number, seconds = Math.floor(ms / 1000)) => {
    const header = { number, hash: hash(number), parentHash: hash(number - 1), seconds }
    model.apply({ seq: model.seq + 1, kind: 'apply', header, changes: NO_CHANGES })
  }
  const pass = (by: number) => {
    ms += by
  }
  return { freshness, seeBlock, pass, clock, now: () => ms }
}

describe('the age of the data', () => {
  test('the age of the data counts from the last time the chain had nothing else', () => {
    const { freshness, seeBlock, pass, now } = fresh()
    seeBlock(1)
    pass(700)
    freshness.chainSeen(1, now())
    assert.equal(freshness.ageMs(), 0)
    pass(300)
    assert.equal(freshness.ageMs(), 300)
  })

  test('the data of an idle chain stays fresh, however old its last block is', () => {
    const { freshness, seeBlock, pass, now } = fresh()
    seeBlock(1)
    for (let i = 0; i < 1000; i++) {
      pass(1000)
      freshness.chainSeen(1, now())
    }
    assert.equal(freshness.ageMs(), 0)
    assert.equal(freshness.isBehind, false)
  })

  test('the age of the data rises while the chain has blocks that have not come, and falls as they come', () => {
    const { freshness, seeBlock, pass, now } = fresh()
    seeBlock(1)
    freshness.chainSeen(1, now())
    for (const number of [2, 3, 4]) {
      pass(1000)
      freshness.chainSeen(number, now())
    }
    assert.equal(freshness.ageMs(), 3000)
    seeBlock(2)
    assert.equal(freshness.ageMs(), 2000, 'as of when block 2 was the head')
    seeBlock(3)
    seeBlock(4)
    assert.equal(freshness.ageMs(), 0)
  })

  test('the age of the data is that of the newest block while the chain does not answer', () => {
    const { freshness, seeBlock, pass } = fresh()
    seeBlock(1)
    pass(10 * CHAIN_SILENCE_MS_MAX)
    assert.equal(freshness.ageMs(), 10 * CHAIN_SILENCE_MS_MAX)
    seeBlock(2)
    assert.equal(freshness.ageMs(), 0)
    pass(60_000)
    seeBlock(3, 0)
    assert.equal(freshness.ageMs(), 60_000 + 10 * CHAIN_SILENCE_MS_MAX - 0, 'a block of long ago')
  })

  test('the age of the data is not made smaller by a node that is far behind', () => {
    const { freshness, seeBlock, pass, now } = fresh()
    seeBlock(100)
    freshness.chainSeen(100, now())
    pass(2000)
    freshness.chainSeen(100 - LAG_MAX - 1, now())
    assert.equal(freshness.ageMs(), 2000)
    freshness.chainSeen(100 - LAG_MAX, now())
    assert.equal(freshness.ageMs(), 0, 'one a little behind is believed')
  })

  test('the age of the data does not rise with a backlog of heads, which is bounded', () => {
    const { freshness, seeBlock, pass, now } = fresh()
    seeBlock(1)
    freshness.chainSeen(1, now())
    for (let number = 2; number < 1000; number++) {
      pass(1000)
      freshness.chainSeen(number, now())
    }
    assert.equal(freshness.ageMs(), 998_000)
    assert.equal(freshness.isBehind, true)
    for (let number = 2; number < 1000; number++) seeBlock(number)
    assert.equal(freshness.ageMs(), 0)
    assert.equal(freshness.isBehind, false)
  })
})

describe('a node', () => {
  test('a node is behind beyond the blocks that it may be, until they come', () => {
    const { freshness, seeBlock, now } = fresh()
    seeBlock(1)
    freshness.chainSeen(1 + LAG_MAX, now())
    assert.deepEqual([freshness.isBehind, freshness.lag], [false, LAG_MAX])
    freshness.chainSeen(2 + LAG_MAX, now())
    assert.deepEqual([freshness.isBehind, freshness.lag], [true, LAG_MAX + 1])
    seeBlock(2)
    assert.deepEqual([freshness.isBehind, freshness.lag], [false, LAG_MAX])
  })

  test('a node whose feed is not read for long has a silent feed', () => {
    const { freshness, pass } = fresh()
    pass(2 * FEED_SILENCE_MS_MAX)
    assert.equal(freshness.isFeedSilent, false, 'nobody has begun to read')
    freshness.feedRead()
    pass(FEED_SILENCE_MS_MAX)
    assert.equal(freshness.isFeedSilent, false)
    pass(1)
    assert.equal(freshness.isFeedSilent, true)
    freshness.feedRead()
    assert.equal(freshness.isFeedSilent, false)
  })

  test('a node asks the chain for its head until it is stopped, whatever the chain does', async () => {
    const { freshness, seeBlock, clock } = fresh()
    seeBlock(1)
    const stopping = new AbortController()
    let asked = 0
    const askHead = async () => {
      asked += 1
      if (asked === 1) throw new Error('no answer')
      if (asked === 2) return {}
      return { head: 9 }
    }
    const delay = async () => {
      if (asked === 3) stopping.abort()
    }
    await watchHead({ freshness, askHead, clock: { ...clock, delay } }, stopping.signal)
    assert.deepEqual([asked, freshness.lag], [3, 8])
  })
})
