import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import {
  type AccountDay,
  daysOf,
  exactDayRows,
  resolutionFrom,
  startSeconds,
  sumDays,
  viewEquity,
  viewPortfolio,
} from './portfolio.ts'

const day = (date: string, change: Partial<AccountDay> = {}): AccountDay => ({
  ...{ date, ranking: null, options_volume: '0', perp_volume: '0', pnl: '0', username: null },
  ...{ realized_pnl: '0', fees: '0', funding: '0', perp_trades: 0, spot: [] },
  ...change,
})

const account = { equity: '1000.5', unrealized_pnl: '-0.000000000000000001', spot_value: null }
const stats = (days: AccountDay[]) =>
  ({ account: '0x', account_statistics: { all_time: sumDays(days) }, days }) as never
const view = (days: AccountDay[], history: shapes.BalancePoint[]) =>
  viewPortfolio({
    ...{ account: account as shapes.Account, stats: stats(days), history, period: '7' },
    nowMs: Date.UTC(2026, 0, 3, 12),
  })

describe('a portfolio', () => {
  test('a portfolio sums days without losing a digit', () => {
    const spot = [{ quote_asset: 'USDC', volume: '3', pnl: '0.1', trades: 1 }]
    const sums = sumDays([
      day('2026-01-01', { pnl: '9007199254740993.000000000000000001', perp_trades: 2, spot }),
      day('2026-01-02', { pnl: '-0.000000000000000002', fees: '0.1', spot }),
    ])
    assert.equal(sums.pnl, '9007199254740992.999999999999999999')
    assert.deepEqual([sums.fees, sums.perp_trades], ['0.1', 2])
    assert.deepEqual(sums.spot, [{ quote_asset: 'USDC', volume: '6', pnl: '0.2', trades: 2 }])
  })

  test('a portfolio explains each sum, and that transfers are excluded from the result', () => {
    const shown = view([day('2026-01-02', { pnl: '5', realized_pnl: '6', fees: '1' })], [])
    const [result] = shown.period
    assert.deepEqual([result?.name, result?.value, result?.side], ['Net PnL', '+5.00', 'buy'])
    assert.match(result?.hint ?? '', /Excludes .*transfers/)
    assert.equal(shown.period.find(({ name }) => name === 'Fees')?.value, '-1.00')
    assert.ok([...shown.now, ...shown.period].every(({ hint }) => hint !== ''))
    assert.equal(shown.now.find(({ name }) => name === 'Spot tokens')?.value, '–')
  })

  test('a portfolio lists days newest first, and exports them oldest first with all digits', () => {
    const days = [
      day('2026-01-01', { pnl: '1.000000000000000001', fees: '-0.25' }),
      day('2026-01-02'),
    ]
    assert.deepEqual(
      view(days, []).days.map(({ id }) => id),
      ['2026-01-02', '2026-01-01'],
    )
    const [first] = exactDayRows(days)
    assert.deepEqual(
      first?.cells.map(({ text }) => text),
      ['2026-01-01', '1.000000000000000001', '0', '0.25', '0', '0', '0'],
    )
  })

  test('a portfolio reports an account without history', () => {
    assert.equal(view([], []).isEmpty, true)
    assert.equal(view([], [[1_767_400_000, '0']]).isEmpty, false)
    assert.equal(view([], []).equity.path, '')
  })

  test('a portfolio draws equity over time, with the highest value at the top', () => {
    const at = (hour: number) => Date.UTC(2026, 0, 1, hour) / 1000
    const shown = viewEquity([
      [at(0), '100'],
      [at(12), '300.129'],
      [at(24), '200'],
    ])
    assert.equal(shown.path, 'M0.0 176.0L320.0 4.0L640.0 90.1')
    assert.deepEqual([shown.high, shown.low, shown.from], ['300.12', '100.00', '2026-01-01 00:00'])
    assert.deepEqual(
      shown.rows.map(({ cells }) => cells.map(({ text }) => text)),
      [
        ['2026-01-02', '200.00'],
        ['2026-01-01', '300.12'],
      ],
    )
  })

  test('the equity curve ends with the current equity, from the first minute on', () => {
    const now = Date.UTC(2026, 0, 3, 12) / 1000
    const { equity } = view([], [[now - 30, '900']])
    assert.equal(equity.path, 'M0.0 176.0L640.0 4.0')
    assert.deepEqual([equity.low, equity.high], ['900.00', '1,000.50'])
    assert.equal(view([], [[now, '900']]).equity.path, '', 'the clock of the venue may be ahead')
  })

  test('the equity curve has a point per minute at first, and at most 320 points', () => {
    const nowMs = Date.UTC(2026, 0, 3)
    const resolution = (seconds: number) => resolutionFrom(nowMs / 1000 - seconds, nowMs)
    assert.deepEqual([0, 320 * 60, 320 * 60 + 1].map(resolution), [60, 60, 120])
    assert.equal(resolution(7 * 86_400), 1_920)
    assert.equal(resolution(-5), 60)
  })

  test('the period of a portfolio starts with a UTC day', () => {
    const nowMs = Date.UTC(2026, 0, 3, 23, 59)
    assert.equal(startSeconds(1, nowMs), Date.UTC(2026, 0, 3) / 1000)
    assert.equal(startSeconds(7, nowMs), Date.UTC(2025, 11, 28) / 1000)
    assert.deepEqual(daysOf('30'), { results: 30, equity: 30 })
    assert.equal(daysOf('all').results, 92)
  })
})
