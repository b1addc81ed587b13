import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { refusalText } from '../order/worker/refusal-view.ts'
import {
  certainRefusal,
  closedText,
  type OrderIntent,
  offersOf,
  stateBanner,
  stateText,
  stoppedMargin,
  stoppedOrders,
  withdrawalsBanner,
} from './market-state.ts'

/** A reduce-only buy order of an account that is short. */
const REDUCING: OrderIntent = {
  ...{ kind: 'PERPETUAL', state: 'halted', side: 'buy', isReduceOnly: true },
  ...{ isHeld: false, position: 'sell' },
}
const refusal = (change: Partial<OrderIntent>) => certainRefusal({ ...REDUCING, ...change })

describe('a halted market', () => {
  test('a halted market is described by its kind: a spot market has no positions to reduce', () => {
    const spot = { name: 'ETH-USDC', kind: 'SPOT', state: 'halted' } as const
    const perpetual = { name: 'ETH-PERP', kind: 'PERPETUAL', state: 'halted' } as const
    for (const text of [stateBanner(spot), stoppedOrders(spot)]) {
      assert.match(text, /no new orders/)
      assert.doesNotMatch(text, /reduce|position/)
    }
    assert.match(stateBanner(spot), /^ETH-USDC is halted: .* can be cancelled\.$/)
    for (const text of [stateBanner(perpetual), stoppedOrders(perpetual)])
      assert.match(text, /only reduce-only orders/)
  })

  test('a halted market accepts no spot orders, and only reduce-only perpetual orders', () => {
    assert.match(refusal({ kind: 'SPOT' }), /no new orders/)
    assert.equal(refusal({ kind: 'SPOT', state: 'active' }), '')
    assert.equal(refusal({}), '')
    assert.match(refusal({ isReduceOnly: false }), /turn reduce-only on/)
    assert.match(refusal({ side: 'sell' }), /is short: a reducing order buys/)
    assert.match(refusal({ position: 'buy' }), /is long: a reducing order sells/)
    assert.match(refusal({ position: '' }), /no position to reduce/)
  })
})

describe('a market that has ended', () => {
  const ended = { name: 'ETH-PERP', kind: 'PERPETUAL', state: 'ended' } as const

  test('a market that has ended is shown as ended everywhere, never as halted', () => {
    const texts = [stateText(ended), stateBanner(ended), stoppedOrders(ended)]
    for (const text of texts) {
      assert.match(text, /ended/)
      assert.doesNotMatch(text, /halted/)
    }
  })

  test('a market that has ended accepts no orders, not even reduce-only ones', () => {
    for (const isReduceOnly of [true, false])
      assert.match(refusal({ state: 'ended', isReduceOnly }), /has ended: no new orders/)
  })
})

describe('a flagged loss', () => {
  const markets = (withdrawalsStopped: boolean) => [
    { name: 'BTC-PERP', withdrawalsStopped: false },
    { name: 'ETH-PERP', withdrawalsStopped },
  ]

  test('a flagged loss is reported with what it blocks and what still works', () => {
    const banner = withdrawalsBanner(markets(true))
    assert.match(banner, /^Margin withdrawals and transfers are paused: a loss in ETH-PERP/)
    assert.match(banner, /Trading, cancels, deposits and spot withdrawals still work\.$/)
    assert.match(stoppedMargin(markets(true)), /until a loss in ETH-PERP is covered/)
  })

  test('a flagged loss is no longer reported once it is cleared', () => {
    assert.deepEqual([withdrawalsBanner(markets(false)), stoppedMargin(markets(false))], ['', ''])
  })
})

describe('a reduce-only order', () => {
  test('a reduce-only order without an opposite position is certain to be refused', () => {
    const open = { state: 'active' } as const
    assert.equal(refusal(open), '')
    assert.match(refusal({ ...open, position: '' }), /off to open one/)
    assert.match(refusal({ ...open, side: 'sell' }), /off\.$/)
    assert.equal(refusal({ ...open, isReduceOnly: false, position: '' }), '')
  })

  test('a reduce-only order may pass while the position is unknown, or until its trigger', () => {
    assert.equal(refusal({ position: undefined }), '')
    assert.equal(refusal({ position: '', isHeld: true }), '')
  })

  test('a refused reduce-only order has the words of the venue, so that they appear once', () => {
    const market = { instrument_type: 'PERPETUAL', amount_step: '0.0001' } as shapes.Market
    const written = (code: string, isHalted: boolean) =>
      refusalText(
        { code, message: '', facts: { position: '-1' } },
        { ...market, is_active: !isHalted },
      )
    for (const isHalted of [true, false]) {
      const state = isHalted ? 'halted' : 'active'
      const none = { state, position: '' } as const
      assert.equal(refusal(none), written('NO_POSITION_REDUCE_ONLY', isHalted))
      const enlarging = { state, side: 'sell' } as const
      assert.equal(refusal(enlarging), written('INVALID_DIRECTION_REDUCE_ONLY', isHalted))
    }
  })
})

describe('a venue that accepts no orders', () => {
  const textsOf = (trading: Parameters<typeof offersOf>[0]) => {
    const { test: account, goOn, enable, form } = offersOf(trading)
    return [account.title, account.words, goOn, enable.title, enable.words, form].join(' | ')
  }

  test('a venue that accepts no orders offers an account and money, but no trading', () => {
    for (const trading of ['coming_soon', 'cancel_only'] as const) {
      assert.notEqual(closedText(trading), '')
      assert.doesNotMatch(textsOf(trading), /trade|trading/i)
      assert.match(textsOf(trading), /Get test money and deposit/)
    }
  })

  test('a venue that accepts no orders differs from one whose trading state is unknown', () => {
    assert.equal(closedText(''), '')
    assert.equal(textsOf(''), textsOf('live'))
    assert.match(textsOf('live'), /Get test money and trade/)
  })
})
