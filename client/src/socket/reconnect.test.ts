// Timing of reconnections, in virtual time.
import assert from 'node:assert/strict'
import { afterEach, describe, mock, test } from 'node:test'
import { turns } from '@openvenue/core/test/turns'
import { STABLE_MS } from './backoff.ts'
import { type SocketState, VenueSocket } from './venue-socket.ts'
import type { WebSocketClass, WebSocketLike } from './web-socket.ts'

const STEP_MS = 50
const MINUTE_MS = 60_000

/** Course of one connection. */
type ConnectionCourse = Readonly<{ opens: boolean; answers: boolean; livesMs: number }>
const BROKEN: ConnectionCourse = { opens: false, answers: false, livesMs: 0 }
const lives = (livesMs: number, answers = true): ConnectionCourse => ({
  opens: true,
  answers,
  livesMs,
})

afterEach(() => mock.timers.reset())

/** Returns a client whose connections take these courses; the last one repeats. */
function follow(fates: readonly ConnectionCourse[], random = () => 0.999) {
  mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const attemptsMs: number[] = []
  const states: (readonly [SocketState, number])[] = []
  class FakeWebSocket implements WebSocketLike {
    onopen: WebSocketLike['onopen'] = null
    onmessage: WebSocketLike['onmessage'] = null
    onerror: WebSocketLike['onerror'] = null
    onclose: WebSocketLike['onclose'] = null
    readonly #fate: ConnectionCourse

    constructor() {
      this.#fate = fates[Math.min(attemptsMs.length, fates.length - 1)] as ConnectionCourse
      attemptsMs.push(nowMs)
      const { opens, livesMs } = this.#fate
      queueMicrotask(() => (opens ? this.onopen : this.onclose)?.(undefined as never))
      if (opens) setTimeout(() => this.onclose?.(undefined as never), livesMs)
    }

    send(text: string): void {
      const { id } = JSON.parse(text) as { id: number }
      if (this.#fate.answers)
        queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ id, data: {} }) }))
    }

    close(): void {}
  }
  const socket = new VenueSocket({
    ...{ url: 'http://127.0.0.1:1', random, WebSocket: FakeWebSocket as unknown as WebSocketClass },
    onState: (state) => states.push([state, nowMs]),
  })
  socket.listen('markets', { onMessage: () => {}, onError: () => {} })
  const run = async (ms: number) => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += STEP_MS) {
      mock.timers.tick(STEP_MS)
      await turns(1)
    }
  }
  /** Returns the longest time between a loss and the next connection. */
  const blindMs = () => {
    const open = states.filter(([state]) => state === 'open' || state === 'waiting')
    const gaps = open.map(([state, atMs], at) =>
      state === 'open' && at > 0 ? atMs - (open[at - 1]?.[1] ?? 0) : 0,
    )
    return Math.max(...gaps)
  }
  const waitsMs = () => attemptsMs.slice(1).map((atMs, at) => atMs - (attemptsMs[at] ?? 0))
  return { socket, run, blindMs, waitsMs, attemptsMs }
}

describe('a connection that was lost', () => {
  test('a connection that breaks every few seconds is re-established within 4 s', async () => {
    const { socket, run, blindMs, attemptsMs } = follow([lives(3_000)])
    await run(10 * MINUTE_MS)
    assert.ok(blindMs() > 3_500 && blindMs() <= 4_000 + STEP_MS, `${blindMs()} ms`)
    assert.ok(attemptsMs.length > 80, `${attemptsMs.length} attempts`)
    socket.close()
  })

  test('a stable connection is re-established at once', async () => {
    const { socket, run, waitsMs } = follow([BROKEN, BROKEN, BROKEN, lives(STABLE_MS + 500)])
    await run(MINUTE_MS)
    const [first = 0, second = 0, third = 0, stable = 0] = waitsMs()
    assert.deepEqual(
      [first, second, third].map((ms) => Math.round(ms / 500)),
      [1, 2, 4],
    )
    const wait = stable - STABLE_MS - 500
    assert.ok(wait > 0 && wait <= 500 + 2 * STEP_MS, `${wait} ms`)
    socket.close()
  })

  test('reconnection attempts back off to one every 30 s if none opens or carries a message', async () => {
    for (const fate of [BROKEN, lives(0, false)]) {
      const { socket, run, waitsMs } = follow([fate])
      await run(10 * MINUTE_MS)
      const rounded = waitsMs().map((ms) => Math.round(ms / 500) / 2)
      assert.deepEqual(rounded.slice(0, 9), [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
      socket.close()
      mock.timers.reset()
    }
  })

  test('a connection that carried a message is retried within 4 s despite earlier failures', async () => {
    const failed = Array.from({ length: 8 }, () => BROKEN)
    const { socket, run, waitsMs } = follow([...failed, lives(2_000), BROKEN])
    await run(5 * MINUTE_MS)
    const [short = 0, next = 0] = waitsMs().slice(failed.length)
    assert.ok(short <= 2_000 + 4_000 + 2 * STEP_MS, `${short} ms`)
    assert.ok(next <= 8_000 + 2 * STEP_MS, `${next} ms`)
    socket.close()
  })

  test('reconnection attempts are spread over the whole backoff', async () => {
    const { socket, run, attemptsMs } = follow([BROKEN], () => 0)
    await run(1_000)
    assert.ok(attemptsMs.length > 10)
    socket.close()
  })
})
