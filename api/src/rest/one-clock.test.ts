// Every field has one clock, so that an event before a block is never dated after it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_LAG_SECONDS_MAX } from '@openvenue/store/db/checkpoint'
import type { NotificationItem } from '@openvenue/wire/notifications'
import { funded } from '../../test/funded.ts'
import { type TradingNodes, tradingNodes } from '../../test/trading-node.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi.json')
const NS = 1_000_000_000n

/**
 * The clock of every time in an answer of the API. `block`: the time of the block of the event.
 * `chain`: the same, for events off the chain that a block may follow. `process`: the clock of a
 * process of the venue, for events that no block repeats or follows. `asked`: given by the owner.
 * `ahead`: a future time.
 */
const CLOCKS = {
  block: [
    ...['Candle.time', 'Candle.close_time', 'IndexPrice.timestamp', 'Tickers.timestamp'],
    ...['ClosedPosition.opened_timestamp', 'ClosedPosition.closed_timestamp'],
    ...['Fill.created_timestamp', 'FundingPayment.created_timestamp'],
    ...['PerpetualPosition.opened_timestamp', 'PerpetualPosition.updated_timestamp'],
    ...['SpotPosition.opened_timestamp', 'SpotPosition.updated_timestamp'],
    ...['Trade.created_timestamp', 'TradeHistoryItem.created_timestamp'],
    'Liquidation.created_timestamp',
    ...['Transaction.initiated_timestamp', 'Transaction.finalized_timestamp'],
    ...['ProblemFacts.block_time', 'Readiness.keeper.index_price_time'],
  ],
  chain: [
    ...['Order', 'PastOrder', 'PlacedOrder'].flatMap((order) =>
      ['created_timestamp', 'timestamp', 'closed_timestamp'].map((what) => `${order}.${what}`),
    ),
    'Notification.created_timestamp',
  ],
  process: [
    ...['ApiKey.created_timestamp', 'ApiKey.last_used_timestamp'],
    ...['CancellerRelay.created_timestamp', 'CancellerRelay.timestamp'],
    ...['KeyRelay.created_timestamp', 'KeyRelay.timestamp'],
    ...['LedgerEntry.at_ns', 'Receipt.received_ns', 'Notification.read_timestamp'],
    ...['Health.timestamp', 'Readiness.timestamp', 'Time.time'],
    'OrderBook.last_updated_timestamp',
  ],
  asked: [
    ...['Canceller.expiry', 'Canceller.expires_timestamp', 'CancellerAllowance.expiry'],
    ...['CancellerRelay.expiry', 'CancelRequest.deadline', 'KeyChange.expiry', 'KeyRelay.expiry'],
    ...['KeyRequest.expiry', 'RegisterRequest.expiry', 'LedgerEntry.deadline'],
    ...['OrderRequest.deadline', 'OrderRequest.good_til', 'OrderRequest.timestamp'],
    ...['Order', 'PastOrder', 'PlacedOrder'].flatMap((order) => [
      `${order}.expires_timestamp`,
      `${order}.valid_until`,
    ]),
  ],
  ahead: [
    ...['ApiKey.expires_timestamp', 'KeyIssued.expires_timestamp'],
    ...['CancelAfterAnswer.trigger_time', 'Mmp.frozen_end_time', 'OrderPreview.block_time'],
    ...['CoingeckoStatistic', 'Statistics'].map((name) => `${name}.next_funding_rate_timestamp`),
    ...['Funding.next_funding_time', 'Funding.next_epoch'],
  ],
} as const

const IS_TIME = /timestamp|_time$|^time$|_ns$|expiry|deadline|valid_until|good_til|_at$|epoch/
/** Names like those of times, of other fields. */
const NO_TIMES = [
  'AccountStatistics.all_time',
  'ChartingConfig.supports_time',
  'VenueInfo.units.time',
]

type Schema = Readonly<{
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
}>

/** Returns the names of the times in a schema, by their paths. */
function timesIn(
  path: string,
  { properties = {}, items, anyOf = [], allOf = [] }: Schema,
): string[] {
  const parts = [...anyOf, ...allOf, ...(items === undefined ? [] : [items])]
  return [
    ...parts.flatMap((part) => timesIn(path, part)),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      ...(IS_TIME.test(name) ? [`${path}.${name}`] : []),
      ...timesIn(`${path}.${name}`, schema),
    ]),
  ]
}

test('every time in the description of the API has one clock', () => {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    components: { schemas: Readonly<Record<string, Schema>> }
  }
  const described = Object.entries(components.schemas).flatMap(([name, schema]) =>
    timesIn(name, schema),
  )
  const known = [...Object.values(CLOCKS).flat(), ...NO_TIMES]
  assert.deepEqual([...new Set(described)].sort(), [...known].sort())
})

