// Several nodes used as one: the majority's chain is followed.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { tableDump } from '@openvenue/store/maintenance/dump'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { FakeChain } from '../test/chain.ts'
import { FakeNode } from '../test/fake-node.ts'
import { FINALITY_BLOCKS, FollowerRun, joinEndpoints } from '../test/follower-run.ts'
import { SeededRandom } from '../test/seeded-random.ts'
import { ChainDiverged } from './reorg.ts'

const SEED = Number(process.env.NODES_SEED ?? 5)
const STEPS = Number(process.env.NODES_STEPS ?? 150)

describe('several nodes', () => {
  let store: Store
  let fresh: Store
  let runs: FollowerRun[] = []
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
    await fresh.writer.wipeChain()
  })

  const mineChain = (blocks: number) => {
    const chain = new FakeChain(SEED)
    chain.mine({ blocks, actions: 9 })
    return chain
  }
  const forkChain = (chain: FakeChain, depth: number, blocks: number) => {
    const fork = chain.copy()
    fork.reorg(depth, { blocks, actions: 9 })
    return fork
  }
  const start = (chain: FakeChain, nodes: readonly FakeNode[], on = store) => {
    const run = new FollowerRun(chain, on.writer, joinEndpoints(...nodes.map(({ rpc }) => rpc)))
    runs.push(run)
    return run
  }
  const sendHeads = async (run: FollowerRun, nodes: readonly FakeNode[]) => {
    for (const [index, node] of nodes.entries()) {
      if (node.isDown) continue
      run.sendHead(node.headMessage(), index)
      await setImmediate()
    }
  }
  const reach = (run: FollowerRun, chain: FakeChain) =>
    run.until('the head is reached', () => run.synced === chain.head.hash)
  const assertFresh = async (chain: FakeChain) => {
    const run = start(chain, [new FakeNode(chain)], fresh)
    await run.reachHead()
    await run.stop()
    assert.equal(await tableDump(store), await tableDump(fresh))
  }

  for (const [blocks, title] of [
    [5, 'longer'],
    [2, 'shorter'],
  ] as const) {
    test(`blocks are undone with two of three endpoints on another, ${title} branch`, async () => {
      const chain = mineChain(45)
      const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
      const run = start(chain, nodes)
      await sendHeads(run, nodes)
      await reach(run, chain)
      const fork = forkChain(chain, 3, blocks)
      for (const node of nodes.slice(1)) node.chain = fork
      await sendHeads(run, nodes)
      await reach(run, fork)
      assert.deepEqual(run.undone, [3])
      await assertFresh(fork)
    })

    test(`no blocks are undone with one of three endpoints on another, ${title} branch`, async () => {
      const chain = mineChain(45)
      const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
      const run = start(chain, nodes)
      await sendHeads(run, nodes)
      await reach(run, chain)
      const [liar] = nodes as [FakeNode]
      liar.chain = forkChain(chain, 3, blocks)
      run.sendHead(liar.headMessage(), 0)
      await run.until('it was not believed', () => run.doubts.includes('outvoted'))
      chain.mine({ blocks: 2, actions: 9 })
      await sendHeads(run, nodes)
      await reach(run, chain)
      assert.deepEqual(run.undone, [])
      await assertFresh(chain)
    })
  }

  test("the indexer ends with both hashes when the majority's chain differs below finality", async () => {
    const chain = mineChain(60)
    const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
    const run = start(chain, nodes)
    await sendHeads(run, nodes)
    await reach(run, chain)
    const fork = forkChain(chain, FINALITY_BLOCKS + 5, FINALITY_BLOCKS + 8)
    const [, second, third] = nodes as [FakeNode, FakeNode, FakeNode]
    second.chain = fork
    run.sendHead(second.headMessage(), 1)
    await run.until('one is not believed', () => run.doubts.includes('outvoted'))
    third.chain = fork
    run.sendHead(third.headMessage(), 2)
    await assert.rejects(run.ended, (error) => {
      assert.ok(error instanceof ChainDiverged)
      assert.match(error.message, /as stored \(0x[0-9a-f]{64}; it has 0x[0-9a-f]{64}\): RPC_URL /)
      return true
    })
    assert.deepEqual(run.undone, [])
  })

  test('one of three endpoints that invents blocks cannot finalise them', async () => {
    const chain = mineChain(45)
    const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
    const run = start(chain, nodes)
    await sendHeads(run, nodes)
    await reach(run, chain)
    const [liar] = nodes as [FakeNode]
    const made = chain.copy()
    liar.chain = made
    for (let block = 0; block < FINALITY_BLOCKS + 10; block++) {
      made.mine({ blocks: 1, actions: 3 })
      run.sendHead(liar.headMessage(), 0)
      await reach(run, made)
    }
    chain.mine({ blocks: 2, actions: 9 })
    for (const [index, node] of nodes.entries())
      if (node !== liar) run.sendHead(node.headMessage(), index)
    await reach(run, chain)
    assert.deepEqual(run.undone, [FINALITY_BLOCKS + 10])
    await assertFresh(chain)
  })

  test('a head that no endpoint can return delays nothing', async () => {
    const chain = mineChain(45)
    const nodes = [new FakeNode(chain), new FakeNode(chain)]
    const run = start(chain, nodes)
    await sendHeads(run, nodes)
    await reach(run, chain)
    const made = { ...chain.headMessage(), number: '0xffffff', hash: `0x${'ab'.repeat(32)}` }
    for (let round = 0; round < 3; round++) {
      run.sendHead(made, 0)
      chain.mine({ blocks: 1, actions: 9 })
      await setImmediate()
      run.sendHead(nodes[1]?.headMessage(), 1)
      await reach(run, chain)
    }
    assert.deepEqual(run.undone, [])
    await assertFresh(chain)
  })

  test('every block is complete with one endpoint down, one lagging and one that omits logs', async () => {
    const chain = mineChain(45)
    const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
    const [dead, behind, short] = nodes as [FakeNode, FakeNode, FakeNode]
    const run = start(chain, nodes)
    await sendHeads(run, nodes)
    await reach(run, chain)
    dead.isDown = true
    behind.behind = 3
    for (let round = 0; round < 8; round++) {
      short.shorts = 2
      chain.mine({ blocks: 1 + (round % 3), actions: 9 })
      await sendHeads(run, nodes)
      await reach(run, chain)
    }
    assert.ok(run.doubts.includes('short'))
    assert.deepEqual(run.undone, [])
    await assertFresh(chain)
  })

  test(`the state equals the chain after ${STEPS} lags, outages, incomplete answers, lies and forks`, async (t) => {
    t.diagnostic(`seed ${SEED} (set NODES_SEED for another)`)
    const random = new SeededRandom(SEED)
    const chain = mineChain(45)
    const nodes = [new FakeNode(chain), new FakeNode(chain), new FakeNode(chain)]
    const run = start(chain, nodes)
    await sendHeads(run, nodes)
    await reach(run, chain)
    for (let step = 0; step < STEPS; step++) {
      disturb(random, chain, nodes)
      await sendHeads(run, nodes)
      for (let turns = random.below(20); turns > 0; turns--) await setImmediate()
    }
    for (const node of nodes)
      Object.assign(node, { chain, behind: 0, shorts: 0, isDown: false, isSilent: false })
    chain.mine({ blocks: 1, actions: 9 })
    await sendHeads(run, nodes)
    await reach(run, chain)
    t.diagnostic(`undone ${run.undone.length} times, doubted ${run.doubts.length} times`)
    await assertFresh(chain)
  })

  /** Disturbs the chain or one of its nodes; at most one node lies. */
  function disturb(random: SeededRandom, chain: FakeChain, nodes: readonly FakeNode[]): void {
    const node = nodes[random.below(nodes.length)] as FakeNode
    const deeds = [
      () => chain.mine({ blocks: 1 + random.below(3), actions: 6 }),
      () => chain.mine({ blocks: 1, actions: 6 }),
      () => chain.reorg(1 + random.below(4), { blocks: 1 + random.below(5), actions: 6 }),
      () => {
        node.behind = random.below(FINALITY_BLOCKS + 10)
      },
      () => {
        node.behind = 0
      },
      () => {
        node.isDown = !node.isDown
      },
      () => {
        node.isSilent = !node.isSilent
      },
      () => {
        node.shorts = random.below(4)
      },
      () => {
        for (const other of nodes) other.chain = chain
        node.chain = forkChain(chain, 1 + random.below(4), 1 + random.below(8))
      },
      () => {
        for (const other of nodes) other.chain = chain
      },
    ]
    deeds[random.below(deeds.length)]?.()
  }
})
