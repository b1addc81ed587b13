// Clocks for tests: real time, and virtual time that runs faster than real time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../src/clock.ts'

/** A clock whose `delay` also works without an abort signal. */
export type TestClock = Clock &
  Readonly<{ delay: (ms: number, signal?: AbortSignal) => Promise<void> }>

export const wallClock: TestClock = {
  nowMs: Date.now,
  delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}

type Delay = Readonly<{ dueMs: number; end: () => void }>

/** A clock that only moves when `advance` is called. Delays end when it reaches their time. */
export class ManualClock implements TestClock {
  readonly #delays = new Set<Delay>()
  #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  readonly nowMs = (): number => this.#nowMs

  readonly delay = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = () => {
        this.#delays.delete(delay)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const delay = { dueMs: this.#nowMs + ms, end }
      this.#delays.add(delay)
      signal?.addEventListener('abort', end)
    })

  /** Moves the time forward by `ms` and ends the delays that are due, the earliest first. */
  advance(ms: number): void {
    this.#nowMs += ms
    const due = [...this.#delays].filter(({ dueMs }) => dueMs <= this.#nowMs)
    for (const { end } of due.sort((a, b) => a.dueMs - b.dueMs)) end()
  }
}

/** Shorter than the shortest delay in the keeper. */
const TICK_MS = 50

/**
 * Advances `clock` until `signal` aborts. Between two ticks the event loop runs what is ready, and
 * `pace` completes: on a busy machine virtual time slows down with the work.
 */
export async function runClock(
  clock: ManualClock,
  pace: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(1)
    await pace()
    clock.advance(TICK_MS)
  }
}
