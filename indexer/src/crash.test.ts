import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseDir } from '@openvenue/store/db/pglite'
import { tableDump } from '@openvenue/store/maintenance/dump'
import { openStore } from '@openvenue/store/open'
import { writeEmptyDatabase } from '@openvenue/store/test/memory-store'
import { FakeChain } from '../test/chain.ts'
import { IndexerProcess } from '../test/indexer-process.ts'
import { SeededRandom } from '../test/seeded-random.ts'
import { type ServedChain, serveChain } from '../test/server.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'

const SEED = Number(process.env.CRASH_SEED ?? 11)
const KILLS = Number(process.env.CRASH_KILLS ?? 10)
/** Minimum number of kills during the backfill, and during live trading. */
const KILLS_EACH_MIN = Math.floor(KILLS / 5)
/** A commit has some 500 blocks; about one is made for every two kills of a backfill. */
const BACKFILL_BLOCKS = 200 * KILLS
/** Maximum delay of a kill after the commit that it waits for: the next one is in progress. */
const KILL_AFTER_MS_MAX = 25
const BLOCK_MS = 12
const AHEAD_BLOCKS_MAX = 40

describe(`an indexer killed ${KILLS} times`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-crash-'))
  const chain = new FakeChain(SEED)
  let served: ServedChain
  /** The indexer's last reported block. */
  let synced = BACKFILL_BLOCKS

  before(async () => {
    chain.mine({ blocks: BACKFILL_BLOCKS, actions: 6 })
    served = await serveChain(chain)
    await prepare(folder)
  })
  after(async () => {
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('an indexer killed repeatedly has the same tables as one that was never killed', async (t) => {
    t.diagnostic(`seed ${SEED} (set CRASH_SEED for another)`)
    const random = new SeededRandom(SEED)
    const mining = new AbortController()
    let mined: Promise<void> | undefined
    const kills = { backfill: 0, live: 0 }
    for (let kill = 0; kill < KILLS; kill++) {
      // Half of the kills each, unless a fast machine completes the backfill earlier.
      const isLive = mined !== undefined || kill >= KILLS / 2
      if (isLive) mined ??= mineUntil(mining.signal)
      const phase = await killDuring(isLive ? 'live' : 'backfill', random)
      kills[phase]++
      if (phase === 'live') mined ??= mineUntil(mining.signal)
    }
    mining.abort()
    await mined
    await runToHead(folder)
    t.diagnostic(`${kills.backfill} kills during the backfill, ${kills.live} live`)
    assert.ok(kills.backfill >= KILLS_EACH_MIN && kills.live >= KILLS_EACH_MIN)
    const dump = await dumpDatabase(folder)
    assert.equal(dump, await uninterrupted())
    for (const kind of ['liquidation', 'absorption', 'deleverage'])
      assert.match(dump, new RegExp(`^forced_closes \\S+ ${kind} `, 'm'))
  })

  /**
   * Kills around the next commit of a backfill, or live, within 20 blocks of the head. Returns the
   * phase in which it was killed.
   */
  async function killDuring(
    phase: 'backfill' | 'live',
    random: SeededRandom,
  ): Promise<typeof phase> {
    const child = new IndexerProcess(folder, served)
    await child.reaches(() => child.synced >= 0)
    const from = child.synced
    // Half of the kills come before the first commit.
    const isEarly = random.below(2) === 0
    if (phase === 'live') await child.reaches(() => isAtHead(child))
    else if (!isEarly) await child.reaches(() => child.synced > from)
    await delay(random.below(KILL_AFTER_MS_MAX))
    const at = child.synced
    await child.end('SIGKILL')
    synced = Math.max(synced, at)
    return at < BACKFILL_BLOCKS ? 'backfill' : 'live'
  }

  function isAtHead(child: IndexerProcess): boolean {
    synced = child.synced
    return synced > chain.head.number - 20
  }

  /** Mines and forks, but no further ahead of the indexer than a slow machine can follow. */
  async function mineUntil(signal: AbortSignal) {
    for (let block = 0; !signal.aborted; ) {
      if (chain.head.number - synced < AHEAD_BLOCKS_MAX) {
        block++
        if (block % 50 === 49) chain.reorg(3, { blocks: 4, actions: 8 })
        else chain.mine({ blocks: 1, actions: 8 })
        served.announce()
      }
      await delay(BLOCK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async function runToHead(dataDir: string) {
    const child = new IndexerProcess(dataDir, served)
    await child.reaches(() => child.synced === chain.head.number)
    await child.end('SIGTERM')
  }

  async function uninterrupted(): Promise<string> {
    const other = mkdtempSync(join(folder, 'whole-'))
    await prepare(other)
    await runToHead(other)
    return dumpDatabase(other)
  }

  async function prepare(dataDir: string) {
    writeFileSync(join(dataDir, 'deployment.json'), JSON.stringify(FAKE_DEPLOYMENT))
    await writeEmptyDatabase(databaseDir(dataDir))
  }

  async function dumpDatabase(dataDir: string): Promise<string> {
    const store = await openStore({ dataDir: databaseDir(dataDir) })
    try {
      return await tableDump(store)
    } finally {
      await store.close()
    }
  }
})
