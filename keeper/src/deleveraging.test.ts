// Tests nominations, deleveraging and when it ends, on a fake node.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { Header } from '@openvenue/core/events'
import { fold } from '@openvenue/core/state'
import { Signal } from '@openvenue/runtime/signal'
import { decodeFunctionData, encodeErrorResult, type Hex } from 'viem'
import { createCollateral, createState, FIRST, type Stand } from '../test/fake-state.ts'
import { startFakeContext } from '../test/fake-task-context.ts'
import { deleveragingTask, NOMINATION_SECONDS, WINNERS_MAX } from './deleveraging.ts'
import { INSURANCE_ACCOUNT } from './risks.ts'

const LOSER: Stand = { account: 3, dollars: -50n, lots: [[FIRST, 1_000n, 1_000n]] }
const winner = (account: number, lots = 1_000n): Stand => ({
  account,
  dollars: 10n * BigInt(account),
  lots: [[FIRST, -lots, 1_100n]],
})
const refusal = (errorName: string, args: readonly unknown[]) => ({
  refused: 'execution reverted',
  data: encodeErrorResult({ abi: perpsAbi, errorName, args } as never),
})
const NOT_WINNER = refusal('NotWinner', [4, -1n, 0n])
const SUFFICES = refusal('InsuranceSuffices', [1n])
const STANDS = refusal('NotBetterWinner', [4, 1n, 2n])

