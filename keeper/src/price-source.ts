// Describes where index prices come from.

/** Prices that were observed at once. */
export type Quotes = Readonly<{
  /** By the asset's name at the oracle, 18 decimals. */
  prices: ReadonlyMap<string, bigint>
  /** Of the observation, Unix seconds. */
  seconds: number
}>

export type PriceSource = Readonly<{
  /** Observes. Throws when nothing can be observed now. */
  prices(): Promise<Quotes>
}>
