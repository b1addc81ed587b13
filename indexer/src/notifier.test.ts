// Accounts are notified of each event once, whatever happens to the indexer and the chain.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Store, Writer } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { FakeChain } from '../test/chain.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'
import { parseHeader } from './chain.ts'
import { Endpoints } from './endpoints.ts'
import { compileEvents } from './events.ts'
import { Follower } from './follow.ts'
import { HeadFeed } from './heads.ts'

const SEED = Number(process.env.SCRIPT_SEED ?? 7)
const FINALITY_BLOCKS = 30
const DEADLINE_MS = 10_000
const ACCOUNTS = 8

/** A running indexer. Failures of the writer are retried. */
function run(chain: FakeChain, writer: Writer) {
  const heads = new HeadFeed()
  const stopped = new AbortController()
  let synced: string | undefined
  let signal = () => {}
  const see = (hash: string | undefined) => {
    synced = hash
    signal()
  }
  const follower = new Follower({
    endpoints: new Endpoints([chain.rpc], { nowMs: () => performance.now() }),
    nowMs: () => performance.now(),
    writer,
    events: compileEvents(FAKE_DEPLOYMENT),
    heads,
    startBlock: FAKE_DEPLOYMENT.startBlock,
    finalityBlocks: FINALITY_BLOCKS,
    retryMs: 1,
    watch: {
      readingAnew: () => {},
      loaded: (head) => see(head?.hash),
      committed: (commit) => see(commit.synced.hash),
      undone: () => undefined,
      doubted: () => undefined,
      rereading: () => undefined,
      failed: () => undefined,
    },
  })
  const ended = follower.follow(stopped.signal)
  return {
    /** Reports the head and waits until it is committed. */
    reachHead: async () => {
      heads.offer(parseHeader(chain.headMessage()))
      const late = AbortSignal.timeout(DEADLINE_MS)
      late.addEventListener('abort', () => signal())
      while (synced !== chain.head.hash && !late.aborted) {
        const seen = new Promise<void>((resolve) => {
          signal = resolve
        })
        await Promise.race([seen, ended])
      }
      assert.equal(synced, chain.head.hash, 'the head is reached in time')
    },
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}

/** Follows the chain to its head, and stops. */
async function follow(chain: FakeChain, writer: Writer): Promise<void> {
  const { reachHead, stop } = run(chain, writer)
  await reachHead()
  await stop()
}

/** Fails occasionally like a lost connection, before or after a commit. */
function shaky(writer: Writer): Writer {
  let commits = 0
  return {
    ...writer,
    commit: async (...args) => {
      commits += 1
      if (commits % 3 === 1) throw new Error('gone before the commit')
      await writer.commit(...args)
      if (commits % 3 === 2) throw new Error('gone after the commit')
    },
  }
}

const register = (store: Store, createdMs: number, accounts = ACCOUNTS) =>
  store.db.script(`
    INSERT INTO registrations (account, signing_key, expiry, created_ms, updated_ms)
    SELECT '0x' || lpad(to_hex(n), 40, '0'), '0x', 1, ${createdMs}, ${createdMs}
    FROM generate_series(3, ${2 + accounts}) n;
    INSERT INTO notification_preferences (wallet, in_app, websocket, types)
    SELECT account, true, true, '{"funding_paid": true}' FROM registrations`)

const dumpNotifications = async ({ db }: Store) => ({
  notifications:
    await db.primary.query(`SELECT wallet, id, type, seconds, block_hash, data FROM notifications
    ORDER BY wallet, id`),
  warnings: await db.primary.query(`SELECT engine, account, began FROM margin_warnings
    WHERE ended IS NULL ORDER BY engine, account`),
})

describe(`accounts of a chain, seed ${SEED}`, () => {
  let store: Store
  let fresh: Store
  before(async () => {
    ;[store, fresh] = await Promise.all([openMemoryStore(), openMemoryStore()])
  })
  beforeEach(async () => {
    for (const each of [store, fresh]) {
      await each.writer.wipeChain()
      await each.close()
    }
    ;[store, fresh] = await Promise.all([openMemoryStore(), openMemoryStore()])
  })
  after(async () => {
    await store.close()
    await fresh.close()
  })

  /** Returns the notifications of a fresh index of the chain. */
  const freshDump = async (chain: FakeChain) => {
    await register(fresh, 0)
    await follow(chain, fresh.writer)
    return dumpNotifications(fresh)
  }
  const mineChain = (blocks: number) => {
    const chain = new FakeChain(SEED)
    chain.mine({ blocks, actions: 12 })
    return chain
  }

  test('one backfill notifies accounts of the same events as following block by block', async () => {
    await register(store, 0)
    const chain = mineChain(0)
    const { reachHead, stop } = run(chain, store.writer)
    for (let mined = 0; mined < 60; mined += 1) {
      chain.mine({ blocks: 1, actions: mined % 4 === 0 ? 0 : 12 })
      await reachHead()
    }
    await stop()
    const dump = await dumpNotifications(store)
    assert.ok(dump.notifications.length > 100, `${dump.notifications.length} notifications`)
    const types = new Set(dump.notifications.map(([, , type]) => type))
    for (const type of ['order_filled', 'order_cancelled', 'deposit_finalized'])
      assert.ok(types.has(type), type)
    assert.deepEqual(dump, await freshDump(chain))
  })

  test('accounts are notified of each event once through reorgs, restarts and failing commits', async () => {
    await register(store, 0)
    const chain = mineChain(45)
    for (const depth of [1, 12, 25]) {
      await follow(chain, shaky(store.writer))
      chain.reorg(depth, { blocks: depth + 1, actions: 12, seed: SEED + depth })
      await follow(chain, shaky(store.writer))
      chain.mine({ blocks: 3, actions: 12 })
    }
    await follow(chain, shaky(store.writer))
    const dump = await dumpNotifications(store)
    assert.ok(dump.notifications.length > 100)
    assert.deepEqual(dump, await freshDump(chain))
  })

  test('accounts are not notified twice when the chain is reindexed', async () => {
    await register(store, 0)
    const chain = mineChain(70)
    await follow(chain, store.writer)
    const dump = await dumpNotifications(store)
    await store.db.script('UPDATE notifications SET read_ms = 5')
    await store.writer.wipeChain()
    await follow(chain, store.writer)
    assert.deepEqual(await dumpNotifications(store), dump)
    const [row] = await store.db.primary.query(
      'SELECT count(*) FROM notifications WHERE read_ms IS NULL',
    )
    assert.deepEqual(row, ['0'])
  })

  test('accounts are notified from the second of their registration while the indexer runs', async () => {
    const chain = mineChain(40)
    const { reachHead, stop } = run(chain, store.writer)
    await reachHead()
    assert.deepEqual((await dumpNotifications(store)).notifications, [])
    const sinceSeconds = chain.head.seconds
    await register(store, sinceSeconds * 1000 + 500)
    for (let mined = 0; mined < 8; mined += 1) {
      chain.mine({ blocks: 1, actions: 12 })
      await reachHead()
    }
    await stop()
    const { notifications } = await dumpNotifications(store)
    assert.ok(notifications.length > 0)
    assert.ok(notifications.every(([, , , seconds]) => Number(seconds) >= sinceSeconds))
    const all = (await freshDump(chain)).notifications.filter(
      ([, , type, seconds]) => type !== 'liquidation_warning' && Number(seconds) > sinceSeconds,
    )
    const later = notifications.filter(
      ([, , type, seconds]) => type !== 'liquidation_warning' && Number(seconds) > sinceSeconds,
    )
    assert.deepEqual(later, all)
  })
})
