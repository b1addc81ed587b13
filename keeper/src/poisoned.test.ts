// Accounts that cannot be closed and winners that withdraw must not delay other accounts.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { VenueState } from '@openvenue/core/state'
import { Signal } from '@openvenue/runtime/signal'
import { decodeFunctionData, encodeErrorResult, type Hex } from 'viem'
import {
  createCollateral,
  createState,
  ENGINE,
  FIRST,
  SECOND,
  type Stand,
  WrittenView,
} from '../test/fake-state.ts'
import { startFakeContext } from '../test/fake-task-context.ts'
import { deleveragingTask } from './deleveraging.ts'
import { FailedCloses, REVERTED_SECONDS, REVERTED_SECONDS_MAX } from './failed-closes.ts'
import { CLOSES_MAX, liquidationsTask } from './liquidations.ts'
import { RiskWatch } from './risk-watch.ts'

const EXHAUSTED = {
  refused: 'execution reverted',
  data: encodeErrorResult({ abi: perpsAbi, errorName: 'InsuranceExhausted', args: [-1n] }),
}

const callIn = (data: Hex) => {
  const { functionName, args = [] } = decodeFunctionData({ abi: perpsAbi, data })
  return { functionName, args: args.slice(0, 2).map(Number) as [number, number] }
}

