import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { tableDump } from '@openvenue/store/maintenance/dump'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { ANVIL_CHAIN_ID, AnvilVenue } from '../test/anvil-venue.ts'
import { SeededRandom } from '../test/seeded-random.ts'
import { createIndexer, type Indexer } from './indexer.ts'

const SEED = Number(process.env.REORG_SEED ?? 3)

describe('the indexer on a real anvil with the real contracts', () => {
  let venue: AnvilVenue
  let store: Store
  let fresh: Store
  const random = new SeededRandom(SEED)
  const running: Indexer[] = []

  before(async () => {
    ;[venue, store, fresh] = await Promise.all([
      AnvilVenue.start(),
      openMemoryStore(),
      openMemoryStore(),
    ])
  })
  after(async () => {
    await Promise.all(running.map((indexer) => indexer.stop()))
    await Promise.all([venue.stop(), store.close(), fresh.close()])
  })

  const start = (on: Store) => {
    const indexer = createIndexer({
      store: on,
      deployment: venue.deployment,
      chainId: ANVIL_CHAIN_ID,
      rpcUrls: [venue.url],
      rpcWsUrls: [venue.wsUrl],
      finalityBlocks: 64,
      lagMax: 20,
      log: pino({ level: 'silent' }),
    })
    running.push(indexer)
    indexer.start()
    return indexer
  }

  const synced = async (on: Store) => {
    const { hash, number } = await venue.head()
    const isStored = async () => (await on.writer.readHeader(number))?.hash === hash
    await until('the head is stored', isStored)
  }

  const freshDump = async () => {
    await fresh.writer.wipeChain()
    const indexer = start(fresh)
    await synced(fresh)
    await indexer.stop()
    return tableDump(fresh)
  }

  for (const depth of [1, 5, 20]) {
    test(`every table equals a fresh index after anvil_reorg of depth ${depth} during trading`, async (t) => {
      t.diagnostic(`seed ${SEED} (set REORG_SEED for another)`)
      const indexer = start(store)
      for (let block = 0; block < depth + 5; block++) await venue.trade(random, 8)
      await synced(store)
      const before = await tableDump(store)
      await venue.reorg(depth, random, 8)
      for (let block = 0; block < 3; block++) await venue.trade(random, 8)
      await synced(store)
      const dump = await tableDump(store)
      assert.notEqual(dump, before)
      assert.ok(/^trades /m.test(dump) && /^positions /m.test(dump), 'there was trading')
      const metrics = (await indexer.host.inject('/metrics')).body
      assert.match(metrics, new RegExp(`undone_blocks_total ${depth}\\b`))
      assert.equal(dump, await freshDump())
      await indexer.stop()
    })
  }

  test('every table equals a fresh index after anvil_rollback, which notifies no subscriber', async () => {
    const indexer = start(store)
    for (let block = 0; block < 6; block++) await venue.trade(random, 8)
    await synced(store)
    await venue.call('anvil_rollback', 4)
    await venue.trade(random, 8)
    await synced(store)
    assert.equal(await tableDump(store), await freshDump())
    await indexer.stop()
  })

  test('the indexer is ready once synced, and serves the balances of accounts at the last block', async () => {
    const indexer = start(store)
    await venue.trade(random, 8)
    await synced(store)
    const ready = await indexer.host.inject('/ready')
    const head = await venue.head()
    assert.equal(ready.statusCode, 200)
    assert.deepEqual(ready.json(), {
      status: 'ready',
      head: head.number,
      synced: head.number,
      lag: 0,
    })
    const snapshot = (await indexer.host.inject('/snapshot')).json()
    assert.equal(snapshot.blockHash, head.hash)
    assert.ok(snapshot.balances.length > 0 && snapshot.positions.length > 0)
    await indexer.stop()
  })
})
