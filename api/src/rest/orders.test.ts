import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { ORDERS_MAX, type OrderItem, Orders, OrderItem as Schema } from '@openvenue/wire/orders'
import { Value } from 'typebox/value'
import { type AccountNode, accountNode, withAccountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'

const ETH = LISTINGS['ETH-USDC']
const PERP = LISTINGS['ETH-PERP']
const DIGEST = `0x${'d1'.repeat(32)}`
const chainId = (market: string, number: number) => market + number.toString(16).padStart(16, '0')

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = <T>(scenario: Scenario, act: (venue: AccountNode) => Promise<T>) =>
  withAccountNode(store, scenario, act)

const readOrders = async (venue: AccountNode, url = '/orders') => {
  const { status, body } = await venue.as('alice', url)
  assert.equal(status, 200)
  return body as OrderItem[]
}

const perpAndSpot = () =>
  funded('ETH-USDC', 'ETH-PERP')
    .on('ETH-USDC')
    .place('alice', 'sell', 300_000, 10n)
    .next()
    .on('ETH-PERP')
    .place('alice', 'buy', 29_000, 3n)
    .next()

describe('GET /orders', () => {
  test('GET /orders is a bare array of every member, newest first, with the block it is of', async () => {
    const scenario = perpAndSpot()
    await withNode(scenario, async (venue) => {
      const { body, headers } = await venue.as('alice', '/orders')
      assert.ok(Value.Check(Orders, body))
      assert.equal(headers['x-block-number'], String(venue.model.head?.number))
      const [perp, spot] = body as OrderItem[]
      const { tx_hash, ...rest } = perp as OrderItem
      assert.match(tx_hash ?? '', /^0x[0-9a-f]{64}$/)
      assert.deepEqual(rest, {
        order_id: chainId(PERP.id, 1),
        chain_order_id: chainId(PERP.id, 1),
        account: venue.walletOf('alice'),
        instrument_id: PERP.id,
        instrument_name: 'ETH-PERP',
        instrument_type: 'PERPETUAL',
        asset: 'ETH',
        order_type: 'limit',
        side: 'buy',
        price: '2900',
        amount: '0.003',
        filled: '0',
        remaining: '0.003',
        avg_price: '0',
        order_status: 'opened',
        time_in_force: 'GTC',
        post_only: false,
        reduce_only: false,
        close_position: false,
        initial_margin: '0.435',
        fees: '0',
        self_trade_prevention: 'EXPIRE_MAKER',
        cancel_reason: null,
        reject_reason: null,
        error: null,
        closed_timestamp: null,
        block_number: 3,
        created_timestamp: `${scenario.seconds - 1}000000000`,
        timestamp: `${scenario.seconds - 1}000000000`,
      })
      assert.deepEqual([spot?.instrument_name, spot?.side], ['ETH-USDC', 'sell'])
      assert.ok(spot !== undefined && !('initial_margin' in spot))
    })
  })

  test('GET /orders has open and partially filled orders only, of the caller only', async () => {
    const scenario = funded('ETH-USDC')
      .place('alice', 'sell', 300_001, 1n) // 1: filled
      .place('alice', 'sell', 300_002, 4n) // 2: partly
      .place('alice', 'sell', 300_003, 5n) // 3: cancelled
      .place('alice', 'sell', 300_004, 6n) // 4: open
      .place('bob', 'sell', 300_005, 7n)
      .next()
      .place('carol', 'buy', 300_002, 3n)
      .cancel(3)
    await withNode(scenario, async (venue) => {
      const found = (await readOrders(venue)).map((order) => [order.price, order.order_status])
      assert.deepEqual(found, [
        ['3000.04', 'opened'],
        ['3000.02', 'partial'],
      ])
      const [, partial] = await readOrders(venue)
      const { amount, filled, remaining, avg_price } = partial as OrderItem
      assert.deepEqual([amount, filled, remaining], ['0.0004', '0.0002', '0.0002'])
      assert.equal(avg_price, '3000.02')
    })
  })

  test('GET /orders leaves out what a reduction took: remaining is what rests', async () => {
    const scenario = funded('ETH-USDC').place('alice', 'sell', 300_001, 10n).next().reduce(1, 4n)
    await withNode(scenario, async (venue) => {
      const [order] = await readOrders(venue)
      assert.deepEqual([order?.amount, order?.remaining], ['0.0006', '0.0006'])
    })
  })

  test('GET /orders reports how long an order is good, and whether it is post-only or reduce-only', async () => {
    const scenario = funded('ETH-USDC', 'ETH-PERP')
    const goodTilSeconds = scenario.seconds + 3600
    // She is short, so that there is something to reduce.
    scenario.place('alice', 'sell', 30_000, 1n).place('bob', 'buy', 30_000, 1n).next()
    scenario
      .order({ who: 'alice', side: 'buy', tick: 29_000, lots: 1n, goodTilSeconds })
      .order({ who: 'alice', side: 'buy', tick: 29_001, lots: 1n, timeInForce: 'POST_ONLY' })
      .order({ who: 'alice', side: 'buy', tick: 29_002, lots: 1n, isReduceOnly: true })
      .order({ who: 'alice', side: 'buy', tick: 29_003, lots: 1n, timeInForce: 'IOC' })
    await withNode(scenario, async (venue) => {
      const [reduce, post, until] = await readOrders(venue)
      assert.deepEqual(
        [until?.time_in_force, until?.expires_timestamp],
        ['GTD', `${goodTilSeconds}000000000`],
      )
      assert.deepEqual(
        [post?.time_in_force, post?.post_only, post?.reduce_only],
        ['GTC', true, false],
      )
      assert.deepEqual([reduce?.post_only, reduce?.reduce_only], [false, true])
      assert.ok(post !== undefined && !('expires_timestamp' in post))
    })
  })

  test('GET /orders divides the margin of an order by the leverage that the account chose', async () => {
    const scenario = perpAndSpot()
    await withNode(scenario, async (venue) => {
      assert.equal((await readOrders(venue))[0]?.initial_margin, '0.435')
      const account = scenario.accountOf('alice')
      scenario.say({ type: 'LeverageSet', market: PERP.id, account, leverage: 5 }).next()
      venue.follow()
      assert.equal((await readOrders(venue))[0]?.initial_margin, '1.74')
    })
  })

  test('GET /orders filters by instrument_type, in any case; another word is refused', async () => {
    await withNode(perpAndSpot(), async (venue) => {
      const names = async (type: string) =>
        (await readOrders(venue, `/orders?instrument_type=${type}`)).map((o) => o.instrument_name)
      assert.deepEqual(await names('SPOT'), ['ETH-USDC'])
      assert.deepEqual(await names('spot'), ['ETH-USDC'])
      assert.deepEqual(await names('Perpetual'), ['ETH-PERP'])
      const { status, body } = await venue.as('alice', '/orders?instrument_type=OPTION')
      const { error, details } = body as { error: string; details: readonly object[] }
      assert.deepEqual([status, error], [400, 'INVALID_PARAMETER'])
      const message = 'instrument_type is invalid: got "OPTION", expected one of SPOT, PERPETUAL'
      const field = { field: 'instrument_type', code: error, message }
      assert.deepEqual(details, [{ ...field, allowed: ['SPOT', 'PERPETUAL'] }])
    })
  })

  test(`GET /orders has at most the ${ORDERS_MAX} most recent, of the requested type`, async () => {
    const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP').place('alice', 'buy', 29_000, 1n)
    scenario.on('ETH-USDC')
    for (let i = 1n; i <= ORDERS_MAX + 1; i++) scenario.place('alice', 'sell', 300_000, i)
    await withNode(scenario, async (venue) => {
      const all = await readOrders(venue)
      assert.equal(all.length, ORDERS_MAX)
      assert.deepEqual([all[0]?.amount, all.at(-1)?.amount], ['0.0201', '0.0002'])
      const perps = await readOrders(venue, '/orders?instrument_type=PERPETUAL')
      assert.equal(perps.length, 1)
    })
  })

  test('GET /orders is empty for a wallet that the chain does not know, and 503 when its account cannot be read', async () => {
    const scenario = funded('ETH-USDC')
    await withNode(scenario, async (venue) => {
      const { status, body } = await venue.as('nobody', '/orders')
      assert.deepEqual([status, body], [200, []])
    })
    const venue = await accountNode(store, scenario, { isHistoryBroken: true })
    const { status, body } = await venue.as('somebody', '/orders')
    const { error, retry_after } = body as { error: string; retry_after: string }
    assert.deepEqual([status, error, retry_after], [503, 'HISTORY_UNAVAILABLE', '1000000000'])
    await venue.close()
  })
})

describe('GET /orders/{order_id}', () => {
  const signed = () =>
    funded('ETH-USDC').order({ who: 'alice', side: 'sell', tick: 300_000, lots: 2n, ref: DIGEST })

  test('GET /orders/{order_id} is the order, by its digest or by what the chain calls it, in any case', async () => {
    await withNode(signed(), async (venue) => {
      const [order] = await readOrders(venue)
      assert.deepEqual([order?.order_id, order?.chain_order_id], [DIGEST, chainId(ETH.id, 1)])
      for (const id of [DIGEST, chainId(ETH.id, 1), DIGEST.toUpperCase().replace('X', 'x')]) {
        const { status, body, headers } = await venue.as('alice', `/orders/${id}`)
        assert.equal(status, 200)
        assert.ok(Value.Check(Schema, body))
        assert.deepEqual(body, order)
        assert.equal(headers['x-block-number'], String(venue.model.head?.number))
      }
    })
  })

  test('GET /orders/{order_id} is 404 Order not found for any other id, malformed ones included', async () => {
    await withNode(signed().place('bob', 'sell', 300_000, 1n), async (venue) => {
      const others = [chainId(ETH.id, 2), chainId(ETH.id, 9), '0x', 'x', '%20', '1'.repeat(200)]
      for (const id of others) {
        const { status, body } = await venue.as('alice', `/orders/${id}`)
        const { error, message } = body as { error: string; message: string }
        assert.deepEqual([status, error], [404, 'ORDER_DOES_NOT_EXIST'], id)
        assert.equal(message, 'Order not found')
      }
    })
  })

  test('GET /orders/{order_id} is 404 once the order is filled or cancelled', async () => {
    const scenario = signed().place('alice', 'sell', 300_001, 2n).next()
    await withNode(scenario, async (venue) => {
      const statuses = async () =>
        Promise.all(
          [1, 2].map(
            async (n) => (await venue.as('alice', `/orders/${chainId(ETH.id, n)}`)).status,
          ),
        )
      assert.deepEqual(await statuses(), [200, 200])
      scenario.cancel(2).place('bob', 'buy', 300_000, 2n).next()
      venue.follow()
      assert.deepEqual(await statuses(), [404, 404])
      venue.undoBlock()
      assert.deepEqual(await statuses(), [200, 200])
    })
  })

  test(`GET /orders/{order_id} searches only the ${ORDERS_MAX} most recent`, async () => {
    const scenario = funded('ETH-USDC').place('alice', 'sell', 300_000, 1n)
    for (let i = 1; i < ORDERS_MAX; i++) scenario.place('alice', 'sell', 300_001, 1n)
    scenario.next()
    await withNode(scenario, async (venue) => {
      const url = `/orders/${chainId(ETH.id, 1)}`
      assert.equal((await venue.as('alice', url)).status, 200)
      scenario.place('alice', 'sell', 300_002, 1n).next()
      venue.follow()
      assert.equal((await venue.as('alice', url)).status, 404)
    })
  })
})

describe('below the address', () => {
  test('orders and an order are the same answers; 401 first, then 400, 403 and 404', async () => {
    await withNode(perpAndSpot(), async (venue) => {
      const wallet = venue.walletOf('alice')
      const id = chainId(PERP.id, 1)
      for (const path of ['/orders', '/orders?instrument_type=spot', `/orders/${id}`]) {
        const own = await venue.as('alice', `/account/${wallet}${path}`)
        assert.deepEqual(own.body, (await venue.as('alice', path)).body)
      }
      const asked = async (address: string, order = id) =>
        (await venue.as('alice', `/account/${address}/orders/${order}`)).status
      assert.equal((await venue.get(`/account/${wallet}/orders/${id}`)).status, 401)
      assert.equal((await venue.get('/account/0x1/orders/9')).status, 401)
      assert.equal(await asked('0x1'), 400)
      assert.equal(await asked(venue.walletOf('bob')), 403)
      assert.equal(await asked(wallet, '0x9'), 404)
      assert.equal(await asked(`0x${wallet.slice(2).toUpperCase()}`), 200)
    })
  })
})
