// Edits of orders that are not on the chain yet, with and without the relayer claiming them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { orderId } from '@openvenue/core/ids'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { turns } from '@openvenue/core/test/turns'
import { funded } from '../../test/funded.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'
import { INCLUDED_WAIT_MS_MAX } from '../orders/relay/included-waits.ts'

const TICK = 150_000
const AT_NS = 1_800_000_000_000_000_000n
const REFUSED_EDITS = /^(none|ORDER_DOES_NOT_EXIST|ORDER_PENDING|MISSING_PARAMETER)$/
/** Event loop turns between two moments of a claim. An edit takes about ten. */
const TURNS = 2
/** Time that an edit waits for a transaction in this test. */
const WAIT_MS = 50

describe('an edit of an order that is not on the chain', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-PERP', 'ETH-USDC')
  const nowMs = () => (venue?.models[0]?.head?.seconds ?? 1_700_000_000) * 1000
  const delay = (ms: number, signal: AbortSignal) =>
    sleep(ms === INCLUDED_WAIT_MS_MAX ? WAIT_MS : ms, undefined, { signal }).catch(() => {})
  before(async () => {
    const clock = { nowMs, monotonicMs: nowMs, delay }
    venue = await tradingNodes(scenario, { nodes: 2, host: { clock } })
  })
  after(() => venue.close())

  const place = async (members: object = {}) => {
    const body = await venue.orderOf('bob', members)
    const { body: placed } = await venue.send('bob', 'POST /orders', { body })
    await venue.caughtUp()
    return { id: String(placed.order_id), body }
  }
  const edit = (id: string, body: unknown, node = 0) =>
    venue.send('bob', `POST /orders/${id}`, { node, body })
  const stateOf = async (id: string) => (await venue.store.intents.find([id]))[0]?.state
  /** Lets a transaction carry an order, as the relayer does; false when it was withdrawn. */
  const claim = async (id: string) => {
    const claimed = { id, from: ['queued'], to: 'sent', atNs: AT_NS } as const
    return (await venue.store.intents.move([claimed]))[0] === true
  }
  const include = async (id: string) => {
    scenario.order({ who: 'bob', side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
  }
  const chainIdOf = (id: string) => {
    const order = venue.models[0]?.accountOrders.signed(id)
    return order === undefined ? undefined : orderId({ ...order, ref: null })
  }

  test('an edit of an order that is not on the chain withdraws it for the new one, and is the same edit however often it comes', async () => {
    for (const held of [{}, { stop: 'STOP_LOSS', trigger: '3000000000' }]) {
      const old = await place({ client_order_id: 'edited', ...held })
      const body = await venue.orderOf('bob', { client_order_id: 'edited', ...held })
      const { status, body: order } = await edit(old.id, body)
      assert.equal(status, 200, JSON.stringify(order))
      assert.equal(await stateOf(old.id), 'withdrawn')
      assert.equal(order.client_order_id, 'edited')
      const again = await edit(old.id, body, 1)
      assert.deepEqual([again.status, again.body.order_id], [200, order.order_id])
      assert.equal(again.headers['idempotent-replayed'], 'true')
      await venue.move(order.order_id, 'refused', { reason: 'MarginTooLow' })
    }
  })

  test('an edit of an order that is not on the chain may share its salt, so that the contract lets one of the two live', async () => {
    const old = await place({ salt: '424242' })
    const body = await venue.orderOf('bob', { salt: '424242', amount: '30000000000000000' })
    const { status, body: order } = await edit(old.id, body)
    assert.deepEqual([status, order.order_status], [200, 'pending'], JSON.stringify(order))
    assert.equal(await stateOf(old.id), 'withdrawn')
  })

  test('a refused edit of an order that is not on the chain leaves the order unchanged', async () => {
    const old = await place()
    for (const [members, code] of [
      [{ amount: '1' }, 'INVALID_AMOUNT_STEP_SIZE'],
      [{ is_buy: false }, 'EDIT_ORDER_CANNOT_CHANGE_DIRECTION'],
      [{ instrument: 'ETH-PERP', ...inUnitsOf('ETH-PERP') }, 'EDIT_ORDER_DIFFERENT_INSTRUMENT'],
    ] as const) {
      const { status, body } = await edit(old.id, await venue.orderOf('bob', members))
      assert.deepEqual([status, body.error], [400, code], JSON.stringify(body))
    }
    const same = await edit(old.id, old.body)
    assert.deepEqual([same.status, same.body.error], [400, 'EDIT_ORDER_SAME_ID'])
    assert.equal(await stateOf(old.id), 'queued')
  })

  test('an edit of an order that is not on the chain waits for what a transaction has, and is refused with the id to sign', async () => {
    const old = await place()
    assert.ok(await claim(old.id))
    const body = await venue.orderOf('bob')
    const early = await edit(old.id, body)
    assert.deepEqual([early.status, early.body.error], [503, 'ORDER_PENDING'])
    assert.equal(early.headers['retry-after'], '1')
    await include(old.id)
    const late = await edit(old.id, body)
    assert.deepEqual([late.status, late.body.error], [400, 'MISSING_PARAMETER'])
    const replaces = late.body.details[0].nearest
    assert.equal(replaces, chainIdOf(old.id))
    const signed = await edit(old.id, await venue.orderOf('bob', { replaces }))
    assert.equal(signed.status, 200)
  })

  test("an edit of an order that was refused is refused with the order's last state", async () => {
    const old = await place()
    await venue.move(old.id, 'refused', { reason: 'MarginTooLow' })
    const { status, body } = await edit(old.id, await venue.orderOf('bob'))
    assert.deepEqual([status, body.error], [404, 'ORDER_DOES_NOT_EXIST'])
    assert.equal(body.details[0].facts.order_status, 'rejected')
  })

  const RELAYED = ['included', 'refused', 'queued again'] as const
  /** Settles an order as the relayer would, unless an edit withdrew it. */
  const relay = async (id: string, claimed: boolean, becomes: (typeof RELAYED)[number]) => {
    if (!claimed) return 'taken back'
    if (becomes === 'included') await include(id)
    else if (becomes === 'refused') await venue.move(id, 'refused', { reason: 'MarginTooLow' })
    else await venue.move(id, 'queued')
    return becomes
  }
  /** Two edits and the relayer, which claims the order before, among or after them. */
  const race = async (id: string, round: number) => {
    const bodies = [await venue.orderOf('bob'), await venue.orderOf('bob')]
    const moment = Math.floor(round / RELAYED.length) % 4
    const early = moment === 0 && (await claim(id))
    const replies = Promise.all(bodies.map((body, node) => edit(id, body, node)))
    if (moment === 1) await replies
    else if (moment > 1) await turns(TURNS * (round % 6))
    const claimed = early || (moment !== 0 && (await claim(id)))
    const happened = await relay(id, claimed, RELAYED[round % RELAYED.length] ?? 'refused')
    return { happened, replies: await replies }
  }

  test('an edit of an order that is not on the chain leaves one order of two, whichever is faster: edits, the relayer, the chain', async () => {
    const outcomes = new Map<string, number>()
    const rounds = 60
    for (let round = 0; round < rounds; round++) {
      const old = await place()
      const { happened, replies } = await race(old.id, round)
      const accepted = replies.filter(({ status }) => status === 200)
      const state = await stateOf(old.id)
      assert.ok(accepted.length <= 1, 'two edits replaced one order')
      assert.equal(accepted.length === 1, state === 'withdrawn', `${happened}: ${state}`)
      for (const reply of replies) assert.match(reply.body.error ?? 'none', REFUSED_EDITS)
      const outcome = `${happened}, ${accepted.length} accepted`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      await venue.caughtUp()
      for (const { body } of accepted) await venue.move(body.order_id, 'expired')
      if (state === 'queued') await venue.move(old.id, 'expired')
    }
    for (const each of ['taken back, 1', 'included, 0', 'refused, 0', 'queued again']) {
      const seen = [...outcomes.keys()].some((outcome) => outcome.startsWith(each))
      assert.ok(seen, `${each}: ${JSON.stringify([...outcomes])}`)
    }
  })
})

/** An order of another market in whole steps. */
function inUnitsOf(name: 'ETH-PERP') {
  const { priceStep, amountStep, startTick } = LISTINGS[name]
  return {
    limit_price: ((BigInt(startTick) / 2n) * priceStep).toString(),
    amount: (10n * amountStep).toString(),
  }
}
