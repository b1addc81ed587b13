// Rows come from the database with big integers as digits, changes with big integers: both must
// encode the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WrittenRecord } from '@openvenue/core/record-schema'
import type { ClosedCycle, Fill, Order } from '@openvenue/core/records'
import { emptyState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { applyBlock } from '@openvenue/core/venue'
import { encodeFill } from './fills.ts'
import { encodeOrder } from './orders.ts'
import { encodeClosedCycle } from './position-history.ts'

const seed = Number(process.env.SEED ?? 1)
const BLOCKS = 600
const WALLET = `0x${'ab'.repeat(20)}`

const state = emptyState()
const changes = randomScenario(seed, BLOCKS).flatMap((block) => applyBlock(state, block).changes)
const facts = { account: WALLET, leverage: 3 }

/** Returns the record as a database returns it. */
const written = <R extends object>(record: R) =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [
      field,
      typeof value === 'bigint' ? `${value}` : value,
    ]),
  ) as WrittenRecord<R>

const findMarket = (id: string) => {
  const market = state.records.market.get(id)
  if (market === undefined) throw new Error('a row has a market')
  return market
}

const encoders = {
  fill: (row: WrittenRecord<Fill>) => encodeFill(findMarket(row.market), row, WALLET),
  order: (row: WrittenRecord<Order>) => encodeOrder(findMarket(row.market), row, facts),
  closedCycle: (row: WrittenRecord<ClosedCycle>) =>
    encodeClosedCycle(findMarket(row.market), row, WALLET),
}

for (const kind of ['fill', 'order', 'closedCycle'] as const) {
  test(`a ${kind} encodes the same from digits as from integers, seed ${seed}`, () => {
    let count = 0
    for (const { what, after } of changes) {
      if (what !== kind || after === undefined) continue
      const encode = encoders[kind] as (row: typeof after) => object
      assert.deepEqual(encode(written(after) as typeof after), encode(after))
      count += 1
    }
    assert.ok(count > 0, `${count} rows`)
  })
}
