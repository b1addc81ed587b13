// More orders than the relayer's share of blocks can carry: cancels, prices and liquidations are
// still included in time, and no order waits indefinitely.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { QUEUE_BLOCKS_MAX } from '@openvenue/core/relay'
import { until } from '@openvenue/core/test/until'
import type { NewIntent } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'

const [RICH, BUYER, POOR] = [1, 2, 4] as const
const KEYS = [6, 7, 9].map(derivePrivateKey)
const GAS_PER_BLOCK = 1_000_000
const ORDERS = 600
const CANCELS = 6
const FEED_MS = 50
/** One block, plus the block in progress at its acceptance. */
const CANCEL_BLOCKS_MAX = 2
/** Two blocks, plus the block in progress. */
const TASK_BLOCKS_MAX = 3
const LOTS = 10_000n
const TICK = 30_000

describe('a relayer at three times its capacity', () => {
  let live: LiveVenue
  let orders: LiveOrders
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    const canceller = privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase()
    await orders.allow(RICH, canceller)
    const relayer = { keys: KEYS, gasPerBlock: GAS_PER_BLOCK, feeCap: 10n ** 12n, feeFloor: 0n }
    live.keeper({ ...only('prices', 'liquidations'), relayer }).start()
    await live.moveTo(3_000n)
  })
  after(() => live.stop())

  const blockNow = async () => (await live.venue.head()).number

  test('a full relayer includes cancels within one block, prices and a liquidation within two', async (t) => {
    await live.fund(POOR, 200n)
    await live.send([
      live.order(RICH, { buy: false, tick: TICK, lots: LOTS }),
      live.order(POOR, { buy: true, tick: TICK, lots: LOTS }),
      live.order(BUYER, { buy: true, tick: 28_690, lots: LOTS }),
    ])
    const make = (count: number, from: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => orders.order(RICH, { tick: from + n })))
    const targets = await make(CANCELS, 10_000)
    await orders.accept(targets)
    await orders.reach('included', targets)
    const crowd = await make(ORDERS, 11_000)
    const storm = new Storm(live, crowd)
    const storming = storm.run()
    await until('the queue is full', () => storm.isFull)

    const cancels: number[] = []
    for (const { id } of targets) {
      const cancel = await orders.cancel(RICH, id)
      await orders.accept([cancel])
      const at = await blockNow()
      const [intent] = await orders.reach('included', [cancel])
      cancels.push((intent?.blockNumber ?? Number.NaN) - at)
    }
    const prices: number[] = []
    for (const dollars of [2_990n, 2_980n, 2_950n]) {
      const at = await blockNow()
      await live.moveTo(dollars)
      prices.push((await blockNow()) - at)
    }
    await live.moveTo(2_870n)
    const at = await blockNow()
    await until('the position is closed', async () => (await live.lots(POOR)) === 0n)
    const liquidation = (await blockNow()) - at
    const wasFull = storm.isFull
    storm.stop()
    await storming
    await orders.reach('included', crowd.slice(0, storm.given))
    t.diagnostic(`blocks: cancels ${cancels}, prices ${prices}, liquidation ${liquidation}`)
    t.diagnostic(`${storm.given} orders, longest wait ${await longestBlocks()} blocks`)
    assert.ok(wasFull, 'it was full all the time')
    for (const blocks of cancels) assert.ok(blocks <= CANCEL_BLOCKS_MAX, `${cancels}`)
    for (const blocks of [...prices, liquidation])
      assert.ok(blocks <= TASK_BLOCKS_MAX, `${prices} ${liquidation}`)
    assert.ok((await longestBlocks()) <= QUEUE_BLOCKS_MAX + 3)
  })

  /** Returns the longest time from acceptance to inclusion, in seconds, which equal blocks here. */
  const longestBlocks = async () => {
    const log = await live.store.intents.logAfter(0, 100_000)
    const begun = new Map(log.filter(({ intent }) => intent).map(({ id, atNs }) => [id, atNs]))
    const ended = log.filter(({ state }) => state === 'included')
    return Math.max(
      ...ended.map(({ id, atNs }) => Number((atNs - (begun.get(id) ?? atNs)) / 1_000_000_000n)),
    )
  }
})

/** Keeps as many orders queued as the venue admits. */
class Storm {
  given = 0
  isFull = false
  readonly #live: LiveVenue
  readonly #crowd: readonly NewIntent[]
  #isOn = true

  constructor(live: LiveVenue, crowd: readonly NewIntent[]) {
    this.#live = live
    this.#crowd = crowd
  }

  stop(): void {
    this.#isOn = false
  }

  async run(): Promise<void> {
    const { intents } = this.#live.store
    while (this.#isOn) {
      const { intents: live } = await intents.live()
      const queued = live.filter(({ state }) => state === 'queued' || state === 'sent')
      const gas = queued.reduce((sum, intent) => sum + intent.gas, 0)
      const each = this.#crowd[0]?.gas ?? 1
      const room = Math.max(0, Math.floor((QUEUE_BLOCKS_MAX * GAS_PER_BLOCK - gas) / each))
      const some = this.#crowd.slice(this.given, this.given + room)
      const receivedNs = BigInt(this.#live.clock.nowMs()) * 1_000_000n
      await intents.add(some.map((intent) => ({ ...intent, receivedNs })))
      this.given += some.length
      this.isFull = this.given < this.#crowd.length
      await this.#live.clock.delay(FEED_MS)
    }
  }
}
