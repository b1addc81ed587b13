// Retries operations that may fail temporarily: loading a part of the worker, asking the venue.
import { ConnectionError, OpenvenueError } from 'openvenue'
import * as text from '../../text/text.ts'

/** Returns a function that runs `work` at its first call; after a failure the next call retries. */
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

/** Runs `work` until it succeeds, with `againMs` between attempts. */
export const untilDone = (work: () => Promise<unknown>, againMs: number): void =>
  void work().catch(() => setTimeout(untilDone, againMs, work, againMs))

/**
 * Runs `work` now, and again `everyMs` after each end. Refusals and failures to connect are retried
 * in the next round; until then the display shows the age of its data.
 */
export async function repeat(work: () => Promise<void>, everyMs: number): Promise<never> {
  for (;;) {
    await work().catch((error: unknown) => {
      if (!(error instanceof OpenvenueError)) throw error
    })
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Loads a part of the worker. A failure counts as a connection problem, which is temporary. */
export const loadPart = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch((cause: unknown) => {
    throw new ConnectionError(text.partNotLoaded, { cause })
  })