describe('a time by the clock of a process, before a block', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario)
  })
  after(() => venue.close())

  const headSeconds = () => venue.models[0]?.head?.seconds ?? 0
  const place = async (members: object = {}) => {
    const body = await venue.orderOf('alice', members)
    const { status, body: placed } = await venue.send('alice', 'POST /orders', { body })
    assert.equal(status, 200, JSON.stringify(placed))
    return String(placed.order_id)
  }
  const notified = async (id: string): Promise<NotificationItem> => {
    const { body } = await venue.send('alice', 'GET /notifications?limit=1000')
    const found = (body.notifications as NotificationItem[]).find(
      ({ data }) => data.order_id === id,
    )
    assert.ok(found, JSON.stringify(body))
    return found
  }
  const seconds = (ns: string) => Number(BigInt(ns) / NS)
  const HELD = { stop: 'STOP_LOSS', trigger: '3000000000' }

  // Seconds by which the relayer's clock is ahead of the chain's (or behind it, if negative).
  for (const skew of [45, -45])
    for (const [what, members, to] of [
      ['a trigger', HELD, 'queued'],
      ['an end', {}, 'expired'],
    ] as const)
      test(`${what} is notified of between the blocks around it, by a clock off by ${skew} s`, async () => {
        const id = await place(members)
        const before = headSeconds()
        const atNs = BigInt(before + skew) * NS
        await venue.move(id, to, { atNs, from: [to === 'queued' ? 'received' : 'queued'] })
        scenario
          .next(2)
          .order({ who: 'alice', side: 'buy', tick: 150_000, lots: 10n, ref: null })
          .next()
        await venue.follow()
        await venue.say({})
        const { created_timestamp: created } = await notified(id)
        assert.equal(seconds(created), before)
        assert.ok(seconds(created) < headSeconds())
      })

  test('a notification that no block follows for long is dated close to the clock', async () => {
    const id = await place()
    const atSeconds = headSeconds() + 10 * CHAIN_LAG_SECONDS_MAX
    await venue.move(id, 'expired', { atNs: BigInt(atSeconds) * NS })
    const { created_timestamp: created } = await notified(id)
    assert.equal(seconds(created), atSeconds - CHAIN_LAG_SECONDS_MAX)
  })

  test('no step of the ledger is dated before the one before it, and nodes agree on it', async () => {
    const id = await place()
    const early = BigInt(headSeconds() - 100) * NS
    await venue.move(id, 'sent', { atNs: early })
    await venue.move(id, 'refused', { atNs: early + 1n, reason: 'MarginTooLow' })
    const { rows } = await venue.store.ledger.ofIntent(id, { untilNs: 2n ** 62n })
    const times = rows.map(({ atNs }) => atNs)
    assert.equal(times.length, 3)
    assert.deepEqual(times, times.toSorted())
    const { body: order } = await venue.send('alice', `GET /orders/${id}?include=closed`)
    assert.equal(order.closed_timestamp, String(times.at(-1)))
  })
})

test('an order that ends off the chain ends before the block that follows, by clocks ahead of it', async (t) => {
  const AHEAD_SECONDS = 3
  const scenario = funded('ETH-USDC')
  const opened: TradingNodes[] = []
  const headSeconds = () => opened[0]?.models[0]?.head?.seconds ?? 1_700_000_000
  const nowMs = () => (headSeconds() + AHEAD_SECONDS) * 1000
  const delay = (ms: number, signal: AbortSignal) =>
    sleep(ms, undefined, { signal }).catch(() => {})
  const clock = { nowMs, monotonicMs: nowMs, delay }
  const venue = await tradingNodes(scenario, { host: { clock } })
  t.after(() => venue.close())
  opened.push(venue)
  const head = headSeconds()
  const { body } = await venue.send('alice', 'POST /orders', { body: await venue.orderOf('alice') })
  const id = String(body.order_id)
  const atNs = BigInt(head + AHEAD_SECONDS) * NS + 500_000_000n
  await venue.move(id, 'expired', { atNs })
  scenario.next().next()
  await venue.follow()
  const { body: order } = await venue.send('alice', `GET /orders/${id}?include=closed`)
  assert.equal(order.order_status, 'expired')
  assert.equal(order.created_timestamp, String(BigInt(head) * NS))
  assert.equal(order.closed_timestamp, String(BigInt(head) * NS + 500_000_000n))
  assert.equal(order.timestamp, order.closed_timestamp)
  assert.ok(Number(BigInt(order.closed_timestamp) / NS) < headSeconds())
})
