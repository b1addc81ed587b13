// Reads the account and chain of the browser's wallet without prompting the user.
import type { Address } from 'openvenue/signing'
import type { RequestSummary } from '../wallet-protocol.ts'
import type { WalletRelay } from './wallet-relay.ts'

/** The wallet's id, and the relay to reach it. */
type WalletRoute = Readonly<{ relay: WalletRelay; id: string }>

/** Sends a request to a wallet, after showing a description if the user must agree first. */
export type WalletRequest = (
  method: string,
  params: readonly unknown[],
  words?: RequestSummary,
) => Promise<unknown>

/** Returns the request function of the wallet of that id. */
export const asking =
  ({ relay, id }: WalletRoute): WalletRequest =>
  (method, params, words) =>
    relay.request(id, [method, params], words)

/** Returns the accounts that a wallet exposes; prompts for one if `isAsked`. */
export async function accountsOf(
  ask: WalletRequest,
  isAsked: boolean,
): Promise<readonly Address[]> {
  const given = await ask(isAsked ? 'eth_requestAccounts' : 'eth_accounts', [])
  if (!Array.isArray(given)) return []
  return given.filter((address): address is Address => /^0x[\da-f]{40}$/i.test(`${address}`))
}

/** Returns the current account and chain of a wallet, without prompting the user. */
export async function readWallet(
  parts: WalletRoute,
): Promise<Readonly<{ address: Address | undefined; chainId: number }>> {
  const ask = asking(parts)
  const [[address], chainId] = await Promise.all([accountsOf(ask, false), ask('eth_chainId', [])])
  return { address, chainId: Number(chainId) }
}
