// Gas limits of a deployment's transactions. Nodes estimate none of them: each limit is the gas
// measured on a fresh chain plus a quarter. A test compares them with the gas used.

/** Contract creations by name. */
export const CREATION_GAS = {
  governance: 1_350_000n,
  insurance: 430_000n,
  fees: 430_000n,
  accounts: 1_750_000n,
  oracle: 1_500_000n,
  pythSource: 1_270_000n,
  chainlinkSource: 1_330_000n,
  spot: 8_700_000n,
  marks: 5_050_000n,
  liquidation: 6_600_000n,
  perpsAdmin: 5_950_000n,
  perps: 6_750_000n,
  lens: 2_150_000n,
} as const

/** Calls by name. */
export const CALL_GAS = {
  role: 65_000n,
  feed: 65_000n,
  /** Reading the decimals of tokens behind proxies is expensive. */
  list: 400_000n,
  parameters: 120_000n,
  outflow: 90_000n,
  depositCap: 70_000n,
  ownership: 65_000n,
} as const

/** Gas of setting up the timelock, by the number of role holders. */
export const initializeGas = (holders: number): bigint => 90_000n + 65_000n * BigInt(holders)
