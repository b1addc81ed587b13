// Roles of the mnemonic's accounts, by index. Unlisted ones are free for trying the venue out.
import { TEST_MONEY } from '@openvenue/core/test-money'

export const ROLES = {
  /** Deploys the contracts and owns them. */
  owner: 0,
  /** Halts markets and tightens limits at once; in production a separate account. */
  guardian: 0,
  /** Wallets of the venue's own accounts, 1 (insurance) and 2 (fees). */
  insurance: 1,
  fees: 2,
  /** Pushes prices and pokes the perpetual markets. */
  keeper: 3,
  /** Gives tokens and gas on request. */
  faucet: TEST_MONEY.payerIndex,
  /** Funded with tokens and unused: for trying the venue out. */
  visitors: [5, 6, 7, 8, 9],
  traders: [10, 11, 12, 13, 14],
  /** Owns the liquidity of the pools. */
  provider: 15,
  /** Swaps in the pools. */
  swapper: 16,
  /** Signs receipts of orders; has no funds and sends nothing. */
  receipts: 31,
  /** Relay orders to the chain: the first of them cancels. */
  relayers: [17, 18, 19],
} as const
