import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invertChanges } from '@openvenue/core/changes'
import type { Order } from '@openvenue/core/records'
import { emptyState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { applyBlock } from '@openvenue/core/venue'
import fc from 'fast-check'
import { VenueModel } from './venue-model.ts'

const ACCOUNTS = [1, 2, 3, 4, 5, 6, 7, 8]

const emptyModel = () => {
  const model = new VenueModel()
  const none = { trades: new Map(), candles: new Map(), priceMinutes: new Map() }
  model.load({ seq: 0, state: emptyState(), ...none, settlements: new Map(), poolHours: new Map() })
  return model
}

/** The resting orders of an account, found by a full search. */
const searched = (model: VenueModel, account: number): Order[] =>
  [...model.state.records.order.values()]
    .filter((order) => order.account === account)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)

const shown = (model: VenueModel) => ACCOUNTS.map((account) => model.accountOrders.of(account))

function checkAll(model: VenueModel): void {
  for (const account of ACCOUNTS)
    assert.deepEqual(model.accountOrders.of(account), searched(model, account))
  for (const order of model.state.records.order.values())
    if (order.ref !== null) assert.equal(model.accountOrders.signed(order.ref), order)
}

describe('the resting orders of an account', () => {
  test('the resting orders of an account are those of a full search, through trading, undoing and loading', () => {
    const tale = fc.record({ seed: fc.nat(), blocks: fc.integer({ min: 2, max: 40 }) })
    fc.assert(
      fc.property(tale, ({ seed, blocks }) => {
        const model = emptyModel()
        const state = emptyState()
        const applied = randomScenario(seed, blocks).map((block) => applyBlock(state, block))
        for (const entry of applied) {
          model.apply({ seq: model.seq + 1, kind: 'apply', ...entry })
          checkAll(model)
        }
        const before = shown(model)
        for (const { header, changes } of applied.slice(-3).reverse())
          model.apply({ seq: model.seq + 1, kind: 'undo', header, changes: invertChanges(changes) })
        checkAll(model)
        for (const entry of applied.slice(-3))
          model.apply({ seq: model.seq + 1, kind: 'apply', ...entry })
        assert.deepEqual(shown(model), before)

        const other = emptyModel()
        const none = { trades: new Map(), candles: new Map(), priceMinutes: new Map() }
        other.load({
          seq: model.seq,
          state: model.state,
          ...none,
          settlements: new Map(),
          poolHours: new Map(),
        })
        assert.deepEqual(shown(other), before)
      }),
      { numRuns: 12 },
    )
  })

  test('the resting orders of an account have a new version whenever they change, and only then', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const model = emptyModel()
        const state = emptyState()
        const seen = new Map<string, string>()
        for (const block of randomScenario(seed, 30)) {
          const versions = ACCOUNTS.map((account) => model.accountOrders.version(account))
          const orders = shown(model)
          model.apply({ seq: model.seq + 1, kind: 'apply', ...applyBlock(state, block) })
          for (const [i, account] of ACCOUNTS.entries()) {
            const version = model.accountOrders.version(account)
            const own = model.accountOrders.of(account)
            if (version === versions[i]) assert.deepEqual(own, orders[i])
            const name = `${account} ${version}`
            const text = own.map(({ number, restingLots }) => `${number} ${restingLots}`).join()
            assert.equal(seen.get(name) ?? text, text, 'a version names one list')
            seen.set(name, text)
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  test('the resting orders of an account change with the leverage that they show', () => {
    const model = emptyModel()
    const { accountOrders } = model
    const order = { account: 3, restingLots: 1n, blockNumber: 1, logIndex: 0 } as Order
    accountOrders.take('a', 3, order)
    const version = accountOrders.version(3)
    accountOrders.invalidate(3)
    assert.ok(accountOrders.version(3) > version)
    accountOrders.invalidate(4)
    assert.equal(accountOrders.version(4), 0)
  })

  test('the resting orders of an account take no memory once none rests', () => {
    const { accountOrders } = emptyModel()
    const order = { account: 3, restingLots: 1n, blockNumber: 1, logIndex: 0 } as Order
    accountOrders.take('a', 3, order)
    assert.equal(accountOrders.size, 1)
    accountOrders.take('a', 3, { ...order, restingLots: 0n })
    assert.equal(accountOrders.size, 0)
    accountOrders.take('a', 3, undefined)
    assert.equal(accountOrders.size, 0)
  })
})
