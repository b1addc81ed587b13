import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { ConnectionError } from 'openvenue'
import { AGAIN_MS, AGAIN_MS_MAX, askAgain } from './ask-again.ts'
import { VenueReturn } from './venue-return.ts'

/** Pauses are never shortened. */
const NEVER_SHORT = () => 0
const HOUR_MS = 3_600_000

/** A venue that does not answer until it is back. */
class AwayVenue {
  readonly returns = new VenueReturn()
  readonly askedMs: number[] = []
  isThere = false
  /** Returns during a request, which it does not answer. */
  isReturning = false
  #nowMs = 0

  readonly ask = async (): Promise<void> => {
    this.askedMs.push(this.#nowMs)
    if (this.isReturning) {
      this.isReturning = false
      this.returns.happen()
    }
    if (!this.isThere) throw new ConnectionError('nobody is there')
  }

  /** Advances time in steps of one second. */
  async pass(ms: number): Promise<void> {
    await settle()
    for (let at = 0; at < ms; at += 1_000) {
      this.#nowMs += 1_000
      mock.timers.tick(1_000)
      await settle()
    }
  }
}

/** Runs the pending reactions to answers. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('retries against a venue that is down', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('retries back off up to a limit while the venue is down', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await venue.pass(HOUR_MS)
    const pauses = venue.askedMs.slice(1).map((ms, at) => ms - (venue.askedMs[at] ?? 0))
    assert.deepEqual(pauses.slice(0, 5), [2_000, 4_000, 8_000, 16_000, 30_000])
    assert.equal(AGAIN_MS, 2_000)
    assert.ok(pauses.slice(4).every((pause) => pause === AGAIN_MS_MAX))
    assert.ok(venue.askedMs.length <= 125, `${venue.askedMs.length} questions in an hour`)
  })

  test('retries end with an answer as soon as the venue is back', async () => {
    const venue = new AwayVenue()
    let isDone = false
    void askAgain(venue.ask, venue.returns, NEVER_SHORT).then(() => {
      isDone = true
    })
    await venue.pass(100_000)
    const before = venue.askedMs.length
    venue.isThere = true
    venue.returns.happen()
    await settle()
    assert.equal(venue.askedMs.length, before + 1)
    assert.ok(isDone)
    await venue.pass(HOUR_MS)
    venue.returns.happen()
    await settle()
    assert.equal(venue.askedMs.length, before + 1)
  })

  test('retries resume soon if the venue came back but did not answer', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await venue.pass(100_000)
    const before = venue.askedMs.length
    venue.returns.happen()
    await venue.pass(6_000)
    assert.equal(venue.askedMs.length, before + 3, 'at once, after 2 s and after 4 s more')
  })

  test('a request is repeated once, not endlessly, if the venue came back meanwhile', async () => {
    const venue = new AwayVenue()
    venue.isReturning = true
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await settle()
    assert.equal(venue.askedMs.length, 2)
    await venue.pass(2_000)
    assert.equal(venue.askedMs.length, 3)
  })

  test('retries stop on a fault of the page itself', async () => {
    const { returns } = new AwayVenue()
    for (const fault of [new TypeError('x is undefined'), new ReferenceError('no y')]) {
      let requests = 0
      const work = async () => {
        requests++
        throw fault
      }
      await assert.rejects(askAgain(work, returns, NEVER_SHORT), fault)
      assert.equal(requests, 1)
    }
  })

  test('retry pauses vary by up to half, so that pages do not retry at the same time', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, () => 0.999)
    await venue.pass(2_000)
    assert.equal(venue.askedMs.length, 2)
  })
})
