// The tools before trading opens.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { intentOf } from '@openvenue/api/test/made-intents'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { type Conversation, converse } from './conversation.ts'

const BID = { market: 'ETH-USDC', side: 'buy', amount: '0.01', price: '1000.12' }
const CAPS = ['--cap-order', '100', '--cap-day', '150']
const scenario = funded('ETH-USDC')

describe('tools before trading opens', () => {
  let venue: TradingSockets
  let talk: Conversation
  before(async () => {
    venue = await tradingSockets(scenario, { settings: { trading: 'coming_soon' } })
    const { key, secret } = await venue.issue('alice')
    const signer = `0x${scenario.accountOf('alice').toString(16).padStart(64, '0')}`
    talk = await converse({
      args: ['--url', venue.urls[0] ?? '', '--trade', ...CAPS],
      env: {
        OPENVENUE_API_KEY: key,
        OPENVENUE_API_SECRET: secret,
        OPENVENUE_SIGNING_KEY: signer,
      },
    })
  })
  after(async () => {
    await talk?.close()
    await venue.close()
  })

  test('get_version and get_markets return coming_soon before trading opens', async () => {
    const { content: version } = await talk.call('get_version')
    assert.equal(version.answer.trading, 'coming_soon')
    const { content: markets } = await talk.call('get_markets')
    assert.equal(markets.answer[0].trading, 'coming_soon')
  })

  test('place_order is refused with its code before trading opens', async () => {
    const { isError, content } = await talk.call('place_order', BID)
    assert.deepEqual([isError, content.error], [true, 'TRADING_NOT_LIVE'])
    assert.match(content.message, /coming soon/)
  })

  test('cancel_order works before trading opens', async () => {
    const intent = intentOf(scenario, 'alice')
    await venue.store.intents.add([intent])
    await venue.caughtUp()
    const { content } = await talk.call('cancel_order', { order_id: intent.id })
    assert.equal(content.answer.order.order_status, 'cancelled')
  })
})
