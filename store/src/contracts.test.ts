import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { replay } from '@openvenue/core/test/scenario/replay'
import { type TestDatabase, testEngines } from '../test/engines.ts'
import { tableDump } from './maintenance/dump.ts'
import { FeedGone, type Store } from './store.ts'

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`what a chain was read for, on ${engine.name}`, () => {
    const { all: blocks } = replay(randomScenario(1, 20))
    let database: TestDatabase
    let store: Store
    let empty = ''
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      empty = await tableDump(store)
    })
    beforeEach(() => store.writer.wipeChain())
    after(async () => {
      await store.close()
      await database.remove()
    })

    const head = async () => (await store.writer.loadState()).head?.number

    test('the stored chain is identified by its first block until all of it is wiped', async () => {
      assert.equal(await store.writer.keepGenesis('0x0a'), '0x0a')
      assert.equal(await store.writer.keepGenesis('0x0b'), '0x0b', 'nothing was read yet')
      await store.writer.commit(blocks, 0)
      assert.equal(await store.writer.keepGenesis('0x0a'), '0x0b')
      await store.writer.wipeChain()
      assert.equal(await store.writer.keepGenesis('0x0c'), '0x0c')
    })

    test('the stored chain is kept for the same contracts, in any order, across restarts', async () => {
      await store.writer.readFor(['0xb', '0xa'])
      await store.writer.commit(blocks, 0)
      assert.equal(await store.writer.readFor(['0xa', '0xb']), false)
      await store.close()
      store = await database.open()
      assert.equal(await store.writer.readFor(['0xb', '0xa']), false)
      assert.equal(await head(), blocks.length)
    })

    for (const [name, contracts] of [
      ['one more', ['0xa', '0xb', '0xc']],
      ['one less', ['0xa']],
      ['another', ['0xa', '0xc']],
    ] as const)
      test(`the stored chain is wiped for ${name}: readers reload, and it is reindexed`, async () => {
        await store.writer.readFor(['0xa', '0xb'])
        await store.writer.commit(blocks, 0)
        const seq = await readSeq()
        assert.equal(await store.writer.readFor(contracts), true)
        assert.equal(await tableDump(store), empty)
        await assert.rejects(store.reader.feedAfter(seq, 10), FeedGone)
        await store.writer.commit(blocks, 0)
        assert.equal(await store.writer.readFor(contracts), false)
        assert.equal(await head(), blocks.length)
      })

    test('a wiped chain is awaited up to its last block, even after a kill, so no intent is undone', async () => {
      await store.writer.readFor(['0xa'])
      await store.writer.commit(blocks, 0)
      const order = `0x${'ab'.repeat(32)}`
      assert.deepEqual(await store.intents.onChain([order]), [])
      await store.writer.readFor(['0xb'])
      assert.equal(await store.intents.awaitedBlock(), blocks.length)
      await assert.rejects(store.intents.onChain([order]), {
        name: 'ChainUnread',
        message: `what the chain has is known once it was read to block ${blocks.length}`,
      })
      await store.writer.commit(blocks.slice(0, -1), 0)
      // Changed again before the reindex completes: the highest block counts.
      await store.writer.readFor(['0xc'])
      await store.close()
      store = await database.open()
      assert.equal(await store.intents.awaitedBlock(), blocks.length)
      await store.writer.commit(blocks, 0)
      assert.equal(await store.intents.awaitedBlock(), undefined)
      assert.deepEqual(await store.intents.onChain([order]), [])
    })

    test('a wiped chain is not awaited when the database forgets it for another chain', async () => {
      await store.writer.commit(blocks, 0)
      await store.writer.wipeChain()
      assert.equal(await store.intents.awaitedBlock(), undefined)
    })

    test('a chain stored without its contracts is wiped', async () => {
      await store.db.script('UPDATE checkpoint SET contracts = NULL')
      await store.writer.commit(blocks, 0)
      assert.equal(await store.writer.readFor(['0xa']), true)
      assert.equal(await head(), undefined)
    })

    test('a new database has nothing to wipe', async () => {
      await store.writer.readFor(['0xa'])
      const seq = await readSeq()
      assert.equal(await store.writer.readFor(['0xb']), false)
      assert.equal(await readSeq(), seq)
    })

    /** The newest entry of the feed. */
    const readSeq = async () =>
      (
        await store.reader.snapshot({
          trades: 0,
          candles: {},
          settlements: 0,
          priceSeconds: 0,
          poolHoursFrom: 0,
        })
      ).seq
  })
}
