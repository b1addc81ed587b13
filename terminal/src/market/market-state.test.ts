import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import { refusalText } from '../worker/order/refusal-text.ts'
import {
  certainRefusal,
  closedText,
  type Meant,
  offersOf,
  stateBanner,
  stateText,
  stoppedMargin,
  stoppedOrders,
  withdrawalsBanner,
} from './market-state.ts'

/** A reduce-only order to buy, of an account that is short. */
const REDUCING: Meant = {
  ...{ kind: 'PERPETUAL', state: 'halted', side: 'buy', isReduceOnly: true },
  ...{ isHeld: false, position: 'sell' },
}
const refusal = (change: Partial<Meant>) => certainRefusal({ ...REDUCING, ...change })

describe('what a halted market takes', () => {
  test('is said by its kind: a spot market has nothing that an order could reduce', () => {
    const spot = { name: 'ETH-USDC', kind: 'SPOT', state: 'halted' } as const
    const perpetual = { name: 'ETH-PERP', kind: 'PERPETUAL', state: 'halted' } as const
    for (const text of [stateBanner(spot), stoppedOrders(spot)]) {
      assert.match(text, /no new orders/)
      assert.doesNotMatch(text, /reduce|position/)
    }
    assert.match(stateBanner(spot), /^ETH-USDC is halted: .* can be cancelled\.$/)
    for (const text of [stateBanner(perpetual), stoppedOrders(perpetual)])
      assert.match(text, /only orders that reduce a position/)
  })

  test('is nothing of a spot market, and of a perpetual what reduces', () => {
    assert.match(refusal({ kind: 'SPOT' }), /takes no new orders/)
    assert.equal(refusal({ kind: 'SPOT', state: 'active' }), '')
    assert.equal(refusal({}), '')
    assert.match(refusal({ isReduceOnly: false }), /turn reduce-only on/)
    assert.match(refusal({ side: 'sell' }), /is short: an order that reduces it buys/)
    assert.match(refusal({ position: 'buy' }), /is long: an order that reduces it sells/)
    assert.match(refusal({ position: '' }), /no position to reduce/)
  })
})

describe('a market that has ended', () => {
  const ended = { name: 'ETH-PERP', kind: 'PERPETUAL', state: 'ended' } as const

  test('is called ended wherever its state is shown, never halted', () => {
    const texts = [stateText(ended), stateBanner(ended), stoppedOrders(ended)]
    for (const text of texts) {
      assert.match(text, /ended/)
      assert.doesNotMatch(text, /halted/)
    }
  })

  test('takes no order, also none that reduces', () => {
    for (const isReduceOnly of [true, false])
      assert.match(refusal({ state: 'ended', isReduceOnly }), /has ended: it takes no orders/)
  })
})

describe('a flagged loss', () => {
  const markets = (withdrawalsStopped: boolean) => [
    { name: 'BTC-PERP', withdrawalsStopped: false },
    { name: 'ETH-PERP', withdrawalsStopped },
  ]

  test('is named with what it stops and what still works', () => {
    const banner = withdrawalsBanner(markets(true))
    assert.match(banner, /^Withdrawals and transfers of margin are stopped: a loss in ETH-PERP/)
    assert.match(banner, /Trading, cancels, deposits and spot withdrawals still work\.$/)
    assert.match(stoppedMargin(markets(true)), /until a loss in ETH-PERP is covered/)
  })

  test('is named nowhere once it is cleared', () => {
    assert.deepEqual([withdrawalsBanner(markets(false)), stoppedMargin(markets(false))], ['', ''])
  })
})

describe('an order that only reduces', () => {
  test('is certain to be refused without a position, and on its side, halted or not', () => {
    const open = { state: 'active' } as const
    assert.equal(refusal(open), '')
    assert.match(refusal({ ...open, position: '' }), /off to open one/)
    assert.match(refusal({ ...open, side: 'sell' }), /off\.$/)
    assert.equal(refusal({ ...open, isReduceOnly: false, position: '' }), '')
  })

  test('may be taken where the position is not known yet, or only when it fires', () => {
    assert.equal(refusal({ position: undefined }), '')
    assert.equal(refusal({ position: '', isHeld: true }), '')
  })

  test('is refused in the words of the venue, so that they are said once', () => {
    const market = { instrument_type: 'PERPETUAL', amount_step: '0.0001' } as shapes.Market
    const written = (code: string, isHalted: boolean) =>
      refusalText(
        { code, message: '', facts: { position: '-1' } },
        { side: 'sell', type: 'limit' },
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

describe('a venue that takes no orders', () => {
  const textsOf = (trading: Parameters<typeof offersOf>[0]) => {
    const { test: account, goOn, enable, form } = offersOf(trading)
    return [account.title, account.words, goOn, enable.title, enable.words, form].join(' | ')
  }

  test('offers an account and money, and no trade', () => {
    for (const trading of ['coming_soon', 'cancel_only'] as const) {
      assert.notEqual(closedText(trading), '')
      assert.doesNotMatch(textsOf(trading), /trade|trading/i)
      assert.match(textsOf(trading), /Get test money and deposit/)
    }
  })

  test('is not one that has not said yet whether it does', () => {
    assert.equal(closedText(''), '')
    assert.equal(textsOf(''), textsOf('live'))
    assert.match(textsOf('live'), /Get test money and trade/)
  })
})
