// The intents' log over NATS: several processes write it, and others follow.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect } from '@nats-io/transport-node'
import { until } from '@openvenue/core/test/until'
import { postgresEngine } from '../../test/engines.ts'
import { NatsVenue, type VenueProcess } from '../../test/nats-venue.ts'
import { sealMessage, venueName } from '../broadcast/message.ts'
import { readOrigin } from '../maintenance/incarnation.ts'
import { encodeLog } from './intent-messages.ts'
import { entriesAfter } from './intent-tail.ts'
import type { IntentLogEntry, NewIntent } from './intents.ts'

const { NATS_PROGRAM } = process.env
const engine = postgresEngine(process.env.DATABASE_URL)
const LIMIT = 10_000
const NOW_NS = 1_800_000_000_000_000_000n

let made = 0
const makeIntent = (given: Partial<NewIntent> = {}): NewIntent => ({
  id: `0x${(++made).toString(16).padStart(64, '0')}`,
  account: 7,
  wallet: `0x${'51'.repeat(20)}`,
  market: `0x${'aa'.repeat(20)}00000001`,
  lane: 'orders-0',
  state: 'queued',
  gas: 66_000,
  payload: { kind: 'cancel', target: '0x"quoted' },
  clientOrderId: undefined,
  parentId: undefined,
  deadlineSeconds: 2n ** 256n - 1n,
  receivedNs: NOW_NS,
  includeByBlock: 12,
  ...given,
})

/** Follows the log as services do. */
class LogFollower {
  readonly process: VenueProcess
  readonly entries: IntentLogEntry[] = []
  reloads = 0
  #seq = -1
  #stop = () => {}

  constructor(process: VenueProcess) {
    this.process = process
  }

  async start(): Promise<void> {
    this.#seq = (await this.process.intents.live()).seq
    this.#stop = this.process.intents.onLog(() => {})
    await this.read()
    await until('it receives', () => this.process.broadcast?.isConnected())
  }

  async read(): Promise<void> {
    const entries = await entriesAfter(this.process.intents, this.#seq, LIMIT)
    if (entries === 'gone') this.reloads++
    else this.entries.push(...entries)
    this.#seq = this.entries.at(-1)?.seq ?? this.#seq
  }

  /** Resolves when it has entry `seq`. */
  reaches = (seq: number) =>
    until(`entry ${seq} arrives`, async () => {
      await this.read()
      return this.#seq >= seq
    })

  stop(): void {
    this.#stop()
  }
}

describe("the intents' log over NATS", { skip: !NATS_PROGRAM || !engine }, () => {
  let venue: NatsVenue
  let nodes: readonly VenueProcess[]
  let follower: LogFollower
  before(async () => {
    venue = await NatsVenue.start(NATS_PROGRAM, engine)
    nodes = [await venue.open(), await venue.open()]
    follower = new LogFollower(await venue.open({ isDeaf: true }))
    await add(nodes[0])
    await follower.start()
    for (const node of nodes)
      await until('each publishes', async () => {
        await follower.reaches(await add(node))
        return (node.broadcast?.counts('intents').published ?? 0) > 0
      })
  })
  after(async () => {
    follower.stop()
    await venue.close()
  })

  const add = async (node: VenueProcess | undefined, given: Partial<NewIntent> = {}) => {
    const [outcome] = (await node?.intents.add([makeIntent(given)])) ?? []
    assert.ok(outcome !== undefined && 'added' in outcome)
    return outcome.added.seq
  }
  const inTable = async (from: number) => {
    const fresh = await venue.open({ isMute: true })
    return fresh.intents.logAfter(from, LIMIT)
  }

  test('orders and their steps reach followers without LISTEN and without a read', async () => {
    const [node] = nodes
    const from = follower.entries.length
    const reads = follower.process.reads.log
    let last = 0
    for (let count = 0; count < 10; count++) {
      const given = { clientOrderId: `a "${made}" \\`, parentId: `0x${'cd'.repeat(32)}` }
      last = await add(node, count % 2 ? given : {})
      const id = `0x${made.toString(16).padStart(64, '0')}`
      const step = { id, from: ['queued'], to: 'sent', atNs: NOW_NS + 1n, txHash: '0xab' } as const
      await node?.intents.move([step, { ...step, to: 'refused', reason: 'x\u0000y' }])
      await follower.reaches(++last)
    }
    const entries = follower.entries.slice(from)
    assert.deepEqual(entries, await inTable((entries[0]?.seq ?? 0) - 1))
    assert.ok(follower.process.reads.log <= reads + 1, 'at most the slow poll reads')
  })

  test('two processes that write at once leave no gap and no repeat at a follower', async () => {
    const from = follower.entries.length
    const added = await Promise.all(
      Array.from({ length: 100 }, (_, at) => add(nodes[at % nodes.length])),
    )
    await follower.reaches(Math.max(...added))
    const entries = follower.entries.slice(from)
    assert.deepEqual(entries, await inTable((entries[0]?.seq ?? 0) - 1))
    assert.equal(entries.length, 100)
    assert.equal(follower.reloads, 0)
  })

  test('wrong, foreign and early messages of the log cost a read', async () => {
    const origin = await readOrigin((nodes[0] as VenueProcess).db.primary)
    const attacker = await connect({ servers: `127.0.0.1:${venue.nats.port}` })
    const last = follower.entries.at(-1) as IntentLogEntry
    const forged = { ...last, seq: last.seq + 1, id: '0xforged' }
    const range = { stream: 'intents', first: forged.seq, last: forged.seq } as const
    const body = encodeLog([forged])
    const texts = [
      sealMessage({ ...origin, key: 'forged' }, { ...range, body }),
      sealMessage({ ...origin, incarnation: '7/00000001/5' }, { ...range, body }),
      sealMessage(origin, { ...range, body: '[]' }),
      sealMessage(origin, { ...range, body: '{' }),
      sealMessage(origin, { ...range, last: forged.seq + 1, body }),
      sealMessage(origin, { ...range, stream: 'feed', body }),
    ]
    const counts = () => follower.process.broadcast?.counts('intents') ?? { wrong: 0, foreign: 0 }
    const { wrong, foreign } = { ...counts() }
    for (const text of texts) attacker.publish(`openvenue.${venueName(origin)}.intents`, text)
    await until('all are rejected', () => counts().wrong >= wrong + 5)
    assert.equal(counts().foreign, foreign + 1)
    const from = follower.entries.length
    await follower.reaches(await add(nodes[0]))
    assert.deepEqual(follower.entries.slice(from), await inTable(last.seq))
    await attacker.close()
  })

  test('entries whose message is lost are read when the next one arrives', async () => {
    const mute = await venue.open({ isMute: true })
    const from = follower.entries.length
    await add(mute)
    await follower.reaches(await add(nodes[1]))
    const entries = follower.entries.slice(from)
    assert.equal(entries.length, 2)
    assert.deepEqual(entries, await inTable((entries[0]?.seq ?? 0) - 1))
  })

  test('followers with LISTEN read entries of a process without NATS', async () => {
    const listening = new LogFollower(await venue.open())
    await listening.start()
    const mute = await venue.open({ isMute: true })
    const startedMs = performance.now()
    await listening.reaches(await add(mute))
    assert.ok(performance.now() - startedMs < 2500)
    listening.stop()
  })
})
