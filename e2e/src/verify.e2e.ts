// A lying venue is caught by comparing its answers with the chain.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { until } from '@openvenue/core/test/until'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { MismatchError, Rest, type shapes } from 'openvenue'
import { ChainView, type FoldedBlock } from 'openvenue/chain'
import {
  ChainError,
  namedContracts,
  type VenueContracts,
  verifyBalances,
  verifyBook,
  verifyFills,
  verifyOrder,
  verifyTrades,
} from 'openvenue/verify'
import { encodeFunctionData, parseUnits } from 'viem'
import { type AccountClient, openAccount } from './account-client.ts'
import { readBlockHash } from './compare.ts'
import { type Lie, type LyingServer, startLyingServer } from './lying-server.ts'
import { type SettledRpc, settledRpc } from './settled-rpc.ts'
import { copyDeployed, newDataDir } from './venue.ts'
import { isAlive, startProcess, type VenueProcess } from './venue-process.ts'

const MARKETS = ['ETH-USDC', 'ETH-PERP']
const TRADER = ROLES.traders[0]
const LEVELS_MIN = 10
const DEADLINE_MS = 60_000
const POLL_MS = 20

const dataDir = newDataDir()
let venue: VenueProcess
let server: LyingServer
let account: AccountClient
let rest: Rest
let rpc: SettledRpc
let contracts: VenueContracts

before(async () => {
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, {
    env: { RATE_LIMIT_PRIVATE: 'off', RATE_LIMIT_REGISTER: 'off' },
  })
  account = await openAccount(venue, TRADER)
  await serve()
  rpc = settledRpc(venue.rpcUrl)
  const { accounts, spot, perps, oracles, lens, startBlock: fromBlock } = venue.deployment
  contracts = { accounts, spot, perps, oracles, lens, fromBlock }
  for (const market of MARKETS) await awaitDepth(market)
})

/** Puts the lying server in front of the running venue. */
async function serve(): Promise<void> {
  server = await startLyingServer(venue.apiUrl)
  rest = new Rest({ url: server.url, apiKey: account.registered.apiKey })
}

/** A new venue begins with empty books. */
async function awaitDepth(instrument_name: string): Promise<void> {
  const isDeep = async () => {
    const { bids, asks } = await rest.call('GET /orderbook', { query: { instrument_name } })
    return Math.min(bids.length, asks.length) >= LEVELS_MIN
  }
  await until(`${instrument_name} has its levels`, isDeep, DEADLINE_MS)
}

after(async () => {
  await server?.stop()
  venue?.process.kill('SIGTERM')
  await venue?.ended
  if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Checks; retries when the node, which keeps the state of few blocks, moved on meanwhile. */
async function settled<T>(check: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;)
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof ChainError) || Date.now() > deadline) throw error
    }
}

/** Expects `check` to find the change of `lie` in answers to `path`, and nothing without it. */
async function expectCaught(
  path: string,
  lie: Lie,
  check: () => Promise<unknown>,
): Promise<string> {
  await settled(check)
  const stop = server.lie(path, lie)
  try {
    await settled(check)
  } catch (error) {
    assert.ok(error instanceof MismatchError, String(error))
    return error.message
  } finally {
    stop()
  }
  assert.fail(`a lie in ${path} is caught`)
}

const lieInBook =
  (change: (book: shapes.OrderBook) => void): Lie =>
  ({ body }) =>
    change(body)

for (const market of MARKETS) {
  const path = `/orderbook/${market}`
  const check = () => verifyBook(rest, rpc, market, { contracts })

  test(`an honest book of ${market} equals the chain's, at the block of the answer`, async () => {
    const { book, block, market: verified } = await check()
    assert.ok(Math.min(book.bids.length, book.asks.length) >= LEVELS_MIN / 2)
    assert.equal(await readBlockHash(rpcAt(venue.rpcUrl), block.number), block.hash)
    assert.equal((await verifyBook(rest, rpc, verified.id, { contracts })).market.id, verified.id)
  })

  test(`a book of ${market} with a changed amount is caught, with both values`, async () => {
    let [said = '', price = ''] = []
    const lie = lieInBook(({ bids }) => {
      const level = bids[3] as { price: string; amount: string }
      price = level.price
      said = level.amount = String(BigInt(level.amount) + 1n)
    })
    const message = await expectCaught(path, lie, check)
    const expected = `bids[${price}].amount: venue ${said}, chain ${BigInt(said) - 1n}`
    assert.ok(message.includes(expected), message)
  })

  test(`a book of ${market} without one of its levels is caught`, async () => {
    const lie = lieInBook(({ asks }) => asks.splice(2, 1))
    assert.match(await expectCaught(path, lie, check), /asks\[\d+\]\.price: venue nothing/)
  })
}

