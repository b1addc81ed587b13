// Margins of an account are core's at the block of the answer, whatever a chain node answers.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenario as newScenario } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { AccountObject } from '@openvenue/wire/account'
import { Value } from 'typebox/value'
import {
  type AccountNode,
  accountNode,
  forgetPrices,
  withAccountNode,
} from '../../test/account-node.ts'
import { richScenario } from '../../test/margin-scenarios.ts'

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

async function readAccount(venue: AccountNode, who = 'alice'): Promise<AccountObject> {
  const { status, body } = await venue.as(who, '/account')
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(AccountObject, body))
  return body
}

const pickMargins = (object: AccountObject) => [
  object.equity,
  object.initial_margin,
  object.maintenance_margin,
  object.available_balance,
  object.liquidatable,
]
const RICH = ['1000.09701', '1.8', '0.75', '998.29701', false]

describe('margins', () => {
  /** How the chain node behaves when a contract is called. */
  const NODES = {
    'answers from another block than it was asked for': async () => `0x${'01'.repeat(192)}`,
    'does not answer': async () => {
      throw new Error('connection refused')
    },
    'never answers': () => new Promise<string>(() => {}),
  }
  for (const [what, act] of Object.entries(NODES))
    test(`margins are those of the block in the header while a node ${what}`, async () => {
      let calls = 0
      const call = () => {
        calls += 1
        return act()
      }
      const venue = await accountNode(store, richScenario(), { call })
      assert.deepEqual(pickMargins(await readAccount(venue)), RICH)
      const { headers } = await venue.as('alice', '/account')
      assert.equal(headers['x-block-hash'], venue.model.head?.hash)
      assert.equal(calls, 0, 'no node is asked')
      await venue.close()
    })

  test('margins move with the block that the header names and with no other', async () => {
    const scenario = richScenario()
    await withAccountNode(store, scenario, async (venue) => {
      assert.deepEqual(pickMargins(await readAccount(venue)), RICH)
      scenario.index('ETH', 3100n * E18)
      assert.deepEqual(pickMargins(await readAccount(venue)), RICH, 'the block is not there yet')
      scenario.next()
      venue.follow()
      const { equity, maintenance_margin } = await readAccount(venue)
      assert.deepEqual([equity, maintenance_margin], ['1001.09701', '0.775'])
    })
  })

  test('a missing mark makes equity and what depends on it null, and nothing else', async () => {
    const scenario = newScenario()
      .index('ETH', 3000n * E18)
      .list('ETH-PERP')
    scenario.deposit('alice', 'USDC', 100n).deposit('bob', 'USDC', 100n)
    scenario.place('alice', 'buy', 30_000, 1n)
    scenario.place('bob', 'sell', 30_000, 1n).next()
    await withAccountNode(store, scenario, async (venue) => {
      forgetPrices(venue, LISTINGS['ETH-PERP'])
      const object = await readAccount(venue)
      assert.deepEqual(pickMargins(object), [null, null, null, null, null])
      const [margin] = object.collaterals
      assert.deepEqual([margin?.available_balance, margin?.withdrawable_balance], [null, null])
      assert.deepEqual([margin?.balance, margin?.locked_balance], ['99.9997', null])
      assert.deepEqual([object.balance, object.total_value], ['99.9997', null])
      assert.deepEqual([object.spot_value, object.in_liquidation], ['0', false])
    })
  })

  test('margins are known without margin and without a position', async () => {
    const spot = newScenario()
      .index('ETH', 3000n * E18)
      .list('ETH-USDC')
      .deposit('alice', 'ETH', 1n)
    await withAccountNode(store, spot.next(), async (venue) => {
      const object = await readAccount(venue)
      assert.deepEqual(pickMargins(object), ['0', '0', '0', '0', false])
      assert.equal(object.total_value, '3000')
    })
    const margin = newScenario().list('ETH-PERP').deposit('alice', 'USDC', 5n)
    const { id } = LISTINGS['ETH-PERP']
    margin.say({
      type: 'LeverageSet',
      market: id,
      account: margin.accountOf('alice'),
      leverage: 3,
    })
    await withAccountNode(store, margin.next(), async (venue) => {
      const object = await readAccount(venue)
      assert.deepEqual(pickMargins(object), ['5', '0', '0', '5', false], 'a leverage needs no mark')
    })
  })
})
