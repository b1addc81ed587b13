// Snapshots over 500 days on a simulated clock.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { issueKey } from '../../test/keyed.ts'
import { scenarioNode } from '../../test/scenario-node.ts'
import { EquitySampler, sampleEquity } from './equity-sampler.ts'

const [ALICE, BOB, CAROL] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
]
const INTERVAL = 900
const HOUR = 3600
const DAY = 24 * HOUR
/** Midnight. */
const START = 20_000 * DAY

let store: Store
let nowMs = 0
before(async () => {
  store = await openMemoryStore()
})
beforeEach(() =>
  store.db.script('TRUNCATE equity_snapshots, notifications, registrations, api_keys'),
)
after(() => store.close())

const createSampler = (given: Partial<ConstructorParameters<typeof EquitySampler>[0]> = {}) =>
  new EquitySampler({
    equity: store.equity,
    notifications: store.notifications,
    identity: store.identity,
    readEquity: async () => String(Math.floor(nowMs / 1000)),
    openAccounts: () => [],
    nowMs: () => nowMs,
    intervalSeconds: INTERVAL,
    ...given,
  })

const readSeconds = async (wallet: string) => {
  const range = { wallet, fromSeconds: 0, toSeconds: 1e12, resolutionSeconds: 1 }
  return (await store.equity.range(range)).map(({ seconds }) => seconds)
}

const times = (count: number, of: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => of(at))

describe('over 500 days, four slots each noon', () => {
  const DAYS = 500
  /** Alice has keys except for 100 days; Bob has none, and a socket on some of them. */
  const hasKey = (day: number) => day < 300 || day >= 400
  const hasSocket = (day: number) => day >= 350 && day < 495
  const listSlots = (day: number) => times(4, (at) => START + day * DAY + 12 * HOUR + at * INTERVAL)
  const lastSlot = listSlots(DAYS - 1).at(-1) ?? 0

  /** Returns the remaining slots of a day at the end. */
  function listLeft(day: number): number[] {
    const slots = listSlots(day).filter((slot) => slot >= lastSlot - 400 * DAY)
    const isThin = slots.every((slot) => slot < lastSlot - 8 * DAY)
    return isThin ? slots.slice(-1) : slots
  }
  const expected = (isThere: (day: number) => boolean) =>
    times(DAYS, (day) => day)
      .filter(isThere)
      .flatMap(listLeft)

  test('accounts have snapshots while they have a live key or an open socket; old ones thin out and go', async () => {
    const issue = (from: number, to: number) =>
      issueKey(store, ALICE, (START + from * DAY) * 1000, (to - from) * DAY * 1000)
    await issue(0, 300)
    let day = 0
    const sampler = createSampler({ openAccounts: () => (hasSocket(day) ? [BOB] : []) })
    for (; day < DAYS; day += 1) {
      if (day === 400) await issue(400, DAYS)
      for (const slot of listSlots(day)) {
        nowMs = slot * 1000 + 400
        await sampler.sample()
      }
      await sampler.tidy()
    }
    assert.deepEqual(await readSeconds(ALICE), expected(hasKey))
    assert.deepEqual(await readSeconds(BOB), expected(hasSocket))
    assert.deepEqual(await readSeconds(CAROL), [])
    const venue = await scenarioNode([], store)
    venue.setNow(lastSlot)
    const key = await issueKey(store, ALICE, nowMs)
    const history = async (query: string) => {
      const url = `/balance-history?${query}`
      const answer = await venue.host.inject({ url, headers: { ...key.headers } })
      return (answer.json() as { history: [number, string][] }).history
    }
    const all = await history('start_time=1&resolution=60')
    assert.ok(all.length > 300 && all.length <= 2000)
    const daily = await history(`start_time=${lastSlot - 5 * DAY}&resolution=86400`)
    assert.deepEqual(
      daily,
      times(6, (back) => lastSlot - (5 - back) * DAY).map((at) => [at, String(at)]),
    )
    await venue.close()
  })
})

