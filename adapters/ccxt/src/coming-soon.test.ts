// The adapter before trading opens.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { intentOf } from '@openvenue/api/test/made-intents'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { OnMaintenance } from 'ccxt'
import { openvenue } from './openvenue.ts'

const SYMBOL = 'ETH/USDC'
const scenario = funded('ETH-USDC')
let venue: TradingSockets
let exchange: openvenue
before(async () => {
  venue = await tradingSockets(scenario, { settings: { trading: 'coming_soon' } })
  exchange = await exchangeAt(venue)
})
after(() => venue.close())

async function exchangeAt({ urls, issue, walletOf }: TradingSockets): Promise<openvenue> {
  const { key: apiKey, secret } = await issue('alice')
  const privateKey = `0x${scenario.accountOf('alice').toString(16).padStart(64, '0')}`
  const walletAddress = walletOf('alice')
  const made = new openvenue({ apiKey, secret, privateKey, walletAddress })
  made.urls.api.rest = urls[0] ?? ''
  return made
}

describe('the adapter before trading opens', () => {
  test('fetchStatus is maintenance and no market is active before trading opens', async () => {
    const { status, info } = await exchange.fetchStatus()
    assert.deepEqual([status, info.trading], ['maintenance', 'coming_soon'])
    const markets = await exchange.fetchMarkets()
    assert.deepEqual(
      markets.map((market) => market?.active),
      [false],
    )
  })

  test('createOrder throws OnMaintenance before trading opens', async () => {
    for (const type of ['limit', 'market'])
      await assert.rejects(
        exchange.createOrder(SYMBOL, type, 'buy', 0.01, 1000),
        (error: Error) => error instanceof OnMaintenance && /TRADING_NOT_LIVE/.test(error.message),
      )
  })

  test('market data and cancels work before trading opens', async () => {
    assert.equal((await exchange.fetchTicker(SYMBOL)).symbol, SYMBOL)
    const intent = intentOf(scenario, 'alice')
    await venue.store.intents.add([intent])
    await venue.caughtUp()
    await exchange.cancelOrder(intent.id, SYMBOL)
    assert.equal((await venue.store.intents.find([intent.id]))[0]?.state, 'withdrawn')
  })
})

test('once trading is live, the status is ok and the market is active', async () => {
  const live = await tradingSockets(funded('ETH-USDC'))
  const other = await exchangeAt(live)
  assert.equal((await other.fetchStatus()).status, 'ok')
  assert.equal((await other.fetchMarkets())[0]?.active, true)
  await live.close()
})
