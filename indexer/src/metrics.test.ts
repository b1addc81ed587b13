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
