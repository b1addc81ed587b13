// Keepers of one database compare their settings.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Announcements } from '@openvenue/store/db/announcements'
import { ManualClock } from '../test/clock.ts'
import { only } from '../test/live-venue.ts'
import type { KeeperSettings } from './config.ts'
import { ANNOUNCED_MS, effectiveSettings, PEER_SILENCE_MS, watchPeers } from './peers.ts'

const DEPLOYMENT = { accounts: '0xa', spot: '0xb', perps: '0xc', oracles: ['0xd'] }
const KEY = `0x${'1'.repeat(64)}` as const

const effective = (settings: KeeperSettings, address: string | undefined = '0x1') =>
  effectiveSettings({
    ...{ settings, deployment: DEPLOYMENT, chainId: 1, address },
    ...{ hasPrices: true, keptMs: 1_000 },
  })

/** Announcements among the keepers of a test. */
class Channel implements Announcements {
  readonly #takers = new Set<(text: string | undefined) => void>()
  /** Number of announcements. */
  count = 0

  async announce(text: string): Promise<void> {
    this.count += 1
    for (const take of this.#takers) take(text)
  }

  onAnnounced(take: (text: string | undefined) => void): () => void {
    this.#takers.add(take)
    take(undefined)
    return () => void this.#takers.delete(take)
  }
}

class Keepers {
  readonly clock = new ManualClock(0)
  readonly channel = new Channel()

  start(settings: ReturnType<typeof effective>) {
    const warnings: object[] = []
    const stopping = new AbortController()
    const keeper = { warnings, differing: 0, stop: () => stopping.abort() }
    const log = { info: () => {}, warn: (facts: object) => void warnings.push(facts) }
    void watchPeers(
      {
        ...{ announcements: this.channel, settings, clock: this.clock },
        log: log as never,
        onDiffering: (peers) => {
          keeper.differing = peers
        },
      },
      stopping.signal,
    )
    return keeper
  }
}

describe('keepers of one database', () => {
  test('keepers with equal settings report nothing, and do not answer for ever', async () => {
    const keepers = new Keepers()
    const all = [1, 2, 3].map(() => keepers.start(effective(only('prices'))))
    const { count } = keepers.channel
    await keepers.clock.advance(ANNOUNCED_MS)
    assert.equal(keepers.channel.count, count + all.length)
    for (const { warnings, differing } of all) assert.deepEqual([warnings, differing], [[], 0])
    for (const { stop } of all) stop()
  })

  test('both keepers report different switches once, until the other has ended', async () => {
    const keepers = new Keepers()
    const first = keepers.start(effective(only('prices', 'pokes')))
    const second = keepers.start(effective(only('prices')))
    await keepers.clock.advance(ANNOUNCED_MS)
    assert.deepEqual([first.differing, second.differing], [1, 1])
    assert.deepEqual(
      [...first.warnings, ...second.warnings].map(
        (facts) => 'differences' in facts && facts.differences,
      ),
      [
        { KEEPER_POKES: { here: 'on', there: 'off' } },
        { KEEPER_POKES: { here: 'off', there: 'on' } },
      ],
    )
    second.stop()
    for (let ms = 0; ms <= PEER_SILENCE_MS; ms += ANNOUNCED_MS)
      await keepers.clock.advance(ANNOUNCED_MS)
    await until('the other counts as ended', () => first.differing === 0)
    assert.equal(first.warnings.length, 1)
    first.stop()
  })

  test('limits and the wallet of the same role are compared, roles of their own are not', () => {
    const relayer = { keys: [KEY, KEY], gasPerBlock: 5 } as unknown as KeeperSettings['relayer']
    const keepers = new Keepers()
    const tasks = keepers.start(effective(only('prices')))
    const relaying = keepers.start(effective({ ...only(), relayer }, ''))
    assert.deepEqual([tasks.differing, relaying.differing], [0, 0])
    const both = keepers.start(effective({ ...only('prices'), relayer, feeCap: 7n }, '0x2'))
    assert.equal(both.differing, 2)
    const [first] = tasks.warnings as { differences: object }[]
    assert.deepEqual(Object.keys(first?.differences ?? {}), ['KEEPER_FEE_CAP_GWEI', 'KEEPER_KEY'])
    for (const { stop } of [tasks, relaying, both]) stop()
  })

  test('no announcement has a private key', () => {
    const relayer = { keys: [KEY, KEY], gasPerBlock: 5 } as unknown as KeeperSettings['relayer']
    assert.ok(!JSON.stringify(effective({ ...only('prices'), relayer })).includes('1'.repeat(64)))
  })
})
