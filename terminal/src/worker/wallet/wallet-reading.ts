// Reads what the browser's wallet is at, without a question to its person.
import type { Address } from 'openvenue/signing'
import type { Words } from './wallet-protocol.ts'
import type { WalletRelay } from './wallet-relay.ts'

/** Which wallet is asked, and by whom. */
export type WalletAddressed = Readonly<{ relay: WalletRelay; id: string }>

/** Asks a wallet, in words first where its person has to agree. */
export type Ask = (method: string, params: readonly unknown[], words?: Words) => Promise<unknown>

/** Returns what asks the wallet of that id. */
export const asking =
  ({ relay, id }: WalletAddressed): Ask =>
  (method, params, words) =>
    relay.request(id, [method, params], words)

/** Returns the accounts that a wallet gives; asks for one where `isAsked`. */
export async function accountsOf(ask: Ask, isAsked: boolean): Promise<readonly Address[]> {
  const given = await ask(isAsked ? 'eth_requestAccounts' : 'eth_accounts', [])
  if (!Array.isArray(given)) return []
  return given.filter((one): one is Address => /^0x[\da-f]{40}$/i.test(`${one}`))
}

/** Returns the account and the chain that a wallet has now, without a question to its person. */
export async function readWallet(
  parts: WalletAddressed,
): Promise<Readonly<{ address: Address | undefined; chainId: number }>> {
  const ask = asking(parts)
  const [[address], chainId] = await Promise.all([accountsOf(ask, false), ask('eth_chainId', [])])
  return { address, chainId: Number(chainId) }
}
