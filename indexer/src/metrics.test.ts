import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

const HOLDING = { engine: 'perps', token: '0xa', symbol: 'USDC', scale: 1n, claimed: 5n }

test('uncovered_blocks counts the compared blocks since the first without enough tokens', async () => {
  const { registry, compared } = createMetrics()
  const compare = async (block: number, held: bigint) => {
    compared(block, { ...HOLDING, held } as never)
    const text = await registry.getSingleMetricAsString('openvenue_indexer_uncovered_blocks')
    return Number(text.trim().split(' ').at(-1))
  }
  assert.equal(await compare(10, 5n), 0)
  assert.equal(await compare(11, 4n), 1)
  assert.equal(await compare(11, 4n), 1, 'the same block, from another branch')
  assert.equal(await compare(12, 4n), 2)
  assert.equal(await compare(10, 4n), 1, 'after a reorganisation')
  assert.equal(await compare(11, 5n), 0)
  assert.equal(await compare(12, 4n), 1)
})

test('the state of the database server is exported, and a silent one is not a primary', async () => {
  const { registry, database } = createMetrics()
  const read = async () => {
    const text = await registry.metrics()
    const values = [...text.matchAll(/^openvenue_indexer_database_(\w+) (\S+)$/gm)]
    return Object.fromEntries(values.map(([, name, value]) => [name, Number(value)]))
  }
  const rest = { standby_missing: 0, archive_failing: 0, connections_left: 1, clock_seconds: 0 }
  assert.deepEqual(await read(), { is_primary: 1, ...rest })
  const state = { isPrimary: true, needsStandby: true, synchronousStandbys: 0 }
  const server = { connectionsLeft: 20, connectionsMax: 200, clockSeconds: -2 }
  database({ ...state, ...server, archive: 'failing' })
  const bad = { standby_missing: 1, archive_failing: 1, connections_left: 0.1, clock_seconds: -2 }
  assert.deepEqual(await read(), { is_primary: 1, ...bad })
  database(undefined)
  assert.deepEqual(await read(), { is_primary: 0, ...bad })
  database({ ...state, ...server, archive: 'off', synchronousStandbys: 1, isPrimary: false })
  assert.deepEqual(await read(), {
    ...{ is_primary: 0, standby_missing: 0, archive_failing: 0 },
    ...{ connections_left: 0.1, clock_seconds: -2 },
  })
})
