import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Fill } from '@openvenue/core/records'
import type { MarketName } from '@openvenue/core/test/scenario/listing'
import { freshReads, readAt, readOf } from '../../../test/block-reads.ts'
import { parseFrame, scenarioNode, settled, walletOf } from '../../../test/channel-node.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER } from '../../../test/scenario-node.ts'
import { OwnedReads } from '../../account/owned-reads.ts'
import { Wallets } from '../../account/wallets.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Frame } from './channel.ts'
import { OpenStreams } from './open-streams.ts'
import { PastEntries } from './past-entries.ts'
import { PrivateStream, QUEUED_MAX } from './private-stream.ts'
import { ReplayMemory } from './replay-memory.ts'
import type { StreamMessage } from './stream.ts'

// biome-ignore lint/suspicious/noExplicitAny: the data of two channels
type Data = any

/** A database that answers only when a test lets it, with the state at the time of the query. */
function slow() {
  const waiting: ((rows: Fill[] | Error) => void)[] = []
  const of: { model?: VenueModel } = {}
  const rows = () =>
    new Promise<never>((resolve, reject) => {
      const read = readAt(of.model as VenueModel, [] as Fill[])
      waiting.push((answer) =>
        answer instanceof Error ? reject(answer) : resolve({ ...read, rows: answer } as never),
      )
    })
  const live = (...markets: MarketName[]) => {
    const node = scenarioNode({ rows }, ...markets)
    of.model = node.node.model
    return node
  }
  return { waiting, live }
}

