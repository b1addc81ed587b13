import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { openMemoryStore } from './memory-store.ts'
import { replay } from './replay.ts'

test('stores that are opened together are each empty, and none sees what another writes', async () => {
  const stores = await Promise.all(Array.from({ length: 3 }, () => openMemoryStore()))
  try {
    const { blocks } = replay(
      scenario().list('ETH-USDC').deposit('alice', 'USDC', 1n).next().blocks(),
    )
    await stores[0]?.writer.commit(blocks, 0)
    const feeds = await Promise.all(stores.map(({ reader }) => reader.feedAfter(0, 100)))
    assert.deepEqual(
      feeds.map((entries) => entries.length > 0),
      [true, false, false],
    )
  } finally {
    await Promise.all(stores.map((store) => store.close()))
  }
})
