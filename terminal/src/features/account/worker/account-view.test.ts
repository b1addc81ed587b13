import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { signed, viewAccount } from './account-view.ts'

const account = (change: Partial<shapes.Account>): shapes.Account => ({
  ...{ account: '0xaa', equity: '10000', available_balance: '7999.999', balance: '9000' },
  ...{ collaterals: [], positions: [], fee_structures: [], leverages: [], in_liquidation: false },
  ...{ initial_margin: '2000', maintenance_margin: '1234.5', liquidatable: false },
  ...{ realized_pnl: '0', unrealized_pnl: '1000.129', spot_value: '0', total_value: '10000' },
  ...{ deposit_limits: [], withdrawals_stopped: false },
  ...change,
})

describe('the account panel', () => {
  test('the account panel rounds amounts down to cents and shows the margin in use', () => {
    const shown = viewAccount(account({}))
    assert.deepEqual(
      [shown.equity, shown.free, shown.unrealized, shown.usedText, shown.warning],
      ['10,000.00', '7,999.99', '+1,000.12', '12.34%', ''],
    )
  })

  test('the account panel warns from 80 % margin use on, and when liquidation is possible', () => {
    const warningOf = (change: Partial<shapes.Account>) => viewAccount(account(change)).warning
    assert.equal(warningOf({ maintenance_margin: '7999.99' }), '')
    assert.equal(warningOf({ maintenance_margin: '8000' }), 'near')
    assert.equal(warningOf({ maintenance_margin: '10001', liquidatable: true }), 'liquidatable')
  })

  test('the account panel shows a dash for unknown values, and a full bar without equity', () => {
    const unknown = viewAccount(account({ equity: null, unrealized_pnl: null }))
    assert.deepEqual([unknown.equity, unknown.unrealized, unknown.used], ['–', '–', 0])
    assert.equal(viewAccount(account({ equity: '-5' })).used, 1)
  })

  test('the account panel cuts free margin to the width of its column', () => {
    const margin = {
      ...{ instrument_type: 'PERPETUAL', collateral_asset: 'USDC', balance: '1234.5' },
      ...{ available_balance: '1000.123456789012345678', collateral_value: null },
    } as shapes.Collateral
    const [row] = viewAccount(account({ collaterals: [margin] })).balances
    assert.deepEqual([row?.total, row?.free], ['1,234.5', '1,000.123456'])
  })

  test('the account panel signs gains and leaves zero unsigned', () => {
    assert.deepEqual(
      ['1.5', '-1.5', '0', '0.00', '-0.001'].map((text) => signed(text, 2)),
      ['+1.50', '-1.50', '0.00', '0.00', '0.00'],
    )
  })
})
