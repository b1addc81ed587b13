// The injected clock: current time and delays.

export type Clock = Readonly<{
  nowMs: () => number
  /** Monotonic milliseconds, unaffected by clock changes. Default: `nowMs`. */
  monotonicMs?: () => number
  /** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
}>