describe('a channel of an account', () => {
  test('a channel of a wallet without a number is empty, and begins when the account is opened', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const wallet = `0x${'7'.padStart(40, 'c')}`
    const orders = node.open('orders', wallet)
    assert.deepEqual((await orders.snapshot()).data.orders, [])
    assert.equal(scenario.accountOf('frank'), 7)
    scenario.deposit('frank', 'USDC', 1000n).place('frank', 'buy', 299_000, 1n)
    next()
    const frames = orders.take()
    assert.deepEqual(
      frames.map(({ type, data }) => [type, data.orders.length, data.orders[0].account]),
      [['update', 1, wallet]],
    )
    assert.equal(frames[0]?.prev_seq, frames[0] && frames[0].seq - 1)
  })

  test("a channel ends with an undo of the account's opening, after the undone rows were sent", async () => {
    const { scenario, feed, node, next } = scenarioNode('ETH-USDC')
    const orders = node.open('orders', `0x${'7'.padStart(40, 'c')}`)
    await orders.snapshot()
    assert.equal(scenario.accountOf('frank'), 7)
    scenario.deposit('frank', 'USDC', 1000n).place('frank', 'buy', 299_000, 1n)
    next()
    feed.undoBlock()
    node.follow()
    const [placed, undone] = orders.take()
    assert.deepEqual(undone?.data.removed, [placed?.data.orders[0].order_id])
    assert.deepEqual((await orders.snapshot()).data.orders, [])
  })

  test('a channel sends nothing before its first snapshot, and keeps nothing for replay', async () => {
    const { scenario, node, next } = scenarioNode('ETH-USDC')
    const orders = node.open('orders', walletOf(scenario, 'alice'))
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    assert.deepEqual(orders.take(), [])
    assert.equal(orders.stream.replay(node.model.seq), undefined)
    const { data, seq } = await orders.snapshot()
    assert.equal(data.orders.length, 1)
    assert.deepEqual(await orders.replay(seq), [])
  })

  for (const [name, pick, expected] of [
    ['fills', ({ fill }: Data) => fill.amount, '0.0002'],
    ['orders', ({ orders }: Data) => orders[0].order_status, 'filled'],
  ] as const)
    test(`${name} without a snapshot misses nothing once it is ready, and reports its position`, async () => {
      const { scenario, node, next } = scenarioNode('ETH-USDC')
      scenario.place('bob', 'sell', 300_000, 9n)
      scenario.place('alice', 'buy', 300_000, 3n)
      next()
      const { stream, take } = node.open(name, walletOf(scenario, 'alice'))
      await stream.ready?.()
      const seq = stream.seq()
      assert.equal(seq, node.model.seq)
      assert.deepEqual(take(), [], 'what was before is not sent')
      scenario.place('alice', 'buy', 300_000, 2n)
      next()
      await settled()
      assert.deepEqual(
        take().map(({ type, prev_seq, data }) => [type, prev_seq, pick(data)]),
        [['update', seq, expected]],
      )
      assert.equal(stream.seq(), node.model.seq)
    })

  test('a channel without a snapshot is not ready while the wallet cannot be looked up', async () => {
    let isDown = true
    const accountNumber = async () => {
      if (isDown) throw new Error('the database is down')
      return readOf(3)
    }
    const { node } = scenarioNode({ accountNumber }, 'ETH-USDC')
    const { stream } = node.open('fills', `0x${'ab'.repeat(20)}`)
    await assert.rejects(async () => stream.ready?.(), /down/)
    isDown = false
    await stream.ready?.()
  })

  test('a channel of an account gives a snapshot of the entry at which it was asked, whenever it is read', async () => {
    const { waiting, live } = slow()
    const { scenario, node, next } = live('ETH-USDC')
    scenario.place('bob', 'sell', 300_000, 5n)
    next()
    const fills = node.open('fills', walletOf(scenario, 'alice'))
    const asked = node.model.seq
    const snapshot = fills.snapshot()
    await settled()
    scenario.place('alice', 'buy', 300_000, 1n)
    next()
    const [fill] = fills.take()
    assert.equal(fill?.seq, asked + 1)
    assert.equal(fill?.prev_seq, asked)
    waiting[0]?.([])
    assert.equal((await snapshot).seq, asked)
  })

  test('a channel fails a snapshot that the database does not answer, and works for the next', async () => {
    const { waiting, live } = slow()
    const { scenario, node } = live('ETH-USDC')
    const fills = node.open('fills', walletOf(scenario, 'alice'))
    const first = fills.snapshot()
    await settled()
    waiting[0]?.(new Error('the database is down'))
    await assert.rejects(first, /down/)
    const second = fills.snapshot()
    await settled()
    waiting[1]?.([])
    assert.deepEqual((await second).data.fills, [])
  })

  test('a channel looks up the number of a wallet again after a failed lookup', async () => {
    let isDown = true
    const accountNumber = async () => {
      if (isDown) throw new Error('the database is down')
      return readOf(3)
    }
    const { scenario, node, next } = scenarioNode({ accountNumber }, 'ETH-USDC')
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
    // A wallet that only the database knows: the node did not see its account open.
    const wallet = `0x${'ab'.repeat(20)}`
    const orders = node.open('orders', wallet)
    await assert.rejects(orders.snapshot(), /down/)
    isDown = false
    assert.equal((await orders.snapshot()).data.orders.length, 1)
  })

  test('a channel sends a snapshot to all subscribers when the model is reloaded, then what comes after it', async () => {
    const { waiting, live } = slow()
    const { scenario, node, next } = live('ETH-USDC')
    scenario.place('bob', 'sell', 300_000, 5n)
    next()
    const fills = node.open('fills', walletOf(scenario, 'alice'))
    const first = fills.snapshot()
    await settled()
    waiting[0]?.([])
    await first
    const { model } = node
    const [state, seq] = [model.state, model.seq]
    const empty = { trades: new Map(), candles: new Map(), priceMinutes: new Map() }
    model.load({ seq, state, ...empty, settlements: new Map(), poolHours: new Map() })
    node.pass(50)
    await settled()
    scenario.place('alice', 'buy', 300_000, 1n)
    next()
    assert.deepEqual(fills.take(), [], 'it waits for the snapshot')
    waiting[1]?.(new Error('the database is down'))
    await settled()
    node.pass(50)
    await settled()
    assert.equal(waiting.length, 2, 'it is asked again after a while')
    node.pass(1000)
    await settled()
    waiting[2]?.([])
    await settled()
    scenario.place('alice', 'buy', 300_000, 1n)
    next()
    await settled()
    assert.deepEqual(
      fills.take().map(({ type, seq, prev_seq }) => [type, seq, prev_seq]),
      [
        ['snapshot', seq + 1, null],
        ['update', seq + 2, seq + 1],
      ],
    )
  })
})

