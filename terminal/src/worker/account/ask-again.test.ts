import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { ConnectionError } from 'openvenue'
import { VenueReturn } from '../chain/venue-return.ts'
import { AGAIN_MS, AGAIN_MS_MAX, askAgain } from './ask-again.ts'

/** Nothing is cut short. */
const NEVER_SHORT = () => 0
const HOUR_MS = 3_600_000

/** A venue that does not answer until it is there. */
class AwayVenue {
  readonly returns = new VenueReturn()
  readonly askedMs: number[] = []
  isThere = false
  /** Comes back while it is asked, and does not answer that question. */
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

  /** Lets time pass, a second after the other. */
  async pass(ms: number): Promise<void> {
    await settle()
    for (let at = 0; at < ms; at += 1_000) {
      this.#nowMs += 1_000
      mock.timers.tick(1_000)
      await settle()
    }
  }
}

/** Lets what has been answered go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('what a venue that is away is asked', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('is asked ever more seldom, up to a limit, for as long as it is away', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await venue.pass(HOUR_MS)
    const pauses = venue.askedMs.slice(1).map((ms, at) => ms - (venue.askedMs[at] ?? 0))
    assert.deepEqual(pauses.slice(0, 5), [2_000, 4_000, 8_000, 16_000, 30_000])
    assert.equal(AGAIN_MS, 2_000)
    assert.ok(pauses.slice(4).every((pause) => pause === AGAIN_MS_MAX))
    assert.ok(venue.askedMs.length <= 125, `${venue.askedMs.length} questions in an hour`)
  })

  test('is answered at once when the venue is back, and not asked any more', async () => {
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

  test('is asked soon again where the venue came back and did not answer', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await venue.pass(100_000)
    const before = venue.askedMs.length
    venue.returns.happen()
    await venue.pass(6_000)
    assert.equal(venue.askedMs.length, before + 3, 'at once, after 2 s and after 4 s more')
  })

  test('is asked once more, not for ever, where the venue came back during a question', async () => {
    const venue = new AwayVenue()
    venue.isReturning = true
    void askAgain(venue.ask, venue.returns, NEVER_SHORT)
    await settle()
    assert.equal(venue.askedMs.length, 2)
    await venue.pass(2_000)
    assert.equal(venue.askedMs.length, 3)
  })

  test('is not asked again where the page itself is at fault', async () => {
    const { returns } = new AwayVenue()
    for (const fault of [new TypeError('x is undefined'), new ReferenceError('no y')]) {
      let asked = 0
      const work = async () => {
        asked++
        throw fault
      }
      await assert.rejects(askAgain(work, returns, NEVER_SHORT), fault)
      assert.equal(asked, 1)
    }
  })

  test('is asked earlier by up to a half, so that not all pages ask at once', async () => {
    const venue = new AwayVenue()
    void askAgain(venue.ask, venue.returns, () => 0.999)
    await venue.pass(2_000)
    assert.equal(venue.askedMs.length, 2)
  })
})
