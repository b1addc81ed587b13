// Effects of a broken or malicious server on a program that uses the client.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, type TestContext, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { followBook } from '../book/follow-book.ts'
import { ConnectionError } from '../errors.ts'
import { VenueSocket } from './venue-socket.ts'

type ClientMessage = Readonly<{ op: string; id: number; data?: unknown }>

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0).reverse()) close()
})

/** Serves `answer` to each operation; returns the operations and a client. */
async function serve(
  answer: (request: ClientMessage, socket: ServerSocket) => void,
  random = () => 0,
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const requests: ClientMessage[] = []
  server.on('connection', (socket) => {
    socket.on('message', (text) => {
      const operation = JSON.parse(String(text)) as ClientMessage
      requests.push(operation)
      answer(operation, socket)
    })
  })
  const { port } = server.address() as AddressInfo
  const socket = new VenueSocket({ url: `http://127.0.0.1:${port}`, random })
  closings.push(
    () => server.close(),
    () => socket.close(),
  )
  return { socket, requests }
}

/** Intercepts timers of `heldMs` milliseconds; the test fires them. */
function holdPauses(t: TestContext, heldMs: readonly number[]) {
  const pauses: { ms: number; end: () => void }[] = []
  const { setTimeout: begin } = globalThis
  const hold = (end: () => void, ms: number) =>
    heldMs.includes(ms) ? void pauses.push({ ms, end }) : begin(end, ms)
  t.mock.method(globalThis, 'setTimeout', hold as never)
  return pauses
}

const MARKETS = { channel: 'markets', type: 'snapshot', seq: 1, prev_seq: null, block_number: 1 }

describe('a server that is wrong', () => {
  for (const text of ['{"channel":', 'null', '7', '"trades"', ''])
    test(`a client reconnects and subscribes again after the message ${JSON.stringify(text)}`, async () => {
      let isWrong = true
      const { socket, requests } = await serve(({ op, id }, to) => {
        if (op === 'subscribe' && isWrong) {
          isWrong = false
          to.send(text)
          return
        }
        to.send(JSON.stringify({ id, data: {} }))
        to.send(JSON.stringify({ ...MARKETS, data: { markets: [] } }))
      })
      const { value } = await socket.subscribe('markets').next()
      assert.equal(value?.seq, 1)
      assert.equal(requests.filter(({ op }) => op === 'subscribe').length, 2)
    })

  for (const wrong of [{ seq: '1' }, { seq: 1.5 }, { prev_seq: 'x' }, { data: null }, { data: 7 }])
    test(`a message with ${JSON.stringify(wrong)} does not reach listeners`, async () => {
      let isWrong = true
      const { socket } = await serve(({ op, id }, to) => {
        to.send(JSON.stringify({ id, data: {} }))
        if (op !== 'subscribe') return
        to.send(JSON.stringify({ ...MARKETS, data: {}, ...(isWrong && wrong) }))
        isWrong = false
      })
      const { value } = await socket.subscribe('markets').next()
      assert.deepEqual([value?.seq, value?.data], [1, {}])
    })

  for (const data of [
    {},
    { bids: 7, asks: [] },
    { bids: [null], asks: [] },
    { bids: [], asks: [] },
  ])
    test(`resubscriptions back off if the book is always ${JSON.stringify(data)}`, async (t) => {
      const [thirdMs, fourthMs] = [1_000, 2_000]
      const pauses = holdPauses(t, [thirdMs, fourthMs])
      const { socket, requests } = await serve(
        ({ op, id }, to) => {
          to.send(JSON.stringify({ id, data: {} }))
          if (op !== 'subscribe') return
          const channel = 'orderbook:ETH-USDC'
          to.send(JSON.stringify({ ...MARKETS, channel, data: { checksum: 'no', ...data } }))
        },
        () => 1,
      )
      const subscribes = () => requests.filter(({ op }) => op === 'subscribe').length
      const stopping = new AbortController()
      const book = followBook(socket, 'ETH-USDC', { signal: stopping.signal }).next()
      await until('the third attempt waits', () => pauses.length === 1)
      assert.deepEqual([pauses[0]?.ms, subscribes()], [thirdMs, 2])
      pauses[0]?.end()
      await until('the fourth attempt waits', () => pauses.length === 2)
      // Everything sent before the ping has arrived.
      await socket.ask('ping')
      assert.deepEqual([pauses[1]?.ms, subscribes()], [fourthMs, 3])
      stopping.abort(new Error('enough'))
      await assert.rejects(book, /enough/)
    })
})

test('a socket that closes while it waits to resubscribe leaves no pending rejection', async () => {
  const { socket, requests } = await serve(({ id }, to) => {
    const data = { success: false, retryAfterMs: 60_000 }
    to.send(JSON.stringify({ id, error: 'AUTH_RATE_LIMITED', data }))
  })
  const next = socket.subscribe('markets').next()
  await until('the subscription is refused', () => requests.length === 1)
  // Everything sent before the ping has arrived.
  await assert.rejects(socket.ask('ping'))
  socket.close()
  await assert.rejects(next, ConnectionError)
})

test('a client reconnects to a stopping server only after the wait that it asked for', async () => {
  const retryAfterMs = 300
  let stoppedMs = 0
  const { socket, requests } = await serve(({ op, id }, to) => {
    to.send(JSON.stringify({ id, data: {} }))
    if (op !== 'subscribe') return
    if (stoppedMs > 0) {
      to.send(JSON.stringify({ ...MARKETS, data: { markets: [] } }))
      return
    }
    stoppedMs = performance.now()
    const error = 'SERVER_STOPPING'
    const data = { success: false, code: error, retryAfterMs }
    to.send(JSON.stringify({ type: 'server_shutdown', error, data }))
    to.close(1001, 'SHUTDOWN')
  })
  const { value } = await socket.subscribe('markets').next()
  assert.equal(value?.seq, 1)
  assert.equal(requests.filter(({ op }) => op === 'subscribe').length, 2)
  // Timers may fire a millisecond early.
  assert.ok(performance.now() - stoppedMs >= retryAfterMs - 1)
})
