// The relayer while its lease is uncertain: its process was suspended, or the database was slow,
// and it continues to lead.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Intents, NewIntent } from '@openvenue/store/intents/intents'
import { privateKeyToAddress } from 'viem/accounts'
import { LiveOrders } from '../../test/live-orders.ts'
import { derivePrivateKey } from '../../test/live-sender.ts'
import { LiveVenue, only } from '../../test/live-venue.ts'
import type { Keeper } from '../keeper.ts'

const ALICE = 1
const KEYS = [derivePrivateKey(6), derivePrivateKey(7)]
const CANCELLER = privateKeyToAddress(KEYS[0] ?? '0x').toLowerCase()
const relayer = { keys: KEYS, gasPerBlock: 10_000_000, feeCap: 10n ** 12n, feeFloor: 0n }

describe('a relayer whose lease is uncertain for a while', () => {
  let live: LiveVenue
  let orders: LiveOrders
  let keeper: Keeper
  let isSure = true
  /** Makes the lease uncertain right after a step to this state is recorded. */
  let unsureAfter: string | undefined
  let tick = 20_000
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    orders = await LiveOrders.on(live)
    await orders.allow(ALICE, CANCELLER)
    const { intents: real, lease: take } = live.store
    const intents: Intents = {
      ...real,
      move: async (moves) => {
        const moved = await real.move(moves)
        if (moves.some(({ to }) => to === unsureAfter)) isSure = false
        return moved
      },
    }
    const lease = async (name: string) => {
      const taken = await take(name)
      return taken && { ...taken, isHeld: () => isSure && taken.isHeld() }
    }
    keeper = live.keeper({ ...only(), relayer }, { intents, lease })
    keeper.start()
  })
  after(() => live.stop())

  const bids = (count: number) =>
    Promise.all(Array.from({ length: count }, () => orders.order(ALICE, { tick: ++tick })))
  const placed = async (some: readonly NewIntent[]) =>
    (await live.store.intents.onChain(some.map(({ id }) => id))).length

  test('intents recorded as sent while the lease is uncertain are sent once it is certain', async () => {
    unsureAfter = 'sent'
    const some = await bids(3)
    const [first] = some
    assert.ok(first)
    await orders.accept(some)
    await orders.accept([await orders.cancel(ALICE, first.id)])
    await until('it is unsure', () => !isSure)
    const { number } = await live.venue.head()
    await until('a block goes by', async () => (await live.venue.head()).number > number + 1)
    assert.equal(await placed(some), 0, 'nothing goes out meanwhile')
    unsureAfter = undefined
    isSure = true
    await orders.reach('included', some)
    assert.equal(await placed(some), 3)
    await until('its cancel has ended', async () => {
      const { state } = await orders.find(`cancel:${first.id}`)
      return state === 'included' || state === 'refused'
    })
  })

  test('intents that a reorg undoes while the lease is uncertain are placed again', async () => {
    const some = await bids(3)
    await orders.accept(some)
    const included = await orders.reach('included', some)
    isSure = false
    const depth = (await live.venue.head()).number - Number(included[0]?.blockNumber) + 1
    await live.venue.call('anvil_reorg', depth, [])
    await until('the indexer has seen it', async () => (await placed(some)) === 0)
    const { number } = await live.venue.head()
    await until('a block goes by', async () => (await live.venue.head()).number > number + 1)
    isSure = true
    await until('they are on the chain again', async () => (await placed(some)) === 3)
    const rows = await live.store.intents.onChain(some.map(({ id }) => id))
    await until('they are said to be where they are', async () => {
      const intents = await live.store.intents.find(some.map(({ id }) => id))
      return intents.every(
        ({ id, state, blockNumber }) =>
          state === 'included' && blockNumber === rows.find((row) => row.id === id)?.blockNumber,
      )
    })
  })

  test('while the chain is re-indexed, the relayer sends nothing again and refuses no cancel', async () => {
    const some = await bids(3)
    await orders.accept(some)
    await orders.reach('included', some)
    await until('it leads', async () => (await health()).awaitedBlock === undefined)
    const { seq } = await live.store.intents.live()
    const head = await live.venue.head()
    const cancel = await orders.cancel(ALICE, some[0]?.id ?? '')
    await live.withoutIndexer(async () => {
      // A newly configured pool factory has this effect; re-indexing takes time.
      await live.store.writer.readFor(['0xother'])
      const awaited = (await live.store.intents.awaitedBlock()) ?? 0
      assert.ok(awaited >= head.number)
      await orders.accept([cancel])
      await until(
        'it says what it waits for',
        async () => (await health()).awaitedBlock === awaited,
      )
      const { number } = await live.venue.head()
      await until('a block goes by', async () => (await live.venue.head()).number > number + 1)
      assert.equal((await orders.find(cancel.id)).state, 'queued')
    })
    await orders.reach('included', [cancel])
    const log = await live.store.intents.logAfter(seq, 1_000)
    const ids = some.map(({ id }) => id)
    assert.deepEqual(
      log.filter(({ id }) => ids.includes(id)),
      [],
      'of those that were in, no step is taken',
    )
    assert.equal((await health()).awaitedBlock, undefined)
  })

  const health = async () =>
    (await keeper.host.inject('/health')).json() as { awaitedBlock?: number }
})
