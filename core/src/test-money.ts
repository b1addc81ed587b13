// What a devnet gives whoever wants to try the venue: one place for its command, the page and
// the library.

/** In whole units: enough for hundreds of orders. */
export const TEST_MONEY = {
  /** Of the accounts of the devnet's node, the one that pays: the node signs for it. */
  payerIndex: 4,
  tokens: { USDC: '100000', EURC: '50000', ETH: '20', BTC: '1' },
  /** Of the native coin. */
  gas: '10',
} as const
