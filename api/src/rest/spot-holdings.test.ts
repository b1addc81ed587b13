import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenario as newScenario, type Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { PositionsPage, type SpotPositionItem } from '@openvenue/wire/positions'
import { Value } from 'typebox/value'
import { type AccountNode, withAccountNode } from '../../test/account-node.ts'

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = <T>(scenario: Scenario, act: (venue: AccountNode) => Promise<T>) =>
  withAccountNode(store, scenario, act)

async function readSpots(venue: AccountNode): Promise<SpotPositionItem[]> {
  const { status, body } = await venue.as('alice', '/positions?instrument_type=SPOT&asset=ETH')
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(PositionsPage, body))
  return body.positions as SpotPositionItem[]
}

async function readSpot(venue: AccountNode): Promise<SpotPositionItem> {
  const [item, ...others] = await readSpots(venue)
  assert.ok(item !== undefined && others.length === 0)
  return item
}

/** bob is rich; alice gets the balance that the test gives her. */
const bare = () =>
  newScenario()
    .index('ETH', 3000n * E18)
    .list('ETH-USDC')
    .deposit('bob', 'USDC', 1_000_000n)
    .next()

describe('a spot holding', () => {
  /** alice buys 4 lots at 3000 and 2 at 3003, and sells 3 at 3010. */
  const bought = () =>
    bare()
      .on('ETH-USDC')
      .deposit('alice', 'USDC', 1000n)
      .deposit('bob', 'ETH', 10n)
      .place('bob', 'sell', 300_000, 4n)
      .place('alice', 'buy', 300_000, 4n)
      .next()
      .place('bob', 'sell', 300_300, 2n)
      .place('alice', 'buy', 300_300, 2n)
      .next()
      .deposit('bob', 'USDC', 1000n)
      .place('bob', 'buy', 301_000, 3n)
      .place('alice', 'sell', 301_000, 3n)
      .next()

  test('a spot holding has every member: average cost, profit, and what sales made', async () => {
    const scenario = bought()
      .place('alice', 'sell', 302_000, 1n)
      .place('bob', 'buy', 300_000, 1n)
      .next()
    await withNode(scenario, async (venue) => {
      const { opened_timestamp, updated_timestamp, ...rest } = await readSpot(venue)
      assert.deepEqual(rest, {
        instrument_id: LISTINGS['ETH-USDC'].id,
        instrument_name: 'ETH-USDC',
        instrument_type: 'SPOT',
        asset: 'ETH',
        amount: '0.0003',
        side: 'buy',
        mark_price: '3010',
        index_price: '3000',
        avg_entry_price: '3001',
        unrealized_pnl: '0.0027',
        realized_pnl: '0.0027',
        notional_value: '0.903',
        locked_amount: '0.0001',
      })
      assert.equal(opened_timestamp, `${scenario.seconds - 4}000000000`)
      assert.equal(updated_timestamp, `${scenario.seconds - 2}000000000`)
    })
  })

  test('a spot holding has no cost while tokens came otherwise, and has it again once they left', async () => {
    const scenario = bought().on('ETH-USDC').deposit('alice', 'ETH', 1n).next()
    await withNode(scenario, async (venue) => {
      const { amount, avg_entry_price, unrealized_pnl, realized_pnl } = await readSpot(venue)
      assert.equal(amount, '1.0003')
      assert.deepEqual([avg_entry_price, unrealized_pnl, realized_pnl], [null, null, null])
      scenario.withdraw('alice', 'ETH', 1n).next()
      venue.follow()
      assert.equal((await readSpot(venue)).avg_entry_price, '3001')
    })
  })

  test('a spot holding has no times where nothing was bought, and none at all without tokens', async () => {
    const scenario = bare().on('ETH-USDC').deposit('alice', 'ETH', 1n).next()
    await withNode(scenario, async (venue) => {
      const { amount, opened_timestamp, updated_timestamp } = await readSpot(venue)
      assert.deepEqual([amount, opened_timestamp, updated_timestamp], ['1', null, null])
      scenario.withdraw('alice', 'ETH', 1n).next()
      venue.follow()
      assert.deepEqual(await readSpots(venue), [])
    })
  })

  test('a spot holding has a null value where the mark is missing', async () => {
    const scenario = newScenario().list('ETH-USDC').deposit('alice', 'ETH', 1n).next()
    await withNode(scenario, async (venue) => {
      const { mark_price, index_price, notional_value } = await readSpot(venue)
      assert.deepEqual([mark_price, index_price, notional_value], [null, null, null])
    })
  })
})
