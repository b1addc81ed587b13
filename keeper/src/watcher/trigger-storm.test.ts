// A mark that fires more held orders than many blocks can carry. Bounds of cancels, prices and
// promised blocks still hold. TRIGGERS=5000 runs the long form.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { IntentState } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'

const TRADER = 1
const KEYS = [6, 7, 9].map(derivePrivateKey)
const TRIGGERS = Number(process.env.TRIGGERS ?? 150)
const CANCELS = 5
const ACCEPTED_AT_ONCE = 1_000
/** Spreads the orders over at least a dozen blocks, each small enough to be sent quickly. */
const GAS_PER_BLOCK = Math.min(10_000_000, Math.ceil((TRIGGERS * 66_000) / 12))
const ABOVE = 1
/** One block, plus the block in progress at its acceptance. */
const CANCEL_BLOCKS_MAX = 2
/** Two blocks, plus the block in progress. */
const PRICE_BLOCKS_MAX = 3
const DOLLARS = 10n ** 18n

describe(`a mark that fires ${TRIGGERS} orders`, () => {
  let live: LiveVenue
  let orders: LiveOrders
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    await orders.allow(TRADER, privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase())
    await live.fund(TRADER, 100_000n)
    const relayer = { keys: KEYS, gasPerBlock: GAS_PER_BLOCK, feeCap: 10n ** 12n, feeFloor: 0n }
    live.keeper({ ...only('prices'), relayer }).start()
    await live.moveTo(3_000n)
  })
  after(() => live.stop())

  const blockNow = async () => (await live.venue.head()).number

  test(`${TRIGGERS} orders fired at once keep their promised blocks, and delay nothing else`, async (t) => {
    const targets = await Promise.all(
      Array.from({ length: CANCELS }, (_, n) => orders.order(TRADER, { tick: 10_000 + n })),
    )
    await orders.accept(targets)
    await orders.reach('included', targets)
    const trigger = { triggerKind: ABOVE, triggerPrice: String(3_050n * DOLLARS) }
    const heldOrders = await Promise.all(
      Array.from({ length: TRIGGERS }, async (_, n) => {
        const terms = { tick: 10_000 + (n % 500), lots: 100n, ...trigger }
        const order = await orders.order(TRADER, terms, true)
        return { ...order, state: 'received' as const, includeByBlock: 0 }
      }),
    )
    for (let at = 0; at < heldOrders.length; at += ACCEPTED_AT_ONCE)
      await orders.accept(heldOrders.slice(at, at + ACCEPTED_AT_ONCE))
    await live.moveTo(3_100n)
    const firedAt = await blockNow()
    const countOf = async (state: IntentState) => {
      const where = 'id = ANY ($1) AND state = $2'
      const ids = `{${heldOrders.map(({ id }) => id).join()}}`
      const { primary } = live.store.db
      const [[count] = []] = await primary.query(`SELECT count(*) FROM intents WHERE ${where}`, [
        ids,
        state,
      ])
      return Number(count)
    }
    await until('all of them are let go', async () => (await countOf('received')) === 0)
    const goneAt = await blockNow()

    const cancels: number[] = []
    const prices: number[] = []
    for (const [at, { id }] of targets.entries()) {
      const cancel = await orders.cancel(TRADER, id)
      await orders.accept([cancel])
      const from = await blockNow()
      const [intent] = await orders.reach('included', [cancel])
      cancels.push((intent?.blockNumber ?? Number.NaN) - from)
      const priceFrom = await blockNow()
      await live.moveTo(3_110n + BigInt(at))
      prices.push((await blockNow()) - priceFrom)
    }
    const stillWaiting = TRIGGERS - (await countOf('included'))
    for (let countBefore = -1; countBefore < TRIGGERS; )
      await until('more of them are in', async () => {
        const count = await countOf('included')
        const isMore = count > countBefore
        countBefore = Math.max(countBefore, count)
        return isMore
      })
    const included = await orders.reach('included', heldOrders)
    const log = await live.store.intents.logAfter(0, 100_000)
    const promises = new Map(
      log.flatMap(({ id, state, includeByBlock }) =>
        state === 'queued' && includeByBlock > 0 ? [[id, includeByBlock] as const] : [],
      ),
    )
    const late = included.filter(
      ({ id, blockNumber = Number.NaN }) => !(blockNumber <= (promises.get(id) ?? 0)),
    )
    const last = Math.max(...included.map(({ blockNumber = 0 }) => blockNumber))
    t.diagnostic(`let go within ${goneAt - firedAt} blocks, the last in after ${last - firedAt}`)
    t.diagnostic(`blocks: cancels ${cancels}, prices ${prices}; ${stillWaiting} waited behind them`)
    assert.deepEqual(
      late.map(({ id, blockNumber }) => [blockNumber, promises.get(id)]),
      [],
    )
    for (const blocks of cancels) assert.ok(blocks <= CANCEL_BLOCKS_MAX, `${cancels}`)
    for (const blocks of prices) assert.ok(blocks <= PRICE_BLOCKS_MAX, `${prices}`)
  })
})
