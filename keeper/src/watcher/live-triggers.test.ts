// Triggers on the real contracts: a held order is sent when the contract accepts it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'

const [ALICE, BOB] = [1, 2] as const
const KEYS = [derivePrivateKey(6), derivePrivateKey(7)]
const [ABOVE, BELOW] = [1, 2]
const FAR = String(10n ** 30n)
const RELAYER = { keys: KEYS, gasPerBlock: 10_000_000, feeCap: 10n ** 12n, feeFloor: 0n }

describe('a trigger on the chain', () => {
  let live: LiveVenue
  let orders: LiveOrders
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    live.keeper({ ...only(), relayer: RELAYER }).start()
  })
  after(() => live.stop())

  const hold = async (terms: object, isPerpetual: boolean) => {
    const order = await orders.order(ALICE, { tick: 28_000, ...terms }, isPerpetual)
    const heldOrder = { ...order, state: 'received' as const }
    await orders.accept([heldOrder])
    return heldOrder
  }

  for (const isPerpetual of [false, true]) {
    const marketKind = isPerpetual ? 'a perpetual' : 'a spot market'

    test(`a trigger order of ${marketKind} is held until its trigger is met, then placed`, async () => {
      if (!isPerpetual) {
        const sides = [
          await orders.order(ALICE, { tick: 28_500 }),
          await orders.order(BOB, { tick: 31_500, isBuy: false }),
        ]
        await orders.accept(sides)
        await orders.reach('included', sides)
      }
      const far = await hold({ triggerKind: ABOVE, triggerPrice: FAR }, isPerpetual)
      const met = await hold({ triggerKind: BELOW, triggerPrice: FAR }, isPerpetual)
      await orders.reach('included', [met])
      const [heldOrder] = await live.store.intents.find([far.id])
      assert.equal(heldOrder?.state, 'received')
    })

    test(`a trigger order of ${marketKind} whose mark moved back is held again, not refused`, async () => {
      const order = await orders.order(
        ALICE,
        { tick: 28_001, triggerKind: ABOVE, triggerPrice: FAR },
        isPerpetual,
      )
      await orders.accept([order])
      const [heldOrder] = await orders.reach('received', [order])
      assert.equal(heldOrder?.reason, 'TriggerNotMet')
    })
  }
})
