// Actions of the watcher for accounts: triggers, brackets and ends of held orders.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { E18 } from '@openvenue/core/integers'
import { until } from '@openvenue/core/test/until'
import { type Abi, encodeFunctionResult } from 'viem'
import { FIRST } from '../../test/fake-state.ts'
import { SPOT, WatchedVenue } from '../../test/watched-venue.ts'

const [ABOVE, BELOW] = [1, 2]
const dollars = (count: bigint) => `${count * E18}`

let venue: WatchedVenue
before(async () => {
  venue = await WatchedVenue.open()
  venue.start()
})
after(() => venue.close())
beforeEach(() => venue.mark(FIRST, 1_000n))

const stopLoss = (terms: object = {}) =>
  venue.accept({ triggerKind: BELOW, triggerPrice: dollars(900n), ...terms })
const takeProfit = (terms: object = {}) =>
  venue.accept({ triggerKind: ABOVE, triggerPrice: dollars(1_100n), ...terms })

describe('a trigger', () => {
  test('a trigger holds its order until the mark meets it, then sends it', async () => {
    const [stop, profit] = [await stopLoss(), await takeProfit()]
    await venue.settle()
    assert.ok(await venue.is(stop, 'received'))
    venue.mark(FIRST, 900n)
    await venue.reach(stop, 'queued')
    assert.ok(await venue.is(profit, 'received'))
    venue.mark(FIRST, 1_100n)
    await venue.reach(profit, 'queued')
  })

  test('a trigger that is already met sends its order at once', async () => {
    await venue.reach(await takeProfit({ triggerPrice: dollars(1_000n) }), 'queued')
  })

  test('a triggered order has a promised block once it fires, and none before', async () => {
    for (const { id, state } of (await venue.store.intents.live()).intents)
      if (state !== 'received') await venue.move(id, 'refused')
    await venue.settle()
    const stops = await Promise.all(Array.from({ length: 12 }, () => stopLoss()))
    const log = async () =>
      (await venue.store.intents.logAfter(0, 10_000)).filter(({ id }) => stops.includes(id))
    for (const { includeByBlock } of await log()) assert.equal(includeByBlock, 0)
    venue.mark(FIRST, 700n)
    for (const id of stops) await venue.reach(id, 'queued')
    const fired = (await log()).filter(({ state }) => state === 'queued')
    const blocks = fired.map(({ includeByBlock }) => includeByBlock)
    const head = venue.view.state.head?.number ?? 0
    assert.deepEqual([Math.min(...blocks), Math.max(...blocks)], [head + 3, head + 4])
  })

  test('a trigger is watched by the successor of a watcher that died', async () => {
    const stop = await stopLoss()
    await venue.stop()
    venue.mark(FIRST, 800n)
    assert.ok(await venue.is(stop, 'received'))
    venue.start()
    await venue.reach(stop, 'queued')
  })

  test('a trigger fires nothing in a process that has lost its lease', async () => {
    venue.mayAct = false
    const stop = await stopLoss()
    venue.mark(FIRST, 800n)
    const other = await WatchedVenue.open()
    // A round of another venue passes meanwhile.
    other.start()
    await other.settle()
    await other.close()
    assert.ok(await venue.is(stop, 'received'))
    venue.mayAct = true
    await venue.reach(stop, 'queued')
  })

  test('a triggered order that the chain sends back is held again and retried with growing pauses', async () => {
    const stop = await stopLoss()
    venue.mark(FIRST, 850n)
    const seconds = venue.view.state.head?.seconds ?? 0
    for (const waits of [1, 2, 4]) {
      await venue.reach(stop, 'queued')
      await venue.settle()
      await venue.move(stop, 'sent')
      await venue.move(stop, 'received', 'TriggerNotMet')
      await venue.settle()
      assert.ok(await venue.is(stop, 'received'))
      const from = venue.view.state.head?.seconds ?? seconds
      venue.block(from + waits - 1)
      await venue.settle()
      assert.ok(await venue.is(stop, 'received'), `not within ${waits} s`)
      venue.block(from + waits)
    }
    await venue.reach(stop, 'queued')
  })

  test('a spot trigger compares with the average of mids, read from the chain', async () => {
    let averageTick = 1_000 * 256
    let callCount = 0
    venue.node.lies = {
      eth_call: () => {
        callCount++
        const result = {
          ...{ nextOrder: 1, bestBid: 0, bestAsk: 0xff_ffff, changedTime: 0, freshOrders: 0 },
          ...{ minOrderValue: 0n, maxOrderValue: 0n, averageTick },
        }
        const encoded = encodeFunctionResult({
          abi: spotAbi as Abi,
          functionName: 'stateOf',
          result,
        })
        return { result: encoded }
      },
    }
    const stop = await stopLoss({ in: SPOT })
    await venue.settle()
    await until('it was asked', () => callCount > 0)
    const before = callCount
    await venue.settle()
    await venue.settle()
    assert.equal(callCount, before, 'far from every trigger the chain is not asked again')
    assert.ok(await venue.is(stop, 'received'))
    averageTick = 900 * 256
    const near = await stopLoss({ in: SPOT, triggerPrice: dollars(1_000n) })
    await venue.reach(near, 'queued')
    await venue.reach(stop, 'queued')
  })
})

