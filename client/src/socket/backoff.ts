// Spreads reconnection attempts: the clients of a failed node must not all return at once.

/** Upper bound of the wait before the first attempt after a loss. */
const FIRST_MS = 500
/** Maximum wait between attempts. */
const BACKOFF_MS_MAX = 30_000
/**
 * Maximum number of failed attempts that count after a connection has carried a message, so that a
 * repeatedly breaking connection is re-established within 4 s.
 */
export const ALIVE_ATTEMPTS_MAX = 3
/** A connection that lasts this long after its first message resets the failed attempts. */
export const STABLE_MS = 10_000

/**
 * Returns the wait before an attempt (counted from 0): up to a bound that doubles with each
 * attempt, scaled by `random` in [0, 1).
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(BACKOFF_MS_MAX, FIRST_MS * 2 ** Math.min(attempt, 16)))
}
