import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import { type Conversation, converse } from './conversation.ts'

/** Account of the mnemonic with tokens in its wallet, not opened yet. */
const VISITOR = '6'

let running: TestVenue
let talk: Conversation
before(async () => {
  running = await startVenue({ registerRate: undefined })
  talk = await converse({ args: ['--url', running.devnet.apiUrl, '--devnet', VISITOR] })
})
after(async () => {
  await talk?.close()
  await running?.remove()
})

async function settled(order_id: string, isSettled: (status: string) => boolean) {
  let status = ''
  return until(
    () => `${order_id} is settled: it is ${status}`,
    async () => {
      const { content } = await talk.call('get_orders_by_order_id', { order_id, include: 'closed' })
      status = content.answer.order_status
      return isSettled(status) && content.answer
    },
  )
}

const bookOf = async (market: string) =>
  (await talk.call('get_orderbook', { instrument_name: market, depth: 1 })).content.answer

describe('a model on a devnet, with an account that it opened', () => {
  test('a model has funds and buys what it previewed', async () => {
    const { content: account } = await talk.call('get_account')
    assert.equal(account.answer.balance, '20000')
    const { asks } = await bookOf('ETH-PERP')
    const [whole = ''] = asks[0].price.split('.')
    const price = String(BigInt(whole) + BigInt(whole) / 100n)
    const order = { market: 'ETH-PERP', side: 'buy', amount: '0.01', price, time_in_force: 'IOC' }
    const { content: preview } = await talk.call('preview_order', order)
    assert.deepEqual([preview.answer.is_accepted, preview.answer.filled], [true, '0.01'])
    const { content: placed } = await talk.call('place_order', order)
    const filled = await settled(placed.answer.order.order_id, (status) => status === 'filled')
    assert.equal(filled.filled, '0.01')
    const { content: positions } = await talk.call('get_positions', {
      instrument_type: 'PERPETUAL',
    })
    const [position] = positions.answer.positions
    assert.deepEqual([position.instrument_name, position.amount], ['ETH-PERP', '0.01'])
  })

  test('a model cancels a resting order with a signed cancel', async () => {
    const { bids } = await bookOf('ETH-PERP')
    const [whole = ''] = bids[0].price.split('.')
    const price = String(BigInt(whole) / 2n)
    const order = { market: 'ETH-PERP', side: 'buy', amount: '0.02', price, post_only: true }
    const { content: placed } = await talk.call('place_order', order)
    const { order_id } = placed.answer.order
    await settled(order_id, (status) => status === 'opened')
    const { isError, text } = await talk.call('cancel_order', { order_id })
    assert.equal(isError, false, text)
    await settled(order_id, (status) => status === 'cancelled')
  })
})
