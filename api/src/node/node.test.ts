import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import { FeedGone, type Reader, type Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import { funded } from '../../test/funded.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import { type ApiNode, createApiNode } from './node.ts'

/** A node on a free port that reads `reader`. */
const makeNode = (reader: Reader) =>
  createApiNode({
    host: '127.0.0.1',
    port: 0,
    reader,
    accounts: BROKEN_ACCOUNTS,
    probes: {
      redis: async () => ({ ok: true }),
      rpc: async () => ({ ok: true }),
      indexer: async () => ({ ok: true }),
    },
    rates: { consume: () => Promise.reject(), publicRate: undefined, proxyHops: 0 },
    corsOrigins: ['*'],
    options: { environment: 'test', version: '1', marketsCacheMs: 0, readyCacheMs: 0 },
    clock: {
      nowMs: Date.now,
      monotonicMs: () => performance.now(),
      // Short, so that the test does not wait for retries.
      delay: (_ms, signal) => setTimeout(5, undefined, { signal }).catch(() => {}),
    },
    logger: pino({ level: 'silent' }),
  })

describe('an API node', () => {
  let store: Store
  let node: ApiNode
  let url: string
  const state = emptyState()
  const scenario = funded('ETH-USDC')
  const isBroken = { now: false }
  let isPruned = false
  const commit = async (blocks: readonly VenueBlock[]) =>
    store.writer.commit(
      blocks.map((block) => applyBlock(state, block)),
      0,
    )
  const next = async () => {
    const known = scenario.blocks().length
    scenario.place('alice', 'buy', 100, 1n)
    await commit(scenario.blocks().slice(known))
  }
  /** The store's reader, which can be made to fail. */
  const reader = (): Reader => ({
    ...store.reader,
    snapshot: (windows) => fails() ?? store.reader.snapshot(windows),
    feedAfter: (seq, limit) => {
      if (isPruned) {
        isPruned = false
        return Promise.reject(new FeedGone('pruned'))
      }
      return fails() ?? store.reader.feedAfter(seq, limit)
    },
  })
  const fails = () => (isBroken.now ? Promise.reject(new Error('the database is away')) : undefined)

  before(async () => {
    store = await openMemoryStore()
    await commit(scenario.blocks())
    node = await makeNode(reader())
    url = await node.start()
  })
  after(async () => {
    await node.stop()
    await store.close()
  })

  const orders = async () => {
    const response = await fetch(`${url}/orderbook/ETH-USDC`)
    const { bids } = (await response.json()) as { bids: { orders: number }[] }
    return [response.headers.get('x-block-number'), bids[0]?.orders ?? 0]
  }

  test('an API node shows a block as soon as it is committed', async () => {
    assert.deepEqual(await orders(), ['1', 0])
    await next()
    await until('the node is at block 2', () => node.model.head?.number === 2)
    assert.deepEqual(await orders(), ['2', 1])
  })

  test('an API node serves from memory while the database is unavailable, and catches up', async () => {
    isBroken.now = true
    await next()
    assert.deepEqual(await orders(), ['2', 1])
    isBroken.now = false
    await until('the node is at block 3', () => node.model.head?.number === 3)
    assert.deepEqual(await orders(), ['3', 2])
  })

  test('an API node follows a reorg', async () => {
    await store.writer.undoTo(2)
    await until('the node is at block 2', () => node.model.head?.number === 2)
    assert.deepEqual(await orders(), ['2', 1])
  })

  test('an API node takes a new snapshot where the feed was pruned', async () => {
    isPruned = true
    const loads: number[] = []
    node.model.onLoad((snapshot) => loads.push(snapshot.seq))
    await until('the node has loaded a snapshot', () => loads.length === 1)
    assert.deepEqual(await orders(), ['2', 1])
  })
})

test('a node waits for a database that is not there yet, and stops at once', async () => {
  const store = await openMemoryStore()
  let tries = 0
  const snapshot: Reader['snapshot'] = (windows) =>
    ++tries < 3 ? Promise.reject(new Error('not yet')) : store.reader.snapshot(windows)
  const node = await makeNode({ ...store.reader, snapshot })
  const url = await node.start()
  assert.equal(tries, 3)
  assert.deepEqual(await (await fetch(`${url}/markets`)).json(), [])
  await node.stop()
  await store.close()
})

test('a node that cannot apply an entry fails, rather than serve wrong data', async () => {
  const store = await openMemoryStore()
  const header = { number: 1, hash: '0x1', parentHash: '0x0', seconds: 1 }
  const order = { market: 'x', number: 1, restingLots: 1n, tick: 1, isBuy: true, goodTilSeconds: 0 }
  const change = { what: 'order', key: 'x|1', before: undefined, after: order }
  const entry = { seq: 1, kind: 'apply', header, changes: [change, { ...change, key: 'x|2' }] }
  const feedAfter = (async () => [entry]) as unknown as Reader['feedAfter']
  const node = await makeNode({ ...store.reader, feedAfter })
  await node.start()
  await assert.rejects(node.failed, { name: 'InvariantError' })
  await node.stop()
  await store.close()
})

test('a node that stops is not ready at once, and ends although a client never reads', async () => {
  const store = await openMemoryStore()
  const node = await makeNode(store.reader)
  const url = await node.start()
  assert.equal((await fetch(`${url}/ready`)).status, 200)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await once(socket, 'open')
  // It does not even answer the close of the connection.
  ;(socket as unknown as { _socket: { pause(): void } })._socket.pause()
  const stopped = node.stop()
  const ready = await fetch(`${url}/ready`)
  assert.equal(ready.status, 503)
  assert.equal(((await ready.json()) as { status: string }).status, 'not_ready')
  await stopped
  await assert.rejects(fetch(`${url}/ready`))
  socket.terminate()
  await store.close()
})
