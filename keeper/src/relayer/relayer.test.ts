// The relayer on the real contracts: accepted intents reach the chain, and outcomes are recorded.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeRelayStatus } from '@openvenue/core/relay'
import { until } from '@openvenue/core/test/until'
import type { NewIntent } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'
import type { Keeper } from '../keeper.ts'

const [ALICE, BOB] = [1, 2] as const
const KEYS = [derivePrivateKey(6), derivePrivateKey(7)]
const CANCELLER = privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase()
const GAS_PER_BLOCK = 10_000_000

describe('a relayer', () => {
  let live: LiveVenue
  let orders: LiveOrders
  let keeper: Keeper
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    const bounds = { feeCap: 10n ** 12n, feeFloor: 0n }
    const relayer = { keys: KEYS, gasPerBlock: GAS_PER_BLOCK, logsOrders: true, ...bounds }
    keeper = live.keeper({ ...only(), relayer })
    keeper.start()
  })
  after(() => live.stop())

  const onChain = async (ids: readonly string[]) => live.store.intents.onChain(ids)

  test('a relayer places an order and records its block', async () => {
    const order = await orders.order(ALICE, { tick: 29_000 })
    await orders.accept([order])
    const [intent] = await orders.reach('included', [order])
    const [row] = await onChain([order.id])
    assert.ok(row?.isResting)
    assert.equal(intent?.blockNumber, row.blockNumber)
    assert.match(intent?.txHash ?? '', /^0x[0-9a-f]{64}$/)
    const log = (await live.store.intents.logAfter(0, 1_000)).filter(({ id }) => id === order.id)
    assert.deepEqual(
      log.map(({ state }) => state),
      ['queued', 'sent', 'included'],
    )
    assert.equal(log[1]?.txHash, intent?.txHash)
  })

  test('with LOG_REQUESTS each step of an order is a line with its request and transaction', async () => {
    const order = await orders.order(ALICE, { tick: 29_010 })
    const crossing = await orders.order(BOB, { tick: 28_000, isBuy: false, timeInForce: 3 })
    const acceptOf = async (intent: NewIntent) => {
      assert.ok(intent.payload.kind === 'order')
      const payload = { ...intent.payload, request: { id: 'mine' } }
      await orders.accept([{ ...intent, payload }])
    }
    await acceptOf(order)
    const [intent] = await orders.reach('included', [order])
    await acceptOf(crossing)
    const [refused] = await orders.reach('refused', [crossing])
    const linesOf = ({ id }: NewIntent) =>
      live.keeperLines
        .filter((line) => line.order === id)
        .map(({ msg, reqId, tx, block, reason }) => ({ msg, reqId, tx, block, reason }))
    const step = (msg: string, facts: object) => {
      const none = { block: undefined, reason: undefined }
      return { msg, reqId: 'mine', ...none, ...facts }
    }
    await until('both are logged', () => [order, crossing].every((of) => linesOf(of).length > 1))
    assert.deepEqual(linesOf(order), [
      step('order sent', { tx: intent?.txHash }),
      step('order included', { tx: intent?.txHash, block: intent?.blockNumber }),
    ])
    assert.deepEqual(linesOf(crossing).at(-1), {
      ...step('order refused', { tx: refused?.txHash, reason: 'PostOnlyWouldCross' }),
    })
  })

  test('GET /metrics has the time from the receipt of an order to its inclusion', async () => {
    const order = await orders.order(ALICE, { tick: 29_020 })
    const count = async () => {
      const { body } = await keeper.host.inject('/metrics')
      return Number(/^openvenue_relayer_inclusion_seconds_count (\d+)$/m.exec(body)?.[1])
    }
    const before = await count()
    await orders.accept([order])
    await orders.reach('included', [order])
    await until('it is counted', async () => (await count()) === before + 1)
  })

  test('a relayer records why the chain refuses an order, and places the rest of its transaction', async () => {
    const fine = await orders.order(ALICE, { tick: 29_001 })
    const crossing = await orders.order(BOB, { tick: 28_000, isBuy: false, timeInForce: 3 })
    const poor = await orders.order(ALICE, { tick: 29_002, lots: 10n ** 15n })
    const later = await orders.order(ALICE, { tick: 29_003 })
    await orders.accept([fine, crossing, poor, later])
    await orders.reach('included', [fine, later])
    const [crossingRefusals, poorRefusals] = await Promise.all([
      orders.reach('refused', [crossing]),
      orders.reach('refused', [poor]),
    ])
    assert.equal(crossingRefusals[0]?.reason, 'PostOnlyWouldCross')
    assert.match(poorRefusals[0]?.reason ?? '', /^[A-Z][A-Za-z]+$/)
    assert.deepEqual(await onChain([crossing.id, poor.id]), [])
  })

  test('a relayer cancels by account permission, by signature, and all orders at once', async () => {
    await orders.allow(ALICE, CANCELLER)
    const placed = await Promise.all(
      [28_001, 28_002, 28_003, 28_004].map((tick) => orders.order(ALICE, { tick })),
    )
    await orders.accept(placed)
    await orders.reach('included', placed)
    const rows = await onChain(placed.map(({ id }) => id))
    const numbers = placed.map(({ id }) => rows.find((row) => row.id === id)?.number ?? 0)
    const chainIds = numbers.map(
      (number) => `${orders.market(false)}${number.toString(16).padStart(16, '0')}`,
    )
    const cancels = [
      await orders.cancel(ALICE, placed[0]?.id ?? ''),
      await orders.cancel(ALICE, chainIds[1] ?? ''),
      await orders.signedCancel(ALICE, [chainIds[2] ?? '']),
      await orders.signedCancelAll(ALICE, [numbers[3] ?? 0]),
    ]
    await orders.accept(cancels)
    await orders.reach('included', cancels)
    await until('none rests', async () =>
      (await onChain(placed.map(({ id }) => id))).every(({ isResting }) => !isResting),
    )
  })

  test('a relayer cancels a pending order, and refuses to cancel an order that is gone', async () => {
    const order = await orders.order(ALICE, { tick: 28_010 })
    const cancel = await orders.cancel(ALICE, order.id)
    await orders.accept([order, cancel])
    await orders.reach('included', [order, cancel])
    const again = await orders.cancel(ALICE, `0x${'1'.repeat(64)}`)
    await orders.accept([again])
    const [gone] = await orders.reach('refused', [again])
    assert.equal(gone?.reason, 'ORDER_DOES_NOT_EXIST')
  })

  test("a cancel of another account's order is refused as if the order did not exist", async () => {
    const order = await orders.order(BOB, { tick: 28_020 })
    await orders.accept([order])
    await orders.reach('included', [order])
    const [ownCancel, elsewhere] = [
      await orders.cancel(ALICE, order.id),
      await orders.cancel(ALICE, `${orders.market(true)}${'f'.padStart(16, '0')}`),
    ]
    await orders.accept([ownCancel, elsewhere])
    for (const { reason } of await orders.reach('refused', [ownCancel, elsewhere]))
      assert.equal(reason, 'ORDER_DOES_NOT_EXIST')
    assert.equal((await onChain([order.id]))[0]?.isResting, true)
  })

  test('a relayer reports its wallets and whether they can pay', async () => {
    const row = await live.store.intents.readStatus()
    const status = decodeRelayStatus(row?.status ?? '')
    assert.equal(status.canceller, CANCELLER)
    assert.deepEqual(
      status.lanes.map(({ name, isFunded }) => [name, isFunded]),
      [
        ['cancels', true],
        ['orders-0', true],
      ],
    )
    assert.ok(live.clock.nowMs() - (row?.updatedMs ?? 0) < 10_000)
  })
})
