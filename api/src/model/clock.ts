// Names the two clocks of a node, passed in so that tests own time.
export type Clock = Readonly<{
  /** Milliseconds since 1970: for what is shown, and compared with times of the chain or others. */
  nowMs: () => number
  /**
   * Milliseconds since whenever, which nobody sets back or forward: for intervals, ages and limits.
   */
  monotonicMs: () => number
}>
