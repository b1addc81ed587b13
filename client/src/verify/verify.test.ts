import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERP_ENGINE, SPOT_ENGINE, TOKENS } from '@openvenue/core/test/scenario/listing'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { replay } from '@openvenue/core/test/scenario/replay'
import type { OrderItem } from '@openvenue/wire/orders'
import { fillRows, orderRows, restOf } from '../../test/api-rows.ts'
import { ACCOUNTS, contractBlocks, ORACLE } from '../../test/event-logs.ts'
import { FakeChain, type Views } from '../../test/fake-chain.ts'
import { ChainError } from '../chain/rpc.ts'
import { MismatchError, UnexpectedAnswerError } from '../errors.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView } from './block-view.ts'
import { readLocked } from './locked.ts'
import { verifyFills } from './verify-fills.ts'
import { verifyOrder } from './verify-order.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20261123)
const BLOCKS = 200
const NONE_ABOVE = 2 ** 24 - 1
const ZERO_ORDER = { account: 0, lots: 0n, prev: 0, next: 0, tick: 0, flags: 0, goodTil: 0 }

const blocks = contractBlocks(randomScenario(SEED, BLOCKS))
const replayed = replay(blocks)
const { records } = replayed.state
const contracts = {
  accounts: ACCOUNTS,
  spot: SPOT_ENGINE,
  perps: PERP_ENGINE,
  oracles: [ORACLE],
  lens: `0x${'1e'.repeat(20)}`,
  fromBlock: 1,
}
const wallets = new Map(
  blocks.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.type === 'AccountOpened' ? [[event.account, event.wallet] as const] : [],
    ),
  ),
)
const walletOf = (account: number) => wallets.get(account) ?? ''
const marketAt = (engine: string, number: unknown) => {
  const id = `${engine.toLowerCase()}${Number(number).toString(16).padStart(8, '0')}`
  return records.market.get(id)
}

/** Returns all orders of a side in the contract, where expired ones stay until they are swept. */
const restingOrders = (market: string) =>
  [
    ...[...records.order.values()].map((order) => ({ ...order, lots: order.restingLots })),
    ...[...records.unswept.values()],
  ].filter((order) => order.market === market)

const views: Views = {
  accountOf: ([wallet]) =>
    [...wallets].find(([, one]) => one === String(wallet).toLowerCase())?.[0] ?? 0,
  unitsOf: ([number], to) => {
    const market = marketAt(to, number)
    const { quotePerLotTick = 0n, amountStep = 0n, baseDecimals = 0 } = market ?? {}
    return { quotePerLotTick, amountStep, base: 1, quote: 2, halted: false, baseDecimals }
  },
  tokensOf: ([number], to) => {
    const { baseToken, quoteToken } = marketAt(to, number) ?? {}
    return [baseToken, quoteToken]
  },
  decimals: (_, to) =>
    Object.values(TOKENS).find(({ address }) => address === to.toLowerCase())?.decimals,
  orderAt: ([number, order], to) => {
    const resting = restingOrders(marketAt(to, number)?.id ?? '').find(
      (candidate) => candidate.number === order,
    )
    if (resting === undefined) return ZERO_ORDER
    const queue = restingOrders(resting.market).filter(
      (candidate) => candidate.tick === resting.tick && candidate.isBuy === resting.isBuy,
    )
    const next = queue
      .map((entry) => entry.number)
      .sort((a, b) => a - b)
      .find((next) => next > resting.number)
    return { ...ZERO_ORDER, ...resting, next: next ?? 0 }
  },
  marketCount: (_, to) =>
    [...records.market.values()].filter(({ engine }) => engine === to.toLowerCase()).length,
  books: ([engine, number]) => {
    const market = marketAt(String(engine), number)?.id
    const side = (isBuy: boolean) =>
      [...records.order.values()]
        .filter((order) => order.market === market && order.isBuy === isBuy)
        .sort((a, b) => (isBuy ? b.tick - a.tick : a.tick - b.tick) || a.number - b.number)
        .map(({ number: order, account, tick, restingLots: lots, goodTilSeconds: goodTil }) => ({
          ...{ order, account, tick, lots, goodTil },
        }))
    return [side(true), side(false)]
  },
  stateOf: ([number], to) => {
    const all = restingOrders(marketAt(to, number)?.id ?? '')
    const ticks = (isBuy: boolean) =>
      all.filter((entry) => entry.isBuy === isBuy).map(({ tick }) => tick)
    return {
      nextOrder: 1,
      bestBid: Math.max(0, ...ticks(true)),
      bestAsk: Math.min(NONE_ABOVE, ...ticks(false)),
      minOrderValue: 0n,
      maxOrderValue: 0n,
      changedTime: 0,
      freshOrders: 0,
      averageTick: 0,
    }
  },
  levelAt: ([number, tick], to) => {
    const all = restingOrders(marketAt(to, number)?.id ?? '').filter((entry) => entry.tick === tick)
    const numbers = all.map((entry) => entry.number).sort((a, b) => a - b)
    return { head: numbers[0] ?? 0, tail: 0, lots: 0n, count: numbers.length }
  },
  tickBelow: ([number, tick], to) => {
    const bids = restingOrders(marketAt(to, number)?.id ?? '').filter(({ isBuy }) => isBuy)
    return Math.max(0, ...bids.map((entry) => entry.tick).filter((level) => level < Number(tick)))
  },
  tickAbove: ([number, tick], to) => {
    const asks = restingOrders(marketAt(to, number)?.id ?? '').filter(({ isBuy }) => !isBuy)
    return Math.min(
      NONE_ABOVE,
      ...asks.map((entry) => entry.tick).filter((level) => level > Number(tick)),
    )
  },
}

