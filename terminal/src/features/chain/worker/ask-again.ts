// Retries requests to a venue that is down: soon at first, then less often, and immediately when
// the venue is back.
import type { VenueReturn } from './venue-return.ts'

/** The first pause; each following one doubles. */
export const AGAIN_MS = 2_000
/** Longest pause: a venue that comes back without its socket is found within it. */
export const AGAIN_MS_MAX = 30_000

/**
 * Runs `work` until it succeeds; rethrows faults of the page itself. `random`, in [0, 1), shortens
 * a pause by up to half, so that the pages of a restarted venue do not all retry at once.
 */
export async function askAgain(
  work: () => Promise<void>,
  returns: VenueReturn,
  random: () => number = Math.random,
): Promise<void> {
  let pauseMs = AGAIN_MS
  for (;;) {
    const since = returns.count
    if (await isDone(work)) return
    const isBack = await returns.wait(pauseMs * (1 - random() / 2), since)
    pauseMs = isBack ? AGAIN_MS : Math.min(2 * pauseMs, AGAIN_MS_MAX)
  }
}

const isDone = (work: () => Promise<void>): Promise<boolean> =>
  work().then(
    () => true,
    (error: unknown) => {
      if (FAULTS.some((fault) => error instanceof fault)) throw error
      return false
    },
  )

/** Faults of the page's own code, which a retry would repeat. Network failures are other types. */
const FAULTS = [TypeError, ReferenceError, RangeError] as const
