import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { CancelAfterAnswer, DisconnectAnswer, MmpAnswer } from '@openvenue/wire/safeguards'
import { Value } from 'typebox/value'
import { accountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'
import { CONTRACT } from '../../test/key-node.ts'
import { issueKey } from '../../test/keyed.ts'

const VENUE = `0x${'ca'.repeat(20)}`
const DAY = 86_400
const TIMER = '/account/cancel-after'

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

type Detail = { field: string; nearest?: unknown; typed_data?: { primaryType: string } }
type Body = { error?: string; details?: Detail[]; trigger_time?: string | null }

async function open({ isAllowed = true, isHistoryBroken = false } = {}) {
  const scenario = funded('ETH-PERP')
  const account = scenario.accountOf('alice')
  if (isAllowed) {
    const expiry = scenario.seconds + 20 * DAY
    scenario.next().say({ type: 'CancellerAllowed', account, canceller: VENUE, expiry, key: null })
  }
  const settings = { accountsContract: CONTRACT, cancellerAddress: VENUE }
  const venue = await accountNode(store, scenario, { settings, isHistoryBroken })
  const { headers } = await issueKey(store, venue.walletOf('alice'), 0, 4_000_000_000_000)
  const post = async (url: string, payload: unknown) => {
    const type = { 'content-type': 'application/json' }
    const sent = { method: 'POST', url, headers: { ...headers, ...type } } as const
    const answer = await venue.host.inject({ ...sent, payload: JSON.stringify(payload) })
    return { status: answer.statusCode, body: JSON.parse(answer.body) as Body }
  }
  const timers = async () =>
    (
      await store.db.primary.query('SELECT timeout_ms, includes_triggers::text FROM cancel_timers')
    ).map(([timeout, includes]) => `${timeout} ${includes}`)
  return { ...venue, post, timers, account }
}

describe('POST /account/cancel-after', () => {
  test('POST /account/cancel-after arms a timer, restarts it with each call, and disarms it', async () => {
    const { post, timers } = await open()
    const { status, body } = await post(TIMER, { timeout_ms: 60_000 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(CancelAfterAnswer, body))
    const leftMs = Number(BigInt(body.trigger_time ?? 0) / 1_000_000n) - Date.now()
    assert.ok(leftMs > 50_000 && leftMs <= 61_000, `${leftMs}`)
    assert.deepEqual(await timers(), ['60000 false'])
    await post(TIMER, { timeout_ms: '5000', include_triggers: true })
    assert.deepEqual(await timers(), ['5000 true'])
    assert.deepEqual((await post(TIMER, { timeout_ms: 0 })).body, {
      success: true,
      trigger_time: null,
    })
    assert.deepEqual(await timers(), [])
  })

  test('POST /account/cancel-after is refused, with what to sign, unless the venue may cancel', async () => {
    const { post, timers } = await open({ isAllowed: false })
    const { status, body } = await post(TIMER, { timeout_ms: 60_000 })
    assert.equal(status, 400)
    assert.equal(body.error, 'CANCEL_SIGNATURE_REQUIRED')
    assert.equal(body.details?.[0]?.typed_data?.primaryType, 'AllowCanceller')
    assert.deepEqual(await timers(), [])
    assert.equal((await post(TIMER, { timeout_ms: 0 })).status, 200)
    const rule = { asset: 'ETH', interval: 1, frozen: 1, amount_limit: 1 }
    assert.equal((await post('/mmp', rule)).body.error, 'CANCEL_SIGNATURE_REQUIRED')
  })

  for (const [what, payload, error, field, nearest] of [
    ['a missing time', {}, 'MISSING_PARAMETER', 'timeout_ms', undefined],
    ['too short a time', { timeout_ms: 4_999 }, 'INVALID_PARAMETER', 'timeout_ms', 5_000],
    ['too long a time', { timeout_ms: 86_400_001 }, 'INVALID_PARAMETER', 'timeout_ms', 86_400_000],
    ['a time below zero', { timeout_ms: -1 }, 'INVALID_PARAMETER', 'timeout_ms', undefined],
    [
      'a flag that is not a boolean',
      { timeout_ms: 0, include_triggers: 1 },
      'INVALID_PARAMETER',
      'include_triggers',
    ],
    ['a member too many', { timeout_ms: 0, x: 1 }, 'INVALID_PARAMETER', 'x', undefined],
  ] as const)
    test(`POST /account/cancel-after refuses ${what} by name`, async () => {
      const { post } = await open()
      const { status, body } = await post(TIMER, payload)
      const [detail] = body.details ?? []
      assert.deepEqual([status, body.error, detail?.field], [400, error, field])
      if (nearest !== undefined) assert.equal(detail?.nearest, nearest)
    })
})

describe('cancel-on-disconnect', () => {
  const PATH = '/account/cancel-on-disconnect'
  const read = async ({ as }: Awaited<ReturnType<typeof open>>) => {
    const { status, body } = await as('alice', PATH)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(DisconnectAnswer, body))
    return body.enabled
  }

  test('cancel-on-disconnect is what was set last, on every node', async () => {
    const venue = await open()
    assert.equal(await read(venue), false)
    assert.deepEqual((await venue.post(PATH, { enabled: true })).body, { success: true })
    assert.equal(await read(venue), true)
    const other = await accountNode(store, funded('ETH-PERP'))
    await other.host.safeguardBook.refresh()
    assert.equal(other.host.safeguardBook.endsWithConnection(venue.account), true)
    assert.equal(venue.host.safeguardBook.endsWithConnection(venue.account), true)
    await venue.post(PATH, { enabled: false })
    assert.equal(await read(venue), false)
    assert.equal(venue.host.safeguardBook.endsWithConnection(venue.account), false)
  })

  test('cancel-on-disconnect is refused, with what to sign, unless the venue may cancel; to end it needs nothing', async () => {
    const venue = await open({ isAllowed: false })
    const { status, body } = await venue.post(PATH, { enabled: true })
    assert.deepEqual([status, body.error], [400, 'CANCEL_SIGNATURE_REQUIRED'])
    assert.equal(body.details?.[0]?.typed_data?.primaryType, 'AllowCanceller')
    assert.equal((await venue.post(PATH, { enabled: false })).status, 200)
  })

  test('cancel-on-disconnect is refused by name where it is none, and answers 503 while the database is away', async () => {
    const { post } = await open()
    for (const [payload, error, field] of [
      [{}, 'MISSING_PARAMETER', 'enabled'],
      [{ enabled: 'yes' }, 'INVALID_PARAMETER', 'enabled'],
      [{ enabled: true, x: 1 }, 'INVALID_PARAMETER', 'x'],
    ] as const) {
      const { status, body } = await post(PATH, payload)
      assert.deepEqual([status, body.error, body.details?.[0]?.field], [400, error, field])
    }
    const broken = await open({ isHistoryBroken: true })
    assert.equal((await broken.post(PATH, { enabled: true })).body.error, 'HISTORY_UNAVAILABLE')
    assert.equal((await broken.as('alice', PATH)).status, 503)
  })
})

describe('market-maker protection', () => {
  const read = async (venue: Awaited<ReturnType<typeof open>>, query = '') => {
    const { status, body } = await venue.as('alice', `/mmp${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(MmpAnswer, body))
    return body
  }
  const RULE = {
    asset: 'ETH',
    interval: 10,
    frozen: '30',
    amount_limit: '5000000',
    delta_limit: 1.5,
  }

  test('market-maker protection is shown as it was set, and while it is frozen', async () => {
    const venue = await open()
    assert.deepEqual(await read(venue), { enabled: false, triggered: false, assets: [] })
    assert.equal((await venue.post('/reset-mmp', { asset: 'ETH' })).body.error, 'MMP_NOT_SET')
    assert.deepEqual((await venue.post('/mmp', RULE)).body, { success: true })
    const shown = {
      enabled: true,
      triggered: false,
      asset: 'ETH',
      interval: '10',
      frozen: '30',
      amount_limit: '5000000',
      delta_limit: '1.5',
      assets: ['ETH'],
    }
    assert.deepEqual(await read(venue), shown)
    assert.deepEqual(await read(venue, '?asset=ETH'), shown)
    assert.deepEqual(await read(venue, '?asset=eth'), shown)
    const [rule] = (await store.safeguards.readMmp(venue.account)).rules
    assert.ok(rule !== undefined && (await store.safeguards.freezeMmp(rule)))
    const { triggered, frozen_end_time } = await read(venue)
    assert.equal(triggered, true)
    assert.ok(Number(frozen_end_time) / 1e6 > Date.now())
    assert.deepEqual((await venue.post('/reset-mmp', { asset: 'ETH' })).body, { success: true })
    assert.deepEqual(await read(venue), shown)
    const off = { ...RULE, interval: 0 }
    await venue.post('/mmp', off)
    assert.equal((await read(venue)).enabled, false)
  })

  test('market-maker protection is refused by name where a rule is none', async () => {
    const { post } = await open()
    for (const [change, field, nearest] of [
      [{ asset: 'etj' }, 'asset', 'ETH'],
      [{ interval: 90_000 }, 'interval', 86_400],
      [{ frozen: 'x' }, 'frozen', undefined],
      [{ interval: -1 }, 'interval', undefined],
      [{ amount_limit: '0.2' }, 'amount_limit', undefined],
      [{ amount_limit: '1.7' }, 'amount_limit', 2],
      [{ delta_limit: -1 }, 'delta_limit', undefined],
    ] as const) {
      const { status, body } = await post('/mmp', { ...RULE, ...change })
      const [detail] = body.details ?? []
      assert.deepEqual([status, detail?.field, detail?.nearest], [400, field, nearest])
    }
  })

  test('market-maker protection answers 503 while the database is away', async () => {
    const { post } = await open({ isHistoryBroken: true })
    assert.equal((await post('/mmp', RULE)).body.error, 'HISTORY_UNAVAILABLE')
    assert.equal((await post(TIMER, { timeout_ms: 5_000 })).body.error, 'HISTORY_UNAVAILABLE')
  })
})
