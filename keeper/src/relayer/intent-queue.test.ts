import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { NewIntent } from '@openvenue/store/intents/intents'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { IntentQueue } from './intent-queue.ts'

const MARKET = `0x${'5a'.repeat(20)}00000001`
const LANE = 'orders-0'
let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const order = { timeInForce: 0, reduceOnly: false } as never
const intent = (id: string, state: 'queued' | 'received'): NewIntent => ({
  ...{ id, account: 1, wallet: `0x${'51'.repeat(20)}`, market: MARKET, lane: LANE, state, gas: 1 },
  payload: { kind: 'order', order, signature: '0x' },
  ...{ deadlineSeconds: 10n ** 10n, receivedNs: 1n },
  includeByBlock: state === 'received' ? 0 : 9,
})
const clock = { nowMs: () => 0, monotonicMs: () => 0, delay: async () => {} }
const open = async () => {
  const queue = new IntentQueue({
    ...{ intents: store.intents, orderLanes: 1, clock },
    outage: {
      failed: (error) => {
        throw error
      },
      recovered: () => {},
    },
  })
  await queue.load(new AbortController().signal)
  return queue
}
const waitingIds = (queue: IntentQueue) => queue.listWaiting(LANE).map(({ intent: { id } }) => id)

test('a held intent takes its place in the queue at its release, also after a relayer restart', async () => {
  const follower = await open()
  await store.intents.add([intent('held', 'received'), intent('first', 'queued')])
  await store.intents.add([intent('second', 'queued')])
  const release = { from: ['received'], to: 'queued', atNs: 2n, includeByBlock: 12 } as const
  await store.intents.move([{ id: 'held', ...release }])
  await store.intents.add([intent('third', 'queued')])
  await follower.refresh()
  const expected = ['first', 'second', 'held', 'third']
  assert.deepEqual(waitingIds(follower), expected)
  assert.deepEqual(waitingIds(await open()), expected)
  // A transaction without an effect does not cost an intent its place.
  for (const [from, to] of [
    ['queued', 'sent'],
    ['sent', 'queued'],
  ] as const)
    await store.intents.move(['first', 'held'].map((id) => ({ id, from: [from], to, atNs: 3n })))
  await follower.refresh()
  assert.deepEqual(waitingIds(follower), expected)
  assert.deepEqual(waitingIds(await open()), expected)
})
