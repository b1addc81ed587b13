import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Rest, type shapes } from 'openvenue'
import type { TableRow } from '../../tables/table-protocol.ts'
import { AccountFeed } from './account-feed.ts'

const HEAD = { channel: '', seq: 1, prev_seq: null, block_number: 1, ts: 1 } as const

function follow() {
  const shown: Record<string, readonly TableRow[]> = {}
  const notified: (readonly shapes.PerpetualPosition[])[] = []
  const feed = new AccountFeed(
    (name, value) => {
      shown[name] = value as readonly TableRow[]
    },
    { digitsOf: () => 2, shown: () => undefined },
    (positions) => notified.push(positions),
  )
  return { feed, notified, ids: (name: string) => shown[name]?.map(({ id }) => id), shown }
}

const order = (order_id: string, order_status: shapes.OrderStatus) =>
  ({
    ...{ order_id, order_status, instrument_name: 'ETH-PERP', side: 'buy', order_type: 'limit' },
    ...{ price: '3000', amount: '1', filled: '0', remaining: '1', post_only: true },
    ...{ reduce_only: false, created_timestamp: '1700000000000000000' },
  }) as shapes.Order

const position = (change: Partial<shapes.PerpetualPosition> = {}) =>
  ({
    ...{ instrument_id: '0x01', instrument_name: 'ETH-PERP', instrument_type: 'PERPETUAL' },
    ...{ asset: 'ETH', amount: '1500', side: 'sell', mark_price: '3214.756228236893' },
    ...{ avg_entry_price: '3216.64', liquidation_price: null, unrealized_pnl: '-0.946' },
    ...{ notional_value: '4822134.34', initial_margin: '80.3689', accumulated_funding: '0' },
    ...change,
  }) as shapes.PerpetualPosition

describe('the account tables', () => {
  test('the account tables keep open orders and drop those that ended or were undone', () => {
    const { feed, ids } = follow()
    const update = (orders: shapes.Order[], removed: string[] = []) =>
      feed.takeOrders({ ...HEAD, type: 'update', data: { timestamp: '1', orders, removed } })
    const orders = [order('a', 'opened'), order('b', 'stop_order'), order('c', 'pending')]
    feed.takeOrders({ ...HEAD, type: 'snapshot', data: { timestamp: '1', orders } })
    assert.deepEqual(ids('orders')?.toSorted(), ['a', 'b', 'c'])
    update([order('a', 'filled'), order('d', 'partial')])
    assert.deepEqual(ids('orders')?.toSorted(), ['b', 'c', 'd'])
    update([], ['d'])
    assert.deepEqual(ids('orders')?.toSorted(), ['b', 'c'])
  })

  test('positions have exact numbers with the digits of their market until they are closed', () => {
    const { feed, shown } = follow()
    const take = (type: 'snapshot' | 'update', positions: shapes.Position[]) =>
      feed.takePositions({ ...HEAD, type, data: { timestamp: '1', positions } })
    take('snapshot', [position()])
    const [row] = shown.positions ?? []
    assert.deepEqual(
      row?.cells.map(({ text }) => text),
      [
        ...['ETH-PERP', '▼ short 1,500', '4,822,134.34', '3,216.64', '3,214.75'],
        ...['–', '-0.94 (-1.17%)', '80.36', '0.00', '–'],
      ],
    )
    take('update', [position({ amount: '0', side: 'buy' })])
    assert.deepEqual(shown.positions, [])
  })
  test('positions follow mark prices, and older data never replaces a newer message', async () => {
    const { feed, shown, notified } = follow()
    const take = (block_number: number) =>
      feed.takePositions({
        ...{ ...HEAD, block_number, type: 'snapshot' },
        data: { timestamp: '1', positions: [position()] },
      })
    const source = {
      rest: new Rest({ url: 'http://venue.example', fetch: answering(account()) }),
      isSeen: () => true,
      signal: new AbortController().signal,
    }
    const profit = () => shown.positions?.[0]?.cells[6]?.text
    take(8)
    await feed.readMarks(source)
    assert.equal(profit(), '-0.94 (-1.17%)', 'the answer is of block 7')
    take(7)
    await feed.readMarks(source)
    assert.equal(profit(), '+12.50 (+15.55%)')
    // The callback receives each change, also those without a message: liquidation prices have
    // moved.
    assert.deepEqual(
      notified.map((all) => all.map(({ liquidation_price }) => liquidation_price)),
      [[null], [null], ['2868.61']],
    )
  })
})

/** The account at block 7, with a profit on the position. */
const account = () => ({
  ...{ equity: '100', available_balance: '50', unrealized_pnl: '12.5', initial_margin: '1' },
  ...{ maintenance_margin: '1', liquidatable: false, collaterals: [] },
  positions: [position({ unrealized_pnl: '12.5', liquidation_price: '2868.61' })],
})

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'x-block-number': '7',
}

const answering = (body: unknown) => async () => ({
  status: 200,
  headers: { get: (name: string) => HEADERS[name.toLowerCase()] ?? null },
  text: async () => JSON.stringify(body),
})
