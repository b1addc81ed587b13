import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { turns } from '@openvenue/core/test/turns'
import { until } from '@openvenue/core/test/until'
import { Wires } from '../../test/lossy-socket.ts'
import { AuthError, ConnectionError, InvalidRequestError, NotFoundError } from '../errors.ts'
import type { Gap } from './channel-set.ts'
import type { Message } from './cursor.ts'
import { VenueSocket, type VenueSocketOptions } from './venue-socket.ts'

const TICK = 200_000
let scenario = funded('ETH-USDC')
let venue: TradingSockets
let wires: Wires
const closings: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const open = async (nodes = 1) => {
  scenario = funded('ETH-USDC')
  venue = await tradingSockets(scenario, { nodes })
  wires = new Wires()
  closings.push(venue.close)
}
const connect = (options: Partial<VenueSocketOptions> = {}) => {
  const socket = new VenueSocket({
    url: venue.urls[0] as string,
    WebSocket: wires.class,
    random: () => 0,
    ...options,
  })
  closings.push(() => socket.close())
  return socket
}
/** Closes a block with one trade. */
const trade = async () => {
  scenario.place('bob', 'sell', TICK, 10n).place('alice', 'buy', TICK, 10n).next()
  await venue.follow()
}
type Trade = Readonly<{ trade_id: string }>
/** Records the messages and errors of a channel. */
const hear = (socket: VenueSocket, channel: string) => {
  const messages: Message[] = []
  const errors: unknown[] = []
  const onMessage = (message: Message) => {
    messages.push(message)
  }
  const onError = (error: unknown) => {
    errors.push(error)
  }
  const stop = socket.listen(channel, { onMessage, onError })
  return { messages, errors, stop }
}
const subscriptionsOf = async (socket: VenueSocket) =>
  ((await socket.ask('status')).data as { subscriptions: string[] }).subscriptions
/** Waits until the venue has started a subscription. */
const begun = (socket: VenueSocket, channel: string) =>
  until(`the subscription to ${channel} has begun`, async () =>
    (await subscriptionsOf(socket)).includes(channel),
  )

describe('an operation', () => {
  test('an operation connects, and returns the reply or throws the refusal', async () => {
    await open()
    const states: string[] = []
    const socket = connect({ onState: (state) => states.push(state) })
    assert.equal(socket.state, 'idle')
    assert.equal((Object(await socket.ask('ping')).data as { success: boolean }).success, true)
    assert.deepEqual(states, ['connecting', 'open'])
    await assert.rejects(socket.ask('nothing'), (error) => {
      assert.ok(error instanceof InvalidRequestError)
      return error.code === 'INVALID_OP'
    })
    await assert.rejects(
      socket.ask('create_order', {}),
      (error) => error instanceof AuthError && error.code === 'AUTH_REQUIRED',
    )
  })

  test('an operation throws if its connection ends before the answer, and the next one reconnects', async () => {
    await open()
    const socket = connect()
    await socket.ask('ping')
    wires.isLost = (message) => 'id' in message
    const answer = socket.ask('ping')
    wires.cut()
    await assert.rejects(answer, ConnectionError)
    wires.isLost = () => false
    await socket.ask('ping')
    assert.equal(wires.sockets.length, 2)
  })

  test('an operation rejects when its signal aborts or the socket closes', async () => {
    await open()
    const socket = connect()
    await socket.ask('ping')
    wires.isLost = (message) => 'id' in message
    const stopping = new AbortController()
    const answer = socket.ask('ping', undefined, stopping.signal)
    stopping.abort(new Error('enough'))
    await assert.rejects(answer, /enough/)
    const late = socket.ask('ping')
    await turns(1)
    socket.close()
    await assert.rejects(late, ConnectionError)
    await assert.rejects(socket.ask('ping'), ConnectionError)
    assert.throws(() => socket.subscribe('trades:ETH'), ConnectionError)
  })
})