describe('what cannot be closed', () => {
  let { node, context, stop } = startFakeContext()
  beforeEach(async () => {
    await stop()
    ;({ node, context, stop } = startFakeContext())
  })
  after(() => stop())

  const liquidations = (state: VenueState, view = new WrittenView(state)) => {
    const triggers = {
      trigger: new Signal(),
      handOver: new Signal(),
      handedOver: new Set<string>(),
    }
    return liquidationsTask(context, new RiskWatch(view, ENGINE), triggers)
  }
  /** Advances by a block in which nothing changes. */
  const pass = (state: VenueState) => {
    const { head } = state
    assert.ok(head)
    state.head = { ...head, number: head.number + 1, seconds: head.seconds + 1 }
  }
  const long = (account: number, dollars: bigint): Stand => ({
    account,
    dollars,
    lots: [[FIRST, 1_000n, 1_000n]],
  })

  test('accounts that cannot be closed do not block the closing of others, however many', async () => {
    const stuck = Array.from({ length: CLOSES_MAX + 8 }, (_, n) => long(n + 3, 10n))
    const state = createState([...stuck, long(100, 20n)])
    node.refusal = (data) => (callIn(data).args[0] === 100 ? undefined : EXHAUSTED)
    const task = liquidations(state)
    await task.round()
    assert.equal(node.asked.length, CLOSES_MAX)
    pass(state)
    await task.round()
    assert.deepEqual(
      node.given.map(({ data }) => callIn(data).args),
      [[100, 1]],
    )
    // The refused ones are retried, the one that has waited longest first.
    const first = node.asked.slice(0, CLOSES_MAX).map((data) => callIn(data).args[0])
    const second = node.asked.slice(CLOSES_MAX).map((data) => callIn(data).args[0])
    assert.deepEqual(second, [
      ...stuck.slice(CLOSES_MAX).map(({ account }) => account),
      100,
      ...first.slice(0, CLOSES_MAX - 9),
    ])
  })

  test('accounts that insurance can still save are closed before those with negative equity', async () => {
    const task = liquidations(createState([long(3, -5n), long(4, 10n), long(5, 5n)]))
    await task.round()
    assert.deepEqual(
      node.given.map(({ data }) => callIn(data).args[0]),
      [5, 4, 3],
    )
  })

  test('a position that cannot be closed does not block other positions of its account', async () => {
    const state = createState([
      {
        account: 3,
        dollars: 40n,
        lots: [
          [FIRST, 1_000n, 1_000n],
          [SECOND, 900n, 1_000n],
        ],
      },
    ])
    node.refusal = (data) => (callIn(data).args[1] === 1 ? EXHAUSTED : undefined)
    const task = liquidations(state)
    await task.round()
    assert.equal(node.given.length, 0)
    pass(state)
    await task.round()
    assert.deepEqual(
      node.given.map(({ data }) => callIn(data).args),
      [[3, 2]],
    )
  })

  test('an account far below its margin is closed in one round, others position by position', async () => {
    const lots = [
      [FIRST, 1_000n, 1_000n],
      [SECOND, 900n, 1_000n],
    ] as const
    const state = createState([
      { account: 3, dollars: 10n, lots },
      { account: 4, dollars: 40n, lots },
    ])
    await liquidations(state).round()
    assert.deepEqual(
      node.given.map(({ data }) => callIn(data).args),
      [
        [3, 1],
        [3, 2],
        [4, 1],
      ],
    )
  })

  test('a close that reverts in its block again and again costs fewer and fewer fees', async () => {
    const state = createState([long(3, 20n)])
    node.works = () => false
    const task = liquidations(state)
    const seconds: number[] = []
    for (let second = 0; second < 200; second++) {
      const before = node.given.length
      await task.round()
      if (node.given.length > before) seconds.push(second)
      pass(state)
    }
    assert.deepEqual(seconds, [0, 1, 3, 7, 15, 31, 63, 123, 183])
  })

  /** Returns in which of nine seconds it is sent; `before` is called with each second. */
  const sentIn = async (before: (second: number, view: WrittenView) => void) => {
    const state = createState([long(3, 20n)])
    const view = new WrittenView(state)
    const task = liquidations(state, view)
    const seconds: number[] = []
    for (let second = 0; second < 9; second++) {
      const { length } = node.given
      before(second, view)
      await task.round()
      if (node.given.length > length) seconds.push(second)
      pass(state)
    }
    return seconds
  }

  test('a close that succeeds resets the backoff of its position', async () => {
    const seconds = await sentIn((second) => {
      node.works = () => second === 3
    })
    assert.deepEqual(seconds, [0, 1, 3, 4, 5, 7])
  })

  test('an account that was out of danger has the backoff of its closes reset', async () => {
    node.works = () => false
    const seconds = await sentIn((second, view) => {
      view.fold([createCollateral(3, second === 2 ? 1_000n : 20n)])
    })
    assert.deepEqual(seconds, [0, 1, 3, 4, 6])
  })

  test('the next close after a partial one waits for the time set by the contract', async () => {
    const state = createState([long(3, 20n)])
    const args = [BigInt((state.head?.seconds ?? 0) + 5)] as const
    const data = encodeErrorResult({ abi: perpsAbi, errorName: 'LiquidationTooSoon', args })
    node.refusal = () => ({ refused: 'execution reverted', data })
    const task = liquidations(state)
    for (let second = 0; second <= 5; second++) {
      await task.round()
      assert.equal(node.asked.length, second < 5 ? 1 : 2, `after ${second} seconds`)
      pass(state)
    }
  })

  test('deleveraging nominates the next winner when the first one withdraws', async () => {
    const short = (account: number, dollars: bigint): Stand => ({
      account,
      dollars,
      lots: [[FIRST, -1_000n, 1_100n]],
    })
    const state = createState([long(3, -50n), short(4, 10n), short(5, 500n)])
    node.works = (data) => callIn(data).args[1] !== 4
    const handedOver = new Set([`${FIRST.id}|3`])
    await deleveragingTask(context, { state }, { trigger: new Signal(), handedOver }).round()
    assert.deepEqual(
      node.given.map(({ data }) => callIn(data)),
      [
        { functionName: 'nominate', args: [3, 4] },
        { functionName: 'nominate', args: [3, 5] },
      ],
    )
  })
})

test('a failed close is forgotten once it succeeds or its account is no longer at risk', () => {
  const failed = new FailedCloses()
  failed.refused('a')
  failed.refused('b')
  assert.deepEqual([failed.rank('a'), failed.rank('b'), failed.rank('c')], [1, 2, 0])
  failed.succeeded('a')
  failed.keepOnly((subject) => subject === 'c')
  assert.deepEqual([failed.rank('a'), failed.rank('b')], [0, 0])
  const backoff = Array.from({ length: 8 }, () => failed.reverted('a'))
  assert.deepEqual(backoff, [0, REVERTED_SECONDS, 4, 8, 16, 32, REVERTED_SECONDS_MAX, 60])
  failed.refused('a')
  assert.equal(failed.reverted('a'), REVERTED_SECONDS_MAX, 'a refusal forgives no revert')
  failed.succeeded('a')
  assert.equal(failed.reverted('a'), 0)
})
