import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import type { PlacedView } from '../order-protocol.ts'
import { PlacedOrders } from './placed-orders.ts'

const ID = `0x${'ab'.repeat(32)}`
const RECEIPT = {
  ...{ order_id: ID, received_ns: '1800000000123456789', seq: 1234, lane: 'ETH' },
  ...{ include_by_block: 1204560, signature: '0x12' },
}
const PLACED = {
  ...{ order_id: ID, order_status: 'pending', side: 'buy', amount: '0.2', filled: '0' },
  ...{ instrument_name: 'ETH-PERP', price: '3000', avg_price: '0', receipt: RECEIPT },
} as shapes.PlacedOrder

function placing() {
  let shown: readonly PlacedView[] = []
  const placed = new PlacedOrders('https://venue.example/api/', (all) => {
    shown = all
  })
  return { placed, shown: () => shown }
}

describe('a placed order', () => {
  test('a placed order is pending at first, with its receipt and a link to its outcome', () => {
    const { placed, shown } = placing()
    placed.add(PLACED)
    const [view] = shown()
    assert.equal(view?.text, 'Submitted: buy 0.2 ETH-PERP')
    assert.equal(view.isPending, true)
    assert.equal(view.promise, 'Receipt #1,234 · settles by block 1,204,560')
    assert.equal(view.ledgerUrl, `https://venue.example/api/relay/ledger?order_id=${ID}`)
    assert.deepEqual(view.receipt.at(2), { name: 'Received', value: '2027-01-15T08:00:00.123Z' })
  })

  test("a placed order has its status on the chain, even if it precedes the venue's answer", () => {
    const { placed, shown } = placing()
    const filled = { ...PLACED, order_status: 'filled', filled: '0.2', avg_price: '2999' } as const
    placed.add(PLACED)
    placed.take(filled)
    assert.match(shown()[0]?.text ?? '', /^Filled: buy 0.2 ETH-PERP at 2,999/)
    assert.equal(shown()[0]?.isPending, false)
    const early = placing()
    early.placed.take(filled)
    early.placed.add(PLACED)
    assert.match(early.shown()[0]?.text ?? '', /^Filled/)
  })

  test('the last three placed orders are listed, until the account is removed', () => {
    const { placed, shown } = placing()
    for (const id of ['1', '2', '3', '4']) placed.add({ ...PLACED, order_id: id })
    placed.add({ ...PLACED, order_id: '4' })
    assert.deepEqual(
      shown().map(({ id }) => id),
      ['4', '3', '2'],
    )
    placed.clear()
    assert.deepEqual(shown(), [])
  })

  test('a placed order that the venue holds names no block yet', () => {
    const { placed, shown } = placing()
    const receipt = { ...RECEIPT, include_by_block: 0 }
    placed.add({ ...PLACED, order_status: 'stop_order', receipt } as shapes.PlacedOrder)
    assert.match(shown()[0]?.promise ?? '', /held by the venue/)
    assert.match(shown()[0]?.text ?? '', /^Untriggered/)
  })
})
