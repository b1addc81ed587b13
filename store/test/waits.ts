// Waits for conditions, with an end.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS_MAX = 10_000
const LOOK_MS = 5

/** Waits until `holds`; fails with `what` when it takes too long. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  msMax = WAIT_MS_MAX,
): Promise<void> {
  const deadline = performance.now() + msMax
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `in time: ${what}`)
    await delay(LOOK_MS)
  }
}

/** Settles as `work` does; rejects when that takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const controller = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`still under way after ${ms} ms`)), ms)
    controller.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([work, late]).finally(() => controller.abort())
}
