// Interface of a source of index prices.

/** Prices of one observation. */
export type Quotes = Readonly<{
  /** Prices with 18 decimals, by the asset's name at the oracle. */
  prices: ReadonlyMap<string, bigint>
  /** Time of the observation, Unix seconds. */
  seconds: number
}>

export type PriceSource = Readonly<{
  /** Returns current prices. Throws when there are none. */
  prices(): Promise<Quotes>
}>
