import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { FakeChain } from '../test/chain.ts'
import { type ServedChain, serveChain } from '../test/server.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'
import { createIndexer, type Indexer } from './indexer.ts'

describe('the host of the indexer', () => {
  const chain = new FakeChain(5)
  let served: ServedChain
  let store: Store

  before(async () => {
    chain.mine({ blocks: 30, actions: 10 })
    ;[served, store] = await Promise.all([serveChain(chain), openMemoryStore()])
  })
  after(async () => {
    await served.close()
    await store.close()
  })

  const makeIndexer = (chainId = 5042002) =>
    createIndexer({
      store,
      chainId,
      deployment: FAKE_DEPLOYMENT,
      rpcUrls: [served.url],
      pollMs: 5,
      finalityBlocks: 10,
      lagMax: 3,
      log: pino({ level: 'silent' }),
    })

  const get = async (indexer: Indexer, path: string) => {
    const { statusCode, body } = await indexer.host.inject(path)
    return { statusCode, body }
  }

  test('before its first block the indexer is not ready, has no snapshot, and serves metrics', async () => {
    const indexer = makeIndexer()
    assert.deepEqual(await get(indexer, '/ready'), {
      statusCode: 503,
      body: '{"status":"not_ready","head":null,"synced":null,"lag":null,"error":"no_head"}',
    })
    assert.deepEqual(await get(indexer, '/snapshot'), {
      statusCode: 503,
      body: '{"error":"not_synced"}',
    })
    assert.match((await get(indexer, '/metrics')).body, /openvenue_indexer_synced_block 0/)
    await indexer.stop()
  })

  test('once synced the indexer is ready and serves metrics and a snapshot with amounts as text', async () => {
    const indexer = makeIndexer()
    indexer.start()
    await until('the indexer is synced', () => indexer.readiness().lag === 0)
    assert.deepEqual(await get(indexer, '/ready'), {
      statusCode: 200,
      body: '{"status":"ready","head":31,"synced":31,"lag":0}',
    })
    const snapshot = JSON.parse((await get(indexer, '/snapshot')).body)
    assert.equal(snapshot.blockNumber, 31)
    assert.equal(snapshot.blockHash, chain.head.hash)
    assert.equal(snapshot.isTruncated, false)
    assert.equal(snapshot.balances.length, 20)
    assert.match(snapshot.balances[0].free, /^\d+$/)
    assert.ok(snapshot.positions.length > 0 && snapshot.tickers.length > 0)
    assert.match((await get(indexer, '/metrics')).body, /openvenue_indexer_synced_block 31/)
    await indexer.stop()
  })

  test('a node of another chain is refused before its blocks are read', async () => {
    const indexer = makeIndexer(1)
    indexer.start()
    await assert.rejects(indexer.ended, /the node serves chain 1 \(it serves 5042002\)/)
  })
})
