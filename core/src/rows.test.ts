import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { rowKey } from '../test/row-key.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { type Change, invertChanges } from './changes.ts'
import { RECORDS, type RecordKind } from './records.ts'
import { deriveRows } from './rows.ts'
import { emptyState } from './state.ts'
import { applyBlock } from './venue.ts'

type Tables = Map<string, object>

/** A database as one map, after applying the derived rows. */
function write(tables: Tables, changes: readonly Change[]): Tables {
  const { inserts, upserts, deletes } = deriveRows(changes)
  for (const kind of Object.keys(RECORDS) as RecordKind[]) {
    const tableKey = (row: object) => `${kind} ${rowKey(kind, row as never)}`
    for (const row of deletes[kind] ?? []) tables.delete(tableKey(row))
    for (const row of inserts[kind] ?? []) {
      assert.ok(!tables.has(tableKey(row)), 'a row to insert is not there yet')
      tables.set(tableKey(row), row)
    }
    for (const row of upserts[kind] ?? []) tables.set(tableKey(row), row)
  }
  return tables
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const RUNS = { numRuns: 8 }

describe('the rows of a scenario', () => {
  test('are restored when its blocks are undone, periods included', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const tables: Tables = new Map()
        const before: Tables[] = []
        const { all } = replay(randomScenario(seed, 120))
        for (const { changes } of all) {
          before.push(new Map(tables))
          write(tables, changes)
        }
        for (const { changes } of [...all].reverse())
          assert.deepEqual(write(tables, invertChanges(changes)), before.pop())
      }),
      RUNS,
    )
  })

  test('are the same when many blocks are written in one batch', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { all } = replay(randomScenario(seed, 120))
        const single: Tables = new Map()
        for (const { changes } of all) write(single, changes)
        const together = write(
          new Map(),
          all.flatMap(({ changes }) => changes),
        )
        assert.deepEqual(together, single)
      }),
      RUNS,
    )
  })

  test('contain each key once per batch', () => {
    const all = replay(randomScenario(1, 60)).all.flatMap(({ changes }) => changes)
    const { inserts, upserts, deletes } = deriveRows(all)
    for (const kind of Object.keys(RECORDS) as RecordKind[]) {
      const rows = [inserts, upserts, deletes].flatMap((of): readonly unknown[] => of[kind] ?? [])
      const keys = rows.map((row) => rowKey(kind, row as never))
      assert.equal(new Set(keys).size, keys.length)
    }
  })

  test('match the state: every record in it has its row', () => {
    const state = emptyState()
    const tables: Tables = new Map()
    for (const block of randomScenario(2, 120)) write(tables, applyBlock(state, block).changes)
    for (const [kind, records] of Object.entries(state.records))
      for (const record of records.values())
        assert.deepEqual(
          tables.get(`${kind} ${rowKey(kind as RecordKind, record as never)}`),
          record,
        )
  })
})
