// Broken promises are planted one by one, and found; an honest venue has none.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Relay } from '@openvenue/wire/relay'
import { checkRelay } from './check.ts'
import { proveLedger } from './ledger-proof.ts'
import { FakeVenue, orderId } from './test/fake-venue.ts'

/** A venue that has kept its promises. */
function honest(): FakeVenue {
  const venue = new FakeVenue()
  venue.include(1, 1, 10)
  venue.include(2, 2, 11)
  venue.say(3, 'queued', 11)
  venue.say(3, 'sent', 11)
  venue.mine(3, 12, [{ order: 3, rejected: 'PostOnlyWouldCross' }])
  venue.say(3, 'refused', 12, { reason: 'PostOnlyWouldCross', block_number: 12 })
  venue.say(4, 'queued', 12)
  venue.say(4, 'withdrawn', 12)
  // Held, then released with a promise of its own.
  venue.say(5, 'received', 12, { include_by_block: 0 })
  venue.say(6, 'queued', 12)
  venue.say(6, 'expired', 14, { deadline: venue.secondsOf(13) })
  venue.say(5, 'queued', 40, { include_by_block: 43 })
  venue.say(5, 'sent', 40)
  venue.mine(4, 42, [{ order: 5 }])
  venue.say(5, 'included', 42, { block_number: 42 })
  return venue
}

const brokenOf = async (venue: FakeVenue) => (await checkRelay(venue.get, venue.rpc)).broken
const textOf = async (venue: FakeVenue) =>
  (await brokenOf(venue)).map(({ orderId: id, reason }) => `${id} ${reason}`).join('\n')

