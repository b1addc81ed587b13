import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeFunctionData } from 'viem'
import { planCancels, planClose, worstTick } from './chain-actions.ts'
import { type ChainMarket, nameOf } from './chain-listing.ts'
import { chainPositionRow, levelsOf, viewChainAccount } from './chain-views.ts'
import { engineAbi } from './venue-abi.ts'

const E18 = 10n ** 18n
const market: ChainMarket = {
  ...{ name: 'ETH-PERP', kind: 'PERPETUAL', number: 1, isHalted: false },
  ...{ engine: `0x${'c'.repeat(40)}`, id: `0x${'c'.repeat(40)}00000001` },
  ...{ priceStep: E18 / 100n, amountStep: E18 / 10_000n, quotePerLotTick: E18 / 1_000_000n },
  ...{ baseDecimals: 18, quoteDecimals: 18 },
}
const other: ChainMarket = {
  ...market,
  name: 'BTC-PERP',
  number: 2,
  id: `${market.id.slice(0, 49)}2`,
}
const order = (number: number, of = market) => ({
  ...{ id: `${of.id}${number}`, market: of, number, isBuy: true, isReduceOnly: false },
  ...{ tick: 300_000, lots: 2_500n },
})
const long = {
  ...{ market, lots: 15_000n, quote: -4_500n * E18, fundingIndex: 0n },
  ...{ mark: 3_100n * E18, markPerLot: (3_100n * E18) / 10_000n },
}

describe('wallet transactions while the API is down', () => {
  test('without the API, one wallet transaction per market cancels the listed orders', () => {
    const [first, second] = planCancels([order(5), order(7, other), order(6)])
    const { functionName, args } = decodeFunctionData({
      abi: engineAbi,
      data: first?.call.data ?? '0x',
    })
    assert.deepEqual([functionName, args], ['cancelAll', [1, [5, 6]]])
    assert.equal(first?.text, 'Cancel 2 orders of ETH-PERP')
    assert.equal(second?.text, 'Cancel buy 0.25 BTC-PERP at 3,000')
    assert.ok(
      second?.words.lines.some(([, text]) => text === market.engine),
      'the contract is said',
    )
  })

  test('a wallet transaction never cancels more orders than fit in a block', () => {
    const many = Array.from({ length: 120 }, (_, number) => order(number))
    assert.equal(planCancels(many).length, 3)
    assert.deepEqual(planCancels([]), [])
  })

  test('without the API, a reduce-only order at most 3 % from the mark closes a position', () => {
    const { call, text, words } = planClose(long)
    const { functionName, args } = decodeFunctionData({ abi: engineAbi, data: call.data })
    assert.equal(functionName, 'place')
    assert.deepEqual(args, [
      {
        ...{ market: 1, buy: false, tick: 300_700, lots: 15_000n, timeInForce: 1 },
        ...{ reduceOnly: true, goodTil: 0, maxFills: 100 },
      },
    ])
    assert.equal(text, 'Close ETH-PERP: sell 1.5')
    assert.ok(words.lines.some(([name, value]) => name === 'Price' && value === 'at least 3,007'))
    assert.throws(() => planClose({ ...long, mark: 0n }), /no mark price for ETH-PERP/)
  })

  test('the price limit of a close is rounded towards the safe side', () => {
    const bound = { mark: 1_000n, priceStep: 7n }
    assert.equal(worstTick({ ...bound, isBuy: true }), 147, '1,030 is 147.1 steps: 147')
    assert.equal(worstTick({ ...bound, isBuy: false }), 139, '970 is 138.6 steps: 139')
  })
})

describe('views of chain data', () => {
  test('price levels are built from the orders on the chain, best first', () => {
    const orders = [
      { tick: 300_001, lots: 1n },
      { tick: 300_001, lots: 2n },
      { tick: 300_000, lots: 5n },
    ]
    assert.deepEqual(levelsOf(market, orders), [
      ['3000.01', '0.0003', '2'],
      ['3000', '0.0005', '1'],
    ])
  })

  test('a position read from the chain has dashes for values that the chain does not have', () => {
    const texts = chainPositionRow(long).cells.map(({ text }) => text)
    assert.deepEqual(texts, [
      ...['ETH-PERP', '▲ long 1.5', '4,650.00', '3,000.00', '3,100.00'],
      ...['–', '+150.00', '–', '–', '–'],
    ])
    const unknown = chainPositionRow({ ...long, mark: 0n, markPerLot: 0n })
    assert.equal(unknown.cells[6]?.text, '–', 'no mark, no profit')
  })

  test('an account read from the chain has the same sums and warnings as from the API', () => {
    const margin = {
      ...{ collateral: 400n * E18, equity: 550n * E18, available: 85n * E18 },
      ...{ initialMargin: 465n * E18, maintenanceMargin: 500n * E18 },
    }
    const holdings = [{ symbol: 'USDC', decimals: 6, free: 1_500_000n }]
    const view = viewChainAccount({ positions: [long], margin, holdings }, 'USDC')
    assert.deepEqual(
      [view.equity, view.free, view.unrealized, view.warning],
      ['550.00', '85.00', '+150.00', 'near'],
    )
    assert.deepEqual(
      view.balances.map(({ symbol, kind, free }) => [symbol, kind, free]),
      [
        ['USDC', 'margin', '85.00'],
        ['USDC', 'spot', '1.5'],
      ],
    )
  })

  test('markets read from the chain are named as listed, as plain text', () => {
    const hex = Buffer.from('<b>\n').toString('hex').padEnd(64, '0')
    const log = { address: market.engine, topics: ['0x', '0x2'], data: `0x${hex}` }
    assert.deepEqual(nameOf(log), [other.id, '<b>?'])
  })
})
