import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LISTINGS, MARKET_NAMES } from '@openvenue/core/test/scenario/listing'
import { carriesEvents, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { channelNode, ScenarioFeed, scenarioNode } from '../../../test/channel-node.ts'
import { CHANNEL_NAME_MAX } from './catalogue.ts'

const PRIVATE = [
  'orders',
  'fills',
  'positions',
  'account',
  'balances',
  'fundings',
  'transactions',
  'notifications',
]

describe('the names of channels', () => {
  const { node } = scenarioNode(...MARKET_NAMES)
  const { channels } = node

  test('the catalogue lists every channel, and each of them exists', () => {
    const names = channels.names()
    for (const name of [
      'orderbook:ETH-USDC',
      'orderbook-100ms:ETH-PERP',
      'orderbook-500ms:ETH-PERP',
      'orderbook-l3:ETH-USDC',
      'ticker:ETH-PERP',
      'ticker:ETH:PERPETUAL',
      'ticker-500ms:BTC:SPOT',
      'ticker-500ms:BTC-USDC',
      'book-ticker:SOL-PERP',
      'book-ticker:SOL:PERPETUAL',
      'trades:ETH-USDC',
      'trades:ETH',
      'trades-block:BTC-PERP',
      'trades-block:BTC',
      'index:ETH',
      'funding:ETH-PERP',
      'candles:ETH-USDC:1',
      'candles:ETH-USDC:1M',
      'markets',
      'liquidations',
      'statistics:ETH:SPOT',
      'statistics:SOL:PERPETUAL',
      ...PRIVATE,
    ])
      assert.ok(names.includes(name), name)
    assert.equal(new Set(names).size, names.length)
    for (const name of names) assert.ok(channels.find(name) !== undefined, name)
  })

  test('channel names distinguish private channels from public ones', () => {
    for (const name of channels.names())
      assert.equal(channels.find(name)?.isPrivate, PRIVATE.includes(name), name)
  })

  test('each channel is marked as carrying events or not, as in its description', () => {
    const word = (name: string) => name.split(':', 1)[0]
    for (const name of channels.names()) {
      const description = SOCKET_CHANNELS.find((one) => word(one.name) === word(name))
      assert.ok(description !== undefined, name)
      const { stream, close } = node.open(name, PRIVATE.includes(name) ? '0xa' : undefined)
      assert.equal(stream.carriesEvents, carriesEvents(description), name)
      close()
    }
    assert.deepEqual(
      SOCKET_CHANNELS.filter(carriesEvents).map(({ name }) => word(name)),
      [
        'trades',
        'trades-block',
        'liquidations',
        'fills',
        'fundings',
        'transactions',
        'notifications',
      ],
    )
  })

  test('a channel name may have the id of a market, and is echoed as given', async () => {
    const { id } = LISTINGS['ETH-USDC']
    for (const text of [id, BigInt(id).toString()]) {
      const { channel, data } = await node.open(`orderbook:${text}`).snapshot()
      assert.deepEqual([channel, data.instrument_name], [`orderbook:${text}`, 'ETH-USDC'])
    }
  })

  test('a channel name with another market, asset, type, resolution, word or case is unknown', () => {
    for (const name of [
      '',
      ':',
      'orderbook',
      'orderbook:',
      'orderbook:eth-usdc',
      'orderbook:NO-PERP',
      'orderbook:ETH',
      'orderbook-200ms:ETH-USDC',
      'ticker:ETH',
      'ticker:ETH:FUTURE',
      'ticker:SOL:SPOT',
      'ticker:ETH:SPOT:',
      'trades:DOGE',
      'index:eth',
      'index:DOGE',
      'index:',
      'funding:ETH-USDC',
      'funding:DOGE-PERP',
      'candles:ETH-USDC',
      'candles:ETH-USDC:',
      'candles:ETH-USDC:2',
      'candles:ETH-USDC:1m',
      'candles:NO-USDC:1',
      'statistics:ETH',
      'statistics:DOGE:SPOT',
      'statistics:SOL:SPOT',
      'markets:ETH-USDC',
      'orders:ETH-USDC',
      'Orders',
      '__proto__',
      'toString',
      'constructor:ETH-USDC',
    ])
      assert.equal(channels.find(name), undefined, name)
  })

  test(`channel names are at most ${CHANNEL_NAME_MAX} characters long`, () => {
    assert.equal(channels.find('x'.repeat(CHANNEL_NAME_MAX + 1)), undefined)
    for (const name of channels.names()) assert.ok(name.length <= CHANNEL_NAME_MAX)
  })

  test('channels of a market appear when it is listed, and go with an undo', () => {
    const { scenario, feed, node, next } = scenarioNode('ETH-USDC')
    const isThere = () => node.channels.find('orderbook:BTC-USDC') !== undefined
    assert.equal(isThere(), false)
    scenario.list('BTC-USDC')
    next()
    assert.equal(isThere(), true)
    feed.undoBlock()
    node.follow()
    assert.equal(isThere(), false)
  })

  test('an open channel outlives the market that an undo takes away', async () => {
    const { scenario, feed, node, next } = scenarioNode('ETH-USDC')
    scenario.list('BTC-PERP')
    next()
    const names = node.channels.names().filter((name) => name.includes('BTC'))
    const opened = names.map((name) => node.open(name))
    feed.undoBlock()
    node.follow()
    node.pass(3_600_000)
    for (const channel of opened) assert.equal((await channel.snapshot()).type, 'snapshot')
    for (const channel of opened) channel.close()
    assert.equal(node.timers(), 0)
  })

  test('before the first block only channels without a market exist', () => {
    const { channels } = channelNode(new ScenarioFeed())
    assert.deepEqual(channels.names(), ['markets', 'liquidations', ...PRIVATE])
  })
})