describe('a held order', () => {
  test('a held order ends when the contract would no longer accept the order', async () => {
    const seconds = venue.view.state.head?.seconds ?? 0
    const resting = await stopLoss({ goodTil: `${seconds + 15}` })
    const taking = await stopLoss({ goodTil: `${seconds + 15}`, timeInForce: 1 })
    const dated = await stopLoss({ deadline: `${seconds + 20}` })
    venue.block(seconds + 10)
    await venue.settle()
    assert.ok(await venue.is(resting, 'received'))
    venue.block(seconds + 11)
    assert.equal(await venue.reach(resting, 'expired'), 'ORDER_EXPIRED')
    venue.block(seconds + 15)
    await venue.settle()
    assert.ok(await venue.is(taking, 'received'))
    venue.block(seconds + 16)
    await venue.reach(taking, 'expired')
    venue.block(seconds + 20)
    await venue.settle()
    assert.ok(await venue.is(dated, 'received'))
    venue.block(seconds + 21)
    await venue.reach(dated, 'expired')
  })

  test('a held order is withdrawn once another of its salt is on the chain', async () => {
    const salt = '4242'
    const [stop, profit] = [await stopLoss({ salt }), await takeProfit({ salt })]
    const stranger = await stopLoss({ salt, account: 8 })
    await venue.settle()
    await venue.chain(profit)
    assert.equal(await venue.reach(stop, 'withdrawn'), 'OCO')
    assert.ok(await venue.is(stranger, 'received'), 'a salt is of one account')
  })

  for (const [situation, fate] of [
    ['rests', {}],
    ['was filled at once', { filledLots: 10n, restingLots: 0n, status: 'filled' }],
  ] as const)
    test(`a held order ends with an order of its salt that ${situation} while no watcher ran`, async () => {
      const salt = `5${situation.length}`
      const [stop, profit] = [await stopLoss({ salt }), await takeProfit({ salt })]
      const stranger = await stopLoss({ salt, account: 8 })
      await venue.settle()
      await venue.stop()
      await venue.chain(profit, fate)
      venue.mark(FIRST, 800n)
      let failures = 0
      const { safeguards } = venue.store
      const excluded = () =>
        failures++ < 2 ? Promise.reject(new Error('away')) : safeguards.excluded()
      venue.start({ safeguards: { ...safeguards, excluded } })
      assert.equal(await venue.reach(stop, 'withdrawn'), 'OCO')
      await venue.reach(stranger, 'queued')
      venue.mark(FIRST, 1_000n)
    })

  test('a held order does not fire while another of its salt is pending', async () => {
    const salt = '4343'
    const [stop, profit] = [await stopLoss({ salt }), await takeProfit({ salt })]
    venue.mark(FIRST, 1_200n)
    await venue.reach(profit, 'queued')
    venue.mark(FIRST, 800n)
    await venue.settle()
    assert.ok(await venue.is(stop, 'received'))
    await venue.move(profit, 'refused', 'MarginTooLow')
    await venue.reach(stop, 'queued')
  })
})

