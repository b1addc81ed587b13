// Gives tests the wall's clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../src/clock.ts'

export const wallClock: Clock = {
  nowMs: Date.now,
  delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}

const HOLDS_MS_MAX = 20_000

/** Waits until `holds` does; throws with the claim when it does not in time. */
export async function until(
  claim: string,
  holds: () => boolean | Promise<boolean>,
  msMax = HOLDS_MS_MAX,
): Promise<void> {
  const deadlineMs = Date.now() + msMax
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error(`not within ${msMax} ms: ${claim}`)
    await sleep(15)
  }
}