describe('a subscription', () => {
  test('subscriptions that start together use one operation and yield their messages', async () => {
    await open()
    const socket = connect()
    const [trades, book] = [socket.subscribe('trades:ETH'), socket.subscribe('orderbook:ETH-USDC')]
    await begun(socket, 'trades:ETH')
    await trade()
    const first = (await trades.next()).value as Message
    assert.deepEqual([first.channel, first.type], ['trades:ETH', 'update'])
    const snapshot = (await book.next()).value as Message
    assert.equal(snapshot.type, 'snapshot')
    assert.deepEqual((await subscriptionsOf(socket)).sort(), ['orderbook:ETH-USDC', 'trades:ETH'])
  })

  test('a subscription ends with its loop, its signal or the socket', async () => {
    await open()
    const socket = connect()
    for await (const { type } of socket.subscribe('markets')) {
      assert.equal(type, 'snapshot')
      break
    }
    assert.deepEqual(await subscriptionsOf(socket), [])
    const stopping = new AbortController()
    const book = socket.subscribe('orderbook:ETH-USDC', { signal: stopping.signal })
    await book.next()
    const next = book.next()
    stopping.abort(new Error('enough'))
    await assert.rejects(next, /enough/)
    assert.deepEqual(await subscriptionsOf(socket), [])
    const markets = socket.subscribe('markets')
    await markets.next()
    const last = markets.next()
    socket.close()
    await assert.rejects(last, ConnectionError)
    assert.deepEqual(await markets.next(), { done: true, value: undefined })
  })

  test('a shared subscription gives later listeners the state and ends with the last listener', async () => {
    await open()
    const socket = connect()
    const first = hear(socket, 'orderbook:ETH-USDC')
    await until('the first has a message', () => first.messages.length === 1)
    const second = hear(socket, 'orderbook:ETH-USDC')
    await until('the second has a message', () => second.messages.length === 1)
    assert.equal(second.messages[0]?.type, 'snapshot')
    first.stop()
    assert.deepEqual(await subscriptionsOf(socket), ['orderbook:ETH-USDC'])
    second.stop()
    assert.deepEqual(await subscriptionsOf(socket), [])
  })

  test('a subscription to a channel that does not exist throws', async () => {
    await open()
    const socket = connect()
    const [bad, good] = [socket.subscribe('trades:NOPE'), socket.subscribe('markets')]
    await assert.rejects(bad.next(), (error) => {
      assert.ok(error instanceof NotFoundError)
      return error.code === 'CHANNEL_NOT_FOUND'
    })
    assert.equal(((await good.next()).value as Message).type, 'snapshot')
  })

  test('a subscription with an invalid name throws without delaying others', async () => {
    await open()
    const socket = connect()
    const names = ['markets', `trades:${'9'.repeat(400)}`, 'orderbook:ETH-USDC'] as const
    const [good, bad, book] = names.map((name) => socket.subscribe(name as 'markets'))
    await assert.rejects(bad?.next() ?? Promise.resolve(), InvalidRequestError)
    for (const subscription of [good, book])
      assert.equal((await subscription?.next())?.value?.type, 'snapshot')
    assert.deepEqual((await subscriptionsOf(socket)).sort(), ['markets', 'orderbook:ETH-USDC'])
  })

  for (const seed of [1, Math.floor(Math.random() * 2 ** 31)])
    test(`a subscription delivers each event once despite losses, on either node (seed ${seed})`, async () => {
      await open(2)
      const chance = new Chance(seed)
      await holdChannels(['trades:ETH', 'trades-block:ETH'])
      wires.url = () => `${venue.urls[chance.below(2)]?.replace('http', 'ws')}/ws`
      const socket = connect()
      const { messages } = hear(socket, 'trades:ETH')
      const other = hear(socket, 'trades-block:ETH')
      await begun(socket, 'trades:ETH')
      wires.isLost = ({ seq }) => seq !== undefined && chance.happens(20)
      await storm(chance)
      wires.isLost = () => false
      // The last message reveals whether one before it was lost.
      await trade()
      await until(
        () => `every block is heard of: ${messages.length} and ${other.messages.length}`,
        () => messages.length >= BLOCKS + 1 && other.messages.length >= BLOCKS + 1,
      )
      const ids = messages.map(({ data }) => (data as Trade).trade_id)
      assert.deepEqual([ids.length, new Set(ids).size], [BLOCKS + 1, BLOCKS + 1])
      const blocks = other.messages.map(({ block_number }) => block_number)
      assert.deepEqual(
        blocks,
        blocks.toSorted((a, b) => a - b),
      )
      assert.equal(new Set(blocks).size, BLOCKS + 1)
    })
})

const BLOCKS = 60
/** Maximum turns of the event loop between two blocks, in which messages may arrive. */
const TURNS_MAX = 50

/** Keeps a listener on each node, since a node retains a channel's messages only for listeners. */
async function holdChannels(channels: readonly string[]): Promise<void> {
  for (const url of venue.urls) {
    const socket = connect({ url, WebSocket: WebSocket as never })
    for (const channel of channels) {
      hear(socket, channel)
      await begun(socket, channel)
    }
  }
}

