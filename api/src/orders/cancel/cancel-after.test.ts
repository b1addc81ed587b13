import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { TIMER_MS_MIN } from '@openvenue/store/intents/safeguards'
import { TIMEOUT_MS_MIN } from '@openvenue/wire/safeguards'
import { hashTypedData } from 'viem'
import { funded } from '../../../test/funded.ts'
import { orderKey, signDigest } from '../../../test/order-model.ts'
import { type TradingNodes, tradingNodes } from '../../../test/trading-node.ts'

const TIMER = 'POST /account/cancel-after'
const TIMEOUT_MS = 60_000
const OTHER = LISTINGS['BTC-USDC']
const CANCELLER = `0x${'ca'.repeat(20)}`

type Detail = Readonly<{
  field: string
  code: string
  nearest?: unknown
  value?: string
  digest?: string
  typed_data?: Readonly<{ primaryType: string; domain: object; message: Record<string, string> }>
}>

let venue: TradingNodes
let scenario: ReturnType<typeof funded>
const spent = new Set<bigint>()
before(async () => {
  scenario = funded('ETH-USDC', 'BTC-USDC')
  venue = await tradingNodes(scenario, { findSpentSalts: async () => spent })
})
after(() => venue.close())

test('the relayer looks for timers before the shortest one can expire', () => {
  assert.ok(TIMER_MS_MIN <= TIMEOUT_MS_MIN)
})
beforeEach(async () => {
  spent.clear()
  await venue.store.db.primary.query('DELETE FROM cancel_timers')
})

const post = (body: object, who = 'alice') => venue.send(who, TIMER, { body })
const timers = async () =>
  (await venue.store.db.primary.query('SELECT cancel_alls FROM cancel_timers')).map(([text]) =>
    JSON.parse(String(text)),
  )
const keyOf = (who: string) => orderKey(BigInt(scenario.accountOf(who)))

/** Signs what the refusal gives to be signed, for each market. */
async function askAndSign(who = 'alice') {
  const { status, body } = await post({ timeout_ms: TIMEOUT_MS }, who)
  assert.deepEqual([status, body.error], [400, 'CANCEL_SIGNATURE_REQUIRED'])
  const asked = (body.details as Detail[]).filter(({ field }) => field === 'cancel_alls')
  return Promise.all(
    asked.map(async ({ value, digest = '', typed_data }) => {
      assert.ok(typed_data !== undefined && value !== undefined)
      assert.equal(typed_data.primaryType, 'CancelAll')
      assert.equal(hashTypedData(typed_data as never), digest, 'as anybody hashes it')
      const { salt = '', deadline = '' } = typed_data.message
      const signature: string = await signDigest(keyOf(who), digest)
      return { instrument: value, salt, deadline, signature }
    }),
  )
}

