import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS, TOKENS } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { OpenOrdersPage, type OrderItem } from '@openvenue/wire/orders'
import type { Pagination } from '@openvenue/wire/pagination'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { type AccountNode, withAccountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'

type Page = Readonly<{ orders: OrderItem[]; pagination: Pagination }>

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = <T>(scenario: Scenario, act: (venue: AccountNode) => Promise<T>) =>
  withAccountNode(store, scenario, act)

async function readPage(venue: AccountNode, query = '', who = 'alice'): Promise<Page> {
  const { status, body } = await venue.as(who, `/open-orders${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(OpenOrdersPage, body))
  return body as Page
}

const amounts = ({ orders }: Page) => orders.map(({ amount }) => amount)
/** Orders of 1, 2, 3 ... lots at ETH-USDC, all of them alice's. */
const placed = (count: number) => {
  const scenario = funded('ETH-USDC')
  for (let lots = 1n; lots <= count; lots++) scenario.place('alice', 'sell', 300_000, lots).next()
  return scenario
}
const lots = (...all: readonly number[]) => all.map((n) => String(n / 10_000))

describe('GET /open-orders', () => {
  test('GET /open-orders has open and partially filled orders of the caller, newest first', async () => {
    const scenario = funded('ETH-USDC')
      .place('alice', 'sell', 300_001, 1n) // filled
      .place('alice', 'sell', 300_002, 4n) // partly
      .place('alice', 'sell', 300_003, 5n) // cancelled
      .place('alice', 'sell', 300_004, 6n) // open
      .place('bob', 'sell', 300_005, 7n)
      .next()
      .place('carol', 'buy', 300_002, 3n)
      .cancel(3)
    await withNode(scenario, async (venue) => {
      const { orders, pagination } = await readPage(venue)
      assert.deepEqual(
        orders.map((order) => [order.price, order.order_status]),
        [
          ['3000.04', 'opened'],
          ['3000.02', 'partial'],
        ],
      )
      assert.deepEqual(pagination, {
        next_cursor: null,
        prev_cursor: null,
        has_next: false,
        has_prev: false,
        limit: 50,
        total_count: 2,
        total_pages: 1,
      })
      assert.equal((await readPage(venue, '', 'bob')).orders.length, 1)
      const { headers } = await venue.as('alice', '/open-orders')
      assert.equal(headers['x-block-number'], String(venue.model.head?.number))
    })
  })

  test('GET /open-orders has an order through its last second, and no longer', async () => {
    const scenario = funded('ETH-USDC')
    const goodTilSeconds = scenario.seconds + 10
    scenario.order({ who: 'alice', side: 'sell', tick: 300_000, lots: 1n, goodTilSeconds }).next(10)
    await withNode(scenario, async (venue) => {
      for (const count of [1, 0]) {
        scenario.deposit('bob', 'USDC', 1n).next()
        venue.follow()
        assert.equal((await readPage(venue)).orders.length, count)
        assert.equal(((await venue.as('alice', '/orders')).body as object[]).length, count)
      }
    })
  })

  test('GET /open-orders is sorted by the time of placing: newest first by default, oldest first with asc', async () => {
    await withNode(placed(3), async (venue) => {
      assert.deepEqual(amounts(await readPage(venue)), lots(3, 2, 1))
      assert.deepEqual(amounts(await readPage(venue, '?sort_order=desc')), lots(3, 2, 1))
      assert.deepEqual(amounts(await readPage(venue, '?sort_order=asc')), lots(1, 2, 3))
      assert.deepEqual(amounts(await readPage(venue, '?sort_order=ASC')), lots(1, 2, 3))
      assert.equal((await venue.as('alice', '/open-orders?sort_order=up')).status, 400)
    })
  })

  test('GET /open-orders filters by type, by name or id, and by asset; all of them in any case but the name', async () => {
    const scenario = funded('ETH-USDC', 'BTC-USDC', 'ETH-PERP')
    for (const name of ['ETH-USDC', 'BTC-USDC', 'ETH-PERP'] as const)
      scenario.on(name).place('alice', 'buy', LISTINGS[name].startTick - 100, 1n)
    await withNode(scenario, async (venue) => {
      const names = async (query: string) =>
        (await readPage(venue, query)).orders.map(({ instrument_name }) => instrument_name).sort()
      assert.deepEqual(await names('?instrument_type=spot'), ['BTC-USDC', 'ETH-USDC'])
      assert.deepEqual(await names('?instrument_type=PERPETUAL'), ['ETH-PERP'])
      assert.deepEqual(await names('?asset=eth'), ['ETH-PERP', 'ETH-USDC'])
      assert.deepEqual(await names('?asset=BTC'), ['BTC-USDC'])
      assert.deepEqual(await names('?asset=eth&instrument_type=SPOT'), ['ETH-USDC'])
      const { id } = LISTINGS['ETH-PERP']
      for (const name of ['ETH-PERP', id, BigInt(id).toString()])
        assert.deepEqual(await names(`?instrument_name=${name}`), ['ETH-PERP'])
      assert.equal((await venue.as('alice', '/open-orders?instrument_type=FUTURE')).status, 400)
    })
  })

  test('GET /open-orders follows a name to the market that was listed last under it', async () => {
    const scenario = placed(2)
    await withNode(scenario, async (venue) => {
      const query = '?instrument_name=ETH-USDC'
      assert.equal((await readPage(venue, query)).orders.length, 2)
      const { engine, priceStep, amountStep } = LISTINGS['ETH-USDC']
      const steps = { priceStep, amountStep, minOrderValue: 1n, maxOrderValue: E18 }
      const head = { engine, market: marketId(engine, 77), number: 77, name: 'ETH-USDC' }
      const tokens = { base: TOKENS.ETH.address, quote: TOKENS.USDC.address }
      scenario.say({ type: 'SpotListed', ...head, ...tokens, ...steps }).next()
      venue.follow()
      assert.deepEqual((await readPage(venue, query)).orders, [])
      assert.equal((await readPage(venue)).orders.length, 2)
    })
  })

  test('GET /open-orders has 50 orders by default and at most 1000; below 1 or no integer is refused', async () => {
    const scenario = funded('ETH-USDC')
    for (let i = 0; i < 1001; i++) scenario.place('alice', 'sell', 300_000, 1n)
    await withNode(scenario, async (venue) => {
      for (const [query, limit] of [
        ['', 50],
        ['?limit=1', 1],
        ['?limit=1000', 1000],
        ['?limit=1001', 1000],
        ['?limit=99999999', 1000],
      ] as const) {
        const { orders, pagination } = await readPage(venue, query)
        assert.deepEqual([orders.length, pagination.limit], [limit, limit])
        assert.equal(pagination.total_count, 1001)
        assert.equal(pagination.total_pages, Math.ceil(1001 / limit))
      }
      for (const [limit, fault, nearest] of [
        ['0', 'out of range', '; the nearest is 1'],
        ['-1', 'out of range', '; the nearest is 1'],
        ['1.5', 'invalid', '; the nearest is 2'],
        ['many', 'invalid', ''],
        ['', 'invalid', ''],
      ] as const) {
        const { status, body } = await venue.as('alice', `/open-orders?limit=${limit}`)
        const { error, details } = body as { error: string; details: { message: string }[] }
        assert.deepEqual([status, error], [400, 'INVALID_PARAMETER'], limit)
        const message = `limit is ${fault}: got "${limit}", expected an integer from 1 to 1000${nearest}`
        assert.equal(details[0]?.message, message)
      }
    })
  })

  test('GET /open-orders pages forward with next_cursor, and back with prev_cursor', async () => {
    await withNode(placed(5), async (venue) => {
      const first = await readPage(venue, '?limit=2')
      assert.deepEqual(amounts(first), lots(5, 4))
      const { next_cursor } = first.pagination
      const second = await readPage(venue, `?limit=2&cursor=${next_cursor}`)
      assert.deepEqual(amounts(second), lots(3, 2))
      assert.deepEqual(
        [second.pagination.has_next, second.pagination.has_prev, second.pagination.total_pages],
        [true, true, 3],
      )
      const third = await readPage(venue, `?limit=2&cursor=${second.pagination.next_cursor}`)
      assert.deepEqual([amounts(third), third.pagination.has_next], [lots(1), false])
      const back = await readPage(
        venue,
        `?limit=2&direction=prev&cursor=${second.pagination.prev_cursor}`,
      )
      assert.deepEqual(amounts(back), lots(5, 4))
      assert.equal((await venue.as('alice', '/open-orders?direction=up')).status, 400)
    })
  })

  test('GET /open-orders keeps its position while newer orders come and the order of the cursor goes', async () => {
    const scenario = placed(5)
    await withNode(scenario, async (venue) => {
      const { pagination } = await readPage(venue, '?limit=2')
      scenario.place('alice', 'sell', 300_000, 6n).cancel(4).next()
      venue.follow()
      const next = await readPage(venue, `?limit=2&cursor=${pagination.next_cursor}`)
      assert.deepEqual(amounts(next), lots(3, 2))
      assert.equal(next.pagination.total_count, 5)
    })
  })

  test('GET /open-orders refuses a cursor of another list, another filter or another account', async () => {
    const scenario = placed(5)
    scenario.place('bob', 'sell', 300_000, 1n).place('bob', 'sell', 300_000, 2n).next()
    await withNode(scenario, async (venue) => {
      const cursor = (await readPage(venue, '?limit=2')).pagination.next_cursor
      const asked = async (who: string, url: string) => {
        const { status, body } = await venue.as(who, url)
        return [status, (body as { error?: string }).error]
      }
      const refused = [400, 'INVALID_CURSOR']
      assert.deepEqual(await asked('bob', `/open-orders?cursor=${cursor}`), refused)
      assert.deepEqual(await asked('alice', `/open-orders?cursor=${cursor}&asset=ETH`), refused)
      assert.deepEqual(
        await asked('alice', `/open-orders?cursor=${cursor}&sort_order=asc`),
        refused,
      )
      assert.deepEqual(await asked('alice', `/positions?cursor=${cursor}`), refused)
      assert.deepEqual(await asked('alice', '/open-orders?cursor=x'), refused)
      assert.equal((await asked('alice', `/open-orders?cursor=${cursor}`))[0], 200)
    })
  })

  test('GET /open-orders returns the newest state at once, while an unchanged page is not rebuilt', async () => {
    const scenario = placed(2)
    await withNode(scenario, async (venue) => {
      const first = await venue.as('alice', '/open-orders')
      scenario.place('bob', 'sell', 300_000, 1n).next()
      venue.follow()
      const second = await venue.as('alice', '/open-orders')
      assert.equal(second.text, first.text)
      assert.notEqual(second.headers['x-block-number'], first.headers['x-block-number'])
      scenario.place('bob', 'buy', 300_000, 1n).next()
      venue.follow()
      const page = await readPage(venue)
      assert.deepEqual(amounts(page), lots(2))
    })
  })

  test('GET /open-orders read page by page has every resting order once, in both directions', async () => {
    const tale = fc.record({ seed: fc.nat(), limit: fc.integer({ min: 1, max: 7 }) })
    await fc.assert(
      fc.asyncProperty(tale, ({ seed, limit }) => {
        const scenario = randomTale(seed, 20)
        return withNode(scenario, async (venue) => {
          const all = await readPage(venue, '?limit=1000&sort_order=asc')
          const scanned: OrderItem[] = []
          for (let cursor: string | null = ''; cursor !== null; ) {
            const page: Page = await readPage(
              venue,
              `?limit=${limit}&sort_order=asc&cursor=${cursor}`,
            )
            scanned.push(...page.orders)
            cursor = page.pagination.next_cursor
          }
          assert.deepEqual(scanned, all.orders)
          const ids = all.orders.map(({ chain_order_id }) => chain_order_id)
          const account = scenario.accountOf('alice')
          const resting = [...venue.model.state.records.order.values()]
          assert.equal(ids.length, resting.filter((order) => order.account === account).length)
          assert.equal(new Set(ids).size, ids.length)
        })
      }),
      { numRuns: 5 },
    )
  })

  test('GET /open-orders is the same below the address of the caller, and 403 below another', async () => {
    await withNode(placed(3), async (venue) => {
      const path = `/account/${venue.walletOf('alice')}/open-orders?sort_order=asc&limit=2`
      const { orders } = await readPage(venue, '?sort_order=asc&limit=2')
      const below = await venue.as('alice', path)
      assert.deepEqual((below.body as Page).orders, orders)
      assert.equal((await venue.as('bob', path)).status, 403)
      assert.equal((await venue.get(path)).status, 401)
      assert.equal((await venue.get('/open-orders')).status, 401)
    })
  })

  test('GET /open-orders belongs to the account of the key, whatever account a header or a query claims', async () => {
    await withNode(placed(2), async (venue) => {
      const claimed = `?account=${venue.walletOf('alice')}`
      assert.deepEqual((await readPage(venue, claimed, 'bob')).orders, [])
    })
  })
})
