// The shared poll loop of the tests.

/** Default limit, generous because CI machines are slow: a timeout is always a failure. */
const UNTIL_MS_MAX = 60_000
/** First and longest pause between calls; each pause is 1.5 times the previous one. */
const PAUSE_MS_MIN = 2
const PAUSE_MS_MAX = 50
const PAUSE_GROWTH = 1.5

/**
 * Calls `look` until it returns a truthy value, and returns it. Throws with `claim` after `msMax`
 * milliseconds; errors of `look` propagate. Pass a function as `claim` to include the last value.
 */
export async function until<T>(
  claim: string | (() => string),
  look: () => T | Promise<T>,
  msMax = UNTIL_MS_MAX,
): Promise<Exclude<T, false | undefined | null | 0 | ''>> {
  const deadlineMs = performance.now() + msMax
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MS_MAX)) {
    const result = await look()
    if (result) return result as Exclude<T, false | undefined | null | 0 | ''>
    if (performance.now() > deadlineMs) {
      const text = typeof claim === 'string' ? claim : claim()
      throw new Error(`not within ${msMax} ms: ${text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
