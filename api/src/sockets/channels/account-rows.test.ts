import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Fill, FundingPayment, Transfer } from '@openvenue/core/records'
import type { MarketName } from '@openvenue/core/test/scenario/listing'
import type { HistoryQuery, TransferQuery } from '@openvenue/store/history/account-history'
import { readAt, readOf } from '../../../test/block-reads.ts'
import { scenarioNode, settled, walletOf } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

/** Rows of a database that may be ahead of the node. */
type DatabaseRows = { fill: Fill[]; fundingPayment: FundingPayment[]; transfer: Transfer[] }

const walletOfNumber = (account: number) => `0x${account.toString().padStart(40, 'c')}`

/** A node whose database holds all rows of alice, and the queries sent to it. */
async function live(name: string, ...markets: MarketName[]) {
  const held: DatabaseRows = { fill: [], fundingPayment: [], transfer: [] }
  const asked: (HistoryQuery | TransferQuery | number)[] = []
  const all = scenarioNode(
    {
      rows: async (_, query) => {
        asked.push(query)
        return readAt(all.node.model, held.fill) as never
      },
      fundingPayments: async (_, limit) => {
        asked.push(limit)
        return readAt(all.node.model, held.fundingPayment)
      },
      transfers: async (query) => {
        asked.push(query)
        return readAt(all.node.model, held.transfer)
      },
      readWallets: async (accounts) =>
        readOf(new Map(accounts.map((account) => [account, walletOfNumber(account)]))),
    },
    ...markets,
  )
  const keep = (what: keyof DatabaseRows) =>
    all.node.model.on(what, ({ after }) => {
      if (after?.account === all.scenario.accountOf('alice')) held[what].unshift(after as never)
    })
  for (const what of ['fill', 'fundingPayment', 'transfer'] as const) keep(what)
  const open = () => all.node.open(name, walletOf(all.scenario, 'alice'))
  const channel = open()
  const first = await channel.snapshot()
  const take = async () => {
    await settled()
    return channel.take()
  }
  return { ...all, held, asked, open, first, take }
}

describe('fills', () => {
  test('the fills channel carries each fill in a message, with amount and filled', async () => {
    const { scenario, node, first, next, take } = await live('fills', 'ETH-USDC')
    assert.deepEqual(first.data.fills, [])
    scenario.place('alice', 'sell', 300_000, 5n)
    next()
    assert.deepEqual(await take(), [])
    scenario.place('bob', 'buy', 300_000, 2n).place('carol', 'buy', 300_000, 3n)
    next()
    const frames = await take()
    assert.deepEqual(
      frames.map(({ part, parts, data: { fill } }) => [
        part,
        parts,
        fill.amount,
        fill.filled,
        fill.order_status,
        fill.liquidity,
        fill.trade_type,
      ]),
      [
        [1, 2, '0.0002', '0.0002', 'partial', 'maker', 'trade'],
        [2, 2, '0.0003', '0.0003', 'filled', 'maker', 'trade'],
      ],
    )
    assert.equal(frames[0]?.data.timestamp, `${node.model.head?.seconds}000000000`)
    for (const frame of frames) assertShape(frame)
  })

  test('fills carry a forced close as a liquidation, off the book without an order', async () => {
    const { scenario, open, next, take } = await live('fills', 'ETH-PERP')
    scenario.deposit('alice', 'USDC', 1000n).deposit('bob', 'USDC', 1000n)
    scenario.place('bob', 'sell', 30_000, 10n).place('alice', 'buy', 30_000, 10n)
    scenario.place('bob', 'buy', 29_000, 4n)
    next()
    await take()
    scenario.liquidate('alice', { tick: 29_000, lots: 4n, fee: 7n })
    scenario.absorb('alice', 29_000n, 0n)
    next()
    const frames = await take()
    assert.deepEqual(
      frames.map(({ data: { fill } }) => [
        fill.trade_type,
        fill.side,
        fill.order_id === null,
        fill.liquidity,
        fill.order_status,
        'liquidation_fee' in fill,
      ]),
      [
        ['liquidation', 'sell', false, 'taker', 'filled', true],
        ['liquidation', 'sell', true, null, null, true],
      ],
    )
    for (const frame of frames) assertShape(frame)
    assertShape(await open().snapshot())
  })

  test('the fills channel begins with the newest 50 of all markets, in the view that is read', async () => {
    const { scenario, node, next, asked, open } = await live('fills', 'ETH-USDC', 'ETH-PERP')
    scenario.on('ETH-USDC').place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 2n)
    next()
    const frame = await open().snapshot()
    assert.equal(frame.data.fills[0].filled, '0.0002')
    assertShape(frame)
    assert.deepEqual(asked.at(-1), {
      account: scenario.accountOf('alice'),
      markets: [...node.model.markets].map(({ market }) => market.id),
      fromSeconds: 0,
      toSeconds: 1e12,
      isAscending: false,
      limit: 50,
    })
  })

  test('the fills channel sends the ids of the fills that an undo takes back', async () => {
    const { scenario, feed, node, next, take } = await live('fills', 'ETH-USDC')
    scenario.place('alice', 'sell', 300_000, 5n).place('bob', 'buy', 300_000, 2n)
    next()
    const [first] = await take()
    feed.undoBlock()
    node.follow()
    const [undo, ...others] = await take()
    assert.deepEqual(others, [])
    assert.deepEqual([undo?.type, undo?.data], ['undo', { ids: [first?.data.fill.trade_id] }])
    assertShape(undo)
  })
})

describe('fundings', () => {
  test('the fundings channel carries each funding payment', async () => {
    const { scenario, first, next, take, open } = await live('fundings', 'ETH-PERP')
    assert.deepEqual(first.data.fundings, [])
    scenario.place('alice', 'buy', 30_000, 5n).place('bob', 'sell', 30_000, 5n)
    scenario.next(3600).poke()
    scenario.next(3600).poke()
    next()
    const frames = await take()
    assert.ok(frames.length > 0)
    for (const frame of frames) {
      assert.equal(frame.data.trade_type, 'funding')
      assertShape(frame)
    }
    const snapshot = await open().snapshot()
    assert.deepEqual(snapshot.data.fundings[0], frames.at(-1)?.data)
    assertShape(snapshot)
  })
})

describe('transactions', () => {
  test('the transactions channel carries each deposit, withdrawal and transfer, with an id and the other wallet', async () => {
    const { scenario, next, take } = await live('transactions', 'ETH-USDC')
    scenario.deposit('alice', 'USDC', 7n).transfer('alice', 'bob', { symbol: 'USDC', whole: 3n })
    scenario.deposit('bob', 'USDC', 7n)
    next()
    const frames = await take()
    assert.deepEqual(
      frames.map(({ data }) => [data.tx_type, data.amount, data.counter_party !== null]),
      [
        ['deposit', '7', false],
        ['send', '3', true],
      ],
    )
    assert.match(frames[0]?.data.transaction_id, /^\d{12}-\d{6}$/)
    for (const frame of frames) assertShape(frame)
  })
})
