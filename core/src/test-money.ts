// Test funds granted by a devnet, shared by its command, the page and the library.

/** In whole units: enough for hundreds of orders. */
export const TEST_MONEY = {
  /** Index of the paying account among those the devnet's node signs for. */
  payerIndex: 4,
  tokens: { USDC: '100000', EURC: '50000', ETH: '20', BTC: '1' },
  /** Amount of the native coin. */
  gas: '10',
} as const
