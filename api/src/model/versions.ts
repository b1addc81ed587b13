// Counts what has changed in the model, so that an answer made earlier is known to be still right.
export class ModelVersions {
  /** The set of markets, or one's parameters. */
  markets = 0
  /** The set of markets. */
  listing = 0
  tokens = 0
  indexPrices = 0
  /** Anything but books and trades. */
  facts = 0
  entries = 0
  /** Settlements or trades left the memory, which had all of them before. */
  left = 0
  /** Any pool, its tokens or its hours. */
  pools = 0
  /** The set of pools. */
  poolListing = 0

  /** Everything begins anew. */
  raiseAll(): void {
    for (const name of Object.keys(this) as (keyof Omit<ModelVersions, 'raiseAll'>)[]) this[name]++
  }
}
