// Bounds of a round of a task, on a fake node.

import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { orderKey } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { Signal } from '@openvenue/runtime/signal'
import { decodeFunctionData, type Hex, hexToString } from 'viem'
import { createState, FIRST } from '../test/fake-state.ts'
import { startFakeContext } from '../test/fake-task-context.ts'
import { nextLook } from './pokes.ts'
import { pricesTask } from './prices.ts'
import { SWEEPS_MAX, SWEPT_PER_CALL_MAX, sweepsTask } from './sweeps.ts'
import type { TaskContext } from './task-context.ts'
import type { VenueView } from './venue-view.ts'

const REFUSED_MS = 30_000

describe('a round', () => {
  let { node, context, time, stop } = startFakeContext()
  beforeEach(async () => {
    await stop()
    ;({ node, context, time, stop } = startFakeContext())
  })
  after(() => stop())

  test(`a round has ${SWEEPS_MAX} sweeps of ${SWEPT_PER_CALL_MAX} orders, and the next round the rest`, async () => {
    const state = createState([])
    const count = SWEEPS_MAX * SWEPT_PER_CALL_MAX + 7
    for (let number = 1; number <= count; number++)
      state.records.unswept.set(orderKey(FIRST.id, number), {
        market: FIRST.id,
        account: 4,
        number,
      } as never)
    const orders = () =>
      node.given.map(({ data }) => {
        const { args } = decodeFunctionData({ abi: perpsAbi, data })
        return (args as unknown as [number, readonly number[]])[1].length
      })
    const task = sweepsTask(context, { state } as VenueView, new Signal())
    await task.round()
    const full = Array(SWEEPS_MAX).fill(SWEPT_PER_CALL_MAX)
    assert.deepEqual(orders(), full)
    await task.round()
    assert.deepEqual(orders(), [...full, 7])
  })

  test('a price is left out for half a minute after the oracle refused only that price', async () => {
    const refusal = { refused: 'execution reverted', data: undefined }
    node.refusal = (data) => (assetsIn(data).includes('BAD') ? refusal : undefined)
    const prices = new Map([
      ['GOOD', E18],
      ['BAD', E18],
    ])
    const urgent: (boolean | undefined)[] = []
    const send: TaskContext['send'] = (name, call) => {
      urgent.push(call.isUrgent)
      return context.send(name, call)
    }
    const source = { prices: async () => ({ prices, seconds: 1 }) }
    const task = pricesTask({ ...context, send }, source)
    const pushedAssets = async () => {
      const from = node.asked.length
      await task.round()
      return node.asked.slice(from).map((data) => assetsIn(data).join())
    }
    const all = ['GOOD,BAD', 'GOOD', 'BAD']
    assert.deepEqual(await pushedAssets(), all)
    time.ms += REFUSED_MS - 1
    assert.deepEqual(await pushedAssets(), ['GOOD'])
    time.ms += 1
    assert.deepEqual(await pushedAssets(), all)
    // A clock that is set back a day leaves nothing out for a day.
    time.ms -= 86_400_000
    assert.deepEqual(await pushedAssets(), all)
    assert.deepEqual(urgent, [true, true, true, true], 'everything else depends on prices')
  })
})

test('a market is checked again when a poke is allowed, no later than its funding hour ends', () => {
  const at = (pokedAt: number, seconds: number, isStale = false) =>
    nextLook({ activity: { pokedAt }, isStale }, { seconds })
  assert.equal(at(7_000, 7_010), 7_060)
  assert.equal(at(7_190, 7_195), 7_200)
  assert.equal(at(7_190, 7_195, true), 7_196)
})

function assetsIn(data: Hex): string[] {
  const { args = [] } = decodeFunctionData({ abi: pushOracleAbi, data })
  return (args[0] as readonly Hex[]).map((asset) => hexToString(asset, { size: 32 }))
}
