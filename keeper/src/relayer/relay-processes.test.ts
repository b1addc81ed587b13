// Relayers and API nodes as processes on PostgreSQL: one hangs, and all are killed at random.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { SeededRandom } from '@openvenue/indexer/test/seeded-random'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { privateKeyToAddress } from 'viem/accounts'
import { ApiNodes } from '../../test/api-nodes.ts'
import { type KeeperProcess, startRelayer, TRIES_MAX } from '../../test/keeper-process.ts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue } from '../../test/live-venue.ts'
import { RelayLoad } from '../../test/relay-load.ts'

const [ALICE, BOB] = [1, 2] as const
const KEYS = [6, 7, 9].map(derivePrivateKey)
const CANCELLER = privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase()
/** Number of consecutive faults; `npm run kills:relay` runs 200 and also kills the database. */
const FAULTS = Number(process.env.RELAY_FAULTS ?? 8)
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const PAUSE_MS_MAX = 1_500
const FAULT_KINDS = [
  'leader',
  'both',
  'api',
  'all api',
  'connections',
  'blocks',
  // Excluded in the suite, where other tests share the server.
  ...(process.env.RELAY_FAULTS === undefined ? [] : (['database'] as const)),
] as const
const REORG_DEPTH = 2
const LINES_SHOWN = 5
/** Concurrent clients, three requests each. */
const CLIENTS = 4
/** Maximum number of orders whose answers are compared over all nodes at the end. */
const COMPARED_MAX = 300