function chain(): FakeChain {
  const rpc = new FakeChain(blocks)
  rpc.views = views
  return rpc
}

const page = (trade_history: unknown, has_next = false) =>
  new Map([['/trade-history', { trade_history, pagination: { has_next } }]])

describe(`checks over ${BLOCKS} random blocks, seed ${SEED}`, () => {
  test('every fill that the server lists is found in the logs, forced ones included', async () => {
    const kinds = new Set<string>()
    for (const [account, wallet] of wallets) {
      const rows = fillRows(replayed, account, wallet)
      for (const row of rows) kinds.add(row.trade_id.slice(-2))
      const { fills } = await verifyFills(restOf(blocks, page(rows)), chain(), wallet, {
        contracts,
      })
      assert.equal(fills.length, rows.length)
    }
    assert.deepEqual([...kinds].sort(), ['-f', '-g', '-m', '-t'])
  })

  test('a page of fills is checked against the chain from its oldest row onwards', async () => {
    const [account, wallet] = busiest()
    const rows = fillRows(replayed, account, wallet)
    const newest = rows.slice(0, 5)
    const check = (some: readonly unknown[]) =>
      verifyFills(restOf(blocks, page(some, true)), chain(), wallet, { contracts })
    assert.equal((await check(newest)).fills.length, 5)
    await assert.rejects(check([...newest.slice(0, 2), ...newest.slice(3)]), MismatchError)
  })

  test('an order of the server matches its logs in every status', async () => {
    const rows = oneOfEach(orderRows(replayed, walletOf))
    assert.ok(rows.length > 20, `${rows.length} kinds of orders`)
    const statuses = new Set<string>()
    for (const row of rows) {
      statuses.add(row.order_status)
      const rest = restOf(blocks, new Map([[`/orders/${row.order_id}`, row]]))
      const checked = await verifyOrder(rest, chain(), row.order_id, { contracts })
      assert.equal(checked.isOnChain, true)
    }
    assert.deepEqual([...statuses].sort(), ['cancelled', 'filled', 'opened', 'partial'])
  })

  test('locked amounts of a wallet include expired orders that have not been swept', async () => {
    const [block] = [(await viewOf()).block]
    assert.equal(block.number, BLOCKS)
    assert.ok(records.unswept.size > 0, 'the scenario has orders that expired')
    for (const [account] of wallets) {
      const locked = await readLocked(await viewOf(), contracts, {
        account,
        isExpiredCounted: true,
      })
      for (const { address } of Object.values(TOKENS)) {
        const expected = records.balance.get(`${account}|${address}`)?.locked ?? 0n
        assert.equal(locked.get(address) ?? 0n, expected, `${account} ${address}`)
      }
    }
  })
})

const viewOf = () =>
  BlockView.of(
    {
      body: undefined,
      blockNumber: BLOCKS,
      blockHash: blocks.at(-1)?.header.hash,
      rateLimit: undefined,
    },
    chain(),
  )

/** The newest order of each kind, way to end, and side of being filled. */
const oneOfEach = (rows: readonly OrderItem[]) => [
  ...new Map(
    rows.map((row) => {
      const { order_status, cancel_reason, time_in_force, reduce_only, system_type } = row
      const isFilled = row.filled !== '0'
      return [
        `${[order_status, cancel_reason, time_in_force, reduce_only, system_type, isFilled]}`,
        row,
      ]
    }),
  ).values(),
]

