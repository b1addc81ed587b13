import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { BalanceHistory } from '@openvenue/wire/balance-history'
import { Value } from 'typebox/value'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'
import { BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

const [OWNER, OTHER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const HOUR = 3600
const NOW = 500_000 * HOUR
const POINTS_MAX = 10

let store: Store
let venue: ScenarioNode
let key: IssuedKey
before(async () => {
  store = await openMemoryStore()
  const { identity, equity } = store
  const settings = { ...ACCOUNT_SETTINGS, balancePointsMax: POINTS_MAX }
  venue = await scenarioNode([], store, {
    accounts: { ...BROKEN_ACCOUNTS, identity, equity, settings },
  })
  venue.setNow(NOW)
  key = await issueKey(store, OWNER, NOW * 1000)
  // One a minute for a day.
  const minutes = Array.from({ length: 24 * 60 }, (_, at) => NOW - 60 * at)
  const points = minutes.map((seconds) => ({ seconds, equity: BigInt(seconds - NOW) * 10n ** 17n }))
  await equity.add(points.map((point) => ({ wallet: OWNER, ...point })))
  await equity.add([{ wallet: OTHER, seconds: NOW, equity: 5n }])
})
after(async () => {
  await venue.close()
  await store.close()
})

const ask = async (query: string, path = '/balance-history') => {
  const answer = await venue.host.inject({ url: `${path}${query}`, headers: { ...key.headers } })
  return { status: answer.statusCode, body: answer.json() as unknown }
}

/** Seconds of the points before now. */
async function readPoints(query: string): Promise<number[]> {
  const { status, body } = await ask(query)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(BalanceHistory, body), JSON.stringify(body))
  return (body as BalanceHistory).history.map(([seconds]) => NOW - seconds)
}

async function readRefusal(query: string) {
  const { status, body } = await ask(query)
  const { error, details } = body as { error: string; details: { field: string }[] }
  return [status, error, details[0]?.field]
}

describe('GET /balance-history', () => {
  test('GET /balance-history gives equity as text at Unix seconds, oldest first', async () => {
    const { body } = await ask(`?start_time=${NOW - 120}&resolution=60`)
    assert.deepEqual(body, {
      history: [
        [NOW - 120, '-12'],
        [NOW - 60, '-6'],
        [NOW, '0'],
      ],
    })
  })

  test('GET /balance-history gives one point an hour by default, until now', async () => {
    assert.deepEqual(await readPoints(`?start_time=${NOW - 3 * HOUR}`), [
      2 * HOUR + 60,
      HOUR + 60,
      60,
      0,
    ])
  })

  test('GET /balance-history takes both times in seconds, milliseconds and nanoseconds, inclusive', async () => {
    for (const zeros of ['', '000', '000000000']) {
      const query = `?start_time=${NOW - 180}${zeros}&end_time=${NOW - 60}${zeros}&resolution=60`
      assert.deepEqual(await readPoints(query), [180, 120, 60])
    }
    const half = `?start_time=${NOW - 180}001&end_time=${NOW - 60}001&resolution=60`
    assert.deepEqual(await readPoints(half), [120, 60])
  })

  test('GET /balance-history needs a start', async () => {
    for (const query of ['', '?start_time=', `?end_time=${NOW}`])
      assert.deepEqual(await readRefusal(query), [400, 'MISSING_PARAMETER', 'start_time'])
    assert.deepEqual(await readRefusal('?start_time=x'), [400, 'INVALID_PARAMETER', 'start_time'])
    const end = `?start_time=${NOW}&end_time=-1`
    assert.deepEqual(await readRefusal(end), [400, 'INVALID_PARAMETER', 'end_time'])
  })

  test('GET /balance-history refuses a start after the end, and after now without one', async () => {
    for (const query of [`?start_time=${NOW}&end_time=${NOW - 1}`, `?start_time=${NOW + 1}`])
      assert.deepEqual(await readRefusal(query), [400, 'INVALID_TIME_RANGE', 'start_time'])
    assert.deepEqual(await readPoints(`?start_time=${NOW}&end_time=${NOW}`), [0])
    assert.deepEqual(await readPoints(`?start_time=${NOW + 1}&end_time=${NOW + 1}`), [])
  })

  test('GET /balance-history clamps the resolution to 60 and 604800, and takes integers only', async () => {
    const minute = await readPoints(`?start_time=${NOW - 300}&resolution=60`)
    assert.equal(minute.length, 6)
    for (const low of ['1', '0', '-5', '59'])
      assert.deepEqual(await readPoints(`?start_time=${NOW - 300}&resolution=${low}`), minute)
    // Two weeks, which begin at multiples of 604800, and one longer period.
    const monday = 2976 * 604_800
    const ends = [monday - 1, monday].map((seconds) => ({ wallet: OWNER, seconds, equity: 1n }))
    await store.equity.add(ends)
    for (const high of ['604800', '604801', '99999999']) {
      const query = `?start_time=${monday - 1}&end_time=${monday}&resolution=${high}`
      assert.deepEqual(await readPoints(query), [NOW - monday + 1, NOW - monday])
    }
    for (const wrong of ['1.5', 'x'])
      assert.deepEqual(await readRefusal(`?start_time=1&resolution=${wrong}`), [
        400,
        'INVALID_PARAMETER',
        'resolution',
      ])
  })

  test('GET /balance-history coarsens to a multiple of the resolution until the points are few enough', async () => {
    // 11 minutes are 12 points; periods of two minutes are 7, of which the first is cut.
    const points = await readPoints(`?start_time=${NOW - 660}&resolution=60`)
    assert.deepEqual(points, [660, 540, 420, 300, 180, 60, 0])
    for (const hours of [1, 5, 12, 23])
      for (const resolution of [60, 100, 3600]) {
        const query = `?start_time=${NOW - hours * HOUR}&resolution=${resolution}`
        assert.ok((await readPoints(query)).length <= POINTS_MAX, query)
      }
  })

  test('GET /balance-history needs a real key: the address of an account is refused, and changes nothing', async () => {
    const url = `/balance-history?start_time=${NOW}&account=${OTHER}`
    const alone = await venue.host.inject({ url, headers: { 'x-account-address': OWNER } })
    assert.equal(alone.statusCode, 401)
    const headers = { ...key.headers, 'x-account-address': OTHER }
    const answer = await venue.host.inject({ url, headers })
    assert.deepEqual(answer.json(), { history: [[NOW, '0']] })
  })

  test('GET /balance-history answers the same below the address of the key; 403 below another, 401 without a key', async () => {
    const query = `?start_time=${NOW - HOUR}`
    const below = await ask(query, `/account/${OWNER}/balance-history`)
    assert.deepEqual(below, await ask(query))
    assert.equal((await ask(query, `/account/${OTHER}/balance-history`)).status, 403)
    const url = `/account/${OTHER}/balance-history`
    assert.equal((await venue.host.inject({ url })).statusCode, 401)
  })

  test('GET /balance-history is refused with 503 while the database does not answer', async () => {
    const accounts = { ...BROKEN_ACCOUNTS, identity: store.identity }
    const broken = await scenarioNode([], undefined, { accounts })
    const url = `/balance-history?start_time=1&end_time=2`
    const answer = await broken.host.inject({ url, headers: { ...key.headers } })
    assert.equal(answer.statusCode, 503)
    assert.equal((answer.json() as { error: string }).error, 'HISTORY_UNAVAILABLE')
    await broken.close()
  })
})
