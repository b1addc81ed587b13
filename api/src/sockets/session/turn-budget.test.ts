// The pace at which a storm of clients is let in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots, TurnBudget } from './turn-budget.ts'

/** A budget whose turns are begun by the test. */
function createBudget(perTurn: number) {
  const turns: (() => void)[] = []
  const budget = new TurnBudget(perTurn, (run) => turns.push(run))
  return { budget, nextTurn: () => turns.shift()?.(), turns }
}

test('a turn begins as much as its budget allows, and the rest in order in later turns', () => {
  const { budget, nextTurn, turns } = createBudget(2)
  const begun: number[] = []
  for (let number = 1; number <= 5; number++) budget.run(() => begun.push(number))
  assert.deepEqual([begun, budget.waiting], [[1, 2], 3])
  nextTurn()
  assert.deepEqual([begun, budget.waiting], [[1, 2, 3, 4], 1])
  // Newcomers do not overtake.
  budget.run(() => begun.push(6))
  nextTurn()
  assert.deepEqual([begun, budget.waiting], [[1, 2, 3, 4, 5, 6], 0])
  nextTurn()
  assert.equal(turns.length, 0)
})

test('a budget that is not used up takes without a wait, and a full one after the turn', async () => {
  const { budget, nextTurn } = createBudget(1)
  assert.equal(budget.take(), undefined)
  const waiting = budget.take()
  nextTurn()
  await waiting
  nextTurn()
  assert.equal(budget.take(), undefined)
})

test('only a number of slots are used at once, also after one has failed', async () => {
  const slots = new Slots(2)
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<string>())
  const begun: number[] = []
  const results = works.map(({ promise }, index) =>
    slots.run(() => {
      begun.push(index)
      return promise
    }),
  )
  assert.deepEqual([begun, slots.waiting], [[0, 1], 1])
  works[0]?.reject(new Error('lost'))
  await assert.rejects(results[0] ?? Promise.resolve(), /lost/)
  works[2]?.resolve('third')
  assert.equal(await results[2], 'third')
  assert.equal(slots.waiting, 0)
  works[1]?.resolve('second')
  await results[1]
})
