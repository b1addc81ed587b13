// Whose data an account endpoint tells.
import { historyUnavailable } from '../refusals.ts'
import type { Wallets } from './wallets.ts'

/** A wallet, and its number on the chain; undefined while the chain has none for it. */
export type Owner = Readonly<{ wallet: string; account: number | undefined }>

/** Returns the owner with that wallet. Refuses with 503 while the database does not answer. */
export async function ownerOf(wallets: Wallets, wallet: string): Promise<Owner> {
  const account = await wallets.numberOf(wallet).catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })
  return { wallet, account }
}
