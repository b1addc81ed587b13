// Nodes that lag, and balancers that ask a fresh node for one request and a stale one for the next:
// known blocks are kept when a node lacks them.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RpcError } from '@openvenue/runtime/json-rpc'
import { tableDump } from '@openvenue/store/maintenance/dump'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { FakeChain } from '../test/chain.ts'
import { balanced, FakeNode } from '../test/fake-node.ts'
import { FINALITY_BLOCKS, FollowerRun, joinEndpoints } from '../test/follower-run.ts'
import { OTHER_GENESIS_MS_MIN } from './agreement.ts'
import type { Rpc } from './rpc.ts'

const SEED = Number(process.env.SCRIPT_SEED ?? 7)

describe('behind one URL', () => {
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

  const start = (chain: FakeChain, rpc?: Rpc, on = store) => {
    const run = new FollowerRun(chain, on.writer, joinEndpoints(rpc ?? chain.rpc))
    runs.push(run)
    return run
  }
  const mineChain = (blocks: number) => {
    const chain = new FakeChain(SEED)
    chain.mine({ blocks, actions: 9 })
    return chain
  }
  const assertFresh = async (chain: FakeChain) => {
    const run = start(chain, chain.rpc, fresh)
    await run.reachHead()
    await run.stop()
    assert.equal(await tableDump(store), await tableDump(fresh))
  }

  for (const isSilent of [false, true]) {
    test(`a short answer of a lagging node (${isSilent ? 'silent' : 'refusing'}) is not committed as an empty block`, async () => {
      const chain = mineChain(45)
      const [up, behind] = [new FakeNode(chain), new FakeNode(chain)]
      behind.isSilent = isSilent
      let short = 0
      const isForLogs = (method: string) => method === 'eth_getLogs'
      const rpc = balanced((calls) => {
        if (!calls.some(({ method }) => isForLogs(method)) || short <= 0) return up
        short--
        return behind
      })
      const run = start(chain, rpc)
      await run.reachHead()
      for (let round = 0; round < 3; round++) {
        behind.behind = 2
        short = 2
        chain.mine({ blocks: 4, actions: 9 })
        await run.reachHead()
        assert.equal(short, 0)
      }
      await assertFresh(chain)
    })
  }

  test('a node that lags 5 blocks for 2 s undoes nothing', async () => {
    const chain = mineChain(45)
    const node = new FakeNode(chain)
    const run = start(chain, node.rpc)
    await run.reachHead()
    node.behind = 5
    // Polls of two seconds, eight per second.
    for (let poll = 0; poll < 16; poll++) {
      run.sendHead(node.headMessage())
      await run.taken()
    }
    assert.deepEqual(run.undone, [])
    // The head comes from a current node, and everything else from a lagging one.
    chain.mine({ blocks: 3, actions: 9 })
    run.sendHead()
    await run.until('the node was asked', () => run.failures.length > 2)
    assert.deepEqual(run.undone, [])
    node.behind = 0
    await run.reachHead()
    assert.deepEqual(run.undone, [])
    await assertFresh(chain)
  })

  test('a node that is 100 blocks behind its last head counts as lagging', async () => {
    const chain = mineChain(140)
    const node = new FakeNode(chain)
    const run = start(chain, node.rpc)
    await run.reachHead()
    node.behind = 100
    assert.ok(node.behind > FINALITY_BLOCKS)
    for (let poll = 0; poll < 8; poll++) {
      run.sendHead(node.headMessage())
      await run.taken()
    }
    assert.deepEqual(run.undone, [])
    node.behind = 0
    chain.mine({ blocks: 1, actions: 9 })
    await run.reachHead()
    await assertFresh(chain)
  })

  test('no logs are lost on a chain whose blooms are all zeros', async () => {
    const chain = new FakeChain(SEED)
    chain.blooms = 'zero'
    chain.mine({ blocks: 5, actions: 9 })
    const run = start(chain)
    await run.reachHead()
    for (let mined = 0; mined < 8; mined++) {
      chain.mine({ blocks: 1, actions: mined % 3 === 0 ? 0 : 9 })
      await run.reachHead()
    }
    await assertFresh(chain)
  })

  test('blocks that break an invariant within finality are read again', async () => {
    const chain = mineChain(45)
    const node = new FakeNode(chain)
    let isLying = false
    const rpc: Rpc = async (calls) => {
      const answers = await node.rpc(calls)
      if (!isLying) return answers
      return answers.map((answer, at) => (calls[at]?.method === 'eth_getLogs' ? [] : answer))
    }
    // A full bloom cannot show that the answer is incomplete.
    chain.blooms = 'full'
    const run = start(chain, rpc)
    await run.reachHead()
    isLying = true
    chain.mine({ blocks: 1, actions: 20 })
    await run.reachHead()
    isLying = false
    for (let mined = 0; mined < 20; mined++) {
      chain.mine({ blocks: 1, actions: 20 })
      await run.reachHead()
    }
    assert.ok(run.undone.length > 0, 'blocks were read again')
    await assertFresh(chain)
  })

  test('blocks that break an invariant within finality are read again after a restart, too', async () => {
    const chain = mineChain(45)
    const node = new FakeNode(chain)
    chain.blooms = 'full'
    const first = start(chain, node.rpc)
    await first.reachHead()
    node.shorts = 1
    chain.beforeCall = () => {
      if (first.undone.length > 0) throw new RpcError('unreachable', 'fake')
    }
    const isOver = () => first.synced === chain.head.hash || first.undone.length > 0
    for (let mined = 0; mined < 20 && first.undone.length === 0; mined++) {
      chain.mine({ blocks: 1, actions: 30 })
      first.sendHead()
      await first.until('the head is reached, or blocks are undone', isOver)
    }
    await first.stop()
    assert.ok(first.undone.length > 0, 'it ends with blocks undone and not read again')
    chain.beforeCall = () => {}
    const second = start(chain, node.rpc)
    chain.mine({ blocks: 1, actions: 9 })
    await second.reachHead()
    await assertFresh(chain)
  })

  test('a restarted chain below the stored head is detected by its first block once it persists', async () => {
    const chain = mineChain(45)
    const node = new FakeNode(chain)
    const run = start(chain, node.rpc)
    await run.reachHead()
    const before = await tableDump(store)
    node.chain = new FakeChain(SEED, 'other')
    for (let poll = 0; poll < 5; poll++) {
      run.sendHead(node.headMessage())
      await run.taken()
    }
    // A node that restarts serves such a chain until it has loaded its own.
    node.chain = chain
    chain.mine({ blocks: 1, actions: 9 })
    await run.reachHead()
    node.chain = new FakeChain(SEED, 'other')
    run.sendHead(node.headMessage())
    await run.taken()
    run.aheadMs = OTHER_GENESIS_MS_MIN
    run.sendHead(node.headMessage())
    await assert.rejects(run.ended, { name: 'ChainDiverged', message: /holds block 0 as stored/ })
    assert.deepEqual(run.undone, [])
    assert.notEqual(await tableDump(store), before)
  })

  /** Expects an end once a chain of `blocks` other blocks replaces the stored one. */
  async function refused(blocks: number): Promise<void> {
    const chain = mineChain(45)
    const first = start(chain)
    await first.reachHead()
    await first.stop()
    const before = await tableDump(store)
    const other = new FakeChain(SEED, 'other')
    other.mine({ blocks, actions: 9 })
    const second = start(other)
    const ended = assert.rejects(second.ended, { name: 'ChainDiverged' })
    second.sendHead()
    if (blocks < 45) {
      await second.taken()
      second.aheadMs = OTHER_GENESIS_MS_MIN
      second.sendHead()
    }
    await ended
    assert.equal(await tableDump(store), before)
  }

  test('nodes of another, longer chain than the stored one change nothing', () => refused(90))

  test('nodes of another chain that has just started change nothing', () => refused(5))
})