test('the contracts named by the venue are those of its deployment', async () => {
  assert.deepEqual(await namedContracts(rest), contracts)
  await verifyBook(rest, rpc, 'ETH-PERP')
})

test('a book of another market under the requested name is caught', async () => {
  const other = await rest.call('GET /markets/{instrument_id}', {
    path: { instrument_id: 'BTC-PERP' },
  })
  const stop = server.lie('/markets/ETH-PERP', ({ body }) => Object.assign(body, other))
  const check = () => verifyBook(rest, rpc, 'ETH-PERP', { contracts })
  await assert.rejects(check, /instrument_name: venue ETH-PERP, chain BTC-PERP/)
  stop()
})

test("an answer that names a block which is not the chain's is caught", async () => {
  const lie: Lie = ({ headers }) => headers.set('x-block-hash', `0x${'ab'.repeat(32)}`)
  const check = () => verifyBook(rest, rpc, 'ETH-PERP', { contracts })
  assert.match(await expectCaught('/orderbook', lie, check), /hash: venue 0xabab/)
})

test("an order equals the chain's from its placement on, and a changed one is caught", async () => {
  const filled = await findOrder(({ filled, avg_price }) => filled !== '0' && avg_price !== '0')
  const check = () => verifyOrder(rest, rpc, filled.order_id, { contracts })
  const changed =
    (change: object): Lie =>
    ({ body }) =>
      Object.assign(body, change)
  const caught = (change: object) => expectCaught('/orders/', changed(change), check)
  assert.equal((await settled(check)).isOnChain, true)
  assert.match(await caught({ filled: '0' }), /filled: venue 0/)
  assert.match(await caught({ order_status: 'opened' }), /order_status: venue opened/)
  assert.match(await caught({ fees: '1234' }), /fees: venue 1234/)
  assert.match(await caught({ avg_price: '1' }), /avg_price: venue 1,/)
  assert.match(await caught({ block_number: 1 + Number(filled.block_number) }), /chain_order_id/)
})

test('an order that rests, and one that was cancelled, equal those of the chain', async () => {
  const { orders } = await rest.call('GET /open-orders')
  const open = orders.find(({ order_status }) => order_status === 'opened')
  const cancelled = await findOrder(({ order_status }) => order_status === 'cancelled')
  for (const order of [open, cancelled]) {
    assert.ok(order)
    assert.ok((await verifyOrder(rest, rpc, order.order_id, { contracts })).isOnChain)
    const chainId = order.chain_order_id ?? ''
    await verifyOrder(rest, rpc, chainId, { contracts })
  }
})

/** Returns an order of the history, which fills while the traders trade. */
async function findOrder(matches: (order: shapes.Order) => boolean): Promise<shapes.Order> {
  const find = async () => {
    const { order_history } = await rest.call('GET /order-history', { query: { limit: 1000 } })
    return order_history.find((order) => order.block_number !== null && matches(order))
  }
  return until('the trader has such an order', find, DEADLINE_MS)
}

test('fills equal the logs, and a changed, a missing or an invented fill is caught', async () => {
  await findOrder(({ filled }) => filled !== '0')
  const check = () => verifyFills(rest, rpc, account.registered.account, { contracts, limit: 50 })
  const caught = (change: (fills: shapes.Fill[]) => void) => {
    const lie = ({ body }: { body: shapes.FillsPage }) =>
      change(body.trade_history as shapes.Fill[])
    return expectCaught('/trade-history', lie as never, check)
  }
  const { fills } = await settled(check)
  assert.ok(fills.length > 0)
  const price = await caught(([fill]) => Object.assign(fill as object, { price: '1' }))
  assert.match(price, /price: venue 1, chain \d/)
  assert.match(await caught((all) => all.shift()), /trade_id: venue nothing/)
  const invent = (all: shapes.Fill[]) =>
    all.push({ ...all[0], trade_id: '000000000001-000000-t' } as never)
  assert.match(await caught(invent), /trade_id: venue 000000000001-000000-t, chain nothing/)
})

