// Versions of the model's data, by which cached answers are known to be valid.
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
  /** Rises when settlements or trades left the memory, which had all of them before. */
  left = 0
  /** Any pool, its tokens or its hours. */
  pools = 0
  /** The set of pools. */
  poolListing = 0

  /** Called on a reload. */
  raiseAll(): void {
    for (const name of Object.keys(this) as (keyof Omit<ModelVersions, 'raiseAll'>)[]) this[name]++
  }
}
