// The relayer on a failing node, and on a chain that reorganises.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { decodeRelayStatus } from '@openvenue/core/relay'
import { until } from '@openvenue/core/test/until'
import type { NewIntent } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'
import { LyingNode } from '../../test/lying-node.ts'

const [ALICE, BOB, CAROL, DAVE] = [1, 2, 4, 5] as const
const KEYS = [derivePrivateKey(6), derivePrivateKey(7)]
const [CANCELLER, PLACER] = KEYS.map((key) => privateKeyToAddress(key).toLowerCase())
const GWEI = 1_000_000_000n
const relayer = { keys: KEYS, gasPerBlock: 10_000_000, feeCap: 1_000n * GWEI, feeFloor: 0n }

describe('a relayer whose node or chain fails', () => {
  let live: LiveVenue
  let orders: LiveOrders
  let node: LyingNode
  let tick = 20_000
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    await orders.allow(ALICE, CANCELLER ?? '')
    node = await LyingNode.before(live.venue.url, live.clock)
    live.keeper({ ...only(), relayer }, {}, node.url).start()
  })
  afterEach(() => node.behave())
  after(async () => {
    await live.stop()
    await node.stop()
  })

  const bid = () => orders.order(ALICE, { tick: ++tick })
  const bids = (count: number) => Promise.all(Array.from({ length: count }, bid))
  const onChain = async (intents: readonly NewIntent[]) =>
    live.store.intents.onChain(intents.map(({ id }) => id))
  const status = async () =>
    decodeRelayStatus((await live.store.intents.readStatus())?.status ?? '{"lanes":[]}')
  const isFunded = async (lane: string) =>
    (await status()).lanes.find(({ name }) => name === lane)?.isFunded
  const steps = async ({ id }: NewIntent) =>
    (await live.store.intents.logAfter(0, 100_000))
      .filter((entry) => entry.id === id)
      .map(({ state }) => state)

  for (const words of [
    'already known',
    'nonce too low',
    'replacement transaction underpriced',
    'transaction underpriced',
  ])
    test(`an order is placed once even if the node answers "${words}" after accepting it`, async () => {
      let lies = 0
      node.lie = ({ method, id }, reply) => {
        if (method !== 'eth_sendRawTransaction' || ++lies > 1) return reply
        return { jsonrpc: '2.0', id, error: { code: -32000, message: words } }
      }
      const order = await bid()
      await orders.accept([order])
      await orders.reach('included', [order])
      assert.ok(lies > 0)
      const states = await steps(order)
      assert.equal(states.filter((state) => state === 'included').length, 1)
      assert.equal(states.at(-1), 'included')
      assert.equal((await onChain([order])).length, 1)
    })

  for (const mode of ['cut', 'frozen', 'cut after'] as const)
    test(`intents accepted while the node is ${mode} are sent once it answers`, async () => {
      node.mode = mode
      const some = await bids(3)
      await orders.accept(some)
      const { number } = await live.venue.head()
      await until('blocks go by', async () => (await live.venue.head()).number > number + 2)
      node.behave()
      await orders.reach('included', some)
      assert.equal((await onChain(some)).length, 3)
    })

  test('a node that fails is logged once, and once when it answers again', async () => {
    const earlier = await bid()
    await orders.accept([earlier])
    await orders.reach('included', [earlier])
    live.keeperLines.splice(0)
    // One per lane, and that of the tasks.
    const senders = KEYS.length + 1
    const counts = () => {
      const texts = live.keeperLines.map(({ msg }) => msg)
      const of = (text: string) => texts.filter((msg) => msg === text).length
      return [of('the node failed, trying again'), of('the node answers again')]
    }
    node.mode = 'cut'
    const order = await bid()
    await orders.accept([order])
    await until('each sender has failed', () => counts()[0] === senders)
    const { cuts } = node
    await until('each asks again and again', () => node.cuts > cuts + 10 * senders)
    assert.deepEqual(counts(), [senders, 0])
    node.behave()
    await orders.reach('included', [order])
    await until('all got answers', () => counts()[1] === senders)
    assert.deepEqual(counts(), [senders, senders])
  })

  test('intents are included through a node that answers slowly', async () => {
    node.lateMs = 700
    const some = await bids(3)
    await orders.accept(some)
    await orders.reach('included', some)
  })

  test('intents in the pool are included after the base fee rises 25-fold', async () => {
    const { baseFeePerGas } = (await live.venue.call('eth_getBlockByNumber', 'latest', false)) as {
      baseFeePerGas: string
    }
    const high = BigInt(baseFeePerGas) * 25n
    live.stopMining()
    const some = await bids(2)
    await orders.accept(some)
    await orders.reach('sent', some)
    await until('they wait in the pool', async () => {
      const { pending } = (await live.venue.call('txpool_status')) as { pending: string }
      return Number(pending) > 0
    })
    await live.venue.call('anvil_setNextBlockBaseFeePerGas', `0x${high.toString(16)}`)
    live.mineEverySecond()
    await orders.reach('included', some)
  })

  test('intents that a reorg has undone are queued and included again', async () => {
    const some = await bids(3)
    await orders.accept(some)
    await orders.reach('included', some)
    const depth = 3
    await until('blocks go by', async () => {
      const { number } = await live.venue.head()
      const [row] = await onChain(some)
      return number >= (row?.blockNumber ?? 0) + 1
    })
    await live.venue.call('anvil_reorg', depth, [])
    await until('they are undone', async () => (await steps(some[0] as NewIntent)).length > 3)
    await orders.reach('included', some)
    const states = await steps(some[0] as NewIntent)
    assert.ok(states.slice(2).includes('queued'), states.join())
    const rows = await onChain(some)
    assert.equal(rows.length, 3)
    for (const intent of await orders.reach('included', some))
      assert.equal(intent.blockNumber, rows.find(({ id }) => id === intent.id)?.blockNumber)
  })

  test('an intent whose block was replaced is included in the replacement', async () => {
    const order = await bid()
    await orders.accept([order])
    const [intent] = await orders.reach('included', [order])
    const at = intent?.blockNumber ?? 0
    const other = await bid()
    await orders.accept([other])
    const [{ blockNumber } = { blockNumber: 0 }] = await orders.reach('included', [other])
    // Simulates a watcher that was down while the order moved from the undone block to its own.
    const atNs = BigInt(live.clock.nowMs()) * 1_000_000n
    const from = ['included'] as const
    const step = { id: order.id, from, to: 'included', atNs, blockNumber } as const
    assert.deepEqual(await live.store.intents.move([step]), [true])
    const { number } = await live.venue.head()
    await live.venue.call('anvil_reorg', number - (blockNumber ?? 0) + 1, [])
    await until('it says its block', async () => (await orders.find(order.id)).blockNumber === at)
  })

  /** Has `by` open an account and sign an order, then undoes the blocks of the account. */
  const undoAccount = async (by: number) => {
    const { number: before } = await live.venue.head()
    await live.fund(by, 10_000n)
    const order = await orders.order(by, { tick: 29_000 }, true)
    node.mode = 'frozen'
    await orders.accept([order])
    const { number } = await live.venue.head()
    await live.venue.call('anvil_reorg', number - before, [])
    node.behave()
    return order
  }

  test('an order whose account was undone is not refused before the account can reappear', async () => {
    const order = await undoAccount(CAROL)
    await until('it waits after it was sent', async () => {
      const states = await steps(order)
      return states.indexOf('queued', states.indexOf('sent')) > 0
    })
    await live.fund(CAROL, 10_000n)
    await orders.reach('included', [order])
    assert.equal((await onChain([order])).length, 1)
  })

  test('an order whose account does not reappear after an undo is refused', async () => {
    const order = await undoAccount(DAVE)
    const [{ reason } = {}] = await orders.reach('refused', [order])
    assert.equal(reason, 'SignerUnfit')
    const sent = (await steps(order)).filter((state) => state === 'sent').length
    assert.ok(sent > 1 && sent < 10, `it was sent ${sent} times`)
  })

  test('an empty order wallet stops orders and is reported, while cancels continue', async () => {
    const resting = await bids(2)
    await orders.accept(resting)
    await orders.reach('included', resting)
    await live.venue.call('anvil_setBalance', PLACER, '0x1')
    const some = await bids(2)
    await orders.accept(some)
    await until('it says so', async () => (await isFunded('orders-0')) === false)
    assert.equal(await isFunded('cancels'), true)
    const cancels = await Promise.all(resting.map(({ id }) => orders.cancel(ALICE, id)))
    await orders.accept(cancels)
    await orders.reach('included', cancels)
    assert.deepEqual(await onChain(some), [])
    for (const { id } of some) assert.equal((await orders.find(id)).state, 'queued')
    await live.venue.call('anvil_setBalance', PLACER, `0x${(10n ** 20n).toString(16)}`)
    await orders.reach('included', some)
    await until('it says so', async () => (await isFunded('orders-0')) === true)
  })

  test('a cancel that reverts does not block the other cancels of its transaction', async () => {
    const mine = await bids(2)
    const foreign = await orders.order(BOB, { tick: ++tick })
    await orders.accept([...mine, foreign])
    await orders.reach('included', [...mine, foreign])
    // Bob has not allowed the canceller.
    const forbidden = await orders.cancel(BOB, foreign.id)
    const fine = await Promise.all(mine.map(({ id }) => orders.cancel(ALICE, id)))
    await orders.accept([fine[0] as NewIntent, forbidden, fine[1] as NewIntent])
    await orders.reach('included', fine)
    const [refused] = await orders.reach('refused', [forbidden])
    assert.equal(refused?.reason, 'NotCanceller')
  })

  test('an order whose deadline passes before it is sent expires and is never placed', async () => {
    node.mode = 'cut'
    const { seconds } = await live.venue.head()
    const order = await orders.order(ALICE, { tick: ++tick, deadline: String(seconds + 2) })
    const withdrawn = await bid()
    await orders.accept([order, withdrawn])
    const move = {
      id: withdrawn.id,
      from: ['queued'],
      to: 'withdrawn',
      atNs: BigInt(live.clock.nowMs()) * 1_000_000n,
    } as const
    assert.deepEqual(await live.store.intents.move([move]), [true])
    await orders.reach('expired', [order])
    node.behave()
    const next = await bid()
    await orders.accept([next])
    await orders.reach('included', [next])
    assert.deepEqual(await onChain([order, withdrawn]), [])
  })
})
