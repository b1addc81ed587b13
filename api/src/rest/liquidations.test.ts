import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { type LiquidationItem, Liquidations } from '@openvenue/wire/liquidations'
import { Value } from 'typebox/value'
import { scenarioNode as channelScenario } from '../../test/channel-node.ts'
import { assertShape } from '../../test/channel-shape.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const { quotePerLotTick } = LISTINGS['ETH-PERP']
const DEPOSIT = 1000n

/**
 * Alice's 10 lots are closed: 4 on the book, the rest by insurance. Bob, who is short, is
 * deleveraged against carol at a price below zero. In BTC-PERP dave is absorbed twice in one block.
 */
function forcedScenario() {
  const chain = scenario()
    .index('ETH', 3000n * E18)
    .index('BTC', 90_000n * E18)
    .list('ETH-PERP')
    .list('BTC-PERP')
  for (const who of ['alice', 'bob', 'carol', 'dave']) chain.deposit(who, 'USDC', DEPOSIT)
  return chain
    .on('ETH-PERP')
    .next()
    .place('bob', 'sell', 30_000, 10n)
    .place('alice', 'buy', 30_000, 10n)
    .on('BTC-PERP')
    .place('bob', 'sell', 900_000, 3n)
    .place('dave', 'buy', 900_000, 3n)
    .on('ETH-PERP')
    .next(60)
    .poke()
    .place('carol', 'buy', 29_000, 4n)
    .next(3600)
    .liquidate('alice', { tick: 29_000, lots: 4n, fee: E18, keeper: 'dave' })
    .next()
    .absorb('alice', 29_000n * quotePerLotTick + 123n, 20n * E18)
    .next()
    .deleverage('bob', 'carol', { lots: -4n, unit: -5n * quotePerLotTick })
    .next()
}

type List = Readonly<{ liquidations: readonly LiquidationItem[]; next_cursor: string | null }>

describe('GET /liquidations', () => {
  const chain = forcedScenario()
  let node: HistoryNode
  before(async () => {
    node = await historyNode(chain)
  })
  after(() => node.close())

  const read = async (query = ''): Promise<List> => {
    const { status, body, headers } = await node.node.get(`/liquidations${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(headers['x-block-number'], String(node.node.model.head?.number))
    assert.ok(Value.Check(Liquidations, body))
    return body
  }
  const refused = async (query: string) => {
    const { status, body } = await node.node.get(`/liquidations${query}`)
    const { error } = body as { error: string }
    return [status, error]
  }

  test('GET /liquidations lists forced closes of all accounts, newest first, without naming any', async () => {
    const { liquidations, next_cursor } = await read()
    assert.deepEqual(
      liquidations.map(({ kind, instrument_name, side, price, amount }) => ({
        kind,
        instrument_name,
        side,
        price,
        amount,
      })),
      [
        { kind: 'deleverage', side: 'buy', price: '-0.5', amount: '0.004' },
        { kind: 'absorption', side: 'sell', price: '2900.000000000000123', amount: '0.006' },
        { kind: 'liquidation', side: 'sell', price: '2900', amount: '0.004' },
      ].map((row) => ({ ...row, instrument_name: 'ETH-PERP' })),
    )
    assert.equal(next_cursor, null)
    const text = JSON.stringify(liquidations)
    for (const who of ['alice', 'bob', 'carol', 'dave'])
      assert.ok(!text.includes(node.walletOf(who)), who)
  })

  test('GET /liquidations is paged by cursor, without gaps or repeats', async () => {
    const all = (await read()).liquidations
    const pages: LiquidationItem[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: List = await read(`?limit=1&cursor=${cursor}`)
      assert.equal(page.liquidations.length, 1)
      pages.push(...page.liquidations)
      cursor = page.next_cursor
    }
    assert.deepEqual(pages, all)
  })

  test('GET /liquidations filters by market and inclusive time', async () => {
    const all = (await read()).liquidations
    assert.deepEqual((await read('?instrument_name=ETH-PERP')).liquidations, all)
    assert.deepEqual((await read('?instrument_name=BTC-PERP')).liquidations, [])
    const middle = all[1]?.created_timestamp
    const { liquidations } = await read(`?start_time=${middle}&end_time=${middle}`)
    assert.deepEqual(liquidations, [all[1]])
  })

  test('GET /liquidations refuses an unknown market, a reversed range and a foreign cursor', async () => {
    const { next_cursor } = await read('?limit=1')
    assert.deepEqual(await refused('?instrument_name=ETH-PER'), [404, 'INSTRUMENT_NOT_FOUND'])
    assert.deepEqual(await refused('?start_time=2&end_time=1'), [400, 'INVALID_TIME_RANGE'])
    for (const query of ['?cursor=x', `?instrument_name=ETH-PERP&cursor=${next_cursor}`])
      assert.deepEqual(await refused(query), [400, 'INVALID_CURSOR'])
  })

  test('GET /liquidations has a forced close after its block, and not after its undoing', async () => {
    const first = await read()
    chain
      .next()
      .absorb('bob', 29_000n * quotePerLotTick, 0n)
      .next()
    await node.grow()
    const { liquidations } = await read()
    assert.deepEqual(liquidations.slice(1), first.liquidations)
    assert.deepEqual([liquidations[0]?.side, liquidations[0]?.amount], ['buy', '0.006'])
    await node.shrink()
    assert.deepEqual(await read(), first)
  })
})

describe('the liquidations channel', () => {
  const closed = () => {
    const live = channelScenario('ETH-PERP', 'BTC-PERP')
    const { scenario: chain, next } = live
    chain.on('ETH-PERP').index('ETH', 3000n * E18)
    for (const who of ['alice', 'bob']) chain.deposit(who, 'USDC', DEPOSIT)
    next()
    chain.place('bob', 'sell', 30_000, 10n).place('alice', 'buy', 30_000, 10n)
    next()
    return live
  }
  const absorb = ({ scenario: chain, next }: ReturnType<typeof closed>) => {
    chain.absorb('alice', 29_000n * quotePerLotTick, E18)
    next()
  }

  test('the liquidations channel sends each forced close of every market once', () => {
    const live = closed()
    const channel = live.node.open('liquidations')
    absorb(live)
    const [frame, ...others] = channel.take()
    assert.deepEqual(others, [])
    assertShape(frame)
    assert.equal(frame?.type, 'update')
    const { kind, side, price, amount } = frame?.data ?? {}
    assert.deepEqual([kind, side, price, amount], ['absorption', 'sell', '2900', '0.01'])
  })

  test('the liquidations channel sends the ids that an undo takes back', () => {
    const live = closed()
    const channel = live.node.open('liquidations')
    absorb(live)
    const ids = channel.take().map(({ data }) => data.liquidation_id)
    live.feed.undoBlock()
    live.node.follow()
    const [undo, ...others] = channel.take()
    assert.deepEqual(others, [])
    assert.deepEqual([undo?.type, undo?.data], ['undo', { ids }])
    assertShape(undo)
  })

  test('the liquidations channel continues after any feed entry, and its snapshot is null', async () => {
    const live = closed()
    const { seq } = live.node.model
    absorb(live)
    const channel = live.node.open('liquidations')
    const frames = (await channel.replay(seq)) ?? []
    assert.deepEqual(
      frames.map(({ data }) => data.kind),
      ['absorption'],
    )
    const first = await channel.snapshot()
    assert.equal(first.data, null)
    assertShape(first)
  })
})
