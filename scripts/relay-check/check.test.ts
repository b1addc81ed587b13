// Broken promises are planted one by one, and found; a venue that keeps them has none.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRelay } from './check.ts'
import { FakeVenue, orderId } from './fake-venue.ts'

/** A venue that has kept what it promised. */
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
  // Held, then let go with a promise of its own.
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
  (await brokenOf(venue)).map(({ orderId: id, says }) => `${id} ${says}`).join('\n')

describe('the checker', () => {
  test('finds nothing where every promise was kept', async () => {
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

  test('finds an order that is included later than promised', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 56, [{ order: 7 }])
    venue.say(7, 'included', 56, { block_number: 56 })
    const [found, ...others] = await brokenOf(venue)
    assert.deepEqual(others, [])
    assert.equal(found?.orderId, orderId(7))
    assert.match(found.says, /included in block 56, 3 after the promised block 53/)
  })

  test('finds an order that is included later than the ledger says', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 56, [{ order: 7 }])
    venue.say(7, 'included', 56, { block_number: 53 })
    assert.match(await textOf(venue), /said to be included in block 53, and is in block 56/)
  })

  test('finds an order that a later one of its lane overtook', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(8, 'queued', 50)
    venue.mine(5, 51, [{ order: 8 }])
    venue.mine(6, 52, [{ order: 7 }])
    venue.say(8, 'included', 51, { block_number: 51 })
    venue.say(7, 'included', 52, { block_number: 52 })
    const [found, ...others] = await brokenOf(venue)
    assert.deepEqual(others, [])
    assert.equal(found?.orderId, orderId(7))
    assert.match(found.says, /overtaken in lane orders-0: 0x0+8 arrived later/)
  })

  test('finds an order that a later one of its own transaction overtook, unless by its class', async () => {
    const venue = honest()
    for (const order of [7, 8, 9]) venue.say(order, 'queued', 50)
    venue.mine(5, 51, [{ order: 9, postOnly: true }, { order: 8 }, { order: 7 }])
    for (const order of [7, 8, 9]) venue.say(order, 'included', 51, { block_number: 51 })
    const found = await brokenOf(venue)
    assert.deepEqual(
      found.map(({ orderId: id }) => id),
      [orderId(7)],
    )
    assert.match(found[0]?.says ?? '', /by 0x0+8 of the same transaction/)
  })

  test('finds an order that is said to be refused or expired and was never sent', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(7, 'refused', 51, { reason: 'MarginTooLow', block_number: 51 })
    venue.say(8, 'queued', 50)
    venue.say(8, 'expired', 60, { deadline: venue.secondsOf(58) })
    venue.say(9, 'queued', 50)
    venue.say(9, 'expired', 51, { deadline: venue.secondsOf(90) })
    assert.deepEqual(
      (await brokenOf(venue)).map(({ orderId: id, says }) => [id, says]),
      [
        [orderId(7), 'said to be refused, and the chain never refused it'],
        [orderId(8), 'said to have expired, and was not sent by the promised block'],
        [orderId(9), `said to have expired, and may be sent until ${venue.secondsOf(90)}`],
      ],
    )
  })

  test('finds another reason than that of the chain', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 51, [{ order: 7, rejected: 'PostOnlyWouldCross' }])
    venue.say(7, 'refused', 51, { reason: 'MarginTooLow', block_number: 51 })
    assert.match(await textOf(venue), /refused for MarginTooLow, and the chain refused it for Post/)
  })

  test('finds an order that is said to be withdrawn and was placed all the same', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.mine(5, 51, [{ order: 7 }])
    venue.say(7, 'withdrawn', 50)
    assert.match(await textOf(venue), /said to be withdrawn, and the venue placed it in block 51/)
  })

  test('lets somebody else send what was withdrawn', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.say(7, 'withdrawn', 50)
    venue.mine(5, 51, [{ order: 7, from: `0x${'bb'.repeat(20)}` }])
    assert.deepEqual(await brokenOf(venue), [])
  })

  test('finds an order that waits for ever', async () => {
    const venue = honest()
    venue.say(7, 'queued', 50)
    venue.include(8, 5, 70)
    assert.match(await textOf(venue), /0x0+7 neither included nor refused by block 53/)
  })

  test('finds a number that is left out', async () => {
    const venue = honest()
    venue.entries.splice(4, 1)
    assert.match(await textOf(venue), /entries 5 to 5 are missing/)
  })

  test('finds an entry that was changed afterwards', async () => {
    const venue = honest()
    const [first] = venue.entries.splice(3, 1)
    assert.ok(first)
    venue.entries.splice(3, 0, { ...first, include_by_block: 99 })
    assert.match(await textOf(venue), /its hash is not that of the entries up to it/)
  })

  test('finds an order that the lane sent and the ledger has dropped, numbers made anew', async () => {
    const venue = honest()
    venue.rewrite(({ order_id }) => order_id !== orderId(2))
    const found = await brokenOf(venue)
    assert.deepEqual(
      found.map(({ orderId: id, says }) => [id, says]),
      [[orderId(2), 'placed by the venue in block 11, and is not in the ledger']],
    )
  })

  test('finds receipts and heads that the published key has not signed', async () => {
    const venue = honest()
    const { get: of } = new FakeVenue()
    const other: typeof venue.get = async (path) =>
      path === '/relay' ? await of(path) : await venue.get(path)
    const { broken } = await checkRelay(other, venue.rpc)
    const says = broken.map((one) => one.says)
    assert.ok(says.includes('the receipt key has not signed this head'))
    assert.ok(says.includes('its receipt is not signed by the receipt key'))
  })
})
