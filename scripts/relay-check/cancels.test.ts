// Broken promises of cancels are planted one by one, and found; a venue that keeps them has none.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRelay } from './check.ts'
import { FakeVenue, orderId } from './test/fake-venue.ts'

const GONE = { reason: 'ORDER_DOES_NOT_EXIST' }

/** A venue with nine orders on the chain that has kept its promises about cancels. */
function honest(): FakeVenue {
  const venue = new FakeVenue()
  for (let order = 1; order < 10; order++) {
    venue.include(order, order, 10)
    venue.resting.add(order)
  }
  venue.cancel(1, 101, 12)
  // Filled before its cancel, in the same block: the transaction had no effect.
  venue.sayCancel(2, 'queued', 12)
  venue.sayCancel(2, 'sent', 12, { tx_hash: txOf(102) })
  venue.mineCancels(102, 13, [2], { without: true })
  venue.sayCancel(2, 'included', 13, { block_number: 13 })
  // Filled before anything was sent.
  venue.sayCancel(3, 'queued', 13)
  venue.sayCancel(3, 'refused', 14, GONE)
  // Refused, as the permission had expired; promised again.
  venue.sayCancel(4, 'queued', 14)
  venue.sayCancel(4, 'sent', 14, { tx_hash: txOf(103) })
  venue.mineCancels(103, 15, [4], { without: true })
  venue.sayCancel(4, 'refused', 15, { reason: 'NotCanceller' })
  venue.sayCancel(4, 'queued', 30, { include_by_block: 33 })
  venue.sayCancel(4, 'sent', 30, { tx_hash: txOf(104) })
  venue.mineCancels(104, 31, [4])
  venue.sayCancel(4, 'included', 31, { block_number: 31 })
  for (const order of [1, 2, 3, 4]) venue.resting.delete(order)
  return venue
}

const txOf = (nonce: number) => `0x${(0xff0000 + nonce).toString(16).padStart(64, '0')}`
const nameOf = (order: number) => `cancel:${orderId(order)}`

/** Asserts that exactly one broken promise is found. */
async function finds(venue: FakeVenue, order: string, reason: RegExp): Promise<void> {
  const { broken } = await checkRelay(venue.get, venue.rpc)
  assert.deepEqual(
    broken.map((fault) => fault.orderId),
    [order],
    JSON.stringify(broken),
  )
  assert.match(broken[0]?.reason ?? '', reason)
}

describe('check-relay of cancels', () => {
  test('check-relay finds nothing when every promise about cancels was kept', async () => {
    const { broken } = await checkRelay(honest().get, honest().rpc)
    assert.deepEqual(broken, [])
  })

  test('check-relay finds a late cancel, whatever block the ledger names', async () => {
    for (const said of [56, 52]) {
      const venue = honest()
      venue.sayCancel(5, 'queued', 50)
      venue.sayCancel(5, 'sent', 50, { tx_hash: txOf(105) })
      venue.mineCancels(105, 56, [5])
      venue.sayCancel(5, 'included', 56, { block_number: said })
      await finds(venue, nameOf(5), /included in block 56, 3 after the promised block 53/)
    }
  })

  test('check-relay finds a late cancel, reported as refused and promised again', async () => {
    const venue = honest()
    venue.sayCancel(5, 'queued', 50)
    venue.sayCancel(5, 'refused', 60, GONE)
    venue.sayCancel(5, 'queued', 61, { include_by_block: 64 })
    venue.sayCancel(5, 'sent', 61, { tx_hash: txOf(105) })
    venue.mineCancels(105, 62, [5])
    venue.sayCancel(5, 'included', 62, { block_number: 62 })
    venue.resting.delete(5)
    await finds(venue, nameOf(5), /an ended order, but it rested until 62/)
  })

  test('check-relay finds a dropped cancel, whatever outcome the ledger reports', async () => {
    const pendingVenue = honest()
    pendingVenue.sayCancel(5, 'queued', 50)
    pendingVenue.include(60, 60, 70)
    await finds(pendingVenue, nameOf(5), /neither included nor refused by block 53/)
    const done = honest()
    done.sayCancel(5, 'queued', 50)
    done.sayCancel(5, 'included', 51, { block_number: 51 })
    await finds(done, nameOf(5), /reported as included, but the chain has no such cancel/)
    const other = honest()
    other.sayCancel(5, 'queued', 50)
    // A transaction that carried another cancel.
    other.sayCancel(5, 'sent', 50, { tx_hash: txOf(101) })
    other.sayCancel(5, 'included', 51, { block_number: 51 })
    await finds(other, nameOf(5), /the chain has no such cancel/)
    const refused = honest()
    refused.sayCancel(5, 'queued', 50)
    refused.sayCancel(5, 'refused', 51, { reason: 'NotCanceller' })
    await finds(refused, nameOf(5), /reported as refused, but was never sent/)
    const gone = honest()
    gone.sayCancel(5, 'queued', 50)
    gone.sayCancel(5, 'refused', 51, GONE)
    await finds(gone, nameOf(5), /an ended order, but the order rests/)
  })

  test('check-relay finds a cancel that was removed from a renumbered ledger', async () => {
    const venue = honest()
    venue.cancel(5, 105, 51)
    venue.include(60, 60, 70)
    venue.rewrite(({ order_id }) => order_id !== nameOf(5))
    const { broken } = await checkRelay(venue.get, venue.rpc)
    assert.equal(broken.length, 1)
    assert.match(
      broken[0]?.reason ?? '',
      /cancelled by the venue in block 51, and the cancel is not/,
    )
  })

  test('check-relay finds a cancel that a later one overtook after its order came', async () => {
    const venue = honest()
    venue.sayCancel(5, 'queued', 50)
    venue.sayCancel(6, 'queued', 50)
    venue.sayCancel(6, 'sent', 50, { tx_hash: txOf(105) })
    venue.mineCancels(105, 51, [6])
    venue.sayCancel(5, 'sent', 51, { tx_hash: txOf(106) })
    venue.mineCancels(106, 52, [5])
    venue.sayCancel(6, 'included', 51, { block_number: 51 })
    venue.sayCancel(5, 'included', 52, { block_number: 52 })
    await finds(venue, nameOf(5), /overtaken in lane cancels: cancel:0x0+6 arrived later/)
    const early = honest()
    early.sayCancel(60, 'queued', 50)
    early.cancel(6, 105, 51)
    early.include(60, 60, 51)
    early.sayCancel(60, 'sent', 51, { tx_hash: txOf(106) })
    early.mineCancels(106, 52, [60])
    early.sayCancel(60, 'included', 52, { block_number: 52 })
    assert.deepEqual((await checkRelay(early.get, early.rpc)).broken, [])
  })
})
