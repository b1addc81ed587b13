import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { accountMargin } from '@openvenue/core/margin'
import { LISTINGS, PERP_ENGINE, TOKENS } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { scenario as newScenario, type Scenario } from '@openvenue/core/test/scenario/scenario'
import { fixedText, parseDecimal } from '@openvenue/core/units'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { Pagination } from '@openvenue/wire/pagination'
import { type PerpPositionItem, type PositionItem, PositionsPage } from '@openvenue/wire/positions'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { type AccountNode, forgetPrices, withAccountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'

type Page = Readonly<{ account: string; positions: PositionItem[]; pagination: Pagination }>

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = <T>(scenario: Scenario, act: (venue: AccountNode) => Promise<T>) =>
  withAccountNode(store, scenario, act)

async function readPage(venue: AccountNode, query = '', who = 'alice'): Promise<Page> {
  const { status, body } = await venue.as(who, `/positions${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(PositionsPage, body))
  return body as Page
}

async function readPerp(venue: AccountNode, who = 'alice'): Promise<PerpPositionItem> {
  const { positions } = await readPage(venue, '?instrument_type=PERPETUAL', who)
  assert.equal(positions.length, 1)
  return positions[0] as PerpPositionItem
}

const names = ({ positions }: Page) => positions.map(({ instrument_name }) => instrument_name)

/** A scenario of one market with only what the test adds: rich bob, and funds for alice. */
const bare = () =>
  newScenario()
    .index('ETH', 3000n * E18)
    .list('ETH-USDC')
    .list('ETH-PERP')
    .on('ETH-PERP')
    .deposit('bob', 'USDC', 1_000_000n)
    .next()

/** alice buys 10 lots at 2990 from bob, and sells him 4 of them at 3010. */
const halfway = () =>
  bare()
    .deposit('alice', 'USDC', 1000n)
    .place('alice', 'buy', 29_900, 10n)
    .place('bob', 'sell', 29_900, 10n)
    .next(7)
    .place('bob', 'buy', 30_100, 4n)
    .place('alice', 'sell', 30_100, 4n)
    .next(60)
    .poke()
    .next()

describe('a perpetual position', () => {
  test('a perpetual position has every member, as the marks of the same block make it', async () => {
    const scenario = halfway()
    await withNode(scenario, async (venue) => {
      const { opened_timestamp, updated_timestamp, liquidation_price, ...rest } =
        await readPerp(venue)
      assert.deepEqual(rest, {
        instrument_id: LISTINGS['ETH-PERP'].id,
        instrument_name: 'ETH-PERP',
        instrument_type: 'PERPETUAL',
        asset: 'ETH',
        amount: '0.006',
        side: 'buy',
        mark_price: '3000',
        index_price: '3000',
        avg_entry_price: '2990',
        unrealized_pnl: '0.06',
        realized_pnl: '0.08',
        notional_value: '18',
        initial_margin: '0.9',
        maintenance_margin: '0.45',
        margin_type: 'CROSS',
        leverage: '20',
        accumulated_funding: '0',
        pending_funding_fee: '0',
      })
      assert.equal(liquidation_price, null)
      const opened = scenario.seconds - 1 - 60 - 7
      assert.equal(opened_timestamp, `${opened}000000000`)
      assert.equal(updated_timestamp, `${opened + 7}000000000`)
    })
  })

  test('a perpetual position is unsigned with a side: the other end of it is a sell', async () => {
    await withNode(halfway(), async (venue) => {
      const { amount, side, avg_entry_price, unrealized_pnl, realized_pnl } = await readPerp(
        venue,
        'bob',
      )
      assert.deepEqual([amount, side, avg_entry_price], ['0.006', 'sell', '2990'])
      assert.deepEqual([unrealized_pnl, realized_pnl], ['-0.06', '-0.08'])
    })
  })

  test('a perpetual position is gone once it is flat, and begins again', async () => {
    const scenario = halfway()
    await withNode(scenario, async (venue) => {
      scenario.place('bob', 'buy', 30_000, 6n).place('alice', 'sell', 30_000, 6n).next()
      venue.follow()
      assert.deepEqual((await readPage(venue, '?instrument_type=PERPETUAL')).positions, [])
      scenario.place('bob', 'buy', 30_000, 2n).place('alice', 'sell', 30_000, 2n).next()
      venue.follow()
      const { side, amount, realized_pnl, opened_timestamp } = await readPerp(venue)
      assert.deepEqual([side, amount, realized_pnl], ['sell', '0.002', '0'])
      assert.equal(opened_timestamp, `${scenario.seconds - 1}000000000`)
    })
  })

  test('a perpetual position requires the margin at the chosen leverage, including orders', async () => {
    const scenario = halfway()
    await withNode(scenario, async (venue) => {
      const account = scenario.accountOf('alice')
      const market = LISTINGS['ETH-PERP'].id
      scenario.say({ type: 'LeverageSet', market, account, leverage: 5 }).next()
      venue.follow()
      const { leverage, initial_margin, maintenance_margin } = await readPerp(venue)
      assert.deepEqual([leverage, initial_margin, maintenance_margin], ['5', '3.6', '0.45'])
      scenario.place('alice', 'buy', 29_000, 4n).next()
      venue.follow()
      assert.equal((await readPerp(venue)).initial_margin, '6')
    })
  })

  test('a perpetual position names the mark it would be liquidated, where there is one', async () => {
    const scenario = bare()
      .deposit('carol', 'USDC', 100n)
      .place('carol', 'buy', 30_000, 1000n)
      .place('bob', 'sell', 30_000, 1000n)
      .next(60)
      .poke()
      .next()
    await withNode(scenario, async (venue) => {
      const { liquidation_price } = await readPerp(venue, 'carol')
      const price = parseDecimal(liquidation_price ?? '', 18) as bigint
      const perp = LISTINGS['ETH-PERP']
      const at = {
        engine: PERP_ENGINE,
        account: scenario.accountOf('carol'),
        seconds: scenario.seconds - 1,
      }
      const marginAt = (mark: bigint) => {
        const record = venue.model.mark(perp.id)
        assert.ok(record !== undefined)
        const { state } = venue.model
        const marks = new Map([[perp.id, { ...record, price: mark }]])
        const margin = accountMargin({ ...state, records: { ...state.records, mark: marks } }, at)
        assert.ok(margin !== undefined)
        return margin.equity - margin.maintenance
      }
      // A lot is a thousandth: marks differ for it by a thousand raw units.
      assert.ok(marginAt(price) <= 0n)
      assert.ok(marginAt(price + 1000n) > 0n)
    })
  })

  test('a perpetual position has nulls where the mark or the index is missing', async () => {
    const scenario = newScenario()
      .index('ETH', 3000n * E18)
      .list('ETH-PERP')
      .deposit('alice', 'USDC', 100n)
      .deposit('bob', 'USDC', 100n)
      .place('alice', 'buy', 30_000, 1n)
      .place('bob', 'sell', 30_000, 1n)
      .next()
    await withNode(scenario, async (venue) => {
      forgetPrices(venue, LISTINGS['ETH-PERP'])
      const item = await readPerp(venue)
      assert.deepEqual(
        [item.mark_price, item.index_price, item.unrealized_pnl, item.notional_value],
        [null, null, null, null],
      )
      assert.deepEqual(
        [item.initial_margin, item.maintenance_margin, item.liquidation_price],
        [null, null, null],
      )
      assert.deepEqual([item.avg_entry_price, item.realized_pnl], ['3000', '0'])
    })
  })
})

describe('GET /positions', () => {
  const ALL = ['ETH-USDC', 'BTC-USDC', 'EURC-USDC', 'ETH-PERP', 'BTC-PERP', 'SOL-PERP'] as const
  /** alice has a holding in every market. */
  function everything(): Scenario {
    const scenario = funded(...ALL)
    for (const name of ALL.filter((name) => name.endsWith('-PERP'))) {
      const { startTick } = LISTINGS[name]
      scenario.on(name).place('alice', 'buy', startTick, 1n).place('bob', 'sell', startTick, 1n)
    }
    return scenario.next()
  }

  test('GET /positions has perpetual positions and spot holdings in order of listing, with their block', async () => {
    await withNode(everything(), async (venue) => {
      const page = await readPage(venue)
      assert.deepEqual(names(page), ALL)
      assert.equal(page.account, venue.walletOf('alice'))
      assert.deepEqual([page.pagination.total_count, page.pagination.limit], [6, 50])
      const { headers } = await venue.as('alice', '/positions')
      assert.equal(headers['x-block-number'], String(venue.model.head?.number))
    })
  })

  test('GET /positions filters by type and by asset, in any case; another type is refused', async () => {
    await withNode(everything(), async (venue) => {
      const found = async (query: string) => names(await readPage(venue, query))
      assert.deepEqual(await found('?instrument_type=spot'), ALL.slice(0, 3))
      assert.deepEqual(await found('?instrument_type=Perpetual'), ALL.slice(3))
      assert.deepEqual(await found('?asset=eth'), ['ETH-USDC', 'ETH-PERP'])
      const { status, body } = await venue.as('alice', '/positions?instrument_type=x')
      assert.deepEqual([status, (body as { error: string }).error], [400, 'INVALID_PARAMETER'])
    })
  })

  test('GET /positions pages by cursor in both directions, with limits clamped above and refused below', async () => {
    await withNode(everything(), async (venue) => {
      const first = await readPage(venue, '?limit=4')
      assert.deepEqual(names(first), ALL.slice(0, 4))
      const { next_cursor, total_pages, has_next, has_prev } = first.pagination
      assert.deepEqual([total_pages, has_next, has_prev], [2, true, false])
      const second = await readPage(venue, `?limit=4&cursor=${next_cursor}`)
      assert.deepEqual(names(second), ALL.slice(4))
      const { prev_cursor } = second.pagination
      const back = await readPage(venue, `?limit=1&direction=prev&cursor=${prev_cursor}`)
      assert.deepEqual(names(back), ['ETH-PERP'])
      assert.equal((await readPage(venue, '?limit=5000')).pagination.limit, 1000)
      for (const query of [
        'limit=0',
        'limit=x',
        'direction=up',
        'cursor=x',
        `cursor=${next_cursor}&asset=ETH`,
      ])
        assert.equal((await venue.as('alice', `/positions?${query}`)).status, 400, query)
    })
  })

  test('GET /positions has the same order on every node where markets were listed in one block', async () => {
    const scenario = funded('ETH-PERP', 'ETH-USDC', 'BTC-USDC').on('ETH-PERP')
    scenario.place('alice', 'buy', 30_000, 1n).place('bob', 'sell', 30_000, 1n).next()
    await withNode(scenario, async (venue) => {
      const order = ['ETH-USDC', 'BTC-USDC', 'ETH-PERP']
      assert.deepEqual(names(await readPage(venue)), order)
      const { next_cursor } = (await readPage(venue, '?limit=1')).pagination
      assert.deepEqual(names(await readPage(venue, `?cursor=${next_cursor}`)), order.slice(1))
      const { status, body } = await venue.as('bob', `/positions?cursor=${next_cursor}`)
      assert.deepEqual([status, (body as { error: string }).error], [400, 'INVALID_CURSOR'])
    })
  })

  test('GET /positions is empty for a wallet that the chain does not know', async () => {
    await withNode(bare(), async (venue) => {
      const { account, positions, pagination } = await readPage(venue, '', 'nobody')
      assert.deepEqual(
        [account, positions, pagination.total_count],
        [venue.walletOf('nobody'), [], 0],
      )
    })
  })

  test('GET /positions is the same below the address of the caller, and 403 below another', async () => {
    await withNode(halfway(), async (venue) => {
      const path = `/account/${venue.walletOf('alice')}/positions?instrument_type=perpetual`
      const plain = await readPage(venue, '?instrument_type=perpetual')
      assert.deepEqual((await venue.as('alice', path)).body, plain)
      assert.equal((await venue.as('bob', path)).status, 403)
      assert.equal((await venue.get(path)).status, 401)
      assert.equal((await venue.get('/positions')).status, 401)
    })
  })

  test('GET /positions adds up to the margin of the account, whatever happens at the venue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => {
        const scenario = randomTale(seed, 40)
        return withNode(scenario, async (venue) => {
          const { state, head } = venue.model
          for (const who of ['alice', 'bob', 'carol', 'dave', 'erin']) {
            const account = scenario.accountOf(who)
            const { positions } = await readPage(venue, '?limit=1000', who)
            const perps = positions.filter(
              (item): item is PerpPositionItem => item.instrument_type === 'PERPETUAL',
            )
            const sum = (value: (item: PerpPositionItem) => string | null) =>
              fixedText(perps.reduce((all, item) => all + raw(value(item)), 0n))
            const at = { engine: PERP_ENGINE, account, seconds: head?.seconds ?? 0 }
            const margin = accountMargin(state, at)
            assert.ok(margin !== undefined)
            assert.equal(
              sum((item) => item.unrealized_pnl),
              fixedText(margin.unrealised),
            )
            assert.equal(
              sum((item) => item.maintenance_margin),
              fixedText(margin.maintenance),
            )
            const spot = positions.filter(({ instrument_type }) => instrument_type === 'SPOT')
            for (const { asset, amount } of spot) {
              const { address, decimals } = TOKENS[asset as keyof typeof TOKENS]
              const balance = state.records.balance.get(`${account}|${address}`)
              assert.ok(balance !== undefined)
              assert.equal(parseDecimal(amount, decimals), balance.free + balance.locked)
            }
          }
        })
      }),
      { numRuns: 6 },
    )
  })
})

const raw = (text: string | null) => parseDecimal(text ?? '', 18) ?? 0n
