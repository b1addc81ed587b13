import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { encodeNotification, NotificationItem } from './notifications.ts'

const CLOSE = {
  instrumentId: '0x1',
  instrumentName: 'ETH-PERP',
  engine: '0x2',
  side: 'sell',
  amount: '0.01',
  price: '2900',
  fee: '3',
}

for (const [kind, message] of [
  [
    'liquidation',
    'Your equity fell below the maintenance margin. Sold 0.01 ETH-PERP at 2900, for a fee of 3.',
  ],
  [
    'absorption',
    'Your equity fell below the maintenance margin. Sold 0.01 ETH-PERP at 2900: insurance took the position over, and 3 of collateral.',
  ],
  [
    'deleverage',
    "Sold 0.01 ETH-PERP at 2900, against another account: the loser's equity was used up and insurance could not take its position.",
  ],
] as const)
  test(`a forced close by ${kind} is described in words, with what it cost`, () => {
    const item = encodeNotification(
      {
        wallet: `0x${'a'.repeat(40)}`,
        id: 'x',
        type: 'position_liquidated',
        seconds: 1,
        data: { ...CLOSE, kind },
        readMs: undefined,
      },
      5042002,
    )
    assert.ok(Value.Check(NotificationItem, item))
    assert.deepEqual([item.severity, item.message], ['critical', message])
    assert.deepEqual([item.data.kind, item.data.instrument_name], [kind, 'ETH-PERP'])
  })

for (const [type, severity, message] of [
  [
    'withdrawals_stopped',
    'critical',
    'A loss in ETH-PERP is more than insurance can carry. Withdrawals and transfers of margin are stopped until it is covered. Trading, deposits, cancels and spot withdrawals still work.',
  ],
  [
    'withdrawals_resumed',
    'info',
    'The loss in ETH-PERP is covered. Margin can be withdrawn and transferred again.',
  ],
] as const)
  test(`the notification ${type} names what is stopped, why, and at which block`, () => {
    const item = encodeNotification(
      {
        wallet: `0x${'a'.repeat(40)}`,
        id: 'x',
        type,
        seconds: 1,
        data: { instrumentId: '0x1', instrumentName: 'ETH-PERP', engine: '0x2', blockNumber: 7 },
        readMs: undefined,
      },
      5042002,
    )
    assert.ok(Value.Check(NotificationItem, item))
    assert.deepEqual([item.severity, item.message], [severity, message])
    assert.equal(item.data.block_number, 7)
  })
