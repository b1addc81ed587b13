// Gives tokens and gas to whoever wants to try the venue.
import { E18 } from '@openvenue/core/integers'
import { formatUnits } from 'viem'
import type { Deployment } from './deployment.ts'
import { mint } from './funds.ts'
import { TOKENS, type TokenSymbol } from './markets.ts'
import type { Tx } from './tx-sender.ts'

/** Enough for hundreds of orders. Whole tokens. */
const GRANT: Readonly<Record<TokenSymbol, bigint>> = {
  USDC: 100_000n,
  EURC: 50_000n,
  ETH: 20n,
  BTC: 1n,
}
const GAS_MONEY_WEI = 10n * E18
/** A plain transfer of gas money, also to a wallet that is a contract. */
const TRANSFER_GAS = 100_000

/** Returns what a grant holds of a token, in raw units. */
export function grantAmount(symbol: TokenSymbol): bigint {
  const decimals = TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0
  return GRANT[symbol] * 10n ** BigInt(decimals)
}

/** Returns the transactions that give `wallet` its tokens and gas money. */
export function grantTxs(deployment: Deployment, faucet: string, wallet: string): Tx[] {
  const tokens = TOKENS.map(({ symbol }) =>
    mint(faucet, deployment.tokens[symbol], wallet, grantAmount(symbol)),
  )
  return [...tokens, { from: faucet, to: wallet, value: GAS_MONEY_WEI, gas: TRANSFER_GAS }]
}

/** Returns what a grant holds, for people. */
export const grantText = (): string =>
  [
    ...TOKENS.map(({ symbol }) => `${GRANT[symbol]} ${symbol}`),
    `${formatUnits(GAS_MONEY_WEI, 18)} for gas`,
  ].join(', ')
