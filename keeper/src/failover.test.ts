// Failover between two keepers, in one process and as two processes on PostgreSQL.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { createLease } from '@openvenue/runtime/lease'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { KeeperProcess, TRIES_MAX } from '../test/keeper-process.ts'
import { derivePrivateKey } from '../test/live-sender.ts'
import { LiveVenue, OWNER, only } from '../test/live-venue.ts'
import { STANDBY_MS } from './leadership.ts'

/** Promised failover time; the tests with processes get `TRIES_MAX` attempts. */
const TAKEN_OVER_MS_MAX = 5_000

test('the lease timings allow a failover within five seconds', () => {
  assert.ok(TRIES_MAX * STANDBY_MS < TAKEN_OVER_MS_MAX)
})

describe('two keepers of one venue', () => {
  let live: LiveVenue
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
  })
  after(() => live.stop())
  const nonce = () => live.nonce(OWNER)

  test('of two keepers, one leads and the other is a ready standby until it takes over', async (t) => {
    const [first, second] = [live.keeper(only('prices')), live.keeper(only('prices'))]
    first.start()
    await live.leads(first)
    second.start()
    await until('the other knows the venue', () => second.readiness().status === 'standby')
    await live.moveTo(3_010n)
    const answer = await second.host.inject('/ready')
    assert.deepEqual([answer.statusCode, answer.json().status], [200, 'standby'])
    const stoppedMs = live.clock.nowMs()
    await first.stop()
    await live.leads(second)
    const tookMs = live.clock.nowMs() - stoppedMs
    t.diagnostic(`taken over after ${tookMs} ms`)
    assert.ok(tookMs < TAKEN_OVER_MS_MAX)
    await live.moveTo(3_020n)
    await second.stop()
  })

  test('a keeper that loses its lease stops sending at once and becomes a standby', async () => {
    const given: (() => void)[] = []
    const keeper = live.keeper(only('prices'), {
      lease: async () => {
        if (given.length > 0) return undefined
        const { lease, end } = createLease(async () => {})
        given.push(end)
        return lease
      },
    })
    keeper.start()
    await live.moveTo(3_030n)
    given[0]?.()
    const sent = await nonce()
    await until('it stands by', () => keeper.readiness().status === 'standby')
    // Longer than three rounds of the task, and seven attempts to take the lease.
    await live.clock.delay(3_500)
    // One transaction may have been on its way to the node.
    assert.ok((await nonce()) <= sent + 1)
    await keeper.stop()
  })
})

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('two keepers as processes', () => {
    let live: LiveVenue
    let database: TestDatabase
    let folder: string
    let price = 3_000
    const keepers: KeeperProcess[] = []
    const source = createServer((_, response) => response.end(JSON.stringify({ ETH: `${price}` })))

    before(async () => {
      database = await postgres.createDatabase()
      live = await LiveVenue.start({ ...database.options, isRealTime: true })
      live.mineEverySecond()
      folder = mkdtempSync(join(tmpdir(), 'openvenue-keeper-'))
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(live.deployment))
      await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    })
    afterEach(async () => {
      for (const keeper of keepers.splice(0)) {
        keeper.signal('SIGCONT')
        await keeper.end('SIGKILL')
      }
    })
    after(async () => {
      source.close()
      await live.stop()
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const start = () => {
      const keeper = new KeeperProcess({
        DATABASE_URL: database.options.databaseUrl ?? '',
        DATA_DIR: folder,
        RPC_URL: live.venue.url,
        KEEPER_KEY: derivePrivateKey(OWNER),
        KEEPER_PRICE_URL: `http://127.0.0.1:${(source.address() as AddressInfo).port}`,
      })
      keepers.push(keeper)
      return keeper
    }
    const pair = async () => {
      const leader = start()
      await until('one leads', () => leader.leads)
      const heir = start()
      await until('the other stands by', () => heir.isStandby)
      return { leader, heir }
    }
    /** Returns the time until the standby led and had pushed a price of its own. */
    const takenOver = async (heir: KeeperProcess) => {
      const [startMs, triedBefore] = [Date.now(), heir.tries]
      await until('the other leads', () => heir.leads)
      const [ledMs, tries] = [Date.now() - startMs, heir.tries - triedBefore]
      assert.ok(tries <= TRIES_MAX, `${tries} tries, ${ledMs} ms`)
      price += 10
      await until('it pushes prices', async () => (await live.index()) === BigInt(price))
      return { ledMs, pushedMs: Date.now() - startMs }
    }

    for (const [signal, fate] of [
      ['SIGKILL', 'killed'],
      ['SIGSTOP', 'stopped without a word'],
    ] as const)
      test(`the standby keeper takes over within 5 s when the leader is ${fate}`, async (t) => {
        const { leader, heir } = await pair()
        leader.signal(signal)
        const { ledMs, pushedMs } = await takenOver(heir)
        t.diagnostic(
          `${signal}: led after ${ledMs} ms, its price was in a block after ${pushedMs} ms`,
        )
        if (signal === 'SIGKILL') return
        leader.signal('SIGCONT')
        const lines = leader.lines.length
        await until('the former leader stands by', () => leader.isStandby)
        assert.ok(heir.leads)
        const after = leader.lines.slice(lines).filter((line) => line.includes('"sent"'))
        assert.deepEqual(after, [], 'it sent nothing after it went on')
      })

    test('a keeper that gets SIGTERM releases its lease at once and exits with success', async () => {
      const { leader, heir } = await pair()
      assert.equal(await leader.end(), 0)
      await takenOver(heir)
      for (const line of [...leader.lines, ...heir.lines])
        assert.ok(
          !line.includes(derivePrivateKey(OWNER).slice(2)),
          'the key is in no line of the log',
        )
    })
  })
