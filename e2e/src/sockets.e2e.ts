// Compares the socket data, folded by a client, with REST at the same block, while traders trade.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { ROLES } from '@openvenue/devnet/roles'
import { formatUnits } from 'viem'
import { type AccountClient, openAccount } from './account-client.ts'
import { ask, type FeedFrame, type OrderBook, SocketProbe } from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

const COMPARED_MIN = 10
const MARKET = 'ETH-PERP'
const DECIMALS = 18

let venue: TestVenue
let client: AccountClient
let socket: SocketProbe
before(async () => {
  venue = await startVenue({ privateRate: undefined, registerRate: undefined })
  client = await openAccount(venue.devnet, ROLES.traders[0])
  socket = await SocketProbe.open(venue.devnet.apiUrl)
})
after(async () => {
  socket?.close()
  await venue?.remove()
})

type Level = readonly [price: string, amount: string, orders: string]
type BookData = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>
type Order = Readonly<{ order_id: string; order_status: string; remaining: string }>

test('a book folded from its channel equals REST, and no message is missing', async () => {
  const levels = { bids: new Map<string, string>(), asks: new Map<string, string>() }
  const texts = new Map<number, string>()
  const seqs = { last: 0, gaps: 0 }
  socket.onFrame((frame) => {
    if (frame.channel !== `orderbook:${MARKET}`) return
    if (frame.type !== 'snapshot' && frame.prev_seq !== seqs.last) seqs.gaps++
    seqs.last = frame.seq
    takeLevels(levels, frame)
    texts.set(frame.block_number, bookText(levels))
  })
  await socket.ask('subscribe', [`orderbook:${MARKET}`])
  for (let compared = 0; compared < COMPARED_MIN; compared++)
    await until(`another book is compared after ${compared}`, async () => {
      const { block, body } = await ask(venue.devnet.apiUrl, `/orderbook/${MARKET}`)
      const seen = texts.get(block)
      // A block that did not change the book has no message.
      if (seen === undefined) return false
      assert.equal(seen, textOfBook(body as OrderBook), `the book at block ${block}`)
      return texts.delete(block)
    })
  assert.equal(seqs.gaps, 0)
})

function takeLevels(
  levels: Record<'bids' | 'asks', Map<string, string>>,
  { type, data }: FeedFrame,
): void {
  for (const side of ['bids', 'asks'] as const) {
    if (type === 'snapshot') levels[side].clear()
    for (const [price, amount] of (data as BookData)[side])
      if (amount === '0') levels[side].delete(price)
      else levels[side].set(price, amount)
  }
}

const bookText = (levels: Record<'bids' | 'asks', Map<string, string>>) =>
  JSON.stringify([...levels.bids].sort()) + JSON.stringify([...levels.asks].sort())

function textOfBook({ bids, asks }: OrderBook): string {
  const side = (rows: OrderBook['bids']) =>
    rows
      .map(({ price, amount }) => [
        formatUnits(BigInt(price), DECIMALS),
        formatUnits(BigInt(amount), DECIMALS),
      ])
      .sort()
  return JSON.stringify(side(bids)) + JSON.stringify(side(asks))
}

/** Statuses on chain; pending orders are not in a block. */
const RESTING = new Set(['opened', 'partial'])

test('the orders of an account, folded from its channel, equal REST', async () => {
  await assert.rejects(() => socket.ask('subscribe', ['orders']), /AUTH_REQUIRED/)
  assert.equal(
    ((await socket.ask('auth', client.registered.apiKey)) as { account: string }).account,
    client.registered.account,
  )
  const open = new Map<string, string>()
  const texts = new Map<number, string>()
  socket.onFrame((frame) => {
    if (frame.channel !== 'orders') return
    if (frame.type === 'snapshot') open.clear()
    for (const { order_id, order_status, remaining } of (frame.data as { orders: Order[] }).orders)
      if (RESTING.has(order_status)) open.set(order_id, `${order_status} ${remaining}`)
      else open.delete(order_id)
    texts.set(frame.block_number, JSON.stringify([...open].sort()))
  })
  await socket.ask('subscribe', ['orders'])
  for (let compared = 0; compared < COMPARED_MIN; compared++)
    await until(`another state is compared after ${compared}`, async () => {
      const { block, body } = await client.ask('/open-orders?limit=1000')
      const seen = texts.get(block)
      if (seen === undefined) return false
      const rows = (body as { orders: Order[] }).orders
        .filter(({ order_status }) => RESTING.has(order_status))
        .map((order) => [order.order_id, `${order.order_status} ${order.remaining}`])
      assert.equal(seen, JSON.stringify(rows.sort()), `open orders at block ${block}`)
      return texts.delete(block)
    })
})