const isLeader = ({ lines }: KeeperProcess): boolean =>
  lines.findLast((line) => line.includes('this relayer'))?.includes('"this relayer leads"') ?? false

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('relayers as processes', () => {
    let live: LiveVenue
    let orders: LiveOrders
    let database: TestDatabase
    let folder: string
    let api: ApiNodes | undefined
    const relayers: KeeperProcess[] = []

    before(async () => {
      database = await postgres.createDatabase()
      live = await LiveVenue.start({ ...database.options, isRealTime: true })
      live.mineEverySecond()
      orders = await LiveOrders.on(live)
      for (const by of [ALICE, BOB]) await orders.allow(by, CANCELLER)
      folder = mkdtempSync(join(tmpdir(), 'openvenue-relayer-'))
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(live.deployment))
    })
    const endAll = async () => {
      for (const relayer of relayers.splice(0)) {
        relayer.signal('SIGCONT')
        await relayer.end('SIGKILL')
      }
      await api?.end()
    }
    afterEach(endAll)
    after(async () => {
      await live.stop()
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const start = () => {
      const relayer = startRelayer({
        live,
        databaseUrl: database.options.databaseUrl,
        folder,
        keys: KEYS,
      })
      relayers.push(relayer)
      return relayer
    }
    const bids = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => orders.order(ALICE, { tick: 20_000 + n })),
      )

    test('a relayer that hangs is replaced, and writes and sends nothing when it resumes', async (t) => {
      const leader = start()
      await until('one leads', () => isLeader(leader))
      const heir = start()
      const first = await bids(3)
      await orders.accept(first)
      await orders.reach('included', first)
      await until('the other stands by', () => heir.isStandby)
      leader.signal('SIGSTOP')
      const stoppedMs = Date.now()
      const triedBefore = heir.tries
      const during = await bids(5)
      await orders.accept(during)
      await until('the other leads', () => isLeader(heir))
      const [tookMs, tries] = [Date.now() - stoppedMs, heir.tries - triedBefore]
      await orders.reach('included', during)
      const inBlockMs = Date.now() - stoppedMs
      t.diagnostic(`led after ${tookMs} ms, ${tries} tries; all in a block after ${inBlockMs} ms`)
      assert.ok(tries <= TRIES_MAX, `${tries} tries`)
      leader.signal('SIGCONT')
      await until('the former leader stands by', () => !isLeader(leader))
      const later = await bids(5)
      await orders.accept(later)
      await orders.reach('included', later)
      assert.ok(isLeader(heir))
      const log = await live.store.intents.logAfter(0, 100_000)
      for (const { id } of [...first, ...during, ...later])
        assert.equal(log.filter((entry) => entry.id === id && entry.state === 'included').length, 1)
      for (const line of [...leader.lines, ...heir.lines])
        for (const key of KEYS) assert.ok(!line.includes(key.slice(2)), 'no key is in the log')
    })

    test(`every accepted order ends in the state of the chain through ${FAULTS} kills (seed ${SEED})`, async (t) => {
      const random = new SeededRandom(SEED)
      api = await ApiNodes.start(
        {
          ...{ live, orders, random, canceller: CANCELLER },
          databaseUrl: database.options.databaseUrl ?? '',
          deploymentFile: join(folder, 'deployment.json'),
        },
        [ALICE, BOB].map((by) => (live.venue.wallets[by] ?? '').toLowerCase()),
      )
      const load = new RelayLoad(live, orders, random, api)
      const kills: Record<string, number> = {}
      start()
      start()
      await until('one leads', () => relayers.some(isLeader))
      const loading = Promise.all(Array.from({ length: CLIENTS }, () => load.run()))
      for (let fault = 0; fault < FAULTS; fault++) {
        await sleep(random.below(PAUSE_MS_MAX))
        const kind = FAULT_KINDS[random.below(FAULT_KINDS.length)] ?? 'leader'
        kills[kind] = (kills[kind] ?? 0) + 1
        await FAULTS_BY_KIND[kind]().catch((error: unknown) => {
          load.stop()
          throw error
        })
      }
      load.stop()
      await loading
      await until('the database answers', () =>
        live.store.db.primary.query('SELECT 1').then(
          () => true,
          () => false,
        ),
      )
      await sleep(PAUSE_MS_MAX)
      restart()
      const counts = await load.compare().catch(async (error: unknown) => {
        t.diagnostic(`answers: ${JSON.stringify(api?.counts)}`)
        const words = relayers.flatMap(({ lines }) => lines.slice(-LINES_SHOWN))
        const heads = `chain ${(await live.venue.head()).number}; ${live.indexerEnds}`
        const busy = (await sessions()).map((row) => row.join(' | '))
        throw new Error([error, heads, ...words, ...live.indexerLines, ...busy].join('\n'))
      })
      t.diagnostic(`kills: ${JSON.stringify(kills)}`)
      t.diagnostic(`the indexer ended ${live.indexerEnds.length} times: ${live.indexerEnds[0]}`)
      t.diagnostic(`${load.accepted.length} accepted: ${JSON.stringify(counts)}`)
      t.diagnostic(`answers: ${JSON.stringify(api.counts)}`)
      assert.ok((counts['order included'] ?? 0) > 0)
      const accepted = load.accepted.filter(({ payload }) => payload.kind === 'order')
      for (const order of accepted.slice(-COMPARED_MAX)) await api.compareAnswers(order)
    })

    const killRelayers = async (isMeant: (relayer: KeeperProcess) => boolean) => {
      for (const relayer of relayers) if (isMeant(relayer)) await relayer.end('SIGKILL')
      restart()
    }

    const FAULTS_BY_KIND: Readonly<Record<(typeof FAULT_KINDS)[number], () => Promise<unknown>>> = {
      leader: () => killRelayers(isLeader),
      both: () => killRelayers(() => true),
      api: async () => api?.kill('one'),
      'all api': async () => api?.kill('all'),
      connections: () => cutDatabase(),
      blocks: () => live.venue.call('anvil_reorg', REORG_DEPTH, []),
      database: () => killDatabase(),
    }

    /**
     * Restarts ended processes like a supervisor: a relayer exits if it starts without a database.
     */
    const restart = () => {
      api?.restart()
      for (const relayer of relayers.filter(({ hasEnded }) => hasEnded)) {
        relayers.splice(relayers.indexOf(relayer), 1)
        start()
      }
    }

    /** Killing a backend process makes the whole server restart from its log. */
    const killDatabase = async () => {
      const [[pid] = []] = await live.store.db.primary
        .query('SELECT pg_backend_pid()')
        .catch(() => [])
      if (pid !== undefined) process.kill(Number(pid), 'SIGKILL')
    }

    const sessions = () =>
      live.store.db.primary
        .query(
          `SELECT pid::text, state, wait_event_type, wait_event, (now() - xact_start)::text,
           (now() - state_change)::text, left(regexp_replace(query, E'\\s+', ' ', 'g'), 100)
           FROM pg_stat_activity WHERE datname = current_database()`,
        )
        .catch((error: unknown) => [[String(error)]])

    /** Ends every connection to the database, including the indexer's and the leases'. */
    const cutDatabase = () =>
      live.store.db.primary
        .query(
          `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        )
        .catch(() => undefined)
  })
