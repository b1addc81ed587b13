// The two clocks of a node, injected so that tests control time.
export type Clock = Readonly<{
  /** Milliseconds since 1970: for display, and for comparison with times of the chain. */
  nowMs: () => number
  /** Milliseconds since an arbitrary start, never adjusted: for intervals, ages and limits. */
  monotonicMs: () => number
}>