test('public trades equal the logs of the chain, without a key', async () => {
  const anybody = new Rest({ url: server.url })
  const check = () => verifyTrades(anybody, rpc, 'ETH-PERP', { contracts, limit: 5 })
  // A new venue begins without trades.
  const areEnough = async () => (await settled(check)).trades.length >= 5
  await until('there are five trades', areEnough, DEADLINE_MS)
  const lie = ({ body }: { body: shapes.Trade[] }) =>
    Object.assign(body[2] as object, { side: 'none' })
  assert.match(
    await expectCaught('/markets/ETH-PERP/trades', lie as never, check),
    /side: venue none/,
  )
})

test("balances, margins and positions equal the chain's, and a changed one is caught", async () => {
  const check = () => verifyBalances(rest, rpc, account.registered.account, { contracts })
  const caught = (change: (body: shapes.Account) => void) =>
    expectCaught('/account', (({ body }: { body: shapes.Account }) => change(body)) as never, check)
  const { account: body } = await settled(check)
  assert.ok(body.collaterals.some(({ locked_balance }) => Number(locked_balance) > 0))
  assert.ok(body.positions.length > 0)
  const row = (all: shapes.Account, type: string) =>
    all.collaterals.find((collateral) => collateral.instrument_type === type) as { balance: string }
  assert.match(
    await caught((all) => Object.assign(row(all, 'SPOT'), { balance: '7' })),
    /balance: venue 7/,
  )
  assert.match(
    await caught((all) => Object.assign(row(all, 'PERPETUAL'), { balance: '8' })),
    /balance: venue 8/,
  )
  assert.match(await caught((all) => Object.assign(all, { equity: '9' })), /equity: venue 9/)
  assert.match(
    await caught((all) => {
      all.positions = all.positions.filter((position) => position.instrument_type !== 'PERPETUAL')
    }),
    /positions\[0x\w+\]\.side: venue nothing/,
  )
})

test('the chain gives the same books, orders, positions and balances as the API', async (context) => {
  const startedMs = performance.now()
  view = await ChainView.open({ rpc, contracts, nextHead: soon })
  const ms = Math.round(performance.now() - startedMs)
  context.diagnostic(`the view of ${view.head.number} blocks opened in ${ms} ms`)
  assert.deepEqual([...view.markets].sort(), (await rest.call('GET /markets')).map(nameOf).sort())
  await expectSameAsApi()
})

let view: ChainView
const soon = () => sleep(POLL_MS)
const nameOf = ({ instrument_name }: { instrument_name: string }) => instrument_name

/** Compares the view with the API as soon as both are at one block. */
async function expectSameAsApi(): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  for await (const { number } of view.blocks(signal)) {
    const [account, open, ...books] = await Promise.all([
      rest.ask('GET /account'),
      rest.ask('GET /open-orders', { query: { limit: 1000 } }),
      ...MARKETS.map((instrument_name) =>
        rest.ask('GET /orderbook', { query: { instrument_name } }),
      ),
    ])
    if ([account, open, ...books].some(({ blockNumber }) => blockNumber !== number)) continue
    compareBooks(books.map(({ body }) => body))
    compareAccount(account.body, open.body.orders)
    return
  }
  assert.fail('the view and the API are at one block in time')
}

function compareBooks(books: readonly shapes.OrderBook[]): void {
  for (const [index, { bids, asks }] of books.entries()) {
    const market = MARKETS[index] ?? ''
    const chain = view.book(market)
    const raw = ([price, amount, orders]: readonly string[]) => {
      const [quote, base] = market === 'ETH-PERP' ? [18, 18] : [6, 18]
      return {
        price: String(parseUnits(price ?? '', quote)),
        amount: String(parseUnits(amount ?? '', base)),
        orders: Number(orders),
      }
    }
    assert.deepEqual({ bids: chain.bids.map(raw), asks: chain.asks.map(raw) }, { bids, asks })
    assert.deepEqual(view.book(market, 1).bids, chain.bids.slice(0, 1))
  }
}

function compareAccount(body: shapes.Account, listed: readonly shapes.Order[]): void {
  const wallet = account.registered.account
  const there = new Map(
    listed
      .filter(({ chain_order_id }) => chain_order_id !== null)
      .map((order) => [order.order_id, order]),
  )
  const orders = view.orders(wallet)
  assert.deepEqual(orders.map(({ order_id }) => order_id).sort(), [...there.keys()].sort())
  for (const order of orders) expectMembers(order, there.get(order.order_id))
  const perps = body.positions.filter((position) => position.instrument_type === 'PERPETUAL')
  const listedById = new Map(perps.map((position) => [position.instrument_id, position]))
  const positions = view.positions(wallet)
  assert.equal(positions.length, listedById.size)
  for (const position of positions) expectMembers(position, listedById.get(position.instrument_id))
  const { tokens, collateral, ...margin } = view.balances(wallet) ?? assert.fail('it has balances')
  assert.equal(collateral, body.balance)
  const { equity, initial_margin, maintenance_margin, available_balance } = margin
  expectMembers({ equity, initial_margin, maintenance_margin, available_balance }, body)
  for (const { address, free, locked } of tokens) {
    const row = body.collaterals.find(
      (collateral) =>
        collateral.instrument_type === 'SPOT' && collateral.collateral_address === address,
    )
    expectMembers({ available_balance: free, locked_balance: locked }, row)
  }
}

