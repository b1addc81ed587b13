// Does what is done once, such as loading a part of the worker.

/** Returns `work`, done at the first call; what failed is tried anew at the next one. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}

/** Does `work` until it has gone well: again so long after each failure. */
export const untilDone = (work: () => Promise<unknown>, againMs: number): void =>
  void work().catch(() => setTimeout(untilDone, againMs, work, againMs))
