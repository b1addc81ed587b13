// Blocks of a chain at the other end of a socket, through the whole node.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { Scenario } from '@openvenue/core/test/scenario/scenario'
import { frameSchema, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { Compile } from 'typebox/schema'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { type Client, connectTo, TRANSPORTS } from '../../test/socket-client.ts'

const { startTick } = LISTINGS['ETH-USDC']
/** Raw units in one USDC. */
const QUOTE_UNIT = 10 ** 6
const scenario = new Scenario()
scenario
  .list('ETH-USDC')
  .deposit('alice', 'USDC', 10n ** 9n)
  .deposit('bob', 'ETH', 10n ** 9n)
scenario.place('alice', 'buy', startTick - 1, 5n)
scenario.next()

describe('a block', () => {
  let node: ScenarioNode
  let url: string
  let blockCount = scenario.blocks().length
  before(async () => {
    node = await scenarioNode(scenario.blocks())
    url = await node.host.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => node.close())

  const follow = () => {
    scenario.next()
    node.applyBlocks(scenario.blocks().slice(blockCount))
    blockCount = scenario.blocks().length
  }

  for (const transport of TRANSPORTS)
    test(`a block reaches subscribers over ${transport}, with the same data as GET`, async () => {
      const client = await connectTo(url, transport)
      await client.ask('subscribe', ['orderbook:ETH-USDC', 'trades:ETH'])
      const snapshot = await client.next(({ channel }) => channel === 'orderbook:ETH-USDC')
      scenario.place('alice', 'buy', startTick, 3n).place('bob', 'sell', startTick, 1n)
      follow()
      const update = await client.next(({ channel }) => channel === 'orderbook:ETH-USDC')
      assert.equal(update.prev_seq, snapshot.seq)
      const [best] = update.data.bids
      const book = (await node.get('/orderbook/ETH-USDC')).body as { bids: { price: string }[] }
      assert.equal(Number(best[0]) * QUOTE_UNIT, Number(book.bids[0]?.price))
      const trades = (await node.get('/instrument/ETH-USDC/trade-history')).body as {
        trade_history: object[]
      }
      // Everything published before has arrived when the ping is answered.
      await client.ask('ping')
      const trade = client.frames.findLast(({ channel }) => channel === 'trades:ETH')
      assert.deepEqual(trade?.data, trades.trade_history[0])
      client.close()
    })

  for (const transport of TRANSPORTS)
    test(`a client over ${transport} that ignores message types receives exactly the trades of a block`, async () => {
      const client = await connectTo(url, transport)
      const trade = (tick: number) => {
        scenario.place('alice', 'buy', tick, 1n).place('bob', 'sell', tick, 1n)
        follow()
      }
      trade(startTick)
      const { seqs } = await client.ask('subscribe', ['trades:ETH-USDC', 'trades-block:ETH-USDC'])
      const withOld = { channel: 'trades:ETH', snapshot: true }
      assert.equal((await client.ask('subscribe', [withOld])).seqs, undefined)
      trade(startTick)
      await client.ask('ping')
      const came = (name: string) => client.frames.filter(({ channel }) => channel === name)
      const [one, ...others] = came('trades:ETH-USDC')
      const [block, ...blocks] = came('trades-block:ETH-USDC')
      assert.deepEqual([others, blocks], [[], []])
      assert.deepEqual(block?.data, [one?.data])
      assert.ok(
        (one?.prev_seq ?? Infinity) <= (seqs?.['trades:ETH-USDC'] ?? -1),
        'nothing is missing',
      )
      assert.deepEqual(
        came('trades:ETH').map(({ type }) => type),
        ['snapshot', 'update'],
      )
      client.close()
    })

  test('a block comes in messages that the description allows', async () => {
    const client: Client = await connectTo(url, 'websocket')
    const { data: names } = await client.ask('channels')
    const listed = (names as string[]).filter((name) => name.includes(':') || name === 'markets')
    await client.ask(
      'subscribe',
      listed.map((channel) => ({ channel, snapshot: true })),
    )
    scenario.place('alice', 'buy', startTick + 1, 3n).place('bob', 'sell', startTick + 1, 1n)
    follow()
    await client.next(({ channel, type }) => channel === 'trades:ETH-USDC' && type === 'update')
    await client.ask('ping')
    const schemas = new Map(
      SOCKET_CHANNELS.map((channel) => [
        channel.name.split(':')[0] ?? '',
        Compile(frameSchema(channel)),
      ]),
    )
    let checked = 0
    for (const frame of client.frames) {
      if (frame.channel === undefined) continue
      const schema = schemas.get(frame.channel.split(':')[0] ?? '')
      assert.ok(schema?.Check(frame), JSON.stringify(frame))
      checked += 1
    }
    assert.ok(checked > listed.length)
    client.close()
  })
})
