import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { levels, queuedOrders } from '@openvenue/core/book'
import { orderId } from '@openvenue/core/ids'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import type { Static } from '@openvenue/wire/field'
import { L3_ORDERS_MAX, OrderBookL3 } from '@openvenue/wire/order-book-l3'
import { Value } from 'typebox/value'
import { channelNode, type Frame, ScenarioFeed, scenarioNode } from '../../test/channel-node.ts'
import { assertShape } from '../../test/channel-shape.ts'
import { funded } from '../../test/funded.ts'
import { scenarioNode as restNode } from '../../test/scenario-node.ts'

const SEEDS = [1, 2, Math.floor(Math.random() * 2 ** 31)]
const BLOCKS = 80
/** Blocks in which a scenario lists its market. */
const LISTED = 2

type Row = Static<typeof OrderBookL3>['bids'][number]
type Sides = Readonly<{ bids: Row[]; asks: Row[] }>

/** A client's copy of the book, as docs/SOCKETS.md describes it. */
class LocalOrders {
  readonly #rows = { bids: new Map<string, Row>(), asks: new Map<string, Row>() }

  take({ type, data }: Frame): void {
    for (const side of ['bids', 'asks'] as const) {
      const rows = this.#rows[side]
      if (type === 'snapshot') rows.clear()
      for (const row of data[side] as Row[])
        if (row[2] === '0') rows.delete(row[0])
        else rows.set(row[0], row)
    }
    assert.equal(data.checksum, checksumOf(this.sides()))
  }

  sides(): Sides {
    const sorted = (side: 'bids' | 'asks', sign: number) =>
      [...this.#rows[side].values()].sort(
        (a, b) => sign * (Number(a[1]) - Number(b[1])) || a[3] - b[3],
      )
    return { bids: sorted('bids', -1), asks: sorted('asks', 1) }
  }
}

function checksumOf({ bids, asks }: Sides): string {
  const pairs: string[] = []
  for (let at = 0; at < 100; at++)
    for (const row of [bids[at], asks[at]]) if (row !== undefined) pairs.push(`${row[0]}:${row[2]}`)
  return String(crc32(pairs.join(':')))
}

const setUp = () =>
  funded('ETH-USDC')
    .place('alice', 'buy', 98, 5n)
    .place('bob', 'buy', 98, 7n)
    .place('alice', 'buy', 99, 1n)
    .place('carol', 'sell', 101, 2n)

async function read(url: string) {
  const node = await restNode(setUp().blocks())
  const { status, body, headers } = await node.get(url)
  await node.close()
  return { status, body: body as Sides & { checksum: string; error?: string }, headers }
}

describe('GET /orderbook-l3/{instrument_name}', () => {
  test('GET /orderbook-l3/{instrument_name} lists resting orders best first, in the order in which they are filled', async () => {
    const { status, body } = await read('/orderbook-l3/ETH-USDC')
    assert.equal(status, 200)
    assert.ok(Value.Check(OrderBookL3, body))
    assert.deepEqual(
      body.bids.map(([, price, amount]) => [price, amount]),
      [
        ['0.99', '0.0001'],
        ['0.98', '0.0005'],
        ['0.98', '0.0007'],
      ],
    )
    const [, first, second] = body.bids
    assert.ok(first !== undefined && second !== undefined && first[3] < second[3])
    assert.deepEqual(
      body.asks.map(([, price, amount]) => [price, amount]),
      [['1.01', '0.0002']],
    )
    assert.equal(body.checksum, checksumOf(body))
    assert.ok(!/account|wallet/.test(JSON.stringify(body)))
  })

  test('GET /orderbook-l3/{instrument_name} has at most depth orders per side, 500 by default and at most', async () => {
    const { body } = await read('/orderbook-l3/ETH-USDC?depth=2')
    assert.deepEqual([body.bids.length, body.asks.length], [2, 1])
    const deep = await read('/orderbook-l3/ETH-USDC?depth=100000')
    assert.equal(deep.status, 200)
    assert.equal(deep.body.bids.length, 3)
    assert.equal((await read('/orderbook-l3/ETH-USDC?depth=0')).status, 400)
  })

  test('GET /orderbook-l3/{instrument_name} refuses an unknown market', async () => {
    const { status, body } = await read('/orderbook-l3/ETH-USD')
    assert.deepEqual([status, body.error], [404, 'INSTRUMENT_NOT_FOUND'])
  })
})

describe('the orderbook-l3 channel', () => {
  for (const seed of SEEDS)
    test(`the orderbook-l3 channel keeps a copy equal to the book through trading and reorgs (seed ${seed})`, async () => {
      const chance = new Chance(seed)
      const feed = new ScenarioFeed()
      const blocks = randomScenario(seed, BLOCKS, { markets: ['ETH-PERP'] })
      feed.applyBlocks(blocks.slice(0, LISTED))
      const node = channelNode(feed)
      node.follow()
      const channel = node.open('orderbook-l3:ETH-PERP')
      const copy = new LocalOrders()
      copy.take(await channel.snapshot())
      let updates = 0
      for (const block of blocks.slice(LISTED)) {
        feed.applyBlocks([block])
        if (chance.happens(10)) {
          feed.undoBlock()
          feed.applyBlocks([block])
        }
        node.follow()
        for (const frame of channel.take()) {
          assertShape(frame)
          copy.take(frame)
          updates++
        }
        const live = node.model.market('ETH-PERP')
        const book = node.model.book(live?.market.id ?? '')
        const ids = (isBuy: boolean) =>
          [...levels(book, isBuy)].flatMap((level) => [...queuedOrders(level)].map(orderId))
        const { bids, asks } = copy.sides()
        assert.deepEqual(
          bids.map(([id]) => id),
          ids(true),
        )
        assert.deepEqual(
          asks.map(([id]) => id),
          ids(false),
        )
      }
      assert.ok(updates > BLOCKS / 4, `${updates} updates`)
    })

  test('the orderbook-l3 channel follows the best 500 orders of a side: the next one enters when one leaves', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    for (let at = 0; at <= L3_ORDERS_MAX; at++) scenario.place('alice', 'buy', 1000 - at, 1n)
    next()
    const channel = node.open('orderbook-l3:ETH-USDC')
    const { data } = await channel.snapshot()
    assert.equal(data.bids.length, L3_ORDERS_MAX)
    scenario.place('bob', 'sell', 1000, 1n)
    next()
    const [frame] = channel.take()
    const last = 1000 - L3_ORDERS_MAX
    assert.deepEqual(
      frame?.data.bids.map(([, price, amount]: Row) => [price, amount]),
      [
        [String(last / 100), '0.0001'],
        ['10', '0'],
      ],
    )
  })
})
