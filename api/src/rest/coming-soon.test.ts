// A venue whose trading is coming soon: it announces that everywhere, accepts no new order on any
// path, and everything else works.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Intent } from '@openvenue/store/intents/intents'
import { OrderFailure, SOCKET_REPLIES } from '@openvenue/wire/socket'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { registrationBody } from '../../test/key-node.ts'
import { freshDigest, intentOf } from '../../test/made-intents.ts'
import { type Client, type Frame, TRANSPORTS } from '../../test/socket-client.ts'
import { RELAY_STATUS } from '../../test/trading-node.ts'
import { type TradingSockets, tradingSockets } from '../../test/trading-sockets.ts'

const CODE = 'TRADING_NOT_LIVE'
const RETRY_SECONDS = 3600
const TICK = 150_000
const settings = { trading: 'coming_soon' } as const

/** Returns whether a reply has a shape, without narrowing its type. */
const isOf = (shape: object, reply: unknown): boolean => Value.Check(shape as never, reply)

describe('a venue whose trading is coming soon', () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP')
  let venue: TradingSockets
  const clients = new Map<string, Client>()
  before(async () => {
    venue = await tradingSockets(scenario, { settings })
    await venue.store.db.primary.query(
      'INSERT INTO cancellers (account, canceller, expiry_seconds) VALUES ($1, $2, $3)',
      [scenario.accountOf('alice'), RELAY_STATUS.canceller, 4_000_000_000],
    )
    for (const transport of TRANSPORTS)
      clients.set(transport, await venue.connectAs('alice', transport))
  })
  after(() => venue.close())

  const send = (what: string, body?: unknown) =>
    venue.send('alice', what, body === undefined ? {} : { body })
  const read = async (path: string) => (await send(`GET ${path}`)).body
  const textAt = async (url: string, accept: string) =>
    (await venue.hosts[0]?.inject({ url, headers: { accept } }))?.body ?? ''

  /** Adds an order that was accepted before; it waits in the queue. */
  async function earlier(given: Readonly<{ clientOrderId?: string }> = {}): Promise<string> {
    const intent = intentOf(scenario, 'alice', { ...given, id: freshDigest() })
    await venue.store.intents.add([intent])
    await venue.caughtUp()
    return intent.id
  }
  /** Adds an order that rests in the book. */
  async function resting(): Promise<string> {
    const id = await earlier()
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    return id
  }
  const stateOf = async (id: string) =>
    (await venue.store.intents.find([id]))[0]?.state as Intent['state'] | undefined

  for (const path of ['/health', '/version', '/markets/ETH-PERP', '/instrument/ETH-USDC', '/links'])
    test(`${path} announces that trading is coming soon`, async () => {
      assert.equal((await read(path)).trading, 'coming_soon')
    })

  test('every market and the network announce that trading is coming soon', async () => {
    const markets = (await read('/markets')) as { trading: string }[]
    assert.deepEqual(
      markets.map(({ trading }) => trading),
      ['coming_soon', 'coming_soon'],
    )
    assert.equal((await read('/info')).network.trading, 'coming_soon')
  })

  test('pages and Markdown documents announce that trading is coming soon', async () => {
    for (const [url, accept] of [
      ['/links', 'text/html'],
      ['/llms.txt', 'text/plain'],
    ] as const)
      assert.match(await textAt(url, accept), /Trading on this network is coming soon/, url)
  })

  for (const transport of TRANSPORTS)
    test(`sockets over ${transport} announce that trading is coming soon, in status and with every market`, async () => {
      const client = clients.get(transport) as Client
      const status = await client.ask('status')
      assert.ok(isOf(SOCKET_REPLIES.status, status), JSON.stringify(status))
      assert.equal(status.data.trading, 'coming_soon')
      await client.ask('subscribe', ['markets'])
      const { data } = await client.next((frame) => frame.channel === 'markets')
      for (const market of data) assert.equal(market.trading, 'coming_soon')
    })

  for (const [what, members] of [
    ['an order', {}],
    ['an order for the perpetual', { instrument: 'ETH-PERP', limit_price: `${15n * 10n ** 20n}` }],
    ['an order to reduce', { reduce_only: true }],
    ['an order with a trigger', { stop: 'STOP_LOSS', trigger: '3000000000' }],
    ['an order with a name', { client_order_id: 'mine' }],
  ] as const)
    test(`a venue whose trading is coming soon refuses ${what} on every path`, async () => {
      const body = await venue.orderOf('alice', members)
      const id = await earlier()
      for (const way of ['/orders', '/orders?wait=included', `/orders/${id}`, '/orders/build'])
        await expectRefused(`POST ${way}`, body)
      for (const orders of [[body], [body, await venue.orderOf('alice', members)]])
        await expectRefused('POST /batch-orders', { orders })
      for (const client of clients.values()) {
        expectFailure(await client.ask('create_order', body))
        expectFailure(await client.ask('edit_order', { order_id: id, ...body }))
      }
      const kept = await stateOf(id)
      assert.equal(kept, 'queued', 'what was to be replaced is still there')
    })

  async function expectRefused(what: string, body: unknown): Promise<void> {
    const refused = await send(what, body)
    assert.deepEqual([refused.status, refused.body.error], [503, CODE], what)
    assert.equal(refused.headers['retry-after'], String(RETRY_SECONDS), what)
  }
  function expectFailure(reply: Frame): void {
    assert.ok(isOf(OrderFailure, reply), JSON.stringify(reply))
    assert.equal(reply.error, CODE)
    assert.equal(reply.data.retryAfterMs, RETRY_SECONDS * 1000)
  }

  test('an order that was accepted before is answered in its current state', async () => {
    const intent = intentOf(scenario, 'alice', { id: freshDigest(), clientOrderId: 'known' })
    await venue.store.intents.add([intent])
    await venue.caughtUp()
    const found = await read('/orders/by-client-id/known')
    assert.deepEqual([found.order_id, found.order_status], [intent.id, 'pending'])
  })

  for (const [what, rest] of [
    ['in the queue', earlier],
    ['in the book', resting],
  ] as const)
    test(`a venue whose trading is coming soon cancels orders that are ${what}, on every path`, async () => {
      const isGone = async (id: string) => {
        const [own, promise] = [await stateOf(id), await stateOf(`cancel:${id}`)]
        assert.ok(own === 'withdrawn' || promise === 'queued', `${id} is ${own}`)
      }
      const ways: readonly ((id: string) => Promise<unknown>)[] = [
        (id) => send(`DELETE /orders/${id}`),
        (id) => send(`DELETE /orders?order_ids=${id}`),
        () => send('DELETE /orders?confirm=all'),
        () => send('DELETE /orders-all'),
        ...[...clients.values()].flatMap((client) => [
          (id: string) => client.ask('cancel_order', { order_id: id }),
          (id: string) => client.ask('cancel_orders', { order_ids: [id] }),
          () => client.ask('cancel_all_orders'),
        ]),
      ]
      for (const cancel of ways) {
        const id = await rest()
        await cancel(id)
        await isGone(id)
      }
    })

  test('a venue whose trading is coming soon cancels by name, and arms the timer that cancels', async () => {
    const id = await earlier({ clientOrderId: 'named' })
    assert.equal((await send('DELETE /orders/by-client-id/named')).status, 200)
    assert.equal(await stateOf(id), 'withdrawn')
    const timer = await send('POST /account/cancel-after', { timeout_ms: 60_000 })
    assert.equal(timer.status, 200, JSON.stringify(timer.body))
  })

  test('a venue whose trading is coming soon registers wallets, and has their accounts', async () => {
    const registered = await send('POST /register', await registrationBody())
    assert.equal(registered.status, 201, JSON.stringify(registered.body))
    for (const path of ['/positions', '/open-orders', '/orders', '/limits', '/api-keys'])
      assert.equal((await send(`GET ${path}`)).status, 200, path)
  })

  for (const path of ['/orderbook/ETH-PERP', '/markets/ETH-USDC/trades', '/tickers', '/assets'])
    test(`a venue whose trading is coming soon has the market data of ${path}`, async () => {
      assert.equal((await send(`GET ${path}`)).status, 200)
    })
})

test('pages of a venue with live trading do not mention coming soon', async () => {
  const venue = await tradingSockets(funded('ETH-USDC'))
  for (const url of ['/links', '/llms.txt']) {
    const answer = await venue.hosts[0]?.inject({ url, headers: { accept: 'text/html' } })
    assert.doesNotMatch(answer?.body ?? '', /is coming soon/, url)
  }
  await venue.close()
})
