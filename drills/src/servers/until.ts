// Waits for a condition, with a deadline that names it.
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50

/** Thrown when a condition did not become true in time. */
export class TooLate extends Error {
  override name = 'TooLate'
}

/** Resolves when `isTrue` is true; an error counts as false. Throws `TooLate` after `withinMs`. */
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
      throw new TooLate(`${condition} within ${withinMs} ms${reason}`)
    await sleep(POLL_MS)
  }
}