/** Trades in each block while connections are cut at random. */
async function storm(chance: Chance): Promise<void> {
  for (let block = 0; block < BLOCKS; block++) {
    await trade()
    if (chance.happens(20)) wires.cut()
    if (chance.happens(30)) await turns(chance.below(TURNS_MAX))
  }
}

describe('a key', () => {
  test('an API key authenticates each connection of the socket', async () => {
    await open()
    const apiKey = await venue.issue('alice')
    const socket = connect({ apiKey })
    const { messages } = hear(socket, 'orders')
    await until('the snapshot has come', () => messages.length === 1)
    wires.cut()
    const { body } = await venue.send('alice', 'POST /orders', {
      body: await venue.orderOf('alice'),
    })
    await until('the order is heard of', () => JSON.stringify(messages).includes(body.order_id))
    assert.equal(
      (Object(await socket.ask('status')).data as { account: string }).account,
      venue.walletOf('alice'),
    )
  })

  test('an API key that is refused ends private subscriptions only', async () => {
    await open()
    const socket = connect({ apiKey: { key: 'a'.repeat(32), secret: 'b'.repeat(64) } })
    const [orders, markets] = [hear(socket, 'orders'), hear(socket, 'markets')]
    await until(
      'the private channel has ended and the public one has begun',
      () => orders.errors.length === 1 && markets.messages.length === 1,
    )
    assert.ok(orders.errors[0] instanceof AuthError)
    assert.equal((orders.errors[0] as AuthError).code, 'AUTH_INVALID')
    await socket.authenticate(await venue.issue('bob'))
    const again = hear(socket, 'orders')
    await until('the snapshot has come', () => again.messages.length === 1)
  })

  test('an API key that is revoked ends private subscriptions only', async () => {
    await open()
    const apiKey = await venue.issue('alice')
    const socket = connect({ apiKey })
    const [orders, markets] = [hear(socket, 'orders'), hear(socket, 'markets')]
    await until(
      'both channels have begun',
      () => orders.messages.length === 1 && markets.messages.length === 1,
    )
    await venue.send('alice', 'DELETE /api-key', { body: { api_key: apiKey.key } })
    await until('the private channel has ended', () => orders.errors.length === 1)
    assert.equal((orders.errors[0] as AuthError).code, 'AUTH_EXPIRED')
    assert.deepEqual(markets.errors, [])
  })
})

describe('the only reader of a channel', () => {
  test('the only reader of a channel gets every trade once even if its link breaks after each', async () => {
    await open(2)
    const gaps: Gap[] = []
    const socket = connect({ onGap: (gap) => gaps.push(gap) })
    const { messages, errors } = hear(socket, 'trades:ETH-USDC')
    await begun(socket, 'trades:ETH-USDC')
    const TRADES = 12
    for (let made = 0; made < TRADES; made++) {
      wires.cut()
      await trade()
      if (made % 3 === 0) await until('it is there', () => messages.length > made)
    }
    await until('every trade has come', () => messages.length >= TRADES)
    const ids = messages.map(({ data }) => (data as Trade).trade_id)
    assert.equal(new Set(ids).size, TRADES)
    assert.equal(ids.length, TRADES)
    assert.ok(messages.every(({ type }) => type === 'update'))
    assert.deepEqual([gaps, errors], [[], []])
  })

  test('the only reader of a channel gets a gap for lost messages, and no old trade as new', async () => {
    await open()
    for (let made = 0; made < 3; made++) await trade()
    const gaps: Gap[] = []
    const heardGaps: Gap[] = []
    const socket = connect({ onGap: (gap) => gaps.push(gap) })
    const messages: Message[] = []
    const onMessage = (message: Message) => messages.push(message)
    const onGap = (gap: Gap) => heardGaps.push(gap)
    const listener = { onMessage, onGap, onError: () => {} }
    // A sequence number that this venue has not reached.
    socket.listen('trades:ETH-USDC', listener, { fromSeq: 10_000_000 })
    await until('the gap is reported', () => gaps.length > 0)
    assert.equal(gaps[0]?.channel, 'trades:ETH-USDC')
    assert.equal(gaps[0]?.fromSeq, 10_000_000)
    assert.deepEqual(heardGaps, gaps)
    await trade()
    await until('the next trade has come', () => messages.length > 0)
    assert.equal(messages.length, 1)
    assert.equal(messages[0]?.type, 'update')
  })
})