describe('deleveraging', () => {
  let { node, context, stop } = startFakeContext()
  beforeEach(async () => {
    await stop()
    ;({ node, context, stop } = startFakeContext())
  })
  after(() => stop())

  /** Returns the name of the called function and, for a nomination, the winner. */
  const decodeCall = (data: Hex): [string, number?] => {
    const { functionName, args } = decodeFunctionData({ abi: perpsAbi, data })
    return functionName === 'nominate' ? ['nominate', args[1]] : [functionName]
  }
  const given = () => node.given.map(({ data }) => decodeCall(data))
  const listNominated = () =>
    node.asked.map(decodeCall).flatMap(([name, account]) => (name === 'nominate' ? [account] : []))
  const createTask = (stands: readonly Stand[]) => {
    const state = createState([LOSER, ...stands])
    const handedOver = new Set([`${FIRST.id}|3`])
    const task = deleveragingTask(context, { state }, { trigger: new Signal(), handedOver })
    const roundAt = (seconds: number) => {
      state.head = { ...(state.head as Header), seconds, number: seconds }
      handedOver.add(`${FIRST.id}|3`)
      return task.round()
    }
    return { handedOver, task, roundAt, state }
  }

  test('deleveraging nominates the highest-ranked winner, then waits for the delay to pass', async () => {
    const { roundAt } = createTask([winner(5), winner(4)])
    await roundAt(4_000)
    assert.deepEqual(given(), [['nominate', 4]])
    await roundAt(4_000 + NOMINATION_SECONDS - 1)
    assert.deepEqual(given(), [['nominate', 4]])
  })

  test('deleveraging executes a nomination that no other winner outranks', async () => {
    const { roundAt } = createTask([winner(4)])
    node.refusal = (data) => (decodeCall(data)[0] === 'nominate' ? STANDS : undefined)
    await roundAt(4_000)
    assert.deepEqual(given(), [['deleverage']])
  })

  test('a recent nomination is not executed before the time that the contract gives', async () => {
    const { roundAt } = createTask([winner(4)])
    node.refusal = (data) =>
      decodeCall(data)[0] === 'nominate' ? STANDS : refusal('NominationTooRecent', [4_007n])
    await roundAt(4_000)
    const before = node.asked.length
    await roundAt(4_006)
    assert.equal(node.asked.length, before)
    await roundAt(4_007)
    assert.equal(node.asked.length, before + 2)
    assert.deepEqual(given(), [])
  })

  test('deleveraging replaces a nomination with that of a higher-ranked winner', async () => {
    // Another keeper has nominated account 900; the contract accepts 4, who ranks higher.
    await createTask([winner(900), winner(4)]).task.round()
    assert.deepEqual(given(), [['nominate', 4]])
  })

  test('deleveraging skips an account that is no longer a winner', async () => {
    node.refusal = (data) => (decodeCall(data)[1] === 4 ? NOT_WINNER : undefined)
    await createTask([winner(4), winner(5)]).task.round()
    assert.deepEqual(given(), [['nominate', 5]])
  })

  test('deleveraging flags a loss that has no matching winner', async () => {
    await createTask([]).task.round()
    assert.deepEqual(given(), [['flagLoss']])
    node.refusal = (data) => (decodeCall(data)[0] === 'nominate' ? NOT_WINNER : undefined)
    await createTask([winner(4)]).task.round()
    assert.deepEqual(given(), [['flagLoss'], ['flagLoss']])
  })

  test('a flagged loss is not flagged again, and is cleared once it is covered', async () => {
    const { state, roundAt } = createTask([])
    state.records.market.set(FIRST.id, { ...FIRST, lossAccount: 3 })
    node.refusal = () => refusal('LossUncovered', [3, FIRST.number])
    await roundAt(4_000)
    assert.deepEqual(given(), [])
    assert.deepEqual(node.asked.map(decodeCall), [['clearLoss']])
    node.refusal = () => undefined
    await roundAt(4_001)
    assert.deepEqual(given(), [['clearLoss']])
    node.refusal = () => refusal('ClearTooSoon', [4_020n])
    await roundAt(4_010)
    const before = node.asked.length
    await roundAt(4_019)
    assert.equal(node.asked.length, before, 'not before the contract lets it')
    node.refusal = () => undefined
    await roundAt(4_020)
    assert.deepEqual(given(), [['clearLoss'], ['clearLoss']])
  })

  test('deleveraging stops at the first refusal that would apply to every winner', async () => {
    node.refusal = () => SUFFICES
    await createTask([winner(4), winner(5)]).task.round()
    assert.deepEqual([listNominated(), given()], [[4], []])
  })

  test(`deleveraging tries ${WINNERS_MAX} winners in a round, and none again in the same block`, async () => {
    node.refusal = () => NOT_WINNER
    const stands = Array.from({ length: WINNERS_MAX + 5 }, (_, n) => winner(n + 4))
    const { task, handedOver } = createTask(stands)
    await task.round()
    assert.equal(listNominated().length, WINNERS_MAX)
    assert.equal(handedOver.size, 0)
    handedOver.add(`${FIRST.id}|3`)
    await task.round()
    assert.equal(listNominated().length, WINNERS_MAX)
  })

  test('insurance covers debts of accounts without a position, once a minute', async () => {
    const insured: Stand = { account: INSURANCE_ACCOUNT, dollars: 5n, lots: [] }
    const debtor: Stand = { account: 7, dollars: -9n, lots: [] }
    const { roundAt } = createTask([insured, debtor, winner(4)])
    node.refusal = (data) => (decodeCall(data)[0] === 'coverDebt' ? undefined : SUFFICES)
    for (const seconds of [4_000, 4_059, 4_060]) await roundAt(seconds)
    assert.deepEqual(given(), [['coverDebt'], ['coverDebt']])
  })

  test('deleveraging flags nothing for an account without a debt', async () => {
    const { state, roundAt } = createTask([])
    fold(state, [createCollateral(3, 50n)])
    await roundAt(4_000)
    assert.deepEqual(node.asked.map(decodeCall), [])
  })

  test('a market is checked every ten seconds for having used up its share of insurance', async () => {
    const insured: Stand = {
      account: INSURANCE_ACCOUNT,
      dollars: 900n,
      lots: [[FIRST, 5n, 1_000n]],
    }
    const { state, task } = createTask([insured, winner(4)])
    const nominations = async (seconds: number) => {
      state.head = { ...(state.head as Header), seconds, number: seconds }
      await task.round()
      return listNominated().length
    }
    node.refusal = () => SUFFICES
    const first = await nominations(4_000)
    assert.equal(await nominations(4_009), first)
    assert.equal(await nominations(4_010), first + 1)
    node.refusal = (data) => (decodeCall(data)[0] === 'nominate' ? undefined : SUFFICES)
    assert.equal(await nominations(4_020), first + 2)
    assert.deepEqual(given(), [['nominate', 4]])
  })

  test('insurance closes its own position on the book, every ten seconds', async () => {
    const insured: Stand = {
      account: INSURANCE_ACCOUNT,
      dollars: 900n,
      lots: [[FIRST, 5n, 1_000n]],
    }
    const { roundAt } = createTask([insured])
    const unwound = () => node.asked.map(decodeCall).filter(([name]) => name === 'unwind').length
    node.refusal = () => refusal('NothingToUnwind', [FIRST.number])
    await roundAt(4_000)
    assert.deepEqual([unwound(), given()], [1, []])
    await roundAt(4_009)
    assert.equal(unwound(), 1)
    node.refusal = (data) => (decodeCall(data)[0] === 'unwind' ? undefined : SUFFICES)
    await roundAt(4_010)
    assert.deepEqual(given(), [['unwind']])
  })

  test('deleveraging flags a large debt that is listed after many small ones', async () => {
    const small = Array.from({ length: 20 }, (_, n) => ({
      ...{ account: 10 + n, dollars: -1n, lots: [] },
    }))
    const insured: Stand = { account: INSURANCE_ACCOUNT, dollars: 5n, lots: [] }
    const debtor: Stand = { account: 99, dollars: -9n, lots: [] }
    const { task, handedOver } = createTask([insured, ...small, debtor])
    handedOver.clear()
    await task.round()
    const flags = node.given
      .map(({ data }) => decodeFunctionData({ abi: perpsAbi, data }))
      .filter(({ functionName }) => functionName === 'flagLoss')
    assert.deepEqual(
      flags.map(({ args }) => args),
      [[99, FIRST.number]],
    )
  })

  test('deleveraging flags the largest debt while it exceeds the insurance fund, and covers none', async () => {
    const { state, task, handedOver } = createTask([
      { account: 7, dollars: -9n, lots: [] },
      { account: 8, dollars: -10n, lots: [] },
    ])
    const flags = () =>
      node.given
        .map(({ data }) => decodeFunctionData({ abi: perpsAbi, data }))
        .map(({ args }) => args)
    handedOver.clear()
    await task.round()
    assert.deepEqual(flags(), [[8, FIRST.number]])
    state.records.market.set(FIRST.id, { ...FIRST, lossAccount: 8 })
    node.refusal = () => refusal('LossUncovered', [8, FIRST.number])
    state.head = { ...(state.head as Header), seconds: 4_000, number: 4_000 }
    await task.round()
    assert.equal(flags().length, 1)
  })
})