describe('the children of an order', () => {
  test("child orders wait for their parent's first fill, and for their own trigger after it", async () => {
    const parentId = await venue.accept()
    const limit = await venue.accept({ parentId })
    const stop = await stopLoss({ parentId })
    venue.mark(FIRST, 800n)
    await venue.settle()
    await venue.chain(parentId)
    await venue.settle()
    assert.ok(await venue.is(limit, 'received'))
    assert.ok(await venue.is(stop, 'received'))
    venue.mark(FIRST, 1_000n)
    await venue.chain(parentId, { filledLots: 1n, restingLots: 9n, status: 'partial' })
    await venue.reach(limit, 'queued')
    await venue.settle()
    assert.ok(await venue.is(stop, 'received'))
    venue.mark(FIRST, 800n)
    await venue.reach(stop, 'queued')
  })

  test('child orders are sent although their parent was filled at once, or while no watcher ran', async () => {
    const parentId = await venue.accept()
    const early = await venue.accept({ parentId })
    await venue.stop()
    await venue.chain(parentId, { filledLots: 10n, restingLots: 0n, status: 'filled' })
    venue.start()
    await venue.reach(early, 'queued')
    await venue.reach(await venue.accept({ parentId }), 'queued')
  })

  for (const state of ['refused', 'expired', 'withdrawn'] as const)
    test(`child orders are withdrawn when their parent is ${state}`, async () => {
      const parentId = await venue.accept()
      const child = await stopLoss({ parentId })
      await venue.settle()
      await venue.move(parentId, state)
      assert.equal(await venue.reach(child, 'withdrawn'), 'PARENT_ENDED')
    })

  test('child orders are withdrawn when their parent ends on the chain without a fill', async () => {
    const parentId = await venue.accept()
    const child = await stopLoss({ parentId })
    await venue.chain(parentId)
    await venue.chain(parentId, { restingLots: 0n, status: 'cancelled', reason: 'EXPIRED' })
    assert.equal(await venue.reach(child, 'withdrawn'), 'PARENT_ENDED')
  })

  test('child orders, including resting ones, end when the owner cancels their parent', async () => {
    const parentId = await venue.accept()
    const [resting, heldId] = [await venue.accept({ parentId }), await stopLoss({ parentId })]
    await venue.chain(parentId, { filledLots: 4n, restingLots: 6n, status: 'partial' })
    await venue.reach(resting, 'queued')
    await venue.chain(resting)
    await venue.chain(parentId, { restingLots: 0n, status: 'cancelled', reason: 'USER' })
    await venue.reach(heldId, 'withdrawn')
    await venue.reach(`cancel:${resting}`, 'queued')
    const { payload, lane } = await venue.find(`cancel:${resting}`)
    assert.deepEqual([payload, lane], [{ kind: 'cancel', target: resting }, 'cancels'])
  })

  test('child orders stay to protect the fills of a parent that its owner did not cancel', async () => {
    const parentId = await venue.accept()
    const child = await stopLoss({ parentId })
    await venue.chain(parentId, {
      ...{ filledLots: 4n, restingLots: 0n },
      ...{ status: 'cancelled', reason: 'IOC_REMAINDER' },
    })
    await venue.settle()
    assert.ok(await venue.is(child, 'received'))
    venue.mark(FIRST, 800n)
    await venue.reach(child, 'queued')
  })
})
