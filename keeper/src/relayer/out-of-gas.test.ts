// Orders that match more makers than expected take the gas of later orders of the transaction.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'

const [ALICE, BOB, CAROL] = [1, 2, 3] as const
const MAKERS = 220
const FILLS_MAX = 100
const [GTC, IOC] = [0, 1] as const
const relayer = {
  keys: [derivePrivateKey(6), derivePrivateKey(7)],
  gasPerBlock: 20_000_000,
  feeCap: 10n ** 12n,
  feeFloor: 0n,
}

describe('a transaction that runs out of gas', () => {
  let live: LiveVenue
  let orders: LiveOrders
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    live.keeper({ ...only(), relayer }).start()
  })
  after(() => live.stop())

  test('orders of a transaction that runs out of gas are retried, the largest one on its own', async () => {
    const makers = await Promise.all(
      Array.from({ length: MAKERS }, (_, n) =>
        orders.order(ALICE, { tick: 29_000 - n, lots: 1_000n }, true),
      ),
    )
    await orders.accept(makers)
    await orders.reach('included', makers)
    const sweep = (timeInForce: number) =>
      orders.order(
        BOB,
        { tick: 28_700, isBuy: false, timeInForce, lots: 1_000n * BigInt(FILLS_MAX) },
        true,
      )
    const sweeps = [await sweep(IOC), await sweep(IOC)]
    const others = await Promise.all(
      [1, 2, 3].map((n) => orders.order(CAROL, { tick: 25_000 + n, timeInForce: GTC }, true)),
    )
    await orders.accept([...sweeps, ...others])
    await orders.reach('included', [...sweeps, ...others])
    const log = await live.store.intents.logAfter(0, 100_000)
    const hashes = (id: string) =>
      log.filter((entry) => entry.id === id && entry.state === 'sent').map(({ txHash }) => txHash)
    const tries = others.map(({ id }) => hashes(id).length)
    assert.ok(Math.max(...tries) > 1, `the first transaction was too small (${tries})`)
    const rows = await live.store.intents.onChain(sweeps.map(({ id }) => id))
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['filled', 'filled'],
    )
  })
})
