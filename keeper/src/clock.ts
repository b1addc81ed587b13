// Passes time in, so that tests have their own.

export type Clock = Readonly<{
  nowMs: () => number
  /** Resolves after so many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
}>
