import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { OrderNewsList } from './order-news.ts'
import { describeStep, fillMarks, OwnOrders, positionLines } from './own-orders.ts'

const ORDER = {
  ...{ order_id: '0x1', side: 'buy', amount: '0.5', filled: '0', instrument_name: 'ETH-PERP' },
  ...{ price: '3000', avg_price: '0', order_status: 'opened' },
} as shapes.Order

describe('news of an order', () => {
  test('news of an order reports each status once, and each further fill', () => {
    assert.equal(describeStep(undefined, ORDER)?.text, 'Open: buy 0.5 ETH-PERP at 3,000')
    assert.equal(describeStep(ORDER, { ...ORDER }), undefined)
    const part = { ...ORDER, order_status: 'partial', filled: '0.2', avg_price: '2999' } as const
    assert.match(describeStep(ORDER, part)?.text ?? '', /^Partially filled: 0.2 of buy 0.5/)
    assert.match(describeStep(part, { ...part, filled: '0.3' })?.text ?? '', /0.3 of/)
  })

  test('news of an order has the reason of a rejection, but no pending status', () => {
    const refused = {
      ...ORDER,
      order_status: 'rejected',
      reject_reason: 'POST_ONLY_CROSS',
    } as const
    const news = describeStep(ORDER, refused)
    assert.deepEqual(news, {
      text: 'Rejected by the chain: buy 0.5 ETH-PERP (post only cross)',
      tone: 'bad',
    })
    assert.equal(describeStep(undefined, { ...ORDER, order_status: 'pending' }), undefined)
  })

  test('news of an ended order reports the filled and the unfilled part', () => {
    const ended = { ...ORDER, order_status: 'cancelled', cancel_reason: 'IOC_REMAINDER' } as const
    assert.match(describeStep(undefined, ended)?.text ?? '', /^Cancelled: .* \(ioc remainder\)$/)
    const part = { ...ended, filled: '0.2', avg_price: '3000.123456' }
    assert.equal(
      describeStep(undefined, part)?.text,
      'Filled 0.2 of buy 0.5 ETH-PERP at 3,000.1234; the rest is cancelled',
    )
  })
})

describe('fills on the chart', () => {
  test('fills on the chart are one mark per order and candle, at the average price', () => {
    const fill = (order_id: string | null, block_number: number, [amount, quote] = ['1', '3000']) =>
      ({
        ...{ order_id, block_number, amount, quote_amount: quote, side: 'buy' },
        ...{ trade_id: `${order_id}-${block_number}-${amount}` },
        created_timestamp: `${block_number}000000000`,
      }) as shapes.Fill
    const fills = [fill('b', 9), fill('a', 8), fill('a', 7, ['3', '9012']), fill(null, 7)]
    assert.deepEqual(
      fillMarks([fill('a', 61), ...fills], 2, '1').map(({ time, text }) => [time, text]),
      [
        [7, '1 at 3,000.00'],
        [8, '4 at 3,003.00'],
        [9, '1 at 3,000.00'],
        [61, '1 at 3,000.00'],
      ],
    )
  })
})

describe('lines of a position on the chart', () => {
  const POSITION = {
    ...{ instrument_id: '0x7', instrument_type: 'PERPETUAL', side: 'buy', amount: '1.5' },
    ...{ avg_entry_price: '3000.125', liquidation_price: '2400' },
  } as shapes.PerpetualPosition

  test('position lines show the entry and liquidation price, and cannot be dragged', () => {
    assert.deepEqual(positionLines(POSITION, 2), [
      {
        ...{ key: '0x7-entry', price: 3000.125, at: '3,000.12', text: 'long 1.5, entry' },
        ...{ tone: 'quiet', orderId: '' },
      },
      {
        ...{ key: '0x7-end', price: 2400, at: '2,400.00', text: 'liquidation' },
        ...{ tone: 'sell', orderId: '' },
      },
    ])
  })

  test('a position that can never be liquidated has only a line at its entry price', () => {
    const safe = { ...POSITION, side: 'sell', liquidation_price: null } as const
    assert.deepEqual(
      positionLines(safe, 2).map(({ text }) => text),
      ['short 1.5, entry'],
    )
  })

  test('position lines follow the displayed market', () => {
    let changes = 0
    const ownOrders = new OwnOrders({
      news: new OrderNewsList(() => {}),
      onChange: () => changes++,
    })
    const linesOf = (instrument_name: string) =>
      ownOrders.marks({ instrument_name, price_step: '0.01' } as shapes.Market, '5').lines
    const at = (liquidation_price: string | null) =>
      ownOrders.takePositions([{ ...POSITION, instrument_name: 'ETH-PERP', liquidation_price }])
    at(null)
    assert.equal(linesOf('ETH-PERP').length, 1)
    // A withdrawal makes the position liquidatable without any message.
    at('2868.61')
    assert.deepEqual(
      linesOf('ETH-PERP').map(({ text, price }) => [text, price]),
      [
        ['long 1.5, entry', 3000.125],
        ['liquidation', 2868.61],
      ],
    )
    assert.deepEqual(linesOf('BTC-PERP'), [])
    ownOrders.use(undefined)
    assert.deepEqual(linesOf('ETH-PERP'), [])
    assert.equal(changes, 3)
  })
})
