import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASSETS, MARKETS } from './markets.ts'
import { priceToTick } from './trading.ts'

test('a fair price of 3200.129 is tick 320012 in a market with steps of 0.01', () => {
  const price = 3_200_129n * 10n ** 15n
  assert.equal(priceToTick(price, { quoteDecimals: 6, priceStep: 10n ** 4n }), 320_012)
  assert.equal(priceToTick(price, { quoteDecimals: 18, priceStep: 10n ** 16n }), 320_012)
})

test("ticks of every market fit the contract's 24 bits at double the first price", () => {
  for (const market of MARKETS) {
    const start = ASSETS.find(({ asset }) => asset === market.asset)?.startPrice ?? 0n
    const tick = priceToTick(start * 2n, market)
    assert.ok(tick > 1_000 && tick < 2 ** 24, `${market.name}: ${tick}`)
  }
})

test('any number of lots at any tick is an exact amount of quote in every market', () => {
  const baseDecimals = { ETH: 18n, BTC: 8n, EURC: 6n, USDC: 6n }
  for (const market of MARKETS) {
    const decimals = market.type === 'spot' ? baseDecimals[market.base] : 18n
    assert.equal((market.priceStep * market.amountStep) % 10n ** decimals, 0n, market.name)
  }
})
