// Followers stay exact while the NATS server or the publisher fails, and go on without either.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { BlockChanges } from '@openvenue/core/changes'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { postgresEngine } from '../../test/engines.ts'
import { type Follower, NatsVenue, type VenueProcess } from '../../test/nats-venue.ts'
import { comparedState, replay } from '../../test/replay.ts'
import { readOrigin } from '../maintenance/incarnation.ts'
import { broadcastMetrics } from './metrics.ts'
import { openNats } from './nats.ts'

const { NATS_PROGRAM } = process.env
const engine = postgresEngine(process.env.DATABASE_URL)
const seed = Number(process.env.SEED ?? 1)
/** Far below the slow poll of the table. */
const READ_MS_MAX = 2500

describe(`NATS that fails, seed ${seed}`, { skip: !NATS_PROGRAM || !engine }, () => {
  const { blocks } = replay(randomScenario(seed, 600, { actionsMax: 3 }))
  let next = 0
  let venue: NatsVenue
  let indexer: VenueProcess
  let follower: Follower
  before(async () => {
    venue = await NatsVenue.start(NATS_PROGRAM, engine)
    indexer = await venue.open()
    await commit()
    follower = await venue.follow()
    await publishes()
  })
  after(() => venue.close())

  const commit = async () => {
    const block = blocks[next++] as BlockChanges
    await indexer.writer.commit([block], 0)
    return block.header.number
  }
  /** Resolves when commits reach the follower as messages. */
  const publishes = async () => {
    const { applied } = follower.counts
    await until('messages arrive', async () => {
      await follower.reaches(await commit())
      return follower.counts.applied > applied
    })
  }
  const expectExact = async () => {
    const state = comparedState(await indexer.writer.loadState())
    assert.deepEqual(comparedState(follower.state), state)
    assert.equal(follower.breaks, 0)
  }

  test('followers read the table while NATS is killed, and use it again after its restart', async () => {
    await venue.nats.kill()
    for (let count = 0; count < 5; count++) {
      const took = await follower.reaches(await commit())
      assert.ok(took < READ_MS_MAX, `${took} ms`)
    }
    await until('both sides know', () => follower.process.broadcast?.isConnected() === false)
    assert.match(broadcastMetrics(follower.process.broadcast), /^openvenue_nats_connected 0$/m)
    await follower.reaches(await commit())
    await venue.nats.restart()
    await publishes()
    const metrics = broadcastMetrics(follower.process.broadcast)
    assert.match(metrics, /^openvenue_nats_connected 1$/m)
    assert.match(metrics, /^openvenue_nats_messages_total{stream="feed",outcome="applied"} [1-9]/m)
    await expectExact()
  })

  test('a frozen NATS delays no commit, and followers wait for it only once', async () => {
    venue.nats.freeze()
    const { missed } = follower.counts
    for (let count = 0; count < 10; count++) {
      const startedMs = performance.now()
      const number = await commit()
      const committedMs = performance.now()
      const took = await follower.reaches(number)
      assert.ok(committedMs - startedMs < READ_MS_MAX && took < READ_MS_MAX)
    }
    assert.equal(follower.counts.missed, missed + 1)
    venue.nats.thaw()
    await publishes()
    await expectExact()
  })

  test('a message that arrives after the table was read is dropped', async () => {
    const { known } = follower.counts
    venue.nats.freeze()
    const took = await follower.reaches(await commit())
    assert.ok(took < READ_MS_MAX, `${took} ms`)
    venue.nats.thaw()
    await until('the message arrives', () => follower.counts.known > known)
    await publishes()
    await expectExact()
  })

  test('a NATS that accepts connections and stays silent delays neither start nor stop', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const process = await venue.open({ natsUrl: `nats://127.0.0.1:${port}` })
    const startedMs = performance.now()
    await process.reader.ping()
    await process.close()
    assert.ok(performance.now() - startedMs < 5000)
    await until('it keeps no connection', () => connections(silent).then((count) => count === 0))
    silent.close()
  })

  test('a loss of NATS is one line of the log, and its return another, without the password', async () => {
    const lines: string[] = []
    const note = (facts: object, text: string) => lines.push(`${text} ${JSON.stringify(facts)}`)
    const url = `nats://user:a%20secret@127.0.0.1:${venue.nats.port}`
    const broadcast = openNats(url, { info: note, warn: note })
    broadcast.setOrigin(await readOrigin(indexer.db.primary))
    await until('it connects', () => lines.length === 1)
    await venue.nats.kill()
    await until('the loss is known', () => lines.length === 2 && !broadcast.hasSession())
    await venue.nats.restart()
    await until('it is back', () => broadcast.hasSession() && lines.length === 3)
    await broadcast.close()
    assert.deepEqual(
      lines.map((line) => /^[^{]*/.exec(line)?.[0].trim()),
      [
        'messages over NATS',
        'no messages over NATS: followers read the database',
        'messages over NATS again',
      ],
    )
    assert.ok(!lines.join().includes('secret'))
    await publishes()
  })

  test('messages wait in a bounded queue while they are not confirmed', async () => {
    venue.nats.freeze()
    const { dropped } = { ...indexer.broadcast?.counts('feed') } as { dropped: number }
    const range = { stream: 'feed', first: 1, last: 1 } as const
    for (let count = 0; count < 1000; count++) void indexer.broadcast?.publish(range, () => 'x')
    const now = indexer.broadcast?.counts('feed').dropped ?? 0
    assert.ok(now >= dropped + 488 && now <= dropped + 1000, `${now - dropped} dropped`)
    for (let count = 0; count < 100; count++)
      void indexer.broadcast?.publish(range, () => 'x'.repeat(250_000))
    venue.nats.thaw()
    await publishes()
    await expectExact()
  })

  test('followers stay exact when the indexer is killed at random moments', async () => {
    await indexer.writer.close()
    const random = new Chance(seed)
    for (let kills = 0; kills < 4; kills++) {
      const child = startIndexer(venue)
      await committed(child, 2 + random.below(12))
      child.kill('SIGKILL')
      await once(child, 'exit')
      const { head } = await until('its session ends', () =>
        indexer.writer.loadState().catch((error: Error) => {
          if (error.name !== 'WriterBusy') throw error
          return undefined
        }),
      )
      const number = head?.number ?? 0
      await follower.reaches(number)
      await expectExact()
      await indexer.writer.close()
    }
    next = follower.state.head?.number ?? 0
    await publishes()
  })

  test('followers stay exact through random faults of NATS', async () => {
    const random = new Chance(seed)
    for (let count = 0; count < 60; count++) {
      const fault = random.below(8)
      if (fault === 0) await venue.nats.kill()
      if (fault === 1) venue.nats.freeze()
      if (fault === 2) venue.nats.thaw()
      if (fault === 3) await venue.nats.restart()
      await commit()
    }
    venue.nats.thaw()
    await venue.nats.restart()
    await publishes()
    await expectExact()
  })

  test('NATS is loaded only with FEED_URL', async () => {
    const loaded = async (module: string) => {
      const script = `await import('${module}')
        const { createRequire } = await import('node:module')
        const paths = Object.keys(createRequire(import.meta.url).cache)
        process.stdout.write(String(paths.some((path) => path.includes('@nats-io'))))`
      const args = ['--input-type=module', '-e', script]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: import.meta.dirname,
      })
      return stdout
    }
    assert.equal(await loaded('@openvenue/store/open'), 'false')
    assert.equal(await loaded(join(import.meta.dirname, 'nats.ts')), 'true')
  })
})

/** Starts a process that commits the scenario's blocks from the head of the database. */
const startIndexer = ({ database, nats }: NatsVenue) =>
  spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../test/die.ts'),
      JSON.stringify({ ...database.options, feedUrl: nats.url }),
      'blocks',
      `${seed}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

async function committed(child: ChildProcess, count: number): Promise<void> {
  let dots = 0
  child.stdout?.on('data', (piece: Buffer) => {
    dots += piece.length
  })
  await until(`${count} blocks are committed`, () => dots >= count)
}

const connections = (server: Server) => promisify(server.getConnections.bind(server))()
