// Failures that are retried are counted each time, and logged once until they end.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { FakeChain } from '../test/chain.ts'
import { serveChain } from '../test/server.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'
import { createIndexer } from './indexer.ts'

test('a node that is unreachable is counted at each attempt, and logged once until it answers', async () => {
  const chain = new FakeChain(5)
  chain.mine({ blocks: 5, actions: 1 })
  const [served, store] = await Promise.all([serveChain(chain), openMemoryStore()])
  let isDown = true
  chain.beforeCall = () => {
    if (isDown) throw new Error('the node is down')
  }
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push((JSON.parse(String(chunk)) as { msg: string }).msg)
      done()
    },
  })
  const indexer = createIndexer({
    store,
    chainId: 5042002,
    deployment: FAKE_DEPLOYMENT,
    rpcUrls: [served.url],
    pollMs: 5,
    finalityBlocks: 10,
    lagMax: 3,
    log: pino({ level: 'info' }, stream),
  })
  indexer.start()
  const failures = async () => {
    const { body } = await indexer.host.inject('/metrics')
    return Number(/failures_total\{source="node"\} (\d+)/.exec(body)?.[1] ?? 0)
  }
  await until('the node failed several times', async () => (await failures()) >= 3)
  const count = (text: string) => lines.filter((line) => line === text).length
  assert.equal(count('failed, trying again'), 1)
  isDown = false
  await until('the indexer is synced', () => indexer.readiness().lag === 0)
  assert.equal(count('succeeds again'), 1)
  assert.equal(count('failed, trying again'), 1)
  await indexer.stop()
  await served.close()
  await store.close()
})
