import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS, type MarketName } from '@openvenue/core/test/scenario/listing'
import { type Frame, scenarioNode, settled, walletOf } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'
import { TICK_MS } from '../streams/open-streams.ts'

/** The live channel `name` of alice, before any message. */
async function live(name: string, ...markets: MarketName[]) {
  const all = scenarioNode(...markets)
  const channel = all.node.open(name, walletOf(all.scenario, 'alice'))
  const first = await channel.snapshot()
  const take = async () => {
    await settled()
    return channel.take()
  }
  return { ...all, channel, first, take }
}

type Item = Readonly<Record<string, string>>

const statuses = ({ data }: Frame) =>
  data.orders.map(({ order_status, filled }: Item) => `${order_status} ${filled}`)

describe('orders', () => {
  test('the orders channel begins with the open orders, newest first', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    scenario.place('alice', 'buy', 299_000, 1n).place('bob', 'buy', 299_001, 1n)
    scenario.place('alice', 'buy', 299_002, 2n).place('alice', 'buy', 299_003, 2n).cancel(4)
    next()
    const frame = await node.open('orders', walletOf(scenario, 'alice')).snapshot()
    assert.deepEqual(
      frame.data.orders.map(({ price }: Item) => price),
      ['2990.02', '2990'],
    )
    assert.equal(frame.data.timestamp, `${node.model.head?.seconds}000000000`)
    assert.equal(frame.data.orders[0].account, walletOf(scenario, 'alice'))
    assertShape(frame)
  })

  test('orders send every transition of an order, once per block, with its result', async () => {
    const { scenario, next, take } = await live('orders', 'ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    scenario.place('bob', 'buy', 300_000, 1n)
    next()
    scenario.place('bob', 'buy', 300_000, 1n).place('carol', 'buy', 300_000, 1n)
    next()
    scenario.reduce(1, 1n)
    next()
    scenario.cancel(1)
    next()
    const frames = await take()
    assert.deepEqual(frames.map(statuses), [
      ['opened 0'],
      ['partial 0.0001'],
      ['partial 0.0003'],
      ['partial 0.0003'],
      ['cancelled 0.0003'],
    ])
    for (const frame of frames) assertShape(frame)
    assert.equal(frames[4]?.data.orders[0]?.cancel_reason, 'USER')
  })

  test('the orders channel sends orders that never rested: filled at once, or cancelled', async () => {
    const { scenario, next, take } = await live('orders', 'ETH-USDC')
    scenario.place('bob', 'sell', 300_000, 5n)
    scenario.order({ who: 'alice', side: 'buy', tick: 300_000, lots: 2n, timeInForce: 'IOC' })
    scenario.order({ who: 'alice', side: 'buy', tick: 299_000, lots: 2n, timeInForce: 'IOC' })
    next()
    const [frame, ...others] = await take()
    assert.deepEqual(others, [])
    assert.deepEqual(frame && statuses(frame), ['filled 0.0002', 'cancelled 0'])
  })

  test('orders send no message for the orders of other accounts', async () => {
    const { scenario, next, take } = await live('orders', 'ETH-USDC')
    scenario.place('bob', 'sell', 300_000, 5n)
    next()
    assert.deepEqual(await take(), [])
  })

  test('an undo sends the restored orders, and the ids of those never placed', async () => {
    const { scenario, feed, node, next, take } = await live('orders', 'ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    scenario.place('bob', 'buy', 300_000, 5n)
    next()
    const [placed] = await take()
    feed.undoBlock()
    node.follow()
    feed.undoBlock()
    node.follow()
    const [open, gone] = await take()
    assert.deepEqual(open && statuses(open), ['opened 0'])
    assert.deepEqual(gone?.data.orders, [])
    assert.deepEqual(gone?.data.removed, [placed?.data.orders[0].order_id])
    assertShape(gone)
  })

  test('the orders channel sends the margin of resting orders again when the leverage changes', async () => {
    const { scenario, next, take } = await live('orders', 'ETH-PERP')
    scenario.place('alice', 'buy', 29_000, 20n)
    next()
    const account = scenario.accountOf('alice')
    const market = LISTINGS['ETH-PERP'].id
    scenario.say({ type: 'LeverageSet', market, account, leverage: 2 })
    next()
    assert.deepEqual(
      (await take()).map(({ data }) => data.orders[0].initial_margin),
      ['2.9', '29'],
    )
  })
})

describe('positions', () => {
  test('the positions channel begins with what is held, and sends what changes', async () => {
    const { scenario, node, first, next, take } = await live('positions', 'ETH-PERP')
    assert.deepEqual(first.data.positions, [])
    scenario.place('alice', 'buy', 30_000, 5n)
    next()
    assert.deepEqual(await take(), [], 'an order is no position')
    scenario.place('bob', 'sell', 30_000, 3n)
    next()
    const [frame, ...others] = await take()
    assert.deepEqual(others, [])
    const [{ amount, side, instrument_name: name }] = frame?.data.positions ?? []
    assert.deepEqual([amount, side, name], ['0.003', 'buy', 'ETH-PERP'])
    const again = await node.open('positions', walletOf(scenario, 'alice')).snapshot()
    assert.deepEqual(again.data.positions, frame?.data.positions)
    for (const each of [frame, again]) assertShape(each)
  })

  test('positions of an account that was evicted from memory are all sent again, then their changes', async () => {
    const { scenario, node, next, take } = await live('positions', 'ETH-PERP')
    const trade = () => {
      scenario.place('alice', 'buy', 30_000, 3n).place('bob', 'sell', 30_000, 3n)
      next()
    }
    trade()
    const amounts = async () =>
      (await take()).map(({ type, data }) => `${type} ${data.positions[0].amount}`)
    assert.deepEqual(await amounts(), ['update 0.003'])
    node.model.owned.reset()
    trade()
    node.pass(TICK_MS)
    assert.deepEqual(await amounts(), ['snapshot 0.006'])
    trade()
    assert.deepEqual(await amounts(), ['update 0.009'])
  })

  test('a position that becomes flat is sent once, with the amount "0"', async () => {
    const { scenario, next, take } = await live('positions', 'ETH-PERP')
    scenario.place('alice', 'buy', 30_000, 3n).place('bob', 'sell', 30_000, 3n)
    next()
    await take()
    scenario.place('bob', 'buy', 30_000, 3n).place('alice', 'sell', 30_000, 3n)
    next()
    const frames = await take()
    assert.deepEqual(
      frames.map(({ data }) => data.positions),
      [
        [
          {
            instrument_id: LISTINGS['ETH-PERP'].id,
            instrument_name: 'ETH-PERP',
            instrument_type: 'PERPETUAL',
            asset: 'ETH',
            amount: '0',
            side: 'buy',
          },
        ],
      ],
    )
    for (const frame of frames) assertShape(frame)
    scenario.place('alice', 'buy', 29_000, 3n)
    next()
    assert.deepEqual(await take(), [])
  })

  test('the positions channel sends the tokens of spot markets', async () => {
    const { scenario, first, next, take } = await live('positions', 'ETH-USDC')
    assert.equal(first.data.positions.length, 1)
    scenario.place('alice', 'buy', 300_000, 5n).place('bob', 'sell', 300_000, 5n)
    next()
    const [frame] = await take()
    const [{ amount, instrument_type: type }] = frame?.data.positions ?? []
    assert.deepEqual([amount, type], ['1000000000.0005', 'SPOT'])
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    const [locked] = await take()
    assert.equal(locked?.data.positions[0].locked_amount, '0.0005')
  })
})