describe('cancel-after of an account that allows no canceller', () => {
  test('cancel-after of an account that allows no canceller returns the message to sign for each market of live orders, and takes it', async () => {
    assert.deepEqual(await askAndSign(), [], 'it has no orders yet')
    const order = await venue.orderOf('alice')
    assert.equal((await venue.send('alice', 'POST /orders', { body: order })).status, 200)
    await venue.caughtUp()
    const cancel_alls = await askAndSign()
    assert.deepEqual(
      cancel_alls.map(({ instrument }) => instrument),
      ['ETH-USDC'],
    )
    assert.deepEqual(await timers(), [])
    const armed = await post({ timeout_ms: TIMEOUT_MS, cancel_alls })
    assert.equal(armed.status, 200, JSON.stringify(armed.body))
    const [[kept]] = await timers()
    const [{ salt, deadline, signature }] = cancel_alls as [(typeof cancel_alls)[0]]
    const { id: market } = LISTINGS['ETH-USDC']
    assert.deepEqual(
      { ...kept, digest: undefined },
      { market, salt, deadline, signature, digest: undefined },
    )
    assert.equal((await post({ timeout_ms: 0 })).body.trigger_time, null)
    assert.deepEqual(await timers(), [])
  })

  test('cancel-after of an account that allows no canceller takes an empty list for none', async () => {
    const none = await post({ timeout_ms: TIMEOUT_MS, cancel_alls: [] })
    assert.equal(none.body.error, 'CANCEL_SIGNATURE_REQUIRED')
  })

  for (const [what, change, error, member] of [
    ['an unknown market', { instrument: 'X' }, 'INSTRUMENT_NOT_FOUND', 'instrument'],
    ['no market', { instrument: undefined }, 'MISSING_PARAMETER', 'instrument'],
    ['no salt', { salt: undefined }, 'MISSING_PARAMETER', 'salt'],
    ['a deadline before the end of the timer', { deadline: 1 }, 'INVALID_PARAMETER', 'deadline'],
    [
      'another deadline than was signed',
      { deadline: '4000000000' },
      'ORDER_BAD_SIGNING_KEY',
      'signature',
    ],
    ['no signature', { signature: '0x12' }, 'ORDER_BAD_SIGNATURE', 'signature'],
    ['a member too many', { x: 1 }, 'INVALID_PARAMETER', 'x'],
  ] as const)
    test(`cancel-after of an account that allows no canceller refuses ${what} by name`, async () => {
      const [signed] = await askAndSign()
      const cancel_alls = [{ ...signed, ...change }]
      const { status, body } = await post({ timeout_ms: TIMEOUT_MS, cancel_alls })
      const [detail] = body.details as Detail[]
      assert.deepEqual([body.error, detail?.field], [error, `cancel_alls[0].${member}`])
      assert.ok(status === 400 || status === 404)
      if (member === 'deadline') {
        const nowSeconds = Math.ceil((venue.models[0]?.head?.seconds ?? 0) + TIMEOUT_MS / 1000)
        assert.equal(detail?.nearest, `${nowSeconds + 60}`)
      }
      assert.deepEqual(await timers(), [])
    })

  test('cancel-after of an account that allows no canceller refuses the signature of another account', async () => {
    const [signed] = await askAndSign()
    const { body } = await post({ timeout_ms: TIMEOUT_MS })
    const digest = (body.details as Detail[]).find(({ field }) => field === 'cancel_alls')?.digest
    const signature = await signDigest(keyOf('bob'), digest ?? '')
    const cancel_alls = [{ ...signed, signature }]
    const refused = await post({ timeout_ms: TIMEOUT_MS, cancel_alls })
    assert.equal(refused.body.error, 'ORDER_BAD_SIGNING_KEY')
    assert.equal(refused.body.details[0].recovered, keyOf('bob').address.toLowerCase())
  })

  test('cancel-after of an account that allows no canceller refuses a salt that is spent', async () => {
    const cancel_alls = await askAndSign()
    spent.add(BigInt(cancel_alls[0]?.salt ?? 0))
    const refused = await post({ timeout_ms: TIMEOUT_MS, cancel_alls })
    const [detail] = refused.body.details as Detail[]
    assert.deepEqual(
      [refused.body.error, detail?.field],
      ['ORDER_INVALID_SALT', 'cancel_alls[0].salt'],
    )
  })

  test('cancel-after of an account that allows no canceller refuses one that the venue has sent, whose orders are decided', async () => {
    const cancel_alls = await askAndSign('dave').then(async () => {
      const order = await venue.orderOf('dave')
      await venue.send('dave', 'POST /orders', { body: order })
      await venue.caughtUp()
      return askAndSign('dave')
    })
    assert.equal((await post({ timeout_ms: TIMEOUT_MS, cancel_alls }, 'dave')).status, 200)
    const [[{ digest, market, salt, deadline, signature }]] = await timers()
    await venue.store.intents.add([
      {
        id: digest,
        account: scenario.accountOf('dave'),
        wallet: venue.walletOf('dave'),
        market,
        lane: 'cancels',
        state: 'queued',
        gas: 1,
        includeByBlock: 0,
        payload: { kind: 'signed_cancel_all', orders: [1], salt, deadline, signature },
        deadlineSeconds: BigInt(deadline),
        receivedNs: 1n,
      },
    ])
    const { body } = await post({ timeout_ms: TIMEOUT_MS, cancel_alls }, 'dave')
    assert.deepEqual(
      [body.error, body.details[0].field],
      ['ORDER_INVALID_SALT', 'cancel_alls[0].salt'],
    )
  })

  test('cancel-after of an account that allows no canceller refuses two of one market, and more than there may be', async () => {
    const [signed] = await askAndSign()
    const twice = await post({ timeout_ms: TIMEOUT_MS, cancel_alls: [signed, signed] })
    assert.equal(twice.body.details[0].field, 'cancel_alls[1].instrument')
    const many = await post({ timeout_ms: TIMEOUT_MS, cancel_alls: Array(65).fill(signed) })
    assert.equal(many.body.details[0].nearest, 64)
    for (const bad of ['x', { a: 1 }, [null], [1]])
      assert.equal((await post({ timeout_ms: TIMEOUT_MS, cancel_alls: bad })).status, 400)
  })

  test('cancel-after of an account that allows no canceller asks for the market that is missing', async () => {
    const place = async (members: object) => {
      const order = await venue.orderOf('bob', members)
      const { status, body } = await venue.send('bob', 'POST /orders', { body: order })
      assert.equal(status, 200, JSON.stringify(body))
      await venue.caughtUp()
    }
    await place({})
    const cancel_alls = await askAndSign('bob')
    assert.equal((await post({ timeout_ms: TIMEOUT_MS, cancel_alls }, 'bob')).status, 200)
    const limit_price = String((BigInt(OTHER.startTick) / 2n) * OTHER.priceStep)
    const amount = String(10n * OTHER.amountStep)
    await place({ instrument: OTHER.name, limit_price, amount })
    const { body } = await post({ timeout_ms: TIMEOUT_MS, cancel_alls }, 'bob')
    assert.equal(body.error, 'CANCEL_SIGNATURE_REQUIRED')
    const named = (body.details as Detail[]).flatMap(({ value }) => value ?? [])
    assert.deepEqual(named, [OTHER.name])
  })
})

describe('cancel-after of an account that lets the venue cancel', () => {
  test('cancel-after of an account that lets the venue cancel needs it to live as long as the timer', async () => {
    const seconds = venue.models[0]?.head?.seconds ?? 0
    const account = scenario.accountOf('carol')
    const allow = async (expiry: number) => {
      scenario
        .next()
        .say({ type: 'CancellerAllowed', account, canceller: CANCELLER, expiry, key: null })
      await venue.follow()
    }
    await allow(seconds + 30)
    const early = await post({ timeout_ms: TIMEOUT_MS }, 'carol')
    assert.equal(early.body.error, 'CANCEL_SIGNATURE_REQUIRED')
    await allow(seconds + 3_600)
    const { status, body } = await post({ timeout_ms: TIMEOUT_MS }, 'carol')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(await timers(), [[]])
  })
})
