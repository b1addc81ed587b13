// A venue that lies is caught by whoever compares its answers with the chain.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROLES } from '@openvenue/devnet/roles'
import { MismatchError, Rest, type shapes } from 'openvenue'
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
import { createPublicClient, http, type PublicClient } from 'viem'
import { type AccountClient, openAccount } from './account-client.ts'
import { type Lie, type LyingServer, startLyingServer } from './lying-server.ts'
import { newDataDir } from './venue.ts'
import { isAlive, startProcess, type VenueProcess } from './venue-process.ts'

const MARKETS = ['ETH-USDC', 'ETH-PERP']
const LEVELS_MIN = 10
const DEADLINE_MS = 60_000
const POLL_MS = 20

const dataDir = newDataDir()
let venue: VenueProcess
let server: LyingServer
let account: AccountClient
let rest: Rest
let rpc: PublicClient
let contracts: VenueContracts

before(async () => {
  venue = await startProcess(dataDir, {
    env: { RATE_LIMIT_PRIVATE: 'off', RATE_LIMIT_REGISTER: 'off' },
  })
  server = await startLyingServer(venue.apiUrl)
  account = await openAccount(venue, ROLES.traders[0] as number)
  const { apiKey: key, apiSecret: secret } = account.registered
  rest = new Rest({ url: server.url, apiKey: { key, secret } })
  rpc = settledClient(venue.rpcUrl)
  const { accounts, spot, perps, lens, startBlock: fromBlock } = venue.deployment
  contracts = { accounts, spot, perps, lens, fromBlock }
  for (const market of MARKETS) await awaitDepth(market)
})
/** A new venue begins with empty books. */
async function awaitDepth(instrument_name: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const { bids, asks } = await rest.call('GET /orderbook', { query: { instrument_name } })
    if (Math.min(bids.length, asks.length) >= LEVELS_MIN) return
    assert.ok(Date.now() < deadline, `${instrument_name} has its levels in time`)
    await sleep(POLL_MS)
  }
}

after(async () => {
  await server?.stop()
  venue?.process.kill('SIGKILL')
  if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** While anvil makes a block, a question about the one before may get the new state. */
function settledClient(url: string): PublicClient {
  const client = createPublicClient({ transport: http(url), pollingInterval: POLL_MS })
  const { request } = client
  let wanted = 0n
  return Object.assign(client, {
    request: async (args: { method: string; params?: readonly unknown[] }) => {
      if (args.method === 'eth_getBlockByNumber') wanted = BigInt(String(args.params?.[0]))
      if (args.method === 'eth_call')
        while (BigInt(await request({ method: 'eth_blockNumber' })) <= wanted) await sleep(POLL_MS)
      return request(args as never)
    },
  }) as PublicClient
}

/** Checks; again when the node, which keeps the state of few blocks, moved on meanwhile. */
async function settled<T>(check: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;)
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof ChainError) || Date.now() > deadline) throw error
    }
}

/** Expects `check` to find what `lie` changes in answers to `path`, and nothing without it. */
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

  test(`an honest book of ${market} is the chain's, at the block of the answer`, async () => {
    const { book, block, market: found } = await check()
    assert.ok(Math.min(book.bids.length, book.asks.length) >= LEVELS_MIN / 2)
    assert.equal((await rpc.getBlock({ blockNumber: BigInt(block.number) })).hash, block.hash)
    assert.equal((await verifyBook(rest, rpc, found.id, { contracts })).market.id, found.id)
  })

  test(`a book of ${market} with a changed amount is caught, with both values`, async () => {
    let [said = '', price = ''] = []
    const lie = lieInBook(({ bids }) => {
      const level = bids[3] as { price: string; amount: string }
      price = level.price
      said = level.amount = String(BigInt(level.amount) + 1n)
    })
    const message = await expectCaught(path, lie, check)
    const expected = `bids[${price}].amount: the venue says ${said}, the chain ${BigInt(said) - 1n}`
    assert.ok(message.includes(expected), message)
  })

  test(`a book of ${market} without one of its levels is caught`, async () => {
    const lie = lieInBook(({ asks }) => asks.splice(2, 1))
    assert.match(await expectCaught(path, lie, check), /asks\[\d+\]\.price: the venue says nothing/)
  })
}

test('the contracts that the venue names are those of its deployment', async () => {
  assert.deepEqual(await namedContracts(rest), contracts)
  await verifyBook(rest, rpc, 'ETH-PERP')
})