describe('a slot', () => {
  test('a slot is the multiple of the interval before now', async () => {
    nowMs = (START + 2 * INTERVAL + 7) * 1000
    await createSampler({ openAccounts: () => [ALICE] }).sample()
    assert.deepEqual(await readSeconds(ALICE), [START + 2 * INTERVAL])
    assert.equal(createSampler().untilNextMs(), (INTERVAL - 7) * 1000)
  })

  test('a slot of an account is read by one of several nodes, and once by each', async () => {
    nowMs = START * 1000
    const reads: string[] = []
    const readEquity = async (wallet: string) => {
      reads.push(wallet)
      return '1'
    }
    const nodes = [[ALICE, BOB], [BOB, CAROL], [ALICE]].map((open) =>
      createSampler({ readEquity, openAccounts: () => open }),
    )
    await Promise.all(nodes.map((node) => node.sample()))
    await Promise.all(nodes.map((node) => node.sample()))
    assert.deepEqual(reads.toSorted(), [ALICE, BOB, CAROL])
  })

  test('a slot of an account whose equity cannot be read is left out; the others are there', async () => {
    nowMs = START * 1000
    const readEquity = async (wallet: string) => {
      if (wallet === CAROL) throw new Error('the database is down')
      return wallet === ALICE ? null : '-0.5'
    }
    await createSampler({ readEquity, openAccounts: () => [ALICE, BOB, CAROL] }).sample()
    assert.deepEqual(await readSeconds(ALICE), [])
    assert.deepEqual(await readSeconds(CAROL), [])
    const range = { wallet: BOB, fromSeconds: 0, toSeconds: 1e12, resolutionSeconds: 60 }
    assert.deepEqual(await store.equity.range(range), [
      { seconds: START, equity: -5n * 10n ** 17n },
    ])
  })

  test('a slot reads a few accounts at a time', async () => {
    nowMs = START * 1000
    let [open, most] = [0, 0]
    const readEquity = async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return '1'
    }
    const wallets = times(50, (at) => at).map((at) => `0x${String(at).padStart(40, '0')}`)
    await createSampler({ readEquity, openAccounts: () => wallets }).sample()
    assert.equal(most, 8)
    const [row] = await store.db.primary.query('SELECT count(equity) FROM equity_snapshots')
    assert.deepEqual(row, ['50'])
  })
})

test('tidying removes registrations whose keys have ended', async () => {
  nowMs = START * 1000
  await issueKey(store, `0x${'5e'.repeat(20)}`, nowMs)
  const rows = () => store.db.primary.query('SELECT account FROM registrations')
  await createSampler().tidy()
  assert.equal((await rows()).length, 1)
  nowMs += 2 * DAY * 1000
  await createSampler().tidy()
  assert.deepEqual(await rows(), [])
})

test('tidying warns of keys that end soon', async () => {
  await issueKey(store, ALICE, START * 1000, HOUR * 1000)
  nowMs = (START + HOUR - 300) * 1000
  await createSampler().tidy()
  const [row] = await store.db.primary.query(
    `SELECT wallet FROM notifications WHERE type = 'api_key_expiring'`,
  )
  assert.deepEqual(row, [ALICE])
})

describe('sampling', () => {
  test('sampling goes on with the next slot after a failure, and ends on request', async () => {
    const stopping = new AbortController()
    const waits: number[] = []
    const warned: string[] = []
    let samples = 0
    nowMs = START * 1000
    const sampler = createSampler({
      equity: {
        ...store.equity,
        liveAccounts: async () => {
          samples += 1
          throw new Error('the database is down')
        },
      },
    })
    const delay = async (ms: number) => {
      waits.push(ms)
      nowMs += ms
      if (waits.length === 3) stopping.abort()
    }
    const log = { warn: (_: object, text: string) => void warned.push(text) }
    await sampleEquity({ sampler, delay, log }, stopping.signal)
    assert.deepEqual(
      waits,
      times(3, () => INTERVAL * 1000),
    )
    assert.equal(samples, 2)
    assert.equal(warned.length, 2)
  })
})
