import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { InvariantError } from '@openvenue/core/assert'
import { RpcError } from '@openvenue/runtime/json-rpc'
import { tableDump } from '@openvenue/store/maintenance/dump'
import { type Store, type Writer, WriterBusy } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { FakeChain } from '../test/chain.ts'
import { FINALITY_BLOCKS, FollowerRun as Run } from '../test/follower-run.ts'
import { STORE_FAILURES_MAX, StoreFailed } from './follow.ts'
import { ChainDiverged } from './reorg.ts'

const SEED = Number(process.env.SCRIPT_SEED ?? 7)

describe('following a fake chain', () => {
  let store: Store
  let fresh: Store
  let runs: Run[] = []

  before(async () => {
    ;[store, fresh] = await Promise.all([openMemoryStore(), openMemoryStore()])
  })
  after(async () => {
    await Promise.all([store.close(), fresh.close()])
  })
  afterEach(async () => {
    await Promise.all(runs.map((run) => run.stop().catch(() => undefined)))
    runs = []
    await store.writer.wipeChain()
  })

  const start = (chain: FakeChain, writer = store.writer) => {
    const run = new Run(chain, writer)
    runs.push(run)
    return run
  }

  /** Indexes the chain from scratch, in one backfill of every block. */
  const freshDump = async (chain: FakeChain) => {
    await fresh.writer.wipeChain()
    const run = start(chain, fresh.writer)
    await run.reachHead()
    await run.stop()
    return tableDump(fresh)
  }

  const assertFresh = async (chain: FakeChain) => {
    const dump = await tableDump(store)
    assert.ok(dump.split('\n').length > 100, 'the tables are not empty')
    assert.equal(dump, await freshDump(chain))
  }

  const mineChain = (blocks: number, actions = 12) => {
    const chain = new FakeChain(SEED)
    chain.mine({ blocks, actions })
    return chain
  }

  test('following block by block stores the same as one backfill', async () => {
    const chain = mineChain(0)
    const run = start(chain)
    for (let mined = 0; mined < 60; mined++) {
      chain.mine({ blocks: 1, actions: mined % 3 === 0 ? 0 : 12 })
      await run.reachHead()
    }
    await assertFresh(chain)
  })

  test('a backfill skips quiet blocks, except where an order ends in one', async () => {
    const chain = mineChain(40)
    for (let round = 0; round < 5; round++) {
      chain.mine({ blocks: 1, actions: 30 })
      chain.mine({ blocks: 40, actions: 0 })
    }
    const tip = start(chain)
    await tip.reachHead()
    const filled = await tableDump(store)
    await tip.stop()
    await store.writer.wipeChain()
    const grown = mineChain(40)
    const byBlock = start(grown)
    for (let round = 0; round < 5; round++) {
      for (const actions of [30, ...new Array(40).fill(0)]) {
        grown.mine({ blocks: 1, actions })
        await byBlock.reachHead()
      }
    }
    assert.equal(grown.head.hash, chain.head.hash)
    assert.equal(await tableDump(store), filled)
  })

  test('the follower reindexes the chain when it was stored for other contracts, and only then', async () => {
    const chain = mineChain(30)
    for (const [contracts, times] of [
      [undefined, 0],
      ['0x00', 1],
      [undefined, 0],
    ] as const) {
      if (contracts !== undefined)
        await store.db.script(`UPDATE checkpoint SET contracts = '${contracts}'`)
      const run = start(chain)
      await run.reachHead()
      await run.stop()
      assert.equal(run.readAnew, times)
    }
    await assertFresh(chain)
  })

  test('the follower requests nothing for a head without logs once its blooms were correct', async () => {
    const chain = mineChain(5)
    const run = start(chain)
    await run.reachHead()
    chain.mine({ blocks: 1, actions: 9 })
    await run.reachHead()
    let calls = 0
    chain.beforeCall = () => {
      calls++
    }
    chain.mine({ blocks: 1, actions: 0 })
    await run.reachHead()
    assert.equal(calls, 0)
    chain.mine({ blocks: 1, actions: 5 })
    await run.reachHead()
    assert.equal(calls, 1)
  })

  test('the follower reads missed heads from the node', async () => {
    const chain = mineChain(5)
    const run = start(chain)
    await run.reachHead()
    for (const missed of [2, 7, 25, 50]) {
      chain.mine({ blocks: missed, actions: 6 })
      await run.reachHead()
    }
    await assertFresh(chain)
  })

  for (const depth of [1, 5, 20]) {
    test(`after a reorg of depth ${depth} the tables equal a fresh index of the new chain`, async () => {
      const chain = mineChain(45)
      const run = start(chain)
      await run.reachHead()
      chain.reorg(depth, { blocks: depth + 1, actions: 15 })
      await run.reachHead()
      assert.deepEqual(run.undone, [depth])
      await assertFresh(chain)
    })
  }

  test('the follower undoes consecutive reorgs, each deeper than the blocks added since', async () => {
    const chain = mineChain(50)
    const run = start(chain)
    await run.reachHead()
    for (const depth of [3, 8, 2, 20]) {
      chain.reorg(depth, { blocks: depth - 1, actions: 9 })
      await run.reachHead()
      chain.mine({ blocks: 1, actions: 9 })
      await run.reachHead()
    }
    assert.equal(run.undone.length, 4)
    await assertFresh(chain)
  })

  test('the follower finds a reorg that happened while it was stopped', async () => {
    const chain = mineChain(45)
    const first = start(chain)
    await first.reachHead()
    await first.stop()
    chain.reorg(10, { blocks: 14, actions: 9 })
    const second = start(chain)
    await second.reachHead()
    assert.deepEqual(second.undone, [10])
    await assertFresh(chain)
  })

  test('the follower undoes a rollback at the next block, even one below the stored head', async () => {
    const chain = mineChain(45)
    const run = start(chain)
    await run.reachHead()
    chain.reorg(4, { blocks: 1, actions: 9 })
    await run.reachHead()
    assert.deepEqual(run.undone, [4])
    assert.equal(run.failures.length, 2, 'it was read three times')
    await assertFresh(chain)
  })

  test('the follower refuses a chain that differs below finality, and changes nothing', async () => {
    const chain = mineChain(60)
    const run = start(chain)
    await run.reachHead()
    const dump = await tableDump(store)
    chain.reorg(FINALITY_BLOCKS + 5, { blocks: FINALITY_BLOCKS + 6, actions: 9 })
    run.sendHead()
    await assert.rejects(run.ended, ChainDiverged)
    assert.equal(await tableDump(store), dump)
  })

  test('a node that occasionally fails in every way delays the head without loss', async () => {
    const chain = mineChain(200, 6)
    const run = start(chain)
    let calls = 0
    chain.beforeCall = () => {
      const kind = (['unreachable', 'timeout', 'refused', 'malformed'] as const)[calls++ % 12]
      if (kind !== undefined) throw new RpcError(kind, 'fake')
    }
    await run.reachHead()
    chain.mine({ blocks: 1, actions: 9 })
    await run.reachHead()
    assert.ok(run.failures.length > 0)
    chain.beforeCall = () => {}
    await assertFresh(chain)
  })

  test('the follower reads ranges that are too large for the node in halves', async () => {
    const chain = mineChain(300, 6)
    chain.beforeCall = ([call]) => {
      const range = call?.params[0] as { fromBlock?: string; toBlock?: string }
      if (call?.method !== 'eth_getLogs' || range.fromBlock === undefined) return
      if (Number(range.toBlock) - Number(range.fromBlock) > 7)
        throw new RpcError('tooLarge', 'fake')
    }
    const run = start(chain)
    await run.reachHead()
    assert.deepEqual(run.failures, [])
    chain.beforeCall = () => {}
    await assertFresh(chain)
  })

  test('the follower detects a change of chain between two reads of a range', async () => {
    const chain = mineChain(60)
    const run = start(chain)
    await run.reachHead()
    chain.mine({ blocks: 6, actions: 9 })
    chain.beforeCall = (calls) => {
      if (calls.length < 3 || calls[0]?.method !== 'eth_getLogs') return
      chain.beforeCall = () => {}
      chain.reorg(5, { blocks: 6, actions: 12 })
      setTimeout(() => run.sendHead(), 20)
    }
    await run.reachHead()
    assert.deepEqual(
      run.failures.map((error) => (error as RpcError).kind),
      ['behind'],
    )
    await assertFresh(chain)
  })

  test('the follower does not add blocks of another chain to the block that it has stored', async () => {
    const chain = mineChain(60)
    const run = start(chain)
    await run.reachHead()
    chain.mine({ blocks: 6, actions: 9 })
    // The node had our block when it was asked, and now answers from another chain.
    chain.beforeCall = (calls) => {
      if (calls.length < 6 || calls[0]?.method !== 'eth_getBlockByNumber') return
      chain.beforeCall = () => {}
      chain.reorg(10, { blocks: 10, actions: 12 })
    }
    await run.reachHead()
    assert.deepEqual(run.undone, [4])
    assert.deepEqual(
      run.failures.map((error) => (error as RpcError).kind),
      ['moved'],
    )
    await assertFresh(chain)
  })

  test('the follower recovers from a commit that fails before or after it is written', async () => {
    const chain = mineChain(60)
    let commits = 0
    const failing: Writer = {
      ...store.writer,
      commit: async (blocks, finalized) => {
        const phase = commits++ % 4
        if (phase === 1) throw new Error('fake: the connection broke before the commit')
        await store.writer.commit(blocks, finalized)
        if (phase === 2) throw new Error('fake: the connection broke after the commit')
      },
    }
    const run = start(chain, failing)
    await run.reachHead()
    for (let mined = 0; mined < 12; mined++) {
      chain.mine({ blocks: 1, actions: 9 })
      await run.reachHead()
    }
    assert.ok(run.failures.every((error) => error instanceof StoreFailed))
    assert.ok(run.failures.length >= 6, `${run.failures.length} failures`)
    await assertFresh(chain)
  })

  test('the follower ends when the database stays down', async () => {
    const cause = new Error('fake: down')
    const down: Writer = { ...store.writer, loadState: () => Promise.reject(cause) }
    const run = start(mineChain(1), down)
    await assert.rejects(
      run.ended,
      (error) => error instanceof StoreFailed && error.cause === cause,
    )
    assert.equal(run.failures.length, STORE_FAILURES_MAX)
  })

  test('the follower waits for another writer on the database', async () => {
    let isBusy = 12
    const standby: Writer = {
      ...store.writer,
      loadState: () =>
        isBusy-- > 0 ? Promise.reject(new WriterBusy('fake')) : store.writer.loadState(),
    }
    const chain = mineChain(5)
    await start(chain, standby).reachHead()
    await assertFresh(chain)
  })

  test('an impossible block stops the follower once all non-final blocks were re-read, unwritten', async () => {
    const chain = mineChain(20)
    const run = start(chain)
    await run.reachHead()
    const dump = await tableDump(store)
    chain.mineImpossible()
    run.sendHead()
    await assert.rejects(run.ended, InvariantError)
    assert.deepEqual(run.rereads, [0, 1, 4, 16, FINALITY_BLOCKS])
    assert.equal(await tableDump(store), dump)
  })
})