describe('check-relay', () => {
  test('check-relay finds nothing when every promise was kept', async () => {
    const { broken, counts } = await checkRelay(honest().get, honest().rpc)
    assert.deepEqual(broken, [])
    const { included, refused, withdrawn, expired } = counts
    assert.deepEqual(
      { included, refused, withdrawn, expired },
      {
        ...{ included: 3, refused: 1, withdrawn: 1, expired: 1 },
      },
    )
  })

  test('check-relay finds an order that is included later than promised', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 56, [{ order: 7 }])
    venue.say(7, 'included', 56, { block_number: 56 })
    const [fault, ...others] = await brokenOf(venue)
    assert.deepEqual(others, [])
    assert.equal(fault?.orderId, orderId(7))
    assert.match(fault.reason, /included in block 56, 3 after the promised block 53/)
  })

  test('check-relay finds an order that is included later than the ledger reports', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 56, [{ order: 7 }])
    venue.say(7, 'included', 56, { block_number: 53 })
    assert.match(await textOf(venue), /reported as included in block 53, but is in block 56/)
  })

  test('check-relay finds an order that a later one of its lane overtook', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(8, 'queued', 50)
    venue.mine(5, 51, [{ order: 8 }])
    venue.mine(6, 52, [{ order: 7 }])
    venue.say(8, 'included', 51, { block_number: 51 })
    venue.say(7, 'included', 52, { block_number: 52 })
    const [fault, ...others] = await brokenOf(venue)
    assert.deepEqual(others, [])
    assert.equal(fault?.orderId, orderId(7))
    assert.match(fault.reason, /overtaken in lane orders-0: 0x0+8 arrived later/)
  })

  test('check-relay finds an order overtaken in its transaction, unless by its class', async () => {
    const venue = honest()
    for (const order of [7, 8, 9]) venue.say(order, 'queued', 50)
    venue.mine(5, 51, [{ order: 9, postOnly: true }, { order: 8 }, { order: 7 }])
    for (const order of [7, 8, 9]) venue.say(order, 'included', 51, { block_number: 51 })
    const faults = await brokenOf(venue)
    assert.deepEqual(
      faults.map(({ orderId: id }) => id),
      [orderId(7)],
    )
    assert.match(faults[0]?.reason ?? '', /by 0x0+8 of the same transaction/)
  })

  test('check-relay finds an order falsely reported as refused or expired', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(7, 'refused', 51, { reason: 'MarginTooLow', block_number: 51 })
    venue.say(8, 'queued', 50)
    venue.say(8, 'expired', 60, { deadline: venue.secondsOf(58) })
    venue.say(9, 'queued', 50)
    venue.say(9, 'expired', 51, { deadline: venue.secondsOf(90) })
    assert.deepEqual(
      (await brokenOf(venue)).map(({ orderId: id, reason }) => [id, reason]),
      [
        [orderId(7), 'reported as refused, but the chain never refused it'],
        [orderId(8), 'reported as expired, but was not sent by the promised block'],
        [orderId(9), `reported as expired, but may be sent until ${venue.secondsOf(90)}`],
      ],
    )
  })

  test("check-relay finds a reason that differs from the chain's", async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 51, [{ order: 7, rejected: 'PostOnlyWouldCross' }])
    venue.say(7, 'refused', 51, { reason: 'MarginTooLow', block_number: 51 })
    assert.match(await textOf(venue), /refused for MarginTooLow, but the chain refused it for Post/)
  })

  test('check-relay finds an order that is reported as withdrawn but was placed', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 51, [{ order: 7 }])
    venue.say(7, 'withdrawn', 50)
    assert.match(await textOf(venue), /reported as withdrawn, but the venue placed it in block 51/)
  })

  test('check-relay allows others to send a withdrawn order', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(7, 'withdrawn', 50)
    venue.mine(5, 51, [{ order: 7, from: `0x${'bb'.repeat(20)}` }])
    assert.deepEqual(await brokenOf(venue), [])
  })

  test('check-relay finds an order that waits forever', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.include(8, 5, 70)
    assert.match(await textOf(venue), /0x0+7 neither included nor refused by block 53/)
  })

  test('check-relay finds a missing number of the ledger', async () => {
    const venue = honest()
    venue.entries.splice(4, 1)
    assert.match(await textOf(venue), /entries 5 to 5 are missing/)
  })

  test('check-relay accepts a ledger that has no entry yet after a gap', () => {
    assert.deepEqual(proveLedger({ entries: [], fromSeq: 1000, head: { seq: 7, hash: '' } }), [])
  })

  test('check-relay finds a ledger entry that was changed afterwards', async () => {
    const venue = honest()
    const [first] = venue.entries.splice(3, 1)
    assert.ok(first)
    venue.entries.splice(3, 0, { ...first, include_by_block: 99 })
    assert.match(await textOf(venue), /its hash is not that of the entries up to it/)
  })

  test('check-relay finds an order that was removed from a renumbered ledger', async () => {
    const venue = honest()
    venue.rewrite(({ order_id }) => order_id !== orderId(2))
    const faults = await brokenOf(venue)
    assert.deepEqual(
      faults.map(({ orderId: id, reason }) => [id, reason]),
      [[orderId(2), 'placed by the venue in block 11, and is not in the ledger']],
    )
  })

  test('check-relay accepts receipts and heads of every published key', async () => {
    const venue = honest()
    const { get: of } = new FakeVenue()
    const published = await venue.get<Relay>('/relay')
    const rotated: typeof venue.get = async (path) => {
      if (path !== '/relay') return await venue.get(path)
      const next = await of<Relay>('/relay')
      return { ...next, receipt_keys: [...next.receipt_keys, ...published.receipt_keys] } as never
    }
    assert.deepEqual((await checkRelay(rotated, venue.rpc)).broken, [])
  })

  test('check-relay finds receipts and heads not signed with the published key', async () => {
    const venue = honest()
    const { get: of } = new FakeVenue()
    const other: typeof venue.get = async (path) =>
      path === '/relay' ? await of(path) : await venue.get(path)
    const { broken } = await checkRelay(other, venue.rpc)
    const reasons = broken.map((fault) => fault.reason)
    assert.ok(reasons.includes('the receipt key has not signed this head'))
    assert.ok(reasons.includes('its receipt is not signed by the receipt key'))
  })
})
