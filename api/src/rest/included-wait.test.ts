// `?wait=included`: an answer that waits until the order is in a block.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { funded } from '../../test/funded.ts'
import { issueKey } from '../../test/keyed.ts'
import { type Reply, type TradingNodes, tradingNodes } from '../../test/trading-node.ts'
import { INCLUDED_WAIT_MS_MAX, WAITED_PER_ACCOUNT_MAX } from '../orders/relay/included-waits.ts'

const TICK = 150_000
const PATH = '/orders?wait=included'

describe('?wait=included', () => {
  let venue: TradingNodes
  /** Waits that last until the test ends them, and their number so far. */
  const waits: Readonly<{ end: () => void; signal: AbortSignal }>[] = []
  let begun = 0
  const scenario = funded('ETH-USDC')
  const nowMs = () => (venue?.models[0]?.head?.seconds ?? 1_700_000_000) * 1000
  const delay = (ms: number, signal: AbortSignal) => {
    if (ms !== INCLUDED_WAIT_MS_MAX) return sleep(ms, undefined, { signal }).catch(() => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    waits.push({ end: resolve, signal })
    begun++
    signal.addEventListener('abort', () => resolve())
    return promise
  }
  const clock = { nowMs, monotonicMs: nowMs, delay }
  before(async () => {
    venue = await tradingNodes(scenario, { nodes: 2, host: { clock } })
  })
  beforeEach(() => {
    waits.length = 0
    begun = 0
  })
  after(() => venue.close())

  const begin = async (body: unknown, { path = PATH, node = 0, who = 'alice' } = {}) => {
    const already = begun
    const reply = venue.send(who, `POST ${path}`, { node, body })
    let isAnswered = false
    const done = reply.finally(() => {
      isAnswered = true
    })
    done.catch(() => {})
    await until('the request waits or is answered', () => begun > already || isAnswered)
    await venue.caughtUp()
    return { reply, isOpen: () => !isAnswered }
  }
  const digestOf = async (body: unknown): Promise<string> =>
    (await venue.send('alice', 'POST /orders', { node: 1, body })).body.order_id
  const head = () => venue.models[0]?.head?.number ?? 0
  const status = ({ status, headers, body }: Reply) => [
    status,
    headers['x-wait'],
    body.order_status,
  ]

  test('wait=included answers with the order of its block before the log records it', async () => {
    const body = await venue.orderOf('alice')
    const { reply, isOpen } = await begin(body)
    const ref = await digestOf(body)
    scenario.next()
    await venue.follow()
    assert.ok(isOpen(), 'a block without the order answers nobody')
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref }).next()
    await venue.follow()
    const answer = await reply
    assert.deepEqual(status(answer), [200, 'done', 'opened'])
    assert.equal(answer.body.order_id, ref)
    assert.equal(answer.body.block_number, head())
    assert.equal(answer.body.receipt.order_id, ref)
  })

  test('wait=included answers with the fills of that block', async () => {
    const body = await venue.orderOf('alice', { client_order_id: 'taker' })
    const { reply } = await begin(body)
    const ref = await digestOf(body)
    scenario.place('bob', 'sell', TICK + 1, 4n)
    scenario.order({ who: 'alice', side: 'buy', tick: TICK + 1, lots: 4n, ref }).next()
    await venue.follow()
    const { body: filled } = await reply
    assert.equal(filled.order_status, 'filled')
    assert.equal(filled.filled, filled.amount)
    assert.equal(filled.client_order_id, 'taker')
    assert.notEqual(filled.chain_order_id, null)
  })

  test('wait=included waits for the block that the log names where this node is behind', async () => {
    const body = await venue.orderOf('alice')
    const { reply, isOpen } = await begin(body)
    const ref = await digestOf(body)
    await venue.move(ref, 'included', { blockNumber: head() + 1 })
    assert.ok(isOpen())
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref }).next()
    await venue.follow()
    assert.deepEqual(status(await reply), [200, 'done', 'opened'])
  })

  for (const [to, shown] of [
    ['refused', 'rejected'],
    ['expired', 'expired'],
    ['withdrawn', 'cancelled'],
  ] as const)
    test(`wait=included answers when the order is ${to} meanwhile: ${shown}`, async () => {
      const body = await venue.orderOf('alice')
      const { reply } = await begin(body)
      const reason = to === 'refused' ? 'MarginTooLow' : undefined
      await venue.move(await digestOf(body), to, { reason })
      const answer = await reply
      assert.deepEqual(status(answer), [200, 'done', shown])
      assert.equal(answer.body.valid_until, body.deadline)
      if (to === 'refused') assert.equal(answer.body.reject_reason, 'INSUFFICIENT_MARGIN')
    })

  test('wait=included answers at once for an order that is held or already included', async () => {
    const trigger = { stop: 'STOP_LOSS', trigger: '3000000000' }
    const held = await begin(await venue.orderOf('alice', trigger))
    assert.deepEqual(status(await held.reply), [200, 'done', 'stop_order'])
    const body = await venue.orderOf('alice')
    const ref = await digestOf(body)
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref }).next()
    await venue.follow()
    const resting = await begin(body)
    assert.deepEqual(status(await resting.reply), [200, 'done', 'opened'])
    assert.equal(begun, 0)
  })

  test('wait=included answers an order let go with a block, and one held again at once', async () => {
    const trigger = { stop: 'STOP_LOSS', trigger: '3000000000' }
    const body = await venue.orderOf('alice', trigger)
    const ref = await digestOf(body)
    await venue.move(ref, 'queued')
    const { reply } = await begin(body)
    await venue.move(ref, 'received', { reason: 'TriggerNotMet' })
    assert.deepEqual(status(await reply), [200, 'done', 'stop_order'])
  })

  test('wait=included ends after 2 s, with the current state of the order', async () => {
    assert.equal(INCLUDED_WAIT_MS_MAX, 2000)
    const { reply } = await begin(await venue.orderOf('alice'))
    waits[0]?.end()
    assert.deepEqual(status(await reply), [200, 'timeout', 'pending'])
  })

  test('wait=included of a batch is over when every order of it is, refused ones aside', async () => {
    const bodies = [await venue.orderOf('alice'), await venue.orderOf('alice')]
    const orders = [...bodies, await venue.orderOf('bob')]
    const { reply, isOpen } = await begin({ orders }, { path: '/batch-orders?wait=included' })
    const [one = '', two = ''] = await Promise.all(bodies.map(digestOf))
    await venue.move(one, 'refused', { reason: 'MarginTooLow' })
    assert.ok(isOpen())
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref: two }).next()
    await venue.follow()
    const { headers, body } = await reply
    assert.equal(headers['x-wait'], 'done')
    assert.deepEqual(
      body.results.map(
        (result: { error?: string; order_status?: string }) => result.error ?? result.order_status,
      ),
      ['rejected', 'opened', 'FORBIDDEN_ACCOUNT'],
    )
  })

  test('wait=included of an edit waits for the new order', async () => {
    const body = await venue.orderOf('alice')
    const ref = await digestOf(body)
    scenario.order({ who: 'alice', side: 'buy', tick: TICK, lots: 10n, ref }).next()
    await venue.follow()
    const order = venue.models[0]?.accountOrders.signed(ref)
    assert.ok(order)
    const number = order.number.toString(16).padStart(16, '0')
    const edited = await venue.orderOf('alice', { replaces: `${order.market}${number}` })
    const { reply } = await begin(edited, { path: `/orders/${ref}?wait=included` })
    await venue.move(await digestOf(edited), 'refused', { reason: 'MarginTooLow' })
    assert.deepEqual(status(await reply), [200, 'done', 'rejected'])
  })

  test('wait=included holds nothing for a client that has gone', async () => {
    const host = venue.hosts[0]
    assert.ok(host)
    await host.listen({ port: 0, host: '127.0.0.1' })
    const { port } = host.server.address() as AddressInfo
    const { headers } = await keyOf('alice')
    const body = await venue.orderOf('alice')
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: PATH, headers })
    sent.on('error', () => {})
    sent.setHeader('content-type', 'application/json')
    sent.end(JSON.stringify(body))
    await until('the request waits', () => waits.length > 0)
    assert.equal(host.includedWaits.size, 1)
    sent.destroy()
    await until('no wait is held', () => host.includedWaits.size === 0)
    assert.ok(waits[0]?.signal.aborted)
  })

  test('wait=included is for a bounded number of orders: those beyond it are answered at once', async () => {
    const sizes = Array.from({ length: WAITED_PER_ACCOUNT_MAX / 64 }, () => 64)
    const full = await Promise.all(
      sizes.map(async (size) => {
        const orders = await Promise.all(
          Array.from({ length: size }, () =>
            venue.orderOf('carol', { amount: '10000000000000000' }),
          ),
        )
        const path = '/batch-orders?wait=included'
        return begin({ orders }, { path, who: 'carol' })
      }),
    )
    assert.equal(venue.hosts[0]?.includedWaits.size, WAITED_PER_ACCOUNT_MAX)
    const next = await begin(await venue.orderOf('carol'), { who: 'carol' })
    assert.deepEqual(status(await next.reply), [200, 'busy', 'pending'])
    const other = await begin(await venue.orderOf('bob'), { who: 'bob' })
    assert.ok(other.isOpen(), 'another account waits all the same')
    for (const { end } of waits) end()
    for (const { reply } of [...full, other]) assert.equal((await reply).status, 200)
    assert.equal(venue.hosts[0]?.includedWaits.size, 0)
  })

  test('wait=included is the only value and the only parameter', async () => {
    const body = await venue.orderOf('alice')
    for (const [query, field] of [
      ['wait=mined', 'wait'],
      ['wait=', 'wait'],
      ['wait=included&wait=included', 'wait'],
      ['waits=included', 'waits'],
    ] as const) {
      const { status, body: refused } = await venue.send('alice', `POST /orders?${query}`, { body })
      assert.deepEqual([status, refused.details[0].field], [400, field], query)
    }
  })

  test('wait=included does not keep a node from closing', async () => {
    const own = await tradingNodes(funded('ETH-USDC'), { host: { clock } })
    const reply = own.send('alice', `POST ${PATH}`, { body: await own.orderOf('alice') })
    await until('the request waits', () => waits.length > 0)
    await own.close()
    assert.deepEqual(status(await reply), [200, 'timeout', 'pending'])
  })

  const keyOf = async (who: string) => {
    return issueKey(venue.store, venue.walletOf(who), 1, 4_000_000_000_000)
  }
})
