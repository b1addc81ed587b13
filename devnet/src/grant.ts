// Gives tokens and gas to anyone who wants to try the venue.
import { TEST_MONEY } from '@openvenue/core/test-money'
import { parseEther } from 'viem'
import type { DevnetDeployment } from './deployment.ts'
import { mint } from './funds.ts'
import { TOKENS, type TokenSymbol } from './markets.ts'
import type { Tx } from './tx-sender.ts'

/** Whole tokens. */
const GRANT: Readonly<Record<TokenSymbol, string>> = TEST_MONEY.tokens
const GAS_MONEY_WEI = parseEther(TEST_MONEY.gas)
/** A plain transfer of gas money, also to a wallet that is a contract. */
const TRANSFER_GAS = 100_000

/** Returns the amount of a token in a grant, in raw units. */
export function grantAmount(symbol: TokenSymbol): bigint {
  const decimals = TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0
  return BigInt(GRANT[symbol]) * 10n ** BigInt(decimals)
}

/** Returns the transactions that give `wallet` its tokens and gas money. */
export function grantTxs(deployment: DevnetDeployment, faucet: string, wallet: string): Tx[] {
  const tokens = TOKENS.map(({ symbol }) =>
    mint(faucet, deployment.tokens[symbol], wallet, grantAmount(symbol)),
  )
  return [...tokens, { from: faucet, to: wallet, value: GAS_MONEY_WEI, gas: TRANSFER_GAS }]
}

/** Returns the contents of a grant for display. */
export const grantText = (): string =>
  [...TOKENS.map(({ symbol }) => `${GRANT[symbol]} ${symbol}`), `${TEST_MONEY.gas} for gas`].join(
    ', ',
  )
