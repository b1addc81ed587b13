// Says which account of the mnemonic does what, by its index. Those in between are for whoever
// tries the venue out.
import { TEST_MONEY } from '@openvenue/core/test-money'

export const ROLES = {
  /** Deploys the contracts and owns them. */
  owner: 0,
  /** Halts markets and tightens limits at once; elsewhere it is nobody's second hat. */
  guardian: 0,
  /** Wallets of the venue's own accounts, 1 (insurance) and 2 (fees). */
  insurance: 1,
  fees: 2,
  /** Pushes prices and pokes the perpetual markets. */
  keeper: 3,
  /** Gives tokens and gas to whoever asks. */
  faucet: TEST_MONEY.payerIndex,
  /** Funded with tokens and idle: for trying the venue out. */
  visitors: [5, 6, 7, 8, 9],
  traders: [10, 11, 12, 13, 14],
  /** Owns the liquidity of the pools. */
  provider: 15,
  /** Swaps in the pools. */
  swapper: 16,
  /** Signs receipts of orders; has no funds and sends nothing. */
  receipts: 31,
  /** Bring orders to the chain: the first of them cancels. */
  relayers: [17, 18, 19],
} as const