/** Each member of `chain` equals that of `venue`, which has more. */
function expectMembers(chain: object, venue: object | undefined): void {
  const same = Object.keys(chain).map((name) => [name, venue?.[name as keyof typeof venue]])
  assert.deepEqual(chain, Object.fromEntries(same))
}

test('the view of the chain continues when the venue is killed', async () => {
  await server.stop()
  venue.process.kill('SIGKILL')
  await venue.ended
  await assert.rejects(rest.call('GET /time'))
  const wallet = account.registered.account
  await mined(() => mine())
  const [order] = view.orders(wallet).filter(({ instrument_type }) => instrument_type === 'SPOT')
  assert.ok(order)
  await mined(() => cancel(order.chain_order_id))
  assert.ok(!view.orders(wallet).some(({ order_id }) => order_id === order.order_id))
})

test('the view of the chain undoes what the chain undid, and equals a fresh view', async () => {
  const wallet = account.registered.account
  const before = pictureOf(view)
  const { number, hash } = view.head
  const snapshot = await rpcAt(venue.rpcUrl).call('evm_snapshot')
  for (const order of view.orders(wallet).slice(0, 3))
    await mined(() => cancel(order.chain_order_id))
  assert.notDeepEqual(pictureOf(view).orders, before.orders)
  const height = view.head.number - number
  await rpcAt(venue.rpcUrl).call('evm_revert', snapshot)
  for (let block = 0; block <= height; block++) await mine(OTHER_SECONDS)
  const undone = await nextBlock()
  assert.equal(undone.undone, height)
  assert.equal(view.head.number, number + height + 1)
  assert.notEqual(view.head.hash, hash)
  assert.deepEqual(pictureOf(view).orders, before.orders)
  const fresh = await ChainView.open({ rpc, contracts, logRangeBlocks: 50 })
  assert.deepEqual(pictureOf(view), pictureOf(fresh))
})

/** A distance in seconds that no real blocks had. */
const OTHER_SECONDS = 3

const pictureOf = (of: ChainView) => ({
  orders: of.orders(account.registered.account),
  positions: of.positions(account.registered.account),
  balances: of.balances(account.registered.account),
  books: of.markets.map((market) => of.book(market)),
})

/** Runs an action that mines one block, and resolves when the view has folded it. */
async function mined(act: () => Promise<unknown>): Promise<void> {
  const next = nextBlock()
  await act()
  await next
}

async function nextBlock(): Promise<FoldedBlock> {
  const { value } = await view.blocks(AbortSignal.timeout(DEADLINE_MS)).next()
  return value ?? assert.fail('the view hears of a block in time')
}

/** There is no other miner once the venue is gone. */
async function mine(seconds = 1): Promise<void> {
  const chain = rpcAt(venue.rpcUrl)
  const latest = (await chain.call('eth_getBlockByNumber', 'latest', false)) as {
    timestamp: string
  }
  await chain.call('evm_mine', quantity(Number(latest.timestamp) + seconds))
}

async function cancel(chainOrderId: string): Promise<void> {
  const data = encodeFunctionData({
    abi: spotAbi,
    functionName: 'cancel',
    args: [Number.parseInt(chainOrderId.slice(42, 50), 16), Number(`0x${chainOrderId.slice(50)}`)],
  })
  const from = account.registered.account
  const tx = { from, to: chainOrderId.slice(0, 42), data, gas: quantity(GAS) }
  await rpcAt(venue.rpcUrl).call('eth_sendTransaction', tx)
  await mine()
}

const GAS = 1_000_000

test('a restarted venue agrees with the view of the chain that was folded meanwhile', async () => {
  venue = await startProcess(dataDir, { env: { RATE_LIMIT_PRIVATE: 'off' } })
  rpc.url = venue.rpcUrl
  await serve()
  await expectSameAsApi()
})
