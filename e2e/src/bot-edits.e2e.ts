// A bid of the bot is partly filled before and after its edit is signed: in either order, both
// trade no more than one of them quoted.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { until } from '@openvenue/core/test/until'
import { getCredentials } from '@openvenue/devnet/bots/credentials'
import { fundingTxs } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { Rest, type shapes } from 'openvenue'
import { loadVenue } from 'openvenue/signing'
import { encodeFunctionData, type Hex, parseUnits } from 'viem'
import { type ChainClient, createChainClient } from './chain-client.ts'
import { type Bidder, bidBody } from './order-bot/order-bot.ts'
import { newDataDir, startVenue, type TestVenue } from './venue.ts'

const MARKET = 'ETH-PERP'
const IOC = 1
const PLACE_GAS = 10_000_000

let venue: TestVenue
let chain: ChainClient
let client: Rest
let bidder: Bidder
let mark: bigint
const dataDir = newDataDir()
const walletOf = (index: number) => venue.devnet.wallets[index] ?? ''

before(async () => {
  venue = await startVenue({ historyHours: 0, pace: undefined })
  const { apiUrl, rpcUrl, deployment } = venue.devnet
  chain = createChainClient(rpcAt(rpcUrl))
  const [bot, other] = ROLES.visitors
  await chain.send([bot, other].flatMap((index) => fundingTxs(deployment, walletOf(index))))
  const credentials = await getCredentials({ apiUrl, dataDir }, bot)
  client = new Rest({ url: apiUrl, apiKey: credentials.apiKey })
  const loaded = await loadVenue(client)
  const path = { instrument_name: MARKET }
  const market = await client.call('GET /instrument/{instrument_name}', { path })
  mark = parseUnits(market.mark_price ?? '0', 18)
  bidder = { venue: loaded, market, credentials }
})
after(async () => {
  await venue?.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Sells lots at the bot's price from another wallet, through the contract. */
async function sell(lots: bigint, price: bigint): Promise<void> {
  const tick = Number(price / parseUnits(bidder.market.price_step, 18))
  const request = {
    market: 1,
    buy: false,
    tick,
    lots,
    timeInForce: IOC,
    reduceOnly: false,
    goodTil: 0,
    maxFills: 0,
  }
  const data = encodeFunctionData({ abi: perpsAbi, functionName: 'place', args: [request] })
  const { perps } = venue.devnet.deployment
  const from = walletOf(ROLES.visitors[1])
  await chain.send([{ from, to: perps as Hex, data, gas: PLACE_GAS }])
}

const read = (id: string, isRight: (order: shapes.Order) => boolean): Promise<shapes.Order> =>
  until(`order ${id} is as expected`, async () => {
    const order = await client.call('GET /orders/{order_id}', {
      path: { order_id: id },
      query: { include: 'closed' },
    })
    return isRight(order) && order
  })

const bid = (price: bigint, name: string, replaces?: string) =>
  bidBody(bidder, price, { clientOrderId: name, replaces })

test('an edit of a partly filled bid trades no more than the bid quoted', async () => {
  for (const [name, early, late] of [
    ['filled before it is signed', 60n, 0n],
    ['filled on its way', 0n, 60n],
    ['filled before and on its way', 50n, 10n],
  ] as const) {
    const first = await client.call('POST /orders', { body: await bid(mark, `${early}-${late}`) })
    const { chain_order_id: chainId } = await read(first.order_id, ({ chain_order_id: id }) => !!id)
    if (early > 0n) {
      await sell(early, mark)
      await read(first.order_id, ({ order_status: status }) => status === 'partial')
    }
    const body = await bid((mark * 99n) / 100n, `${early}-${late}-edit`, chainId ?? undefined)
    if (late > 0n) await sell(late, mark)
    const { order_id } = first
    const edit = await client.call('POST /orders/{order_id}', { path: { order_id }, body })
    const rests = await read(edit.order_id, ({ order_status: status }) => status === 'opened')
    assert.equal(parseUnits(rests.remaining, 4), 140n, name)
    await sell(1_000n, (mark * 99n) / 100n)
    const all = await Promise.all(
      [first, edit].map(({ order_id: id }) =>
        read(id, ({ order_status: status }) => status !== 'opened' && status !== 'partial'),
      ),
    )
    const filled = all.map((order) => parseUnits(order.filled, 4))
    assert.deepEqual(filled, [60n, 140n], name)
  }
})