/** A channel of alice whose rows the database gives when a test lets it. */
function waitingChannel() {
  const { scenario, node, next } = scenarioNode('ETH-USDC')
  const { model } = node
  let [now, tick] = [0, () => {}]
  const every = (_ms: number, act: () => void) => {
    tick = act
    return () => {}
  }
  const nowMs = () => now
  const alice = scenario.accountOf('alice')
  const history = { ...BROKEN_ACCOUNTS.history, accountNumber: async () => readOf(alice) }
  const deps = {
    model,
    trading: 'live' as const,
    nowMs,
    monotonicMs: nowMs,
    streams: new OpenStreams(model, { nowMs, monotonicMs: nowMs, every }),
    past: new PastEntries({
      model,
      reader: { feedAfter: async () => [] },
      monotonicMs: nowMs,
      every,
    }),
    memory: new ReplayMemory(),
    wallets: new Wallets({ model, history, fresh: freshReads(model) }),
    owned: new OwnedReads({ model, reader: BROKEN_READER }),
  }
  const rows = Promise.withResolvers<void>()
  const update: Frame = { type: 'update', data: '{}' }
  const sent: StreamMessage[] = []
  const to = {
    name: 'rows',
    wallet: walletOf(scenario, 'alice'),
    publish: (message: StreamMessage) => {
      sent.push(message)
    },
  }
  let taken = 0
  const channel = new PrivateStream(deps, to, () => ({
    subject: 'account',
    snapshot: () => '{}',
    onEntry: async () => {
      taken += 1
      await rows.promise
      return [update]
    },
  }))
  const trade = () => {
    scenario.place('alice', 'buy', 299_000, 1n)
    next()
  }
  const pass = (ms: number) => {
    now += ms
    tick()
  }
  const answer = async () => {
    rows.resolve()
    await settled()
    return sent.map((message) => parseFrame(message).type)
  }
  return { channel, trade, pass, answer, taken: () => taken }
}

describe('while the database does not answer, a channel of an account', () => {
  test('a channel sends everything exactly once after the wait, however long it takes', async () => {
    const { channel, trade, pass, answer } = waitingChannel()
    await channel.snapshot()
    trade()
    channel.resync()
    for (let second = 0; second < 5; second++) pass(1000)
    assert.deepEqual(await answer(), ['snapshot'])
  })

  test('while the database does not answer, a channel of an account holds the frames of a thousand entries; beyond them a snapshot has all', async () => {
    const { channel, trade, pass, answer } = waitingChannel()
    await channel.snapshot()
    for (let count = 0; count <= QUEUED_MAX; count++) trade()
    pass(1000)
    assert.deepEqual(await answer(), ['snapshot'])
  })

  test('while the database does not answer, a channel of an account sends what it holds when the database answers', async () => {
    const { channel, trade, pass, answer } = waitingChannel()
    await channel.snapshot()
    for (let count = 0; count < 3; count++) trade()
    pass(1000)
    assert.deepEqual(await answer(), ['update', 'update', 'update'])
  })

  test('while the database does not answer, a channel of an account is gone when it is closed before it knew the number of the account', async () => {
    const { channel, trade, taken } = waitingChannel()
    const snapshot = channel.snapshot()
    channel.close()
    await snapshot
    trade()
    assert.equal(taken(), 0)
  })
})
