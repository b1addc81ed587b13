// A database is lost and restored while its chain continues: relayers started before the indexer
// has caught up wait, and included intents are not sent again.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { createIndexer } from '@openvenue/indexer/indexer'
import { writeBackup } from '@openvenue/store/maintenance/backup'
import { restoreBackup } from '@openvenue/store/maintenance/restore'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { pino } from 'pino'
import { privateKeyToAddress } from 'viem/accounts'
import { type KeeperProcess, startRelayer } from '../../test/keeper-process.ts'
import { LiveOrders } from '../../test/live-orders.ts'
import { CHAIN_ID, derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'

const ALICE = 1
const KEYS = [6, 7].map(derivePrivateKey)
const CANCELLER = privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase()
const ORDERS = 5

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('relayers on a database that was restored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-restored-'))
    const path = join(folder, 'venue.backup')
    const relayers: KeeperProcess[] = []
    const databases: TestDatabase[] = []
    let live: LiveVenue
    let orders: LiveOrders
    let anew: Store
    let stopIndexer = async () => {}

    before(async () => {
      live = await LiveVenue.start({ isRealTime: true })
      live.mineEverySecond()
      orders = await LiveOrders.on(live)
      await orders.allow(ALICE, CANCELLER)
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(live.deployment))
      databases.push(await postgres.createDatabase())
    })
    after(async () => {
      for (const relayer of relayers) await relayer.end('SIGKILL')
      await stopIndexer()
      await anew?.close()
      await live.stop()
      for (const database of databases) await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const start = () => {
      const relayer = startRelayer({
        live,
        databaseUrl: databases[0]?.options.databaseUrl,
        folder,
        keys: KEYS,
      })
      relayers.push(relayer)
      return relayer
    }
    const waits = ({ lines }: KeeperProcess) =>
      until('it waits for the indexer', () => lines.some((line) => line.includes('restored: ')))
    const index = (rpcUrl: string) => {
      const indexer = createIndexer({
        ...{ store: anew, deployment: live.venue.deployment, chainId: CHAIN_ID },
        ...{ rpcUrls: [rpcUrl], pollMs: 50, finalityBlocks: 64, lagMax: 20 },
        log: pino({ level: 'silent' }),
      })
      indexer.start()
      return async () => {
        await indexer.stop()
        await indexer.host.close()
      }
    }

    test('relayers on a restored database, killed or not, wait for the indexer and resend nothing', async () => {
      const relayer = { keys: KEYS, gasPerBlock: 10_000_000, feeCap: 10n ** 12n, feeFloor: 0n }
      const keeper = live.keeper({ ...only(), relayer })
      keeper.start()
      const ticks = Array.from({ length: ORDERS }, (_, n) => 20_000 + n)
      const some = await Promise.all(ticks.map((tick) => orders.order(ALICE, { tick })))
      await orders.accept(some)
      await orders.reach('included', some)
      await keeper.stop()
      const ids = some.map(({ id }) => id)
      const before = await live.store.intents.find(ids)
      await writeBackup(live.store.db, { path, chainId: CHAIN_ID, nowMs: Date.now() })

      const database = databases[0] as TestDatabase
      const options = { path, chainId: CHAIN_ID, nowMs: Date.now(), isReplacing: false }
      const restoring = await database.open()
      await restoreBackup(restoring.db, { ...options, isComplete: true })
      await restoring.close()
      anew = await database.open()

      const first = start()
      await waits(first)
      await first.end('SIGKILL')
      const second = start()
      await waits(second)
      assert.equal(await anew.intents.readStatus(), undefined, 'no orders are taken')
      const { seq } = await anew.intents.live()
      assert.deepEqual(await anew.intents.find(ids), before)

      stopIndexer = index(live.venue.url)
      await until('it leads', () => second.lines.some((line) => line.includes('relayer leads')))
      const { intents } = anew
      await until('it takes orders', async () => (await intents.readStatus()) !== undefined)
      const next = await orders.order(ALICE, { tick: 25_000 })
      await intents.add([next])
      await until('a new order is in', async () => {
        const [intent] = await intents.find([next.id])
        return intent?.state === 'included'
      })
      const log = await intents.logAfter(seq, 1_000)
      assert.deepEqual(
        log.filter(({ id }) => ids.includes(id)),
        [],
        'of those that were in, no step is taken',
      )
      assert.deepEqual(await intents.find(ids), before)
    })
  })
