// The one poll loop of the tests.

/** Default limit, generous because CI machines are slow: a wait that fails is always a failure. */
const UNTIL_MS_MAX = 60_000
/** First and longest pause between looks; each pause is half as long again as the one before. */
const PAUSE_MS_MIN = 2
const PAUSE_MS_MAX = 50
const PAUSE_GROWTH = 1.5

/**
 * Calls `look` until it returns something truthy, and returns that. Throws with `claim` after
 * `msMax` milliseconds; errors of `look` pass through. Pass a function as `claim` to name the last
 * value seen.
 */
export async function until<T>(
  claim: string | (() => string),
  look: () => T | Promise<T>,
  msMax = UNTIL_MS_MAX,
): Promise<Exclude<T, false | undefined | null | 0 | ''>> {
  const deadlineMs = performance.now() + msMax
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MS_MAX)) {
    const found = await look()
    if (found) return found as Exclude<T, false | undefined | null | 0 | ''>
    if (performance.now() > deadlineMs) {
      const text = typeof claim === 'string' ? claim : claim()
      throw new Error(`not within ${msMax} ms: ${text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
