// Asks again what a venue that is away did not answer: soon at first, then seldom, and at once when
// it is back.
import type { VenueReturn } from '../chain/venue-return.ts'

/** The first pause; each is twice the one before it. */
export const AGAIN_MS = 2_000
/** No pause is longer: a venue that comes back without its socket is found within it. */
export const AGAIN_MS_MAX = 30_000

/**
 * Does `work` until it succeeds; throws what is a fault of the page itself. A pause is cut short by
 * up to a half, by `random` in [0, 1): the pages of a venue that went must not all ask in one
 * moment.
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

/** Of the page's own code: the same would happen again. Who is away answers with others. */
const FAULTS = [TypeError, ReferenceError, RangeError] as const
