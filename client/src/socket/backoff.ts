// Spreads attempts to connect: the clients of a node that went must not all come back at once.

/** The first attempt after a loss comes within so long. */
const FIRST_MS = 500
/** No attempt is further away than this. */
export const BACKOFF_MS_MAX = 30_000

/**
 * Returns how long to wait before the attempt of that number (from 0 on): anything up to a bound
 * that doubles each time, by `random` in [0, 1).
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(BACKOFF_MS_MAX, FIRST_MS * 2 ** Math.min(attempt, 16)))
}
