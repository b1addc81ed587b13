// Tests the search for positions and orders left in ended markets, on a fake state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { Market } from '@openvenue/core/records'
import { decodeFunctionData } from 'viem'
import { createState, ENGINE, FIRST, SECOND } from '../test/fake-state.ts'
import { endRequest, listEndings } from './ended-markets.ts'
import { heldBy, INSURANCE_ACCOUNT } from './risks.ts'

const withEnded = () => {
  const long: readonly [Market, bigint, bigint] = [FIRST, 1_000n, 1_000n]
  const state = createState([
    { account: INSURANCE_ACCOUNT, dollars: 5n, lots: [long] },
    ...Array.from({ length: 51 }, (_, index) => ({
      account: 3 + index,
      dollars: 0n,
      lots: [long, [SECOND, -1_000n, 1_000n] as const],
    })),
  ])
  state.records.market.set(FIRST.id, { ...FIRST, isEnded: true })
  return state
}

test('all orders of an ended market and all positions but that of insurance end, 50 in a call', () => {
  const state = withEnded()
  state.records.order.set('a', { market: FIRST.id, account: 4, number: 11 } as never)
  state.records.order.set('b', { market: SECOND.id, account: 4, number: 12 } as never)
  state.records.unswept.set('c', { market: FIRST.id, account: 4, number: 10 } as never)
  const endings = listEndings(state)
  assert.deepEqual(
    endings.map(({ market, accounts, orders }) => [market.name, accounts.length, orders]),
    [
      [FIRST.name, 50, []],
      [FIRST.name, 1, []],
      [FIRST.name, 0, [11, 10]],
    ],
  )
  assert.ok(endings.every(({ accounts }) => !accounts.includes(INSURANCE_ACCOUNT)))
  const [, ending] = endings
  assert.ok(ending)
  const { data } = endRequest({ deployment: { perps: ENGINE } } as never, ending)
  assert.deepEqual(decodeFunctionData({ abi: perpsAbi, data: data as never }), {
    functionName: 'endPositions',
    args: [FIRST.number, ending.accounts, []],
  })
})

test('no positions or orders are ended while every market is live', () => {
  const state = withEnded()
  state.records.market.set(FIRST.id, FIRST)
  assert.deepEqual(listEndings(state), [])
})

test('a position in a market that has ended is not liquidated', () => {
  assert.deepEqual(
    heldBy(withEnded(), ENGINE, 4).map(({ market }) => market.name),
    [SECOND.name],
  )
})
