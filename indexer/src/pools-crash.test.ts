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
import { AnvilPools } from '../test/anvil-pools.ts'
import { AnvilVenue } from '../test/anvil-venue.ts'
import { IndexerProcess } from '../test/indexer-process.ts'
import { SeededRandom } from '../test/seeded-random.ts'

const SEED = Number(process.env.CRASH_SEED ?? 12)
const KILLS = Number(process.env.CRASH_KILLS ?? 3)
/** Maximum number of blocks between a start and its kill. */
const BLOCKS_MAX = 6
const KILL_AFTER_MS_MAX = 15

describe(`an indexer of pools killed ${KILLS} times`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-pools-'))
  const random = new SeededRandom(SEED)
  let venue: AnvilVenue
  let pools: AnvilPools

  before(async () => {
    venue = await AnvilVenue.start()
    pools = await AnvilPools.on(venue)
    await writeEmptyDatabase(databaseDir(folder))
  })
  after(async () => {
    await venue.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The environment names the factories, and its file the venue. */
  const start = (dataDir: string) => {
    const { v2Factories, v3Factories, ...deployment } = pools.deployment
    writeFileSync(join(dataDir, 'deployment.json'), JSON.stringify(deployment))
    return new IndexerProcess(dataDir, venue, {
      AMM_V2_FACTORIES: v2Factories?.join(','),
      AMM_V3_FACTORIES: v3Factories?.join(','),
    })
  }

  const finish = async (dataDir: string) => {
    const child = start(dataDir)
    const { number } = await venue.head()
    await child.reaches(() => child.synced === number)
    await child.end('SIGTERM')
    const store = await openStore({ dataDir: databaseDir(dataDir) })
    const { pool } = (await store.writer.loadState()).records
    const dump = await tableDump(store)
    await store.close()
    return { dump, pool }
  }

  test('an indexer of pools killed repeatedly equals the contracts and an indexer that ran on', async (t) => {
    t.diagnostic(`seed ${SEED} (set CRASH_SEED for another, CRASH_KILLS for more)`)
    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(folder)
      await child.reaches(() => child.synced >= 0)
      for (let blocks = random.below(BLOCKS_MAX); blocks >= 0; blocks--) await pools.act(random)
      await delay(random.below(KILL_AFTER_MS_MAX))
      await child.end('SIGKILL')
    }
    const { dump, pool } = await finish(folder)
    const truths = await pools.truths()
    assert.ok(truths.length >= 2 && truths.length === pool.size)
    for (const { address, reserve0, reserve1, liquidity } of truths) {
      const { reserve0: held0, reserve1: held1, liquidity: stored } = pool.get(address) ?? {}
      assert.deepEqual([held0, held1, stored], [reserve0, reserve1, liquidity])
    }
    const other = mkdtempSync(join(folder, 'whole-'))
    await writeEmptyDatabase(databaseDir(other))
    assert.equal(dump, (await finish(other)).dump)
  })
})
