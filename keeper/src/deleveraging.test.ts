// Which winners are tried, how many, and when that is enough; on a node that is written down.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { decodeFunctionData, encodeErrorResult, type Hex } from 'viem'
import { Bell } from './clock.ts'
import { deleveragingDuty, WINNERS_MAX } from './deleveraging.ts'
import { startDesk } from './testing/written-desk.ts'
import { FIRST, type Stand, stateOf } from './testing/written-state.ts'

const WALLET: Hex = `0x${'12'.repeat(20)}`
const LOSER: Stand = { account: 3, dollars: -50n, lots: [[FIRST, 1_000n, 1_000n]] }
const winner = (account: number, lots = 1_000n): Stand => ({
  account,
  dollars: 10n * BigInt(account),
  lots: [[FIRST, -lots, 1_100n]],
})
const reverted = (data: Hex) => ({ refused: 'execution reverted', data })
const tooLow = encodeErrorResult({ abi: perpsAbi, errorName: 'MarginTooLow', args: [1n, 2n] })
const suffices = encodeErrorResult({ abi: perpsAbi, errorName: 'InsuranceSuffices', args: [1n] })
const notDeleverager = encodeErrorResult({
  abi: perpsAbi,
  errorName: 'NotDeleverager',
  args: [WALLET],
})

describe('deleveraging', () => {
  let { node, desk, stop } = startDesk()
  beforeEach(async () => {
    await stop()
    ;({ node, desk, stop } = startDesk())
  })
  after(() => stop())

  /** Winner and lots of a call. */
  const termsOf = (data: Hex): [number, number] => {
    const args = decodeFunctionData({ abi: perpsAbi, data }).args as unknown as unknown[]
    return [Number(args[1]), Number(args[3])]
  }
  const given = () => node.given.map(({ data }) => termsOf(data))
  const asked = () => node.asked.map((data) => termsOf(data)[0])
  const dutyOf = (stands: readonly Stand[]) => {
    const state = stateOf([LOSER, ...stands])
    const handedOver = new Set([`${FIRST.id}|3`])
    return {
      handedOver,
      duty: deleveragingDuty(desk, { state }, { bell: new Bell(), handedOver }),
    }
  }

  test('takes from each winner what it has, until nothing is left', async () => {
    await dutyOf([winner(4, 300n), winner(5, 200n), winner(900), winner(901)]).duty.round()
    assert.equal(
      given().reduce((sum, [, lots]) => sum + lots, 0),
      1_000,
    )
    assert.equal(given().at(-1)?.[1], 500)
  })

  test('passes over a winner whose margin would be too low', async () => {
    node.refusal = (data) => (termsOf(data)[0] === 4 ? reverted(tooLow) : undefined)
    await dutyOf([winner(4), winner(5)]).duty.round()
    assert.deepEqual(given(), [[5, 1_000]])
  })

  test('ends with the first answer that no other winner can help', async () => {
    node.refusal = () => reverted(suffices)
    await dutyOf([winner(4), winner(5)]).duty.round()
    assert.deepEqual([asked(), given()], [[4], []])
  })

  test(`tries ${WINNERS_MAX} winners in a round, and nobody again in the same block`, async () => {
    node.refusal = () => reverted(tooLow)
    const stands = Array.from({ length: WINNERS_MAX + 5 }, (_, n) => winner(n + 4))
    const { duty, handedOver } = dutyOf(stands)
    await duty.round()
    assert.equal(asked().length, WINNERS_MAX)
    assert.equal(handedOver.size, 0)
    handedOver.add(`${FIRST.id}|3`)
    await duty.round()
    assert.equal(asked().length, WINNERS_MAX)
  })

  test('says that its wallet is not the deleverager', async () => {
    node.refusal = () => reverted(notDeleverager)
    await assert.rejects(dutyOf([winner(4)]).duty.round(), { name: 'NotDeleverager' })
  })
})
