// Describes the clock that is passed in: what time it is, and how one waits.

export type Clock = Readonly<{
  nowMs: () => number
  /** Milliseconds that nobody sets; without it, those of `nowMs` stand in. */
  monotonicMs?: () => number
  /** Resolves after so many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
}>
