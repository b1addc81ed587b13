// Waits for a condition, with a deadline that names it.
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50

/** Thrown when a condition did not become true in time. */
export class TimedOut extends Error {
  override name = 'TimedOut'
}

/** Resolves when `isTrue` is true; an error counts as false. Throws `TimedOut` after `withinMs`. */
export async function until(
  condition: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<void> {
  const startedMs = performance.now()
  let reason = ''
  for (;;) {
    try {
      if (await isTrue()) return
    } catch (error) {
      reason = `: ${String(error)}`
    }
    if (performance.now() - startedMs > withinMs)
      throw new TimedOut(`timed out after ${withinMs} ms: ${condition}${reason}`)
    await sleep(POLL_MS)
  }
}
