// Chooses the salts of the bots' orders.

/** No program sends as many: one that starts later begins above all that an earlier one used. */
const SALTS_PER_MS = 1_000n

/**
 * Returns what chooses them: one after the other from `startMs` on (Unix milliseconds). The
 * contract keeps 256 neighbours in one word, and anvil's blocks get slower with every word.
 */
export function makeSalts(startMs: number): () => bigint {
  let newest = BigInt(startMs) * SALTS_PER_MS
  return () => {
    newest += 1n
    return newest
  }
}