/** The account with the most fills. */
function busiest(): readonly [number, string] {
  const counts = [...wallets].map(
    ([account, wallet]) => [fillRows(replayed, account, wallet).length, account, wallet] as const,
  )
  const [, account, wallet] = counts.sort((a, b) => b[0] - a[0])[0] ?? [0, 0, '']
  return [account, wallet]
}

describe('a check that cannot be completed', () => {
  const [row] = orderRows(replayed, walletOf)
  const orderId = row?.order_id ?? ''
  const restWith = (change: object) =>
    restOf(blocks, new Map([[`/orders/${orderId}`, { ...row, ...change }]]))

  test('a check throws a ChainError if the logs of a node contradict its state', async () => {
    const resting = orderRows(replayed, walletOf).find((row) => row.order_status === 'partial')
    assert.ok(resting)
    const rpc = chain()
    const rest = restOf(blocks, new Map([[`/orders/${resting.order_id}`, resting]]))
    const fills = new Set(
      fillRows(replayed, accountOf(resting.account), resting.account)
        .filter((fill) => fill.order_id === resting.order_id)
        .map((fill) => `${fill.block_number} ${fill.log_index}`),
    )
    assert.ok(fills.size > 0)
    rpc.hides = (log) => fills.has(`${Number(log.blockNumber)} ${Number(log.logIndex)}`)
    await assert.rejects(verifyOrder(rest, rpc, resting.order_id, { contracts }), ChainError)
  })

  test('a check of an order that is not on the chain compares nothing', async () => {
    const pendingOrder = { chain_order_id: null, block_number: null, order_status: 'pending' }
    const checked = await verifyOrder(restWith(pendingOrder), chain(), orderId, { contracts })
    assert.equal(checked.isOnChain, false)
  })

  test('a check refuses an answer with another order than the requested one', async () => {
    const other = { order_id: '0x01', chain_order_id: '0x02' }
    await assert.rejects(
      verifyOrder(restWith(other), chain(), orderId, { contracts }),
      MismatchError,
    )
  })

  test('a check refuses a market of a contract that is not the venue’s', async () => {
    await assert.rejects(
      verifyOrder(restWith({ chain_order_id: '0xzz' }), chain(), orderId, { contracts }),
      UnexpectedAnswerError,
    )
    const foreign = { chain_order_id: `0x${'99'.repeat(20)}000000010000000000000001` }
    await assert.rejects(
      verifyOrder(restWith(foreign), chain(), orderId, { contracts }),
      /market 0x99\w+: engine: venue 0x99/,
    )
  })

  test('a check of too many log ranges is refused before any is read', async () => {
    const [account, wallet] = busiest()
    const rest = restOf(blocks, page(fillRows(replayed, account, wallet)))
    const rpc = chain()
    await assert.rejects(
      verifyFills(rest, rpc, wallet, { contracts, logRangeBlocks: 1 }),
      RangeError,
    )
    assert.ok(!rpc.methods.includes('eth_getLogs'))
    await verifyFills(rest, rpc, wallet, { contracts, logRangeBlocks: 2 })
  })

  test('a check throws if the answer has no block or the node is down', async () => {
    const check = (rest: Rest, rpc: FakeChain, signal?: AbortSignal) =>
      verifyFills(rest, rpc, walletOf(3), { contracts, signal })
    await assert.rejects(check(restOf([], page([])), chain()), UnexpectedAnswerError)
    const rpc = chain()
    rpc.failures = 1
    await assert.rejects(check(restOf(blocks, page([])), rpc), (error: ChainError) => {
      assert.ok(error instanceof ChainError)
      assert.equal((error.cause as Error).message, 'the node is down')
      return true
    })
  })

  test('a check waits for a node that is behind, until its signal aborts', async () => {
    const rpc = chain()
    rpc.blocks = blocks.slice(0, -1)
    const [account, wallet] = busiest()
    const rest = restOf(blocks, page(fillRows(replayed, account, wallet)))
    const stop = new AbortController()
    const stopped = verifyFills(rest, rpc, wallet, { contracts, signal: stop.signal })
    const pending = verifyFills(rest, rpc, wallet, { contracts })
    while (rpc.methods.length < 2) await new Promise(setImmediate)
    stop.abort(new Error('enough'))
    await assert.rejects(stopped, /enough/)
    rpc.blocks = blocks
    await pending
  })
})

const accountOf = (wallet: string) => [...wallets].find(([, one]) => one === wallet)?.[0] ?? 0
