import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { formatRaw, parseDecimal } from '@openvenue/core/units'
import type { AccountObject } from '@openvenue/wire/account'
import { type AccountPeriod, AccountStats, Portfolio } from '@openvenue/wire/account-stats'
import type { FillItem } from '@openvenue/wire/fills'
import type { ClosedPosition } from '@openvenue/wire/position-history'
import { Value } from 'typebox/value'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'
import { issueKey } from '../../test/keyed.ts'

const seed = Number(process.env.SEED ?? 1)
const WHO = 'alice'
const DAY = 86_400
const raw = (text: string | null | undefined) => parseDecimal(text ?? '0', 18) ?? 0n
const sum = (texts: readonly (string | null | undefined)[]) =>
  formatRaw(
    texts.reduce((total, text) => total + raw(text), 0n),
    18,
  )

type FundingRow = Readonly<{ pnl: string; created_timestamp: string }>
const dateOf = (ns: string) => new Date(Number(BigInt(ns) / 1_000_000n)).toISOString().slice(0, 10)

describe(`what an account traded and made, seed ${seed}`, () => {
  let node: HistoryNode
  /** Headers of a key that outlives the clock of these tests. */
  let headers: Readonly<Record<string, string>>
  before(async () => {
    node = await historyNode(randomTale(seed + 11, 300))
    const key = await issueKey(node.store, node.walletOf(WHO), 0, 4_000_000_000_000)
    headers = { ...key.headers }
  })
  after(() => node.close())

  const read = async <T>(url: string): Promise<T> => {
    const { statusCode, body } = await node.node.host.inject({ url, headers })
    assert.equal(statusCode, 200, body)
    return JSON.parse(body) as T
  }
  const stats = async (query = ''): Promise<AccountStats['account_statistics']> => {
    const body = await read<AccountStats>(`/account/stats${query}`)
    assert.ok(Value.Check(AccountStats, body), JSON.stringify(body))
    return body.account_statistics
  }
  const list = async <T>(path: string, member: string): Promise<T[]> =>
    (await read<Record<string, T[]>>(`${path}limit=1000`))[member] ?? []
  const fillsOf = async (type: string) =>
    list<FillItem>(`/trade-history?instrument_type=${type}&`, 'trade_history')

  test('sums of an account are those of its fills and funding', async () => {
    const { all_time } = await stats()
    const fills = await fillsOf('PERPETUAL')
    assert.ok(fills.length > 20)
    assert.equal(all_time.perp_trades, fills.length)
    assert.equal(all_time.fees, sum(fills.flatMap((fill) => [fill.fees, fill.liquidation_fee])))
    assert.equal(all_time.realized_pnl, sum(fills.map(({ pnl }) => pnl)))
    const volume = fills.map(({ quote_amount }) => quote_amount.replace('-', ''))
    assert.equal(all_time.perp_volume, sum(volume))
    const funding = await list<{ pnl: string }>(
      '/trade-history?trade_types=funding&',
      'trade_history',
    )
    assert.ok(funding.length < 500)
    assert.equal(all_time.funding, sum(funding.map(({ pnl }) => pnl)))
    const net = raw(all_time.realized_pnl) - raw(all_time.fees) + raw(all_time.funding)
    assert.equal(all_time.pnl, formatRaw(net, 18))
    const spot = await fillsOf('SPOT')
    const trades = all_time.spot.reduce((count, one) => count + one.trades, 0)
    assert.equal(trades, spot.length)
    for (const { quote_asset, volume, pnl } of all_time.spot) {
      const own = spot.filter(({ instrument_name }) => instrument_name.endsWith(quote_asset))
      assert.equal(volume, sum(own.map(({ quote_amount }) => quote_amount)))
      assert.equal(pnl, sum(own.map((fill) => fill.pnl)))
    }
  })

  test('the statistics of an account take the filters of markets', async () => {
    const { all_time } = await stats()
    const spotOnly = (await stats('?instrument_type=SPOT')).all_time
    assert.deepEqual([spotOnly.perp_volume, spotOnly.spot], ['0', all_time.spot])
    const perps = (await stats('?instrument_type=PERPETUAL')).all_time
    assert.deepEqual([perps.perp_volume, perps.spot], [all_time.perp_volume, []])
    const eth = (await stats('?asset=eth&instrument_type=PERPETUAL')).all_time
    assert.deepEqual((await stats('?instrument_name=ETH-PERP')).all_time, eth)
    assert.notEqual(eth.perp_volume, perps.perp_volume)
  })

  test('the statistics of a day, a week and a month leave out older rows', async () => {
    const names = ['daily', 'weekly', 'monthly', 'all_time'] as const
    const trades = async () => {
      const all = await stats()
      return names.map((name) => (all[name] as AccountPeriod).perp_trades)
    }
    const now = node.node.nowMs() / 1000
    const all = (await stats()).all_time.perp_trades
    for (const [days, expected] of [
      [6, [0, all, all, all]],
      [8, [0, 0, all, all]],
      [31, [0, 0, 0, all]],
    ] as const) {
      node.node.setNow(Math.floor(now / DAY) * DAY + days * DAY)
      const found = await trades()
      if (days !== 6) assert.deepEqual(found, expected)
      else assert.deepEqual([found[0], found[2], found[3]], [0, all, all])
    }
    node.node.setNow(now)
  })

  test('day by day, sums of an account are those of the fills and funding of each day', async () => {
    const now = node.node.nowMs() / 1000
    const fills = await fillsOf('PERPETUAL')
    const funding = await list<FundingRow>('/trade-history?trade_types=funding&', 'trade_history')
    const { days = [] } = await read<AccountStats>('/account/stats?days=92')
    assert.ok(days.length > 0)
    const dates = days.map(({ date }) => date)
    assert.deepEqual(dates, [...new Set(dates)].sort())
    for (const { date, realized_pnl, fees, funding: settled, perp_trades } of days) {
      const own = fills.filter((fill) => dateOf(fill.created_timestamp) === date)
      assert.equal(perp_trades, own.length)
      assert.equal(realized_pnl, sum(own.map(({ pnl }) => pnl)))
      assert.equal(fees, sum(own.flatMap((fill) => [fill.fees, fill.liquidation_fee])))
      const paid = funding.filter((one) => dateOf(one.created_timestamp) === date)
      assert.equal(settled, sum(paid.map(({ pnl }) => pnl)))
    }
    const { all_time } = await stats()
    assert.equal(sum(days.map(({ pnl }) => pnl)), all_time.pnl)
    node.node.setNow((Math.floor(now / DAY) + 92) * DAY)
    const late = await read<AccountStats>('/account/stats?days=1000')
    assert.deepEqual(late.days, [], 'at most 92 days back')
    node.node.setNow(now)
    assert.equal((await read<AccountStats>('/account/stats')).days, undefined)
  })

  test('the portfolio reports the same, with the current positions', async () => {
    const body = await read<Portfolio>('/portfolio')
    assert.ok(Value.Check(Portfolio, body), JSON.stringify(body))
    const account = await read<AccountObject>('/account')
    const { all_time } = await stats()
    assert.equal(body.realized_pnl, all_time.pnl)
    assert.equal(body.pnl, sum([all_time.pnl, account.unrealized_pnl]))
    assert.deepEqual(body.collaterals, account.collaterals)
    assert.deepEqual(body.user_margin, { used: account.initial_margin, balance: account.equity })
    assert.equal(body.balance, account.balance)
    const perps = account.positions.filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
    assert.deepEqual(
      body.greeks.map(({ asset, delta }) => [asset, delta]),
      perps.map(({ asset, side, amount }) => [asset, side === 'buy' ? amount : `-${amount}`]),
    )
    const closed = await list<ClosedPosition>('/position-history?', 'position_history')
    const net = closed.map(({ net_pnl }) => raw(net_pnl))
    assert.ok(net.length > 3)
    const won = net.filter((one) => one > 0n)
    const lost = net.filter((one) => one < 0n)
    assert.equal(Number(body.win_rate), Math.floor((won.length / net.length) * 1e8) / 1e8)
    const total = (of: bigint[]) => of.reduce((all, one) => all + one, 0n)
    const factor = lost.length === 0 ? null : formatRaw((total(won) * 10n ** 8n) / -total(lost), 8)
    assert.equal(body.profit_factor, factor)
  })

  test('the statistics of an account are zero without activity, and 503 without the database', async () => {
    const { body } = await node.ask('nobody at all', '/account/stats')
    assert.equal((body as AccountStats).account_statistics.all_time.perp_volume, '0')
    const { body: empty } = await node.ask('nobody at all', '/portfolio')
    const { pnl, profit_factor, win_rate, greeks } = empty as Portfolio
    assert.deepEqual([pnl, profit_factor, win_rate, greeks], ['0', null, null, []])
    node.away.add('daySums')
    for (const url of ['/account/stats', '/portfolio'])
      assert.equal((await node.ask(WHO, url)).status, 503, url)
    node.away.clear()
    node.away.add('days')
    assert.equal((await node.ask(WHO, '/account/stats?days=7')).status, 503)
    node.away.clear()
  })
})