test('a book of another market under the name is caught', async () => {
  const other = await rest.call('GET /markets/{instrument_id}', {
    path: { instrument_id: 'BTC-PERP' },
  })
  const stop = server.lie('/markets/ETH-PERP', ({ body }) => Object.assign(body, other))
  const check = () => verifyBook(rest, rpc, 'ETH-PERP', { contracts })
  await assert.rejects(check, /instrument_name: the venue says ETH-PERP, the chain BTC-PERP/)
  stop()
})

test('an answer that names a block which is not the chain’s is caught', async () => {
  const lie: Lie = ({ headers }) => headers.set('x-block-hash', `0x${'ab'.repeat(32)}`)
  const check = () => verifyBook(rest, rpc, 'ETH-PERP', { contracts })
  assert.match(await expectCaught('/orderbook', lie, check), /hash: the venue says 0xabab/)
})

test('an order is the chain’s from its placement on, and a changed fill or status is caught', async () => {
  const filled = await findOrder(({ filled, avg_price }) => filled !== '0' && avg_price !== '0')
  const check = () => verifyOrder(rest, rpc, filled.order_id, { contracts })
  const changed =
    (change: object): Lie =>
    ({ body }) =>
      Object.assign(body, change)
  const caught = (change: object) => expectCaught('/orders/', changed(change), check)
  assert.equal((await settled(check)).isOnChain, true)
  assert.match(await caught({ filled: '0' }), /filled: the venue says 0/)
  assert.match(await caught({ order_status: 'opened' }), /order_status: the venue says opened/)
  assert.match(await caught({ fees: '1234' }), /fees: the venue says 1234/)
  assert.match(await caught({ avg_price: '1' }), /avg_price: the venue says 1,/)
  assert.match(await caught({ block_number: 1 + Number(filled.block_number) }), /chain_order_id/)
})

test('an order that rests, and one that was cancelled, are the chain’s', async () => {
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
async function findOrder(wanted: (order: shapes.Order) => boolean): Promise<shapes.Order> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const { order_history } = await rest.call('GET /order-history', { query: { limit: 1000 } })
    const found = order_history.find((order) => order.block_number !== null && wanted(order))
    if (found !== undefined) return found
    assert.ok(Date.now() < deadline, 'the trader has such an order in time')
    await sleep(POLL_MS)
  }
}

test('fills are those of the logs: a changed price, a missing and an invented one are caught', async () => {
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
  assert.match(price, /price: the venue says 1, the chain \d/)
  assert.match(await caught((all) => all.shift()), /trade_id: the venue says nothing/)
  const invent = (all: shapes.Fill[]) =>
    all.push({ ...all[0], trade_id: '000000000001-000000-t' } as never)
  assert.match(await caught(invent), /the chain nothing/)
})

test('public trades are those of the logs, without a key', async () => {
  const anybody = new Rest({ url: server.url })
  const check = () => verifyTrades(anybody, rpc, 'ETH-PERP', { contracts, limit: 5 })
  assert.equal((await settled(check)).trades.length, 5)
  const lie = ({ body }: { body: shapes.Trade[] }) =>
    Object.assign(body[2] as object, { side: 'none' })
  assert.match(
    await expectCaught('/markets/ETH-PERP/trades', lie as never, check),
    /side: the venue says none/,
  )
})

test('balances, margins and positions are the chain’s, and each changed one is caught', async () => {
  const check = () => verifyBalances(rest, rpc, account.registered.account, { contracts })
  const caught = (change: (body: shapes.Account) => void) =>
    expectCaught('/account', (({ body }: { body: shapes.Account }) => change(body)) as never, check)
  const { account: body } = await settled(check)
  assert.ok(body.collaterals.some(({ locked_balance }) => Number(locked_balance) > 0))
  assert.ok(body.positions.length > 0)
  const row = (all: shapes.Account, type: string) =>
    all.collaterals.find((one) => one.instrument_type === type) as { balance: string }
  assert.match(
    await caught((all) => Object.assign(row(all, 'SPOT'), { balance: '7' })),
    /balance: the venue says 7/,
  )
  assert.match(
    await caught((all) => Object.assign(row(all, 'PERPETUAL'), { balance: '8' })),
    /balance: the venue says 8/,
  )
  assert.match(
    await caught((all) => Object.assign(all, { equity: '9' })),
    /equity: the venue says 9/,
  )
  assert.match(
    await caught((all) => {
      all.positions = all.positions.filter((one) => one.instrument_type !== 'PERPETUAL')
    }),
    /positions\[0x\w+\]\.side: the venue says nothing/,
  )
})
