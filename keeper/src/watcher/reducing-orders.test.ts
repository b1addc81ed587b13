// Held reduce-only orders end with their position, and never fire against another.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { FIRST } from '../../test/fake-state.ts'
import { WatchedVenue } from '../../test/watched-venue.ts'

const BELOW = 2
const ACCOUNT = 40
const SECOND_NS = 1_000_000_000n
const dollars = (count: bigint) => `${count * E18}`

let venue: WatchedVenue
let account = ACCOUNT
/** Time of the newest block. */
let seconds = 10_000
before(async () => {
  venue = await WatchedVenue.open()
  venue.start()
})
after(() => venue.close())
beforeEach(() => {
  venue.mark(FIRST, 1_000n)
  account += 1
  next()
})

function next(): void {
  seconds += 2
  venue.block(seconds)
}

/** Accepts a stop of a long position, or with `isBuy` of a short one, in the newest block. */
const stop = (terms: object = {}) =>
  venue.accept({
    ...{ account, reduceOnly: true, isBuy: false, receivedNs: BigInt(seconds) * SECOND_NS },
    ...{ triggerKind: BELOW, triggerPrice: dollars(900n), ...terms },
  })
const position = async (lots: bigint) => {
  next()
  await venue.position(lots, account)
}

describe('a reduce-only stop', () => {
  test('a reduce-only stop ends when its position is closed, and does not fire', async () => {
    await position(10n)
    const id = await stop()
    await venue.settle()
    await position(4n)
    await venue.settle()
    assert.ok(await venue.is(id, 'received'), 'part of it is open')
    await position(0n)
    assert.equal(await venue.reach(id, 'withdrawn'), 'POSITION_ENDED')
  })

  test('a reduce-only stop ends when its position flips in one trade, and a stop of the new side stays', async () => {
    await position(10n)
    const [ofLong, ofShort] = [await stop(), await stop({ isBuy: true, triggerPrice: '1' })]
    await position(-10n)
    assert.equal(await venue.reach(ofLong, 'withdrawn'), 'POSITION_ENDED')
    await venue.settle()
    assert.ok(await venue.is(ofShort, 'received'))
    await position(10n)
    assert.equal(await venue.reach(ofShort, 'withdrawn'), 'POSITION_ENDED')
  })

  test('a reduce-only stop never fires against the next position, even if no watcher saw the first end', async () => {
    await position(10n)
    const id = await stop()
    await venue.settle()
    await venue.stop()
    await position(0n)
    await position(5n)
    venue.mark(FIRST, 800n)
    venue.start()
    assert.equal(await venue.reach(id, 'withdrawn'), 'POSITION_ENDED')
  })

  test('a reduce-only stop never fires if its position ended and another began before the check', async () => {
    await position(10n)
    const id = await stop()
    await venue.settle()
    venue.mayAct = false
    await position(0n)
    await position(5n)
    venue.mark(FIRST, 800n)
    venue.mayAct = true
    assert.equal(await venue.reach(id, 'withdrawn'), 'POSITION_ENDED')
  })

  test('a reduce-only stop accepted before its position waits and fires for it', async () => {
    const id = await stop()
    await venue.settle()
    await position(10n)
    venue.mark(FIRST, 800n)
    await venue.reach(id, 'queued')
  })

  test('a reduce-only stop accepted after a position had ended belongs to the next one', async () => {
    await position(10n)
    await position(0n)
    next()
    const id = await stop()
    await position(7n)
    venue.mark(FIRST, 800n)
    await venue.reach(id, 'queued')
  })

  test('a reduce-only stop of an unfilled parent does not belong to the previous position', async () => {
    await position(10n)
    const parentId = await venue.accept({ account })
    const child = await stop({ parentId })
    await venue.settle()
    await position(0n)
    await venue.settle()
    assert.ok(await venue.is(child, 'received'))
    next()
    await venue.chain(parentId, { filledLots: 10n, restingLots: 0n, status: 'filled' })
    await position(10n)
    await venue.settle()
    assert.ok(await venue.is(child, 'received'))
    await position(0n)
    assert.equal(await venue.reach(child, 'withdrawn'), 'POSITION_ENDED')
  })

  test('a stop that is not reduce-only outlives its position', async () => {
    await position(10n)
    const id = await stop({ reduceOnly: false })
    await position(0n)
    await venue.settle()
    assert.ok(await venue.is(id, 'received'))
  })
})
