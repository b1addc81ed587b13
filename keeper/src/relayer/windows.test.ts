// Selection and order of the intents of a lane's transaction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketId } from '@openvenue/core/ids'
import type { Intent, IntentPayload } from '@openvenue/store/intents/intents'
import { BlockShare } from './block-share.ts'
import { BlockTime } from './block-time.ts'
import type { TrackedIntent } from './intent-queue.ts'
import { pickWindow, WINDOW_MAX } from './windows.ts'

const SPOT = marketId(`0x${'5a'.repeat(20)}`, 1)
const PERPS = marketId(`0x${'5b'.repeat(20)}`, 1)
const [GTC, POST_ONLY] = [0, 3] as const
const limits = { gasMax: 4_000_000, head: 100 }

let arrivals = 0
const order = (timeInForce: number, reduceOnly = false) =>
  ({ kind: 'order', order: { timeInForce, reduceOnly }, signature: '0x' }) as IntentPayload
const CANCEL: IntentPayload = { kind: 'cancel', target: '0x' }
const tracked = (
  payload: IntentPayload,
  more: Partial<TrackedIntent & Intent> = {},
): TrackedIntent => {
  const seq = ++arrivals
  const { market = SPOT, gas = 53_185, tries = 0, fromBlock = 0 } = more
  const intent = { id: `${seq}`, seq, market, gas, payload } as Intent
  return { intent, lane: 'orders-0', arrival: seq, isCarried: false, tries, fromBlock }
}
const ids = (window: readonly TrackedIntent[]) => window.map(({ intent }) => intent.seq - first)
let first = 0
const fresh = () => {
  first = arrivals + 1
}

test('a window starts with cancels, then reduce-only, post-only and other orders, each by arrival', () => {
  fresh()
  const kinds = [order(GTC), order(POST_ONLY), order(GTC, true), CANCEL]
  const candidates = [...kinds, ...kinds].map((payload) => tracked(payload))
  assert.deepEqual(ids(pickWindow(candidates, limits)), [3, 7, 2, 6, 1, 5, 0, 4])
})

test('a window includes the first arrival of any kind, so that no order waits indefinitely', () => {
  fresh()
  const candidates = [
    tracked(order(GTC)),
    ...Array.from({ length: 200 }, () => tracked(order(POST_ONLY))),
  ]
  const window = pickWindow(candidates, { ...limits, gasMax: 100_000_000 })
  assert.equal(window.length, WINDOW_MAX)
  assert.equal(ids(window).at(-1), 0)
})

test('a window stays within its gas limit, except for a single intent above it', () => {
  fresh()
  const large = tracked(order(GTC), { gas: 9_000_000 })
  const candidates = [large, tracked(order(GTC)), tracked(order(GTC))]
  assert.deepEqual(ids(pickWindow(candidates, limits)), [0])
  const small = Array.from({ length: 64 }, () => tracked(order(GTC), { gas: 100_000 }))
  assert.equal(pickWindow(small, limits).length, 40)
})

test('a window contains intents of one engine, and the other engine is next', () => {
  fresh()
  const candidates = [SPOT, PERPS, SPOT, PERPS].map((market) => tracked(order(GTC), { market }))
  assert.deepEqual(ids(pickWindow(candidates, limits)), [0, 2])
  assert.deepEqual(ids(pickWindow(candidates.slice(1), limits)), [1, 3])
})

test('an intent that has failed is sent on its own, and a held one waits for its block', () => {
  fresh()
  const candidates = [
    tracked(order(GTC), { fromBlock: 101 }),
    tracked(order(GTC)),
    tracked(order(GTC), { tries: 1 }),
    tracked(order(GTC)),
  ]
  assert.deepEqual(ids(pickWindow(candidates, limits)), [1, 3])
  assert.deepEqual(ids(pickWindow(candidates.slice(2), limits)), [2])
  assert.deepEqual(ids(pickWindow(candidates, { ...limits, head: 101 })), [0, 1, 3])
})

test('lanes share a block, but one transaction is always possible', () => {
  const share = new BlockShare(10)
  assert.ok(share.hasRoom(40))
  share.take(8)
  assert.deepEqual([share.hasRoom(2), share.hasRoom(3)], [true, false])
  share.give(8)
  assert.ok(share.hasRoom(40))
})

test("block time is measured by the chain's timestamps, through reorganisations too", () => {
  const time = new BlockTime()
  assert.equal(time.ms, 1_000)
  for (let number = 1; number <= 100; number++)
    time.see({ number, seconds: 1_000 + Math.floor(number / 5) })
  assert.ok(Math.abs(time.ms - 200) < 30, `${time.ms}`)
  time.see({ number: 98, seconds: 1_019 })
  assert.ok(time.ms >= 100 && time.ms < 300, `${time.ms}`)
})
