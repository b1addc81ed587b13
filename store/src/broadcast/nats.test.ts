// Followers that get new entries over NATS, and what wrong messages cost them.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { BlockChanges } from '@openvenue/core/changes'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { until } from '@openvenue/core/test/until'
import { postgresEngine } from '../../test/engines.ts'
import { type Follower, NatsVenue, type VenueProcess } from '../../test/nats-venue.ts'
import { comparedState, replay } from '../../test/replay.ts'
import { encodeEntry } from '../feed/feed-messages.ts'
import { readOrigin } from '../maintenance/incarnation.ts'
import { type Message, type Origin, sealMessage, venueName } from './message.ts'

const { NATS_PROGRAM } = process.env
const engine = postgresEngine(process.env.DATABASE_URL)
/** Longer than the wait for a message, shorter than the slow poll of the table. */
const READ_MS_MAX = 2500

describe('followers over NATS', { skip: !NATS_PROGRAM || !engine }, () => {
  const seed = Number(process.env.SEED ?? 1)
  const { blocks } = replay(randomScenario(seed, 60))
  let next = 0
  let venue: NatsVenue
  let indexer: VenueProcess
  /** Has LISTEN and NATS. */
  let follower: Follower
  /** Has only NATS. */
  let deaf: Follower
  let attacker: NatsConnection
  let origin: Origin
  before(async () => {
    venue = await NatsVenue.start(NATS_PROGRAM, engine)
    indexer = await venue.open()
    origin = await readOrigin(indexer.db.primary)
    await commit()
    follower = await venue.follow()
    deaf = await venue.follow({ isDeaf: true })
    attacker = await connect({ servers: `127.0.0.1:${venue.nats.port}` })
    await until('the indexer publishes', async () => {
      await commit()
      return (indexer.broadcast?.counts('feed').published ?? 0) > 0
    })
  })
  beforeEach(async () => {
    const number = await commit()
    await Promise.all([follower.reaches(number), deaf.reaches(number)])
  })
  after(async () => {
    await attacker.close()
    await venue.close()
  })

  /** Commits the next block and returns its number. */
  const commit = async (process = indexer) => {
    const block = blocks[next++] as BlockChanges
    await process.writer.commit([block], 0)
    return block.header.number
  }
  const send = (text: string) => attacker.publish(`openvenue.${venueName(origin)}.feed`, text)
  const sent = (message: Partial<Message>, from: Origin = origin) => {
    const last = follower.seq + 1
    send(sealMessage(from, { stream: 'feed', first: last, last, body: undefined, ...message }))
  }
  /** The body that the next block's message will have. */
  const nextBody = () => {
    const { header, changes } = blocks[next] as BlockChanges
    return encodeEntry({ seq: 0, kind: 'apply', header, changes })
  }
  const expectExact = async () => {
    const state = comparedState(await indexer.writer.loadState())
    for (const { state: own, breaks } of [follower, deaf]) {
      assert.deepEqual(comparedState(own), state)
      assert.equal(breaks, 0)
    }
  }

  test('a commit reaches followers without LISTEN and without a read of the table', async () => {
    const reads = deaf.process.reads.feed
    const { applied } = deaf.counts
    for (let count = 0; count < 10; count++) await deaf.reaches(await commit())
    assert.equal(deaf.counts.applied, applied + 10)
    assert.ok(deaf.process.reads.feed <= reads + 1, 'at most the slow poll reads')
    await expectExact()
  })

  test('a message that matches the committed entry is applied once, a repeat is dropped', async () => {
    const number = await commit()
    await Promise.all([follower.reaches(number), deaf.reaches(number)])
    const [{ known }, { feed: reads }] = [{ ...deaf.counts }, { ...deaf.process.reads }]
    const entry = deaf.entries.at(-1)
    assert.ok(entry)
    const repeated = { first: entry.seq, last: entry.seq, body: encodeEntry(entry) }
    for (let count = 0; count < 5; count++) sent(repeated)
    await until('repeats arrive', () => deaf.counts.known >= known + 5)
    await expectExact()
    assert.ok(deaf.process.reads.feed <= reads + 1)
  })

  const wrong: readonly (readonly [string, () => void])[] = [
    ['without a line', () => send('')],
    ['of random bytes', () => send('\n\n\u0000')],
    ['with a forged key', () => sent({ body: nextBody() }, { ...origin, key: 'forged' })],
    ['of another stream', () => sent({ stream: 'intents', body: nextBody() })],
    ['with an unreadable body', () => sent({ body: 'not an entry' })],
    ['with a block that is not the child of the head', () => sent({ body: strangeBody() })],
    ['of more entries than its body has', () => sent({ last: follower.seq + 3, body: nextBody() })],
  ]
  const strangeBody = () => {
    const { header, changes } = blocks[next] as BlockChanges
    const strange = { ...header, parentHash: `0x${'77'.repeat(32)}` }
    return encodeEntry({ seq: 0, kind: 'apply', header: strange, changes })
  }
  for (const [name, attack] of wrong)
    test(`a message ${name} costs a read of the table`, async () => {
      const [before, reads] = [deaf.counts.wrong, deaf.process.reads.feed]
      attack()
      await until('it is rejected', () => deaf.counts.wrong > before)
      await until('the table is read', () => deaf.process.reads.feed > reads)
      const number = await commit()
      await Promise.all([follower.reaches(number), deaf.reaches(number)])
      await expectExact()
    })

  test('a message of another incarnation costs a read of the table', async () => {
    const [before, reads] = [deaf.counts.foreign, deaf.process.reads.feed]
    sent({ body: nextBody() }, { ...origin, incarnation: '7/00000001/5' })
    await until('it is rejected', () => deaf.counts.foreign > before)
    await until('the table is read', () => deaf.process.reads.feed > reads)
    await expectExact()
  })

  test('an entry that is too large for a message is announced by its number', async () => {
    const before = deaf.counts.number
    const range = { stream: 'feed', first: deaf.seq + 1, last: deaf.seq + 1 } as const
    void indexer.broadcast?.publish(range, () => 'x'.repeat(300_000))
    await until('the number arrives', () => deaf.counts.number > before)
    const number = await commit()
    await deaf.reaches(number)
    await expectExact()
  })

  test('a commit whose message is lost is read after the notification of PostgreSQL', async () => {
    const mute = await venue.open({ isMute: true })
    await indexer.writer.close()
    const before = follower.counts.missed
    const took = await follower.reaches(await commit(mute))
    assert.ok(took < READ_MS_MAX, `${took} ms`)
    assert.equal(follower.counts.missed, before + 1)
    // From now on it does not wait for messages.
    await follower.reaches(await commit(mute))
    assert.equal(follower.counts.missed, before + 1)
    await mute.writer.close()
  })

  test('a follower that neither channel reaches reads the table within seconds', async () => {
    const mute = await venue.open({ isMute: true })
    await indexer.writer.close()
    const took = await deaf.reaches(await commit(mute))
    assert.ok(took < 10_000, `${took} ms`)
    await mute.writer.close()
  })

  test('the message after a lost one shows the gap, and the table fills it', async () => {
    const mute = await venue.open({ isMute: true })
    await indexer.writer.close()
    await commit(mute)
    await mute.writer.close()
    const number = await commit()
    const took = await deaf.reaches(number)
    assert.ok(took < READ_MS_MAX, `${took} ms`)
    await expectExact()
  })

  test('undone blocks and a wiped chain reach followers', async () => {
    const number = await commit()
    await deaf.reaches(number)
    await indexer.writer.undoTo(number - 3)
    await Promise.all([follower.reaches(number - 3), deaf.reaches(number - 3)])
    next -= 3
    const again = await commit()
    await Promise.all([follower.reaches(again), deaf.reaches(again)])
    await expectExact()
    await indexer.writer.wipeChain()
    next = 0
    const first = await commit()
    await Promise.all([follower.reaches(first), deaf.reaches(first)])
    assert.deepEqual(comparedState(deaf.state), comparedState(await indexer.writer.loadState()))
  })
})
